/* cells.c: what the counters of cells.atd should hold, and where they do not. */
#include <stdio.h>
#include <stdlib.h>

#include "atomc.h"

static long my_low[low_cells], my_odd[100], my_last[lines], my_tag[lines], my_filled[lines * 2], my_misses, my_again;
static long my_both, my_swapped, my_history, my_lowest[7], my_highest[7], my_steps[3], my_stepped, my_guarded;
static long my_sizes[4][sizes_buckets], *my_sites, accesses_made;

static int bucket_of(long value) {
    return value < 0 ? 0 : value == 0 ? 1 : 65 - __builtin_clzl(value);
}

void Access(unsigned long address, long pc, int number) {
    if (!accesses_made++)
        my_sites = calloc(2 * count_accesses, sizeof *my_sites);
    my_low[address & 255]++;
    if ((long)address >> 3 >= 0 && (long)address >> 3 < 100)
        my_odd[address >> 3]++;
    if ((address & 127) < 100)
        my_odd[address & 127] += 2;
    long line = (long)address >> 5;
    my_misses += my_tag[line & (lines - 1)] != line;
    my_tag[line & (lines - 1)] = line;
    my_again++;
    if (my_last[address & (lines - 1)] != pc) {
        my_last[address & (lines - 1)] = pc;
        my_guarded++;
    }
    my_filled[(address & 15) * 8] = address + 1;
    my_sites[2 * number + (address >> 2 & 1)]++;
    long seventh = (long)address % 7;
    if (!my_lowest[seventh] || (long)address < my_lowest[seventh])
        my_lowest[seventh] = address;
    if (!my_highest[seventh] || (long)address > my_highest[seventh])
        my_highest[seventh] = address;
    if ((address >> 3 & 7) < 4)
        my_sizes[address >> 3 & 7][bucket_of(address & 0xffff)]++;
    my_both += my_low[address & 255];
}

void Branch(long taken) {
    my_swapped += my_steps[1];
    my_steps[1] = my_steps[0];
    my_steps[0] = my_steps[2];
    my_steps[2] = taken;
    my_stepped += (my_history & 3) < 3 ? my_steps[my_history & 3] : 0;
    my_history = (my_history << 1 | taken) & 0xfff;
}

static int wrong;

static void compare(const char *name, const volatile long *found, const long *expected, long count) {
    for (long i = 0; i < count; i++)
        if (found[i] != expected[i] && wrong++ < 10)
            printf("%s[%ld] is %ld, not %ld\n", name, i, found[i], expected[i]);
}

void Print(void) {
#define COMPARE(name, count) compare(#name, name, (const long *)my_##name, count)
#define COMPARE_ONE(name)    compare(#name, name, &my_##name, 1)
    static long none[5];
    COMPARE(low, low_cells), COMPARE(odd, 100), COMPARE(last, lines), COMPARE(tag, lines), COMPARE(filled, lines * 2);
    COMPARE(sites, 2 * count_accesses), COMPARE(steps, 3), COMPARE(sizes, sizes_cells * sizes_buckets);
    for (int i = 0; i < 7; i++)
        if (my_lowest[i])
            compare("lowest", &lowest[i], &my_lowest[i], 1), compare("highest", &highest[i], &my_highest[i], 1);
    COMPARE_ONE(misses), COMPARE_ONE(again), COMPARE_ONE(both), COMPARE_ONE(swapped), COMPARE_ONE(history);
    COMPARE_ONE(stepped), COMPARE_ONE(guarded);
    compare("beyond", beyond, none, 5);
    atomc_begin_table("cells", "expected.out", "#Cell|#Count|#Same");
    for (long i = 0; i < 256; i++)
        if (my_low[i])
            atomc_add_row(i, my_low[i], my_low[i]);
    atomc_end_table();
    printf("%s accesses, %d wrong\n", accesses_made > 1000 ? "many" : "few", wrong);
}
