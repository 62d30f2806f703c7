/* bbv.c: analysis routines of bbv.atd. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "atomc.h"
#include "decimal.h"
#include "table.h"

/* What an interval has executed is looked for among the blocks of the last intervals, then among those that
   have ever been executed, then among all: no further than until all its instructions have been found. */
enum { RECENT = 2, GROUP = 8 }; /* intervals; blocks */
struct recent {
    int block, last;       /* last: the number of the interval that executed it last */
    struct decimal number; /* of length 0: too long */
};
static FILE *file;
static long left;             /* instructions up to the end of the interval */
static long *before;          /* what blocks had executed at its beginning */
static struct recent *recent; /* in order */
static char *is_recent, *is_known;
static int *known, *found; /* known: blocks that have been executed, in order */
static int recent_count, known_count, now;
static long more, *forked; /* executed, and not in a line yet; what blocks had executed at a fork, or NULL */

/* One for each block; they are looked at in groups. */
static void *allocated(long size) {
    void *memory = calloc(count_blocks + GROUP, size);
    if (!memory)
        abort();
    return memory;
}

static void begin(void) {
    left = interval;
    more = recent_count = known_count = now = 0;
    if (!(file = atomc_begin_file(out)))
        exit(1);
}

void Open(void) {
    before = allocated(sizeof *before);
    recent = allocated(sizeof *recent);
    is_recent = allocated(sizeof *is_recent);
    is_known = allocated(sizeof *is_known);
    known = allocated(sizeof *known);
    found = allocated(sizeof *found);
    begin();
}

/* A child begins an interval, in a file of its own. */
void Fork(void) {
    forked = allocated(sizeof *forked);
    memcpy(forked, executed, count_blocks * sizeof *forked);
    memcpy(before, forked, count_blocks * sizeof *before);
    memset(is_recent, 0, count_blocks);
    memset(is_known, 0, count_blocks);
    begin();
}

/* Adds blocks to those that are known, in order. */
static void merge_known(const int *found, int count) {
    int at = known_count - 1;
    known_count += count;
    for (int i = known_count; count > 0;)
        known[--i] = at >= 0 && known[at] > found[count - 1] ? known[at--] : found[--count];
}

static void merge_recent(const int *found, int count) {
    int at = recent_count - 1;
    recent_count += count;
    for (int i = recent_count; count > 0;) {
        if (at >= 0 && recent[at].block > found[count - 1]) {
            recent[--i] = recent[at--];
            continue;
        }
        int block = found[--count];
        recent[--i] = (struct recent){.block = block};
        if (block + 1 < DECIMAL_SHORT)
            recent[i].number = decimal_of(block + 1);
        is_recent[block] = 1;
    }
}

/* Blocks that are not recent have executed so many instructions. How many have been found. */
static long find_others(long instructions) {
    long missing = instructions;
    const volatile long *counts = executed;
    int count = 0;
    for (int i = 0; i < known_count && missing > 0; i++) {
        int block = known[i];
        long here = counts[block] - before[block];
        if (here == 0 || is_recent[block])
            continue;
        found[count++] = block;
        missing -= here;
    }
    merge_recent(found, count);
    count = 0;
    for (int first = 0; first < count_blocks && missing > 0; first += GROUP) {
        const volatile long *at = counts + first;
        unsigned long some = *(const unsigned long *)(is_known + first);
        /* What follows the cells of the last blocks is another counter, or nothing. */
        if (some == 0x0101010101010101 || !(at[0] | at[1] | at[2] | at[3] | at[4] | at[5] | at[6] | at[7]))
            continue;
        for (int block = first; block < first + GROUP && block < count_blocks; block++, some >>= 8)
            if (!(some & 1) && counts[block]) {
                found[count++] = block;
                is_known[block] = 1;
                missing -= counts[block];
            }
    }
    merge_known(found, count);
    merge_recent(found, count);
    return instructions - missing;
}

/* Threads may have counted more than has passed. It is not looked for in the next interval. */
static void end_interval(void) {
    static char line[8192];
    char *end = line;
    int kept = 0;
    more -= interval - left;
    for (int i = 0; i < recent_count; i++)
        more += executed[recent[i].block] - before[recent[i].block];
    if (more < 0)
        more += find_others(-more);
    now++;
    left = interval;
    *end++ = 'T';
    for (int i = 0; i < recent_count; i++) {
        struct recent at = recent[i];
        long count = executed[at.block], here = count - before[at.block];
        if (here == 0 && now - at.last > RECENT) {
            is_recent[at.block] = 0;
            continue;
        }
        if (here != 0) {
            if (end > line + sizeof line - 64) {
                fwrite(line, 1, end - line, file);
                end = line;
            }
            end = at.number.length ? write_decimal(end, at.number) : write_number(end, at.block + 1);
            end = write_number(end, here);
            *end++ = ' ';
            before[at.block] = count;
            at.last = now;
        }
        recent[kept++] = at;
    }
    recent_count = kept;
    *end++ = '\n';
    fwrite(line, 1, end - line, file);
}

/* Instructions have been executed, and counted. */
void Pass(int instructions) {
    left -= instructions;
    if (left <= 0)
        end_interval();
}

void Close(void) {
    for (int i = 0; forked && i < count_blocks; i++)
        before[i] -= forked[i]; /* counts begin at the fork, at the end */
    find_others(LONG_MAX);
    if (left < interval)
        end_interval();
    atomc_end_file();
}
