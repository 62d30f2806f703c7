/* third.c: follows what each byte of memory is (shadow.h), and finds what third.atd reports. */
#include <stdlib.h>
#include <string.h>

#include "shadow.h"
#include "third.h"

enum { SIZE = 15, UNALIGNED = 16, STRINGS = 32, COPYING = 64 }; /* of an access */

static struct load_fate *fates;
static unsigned char *known_fates;
/* A load whose unset value goes into a store: what is stored there is unset too. */
static struct {
    unsigned long pc;
    long thread;
    enum state state;
    unsigned long part_of; /* the address loaded from, if storing it there is setting a part of it */
} copy;
static unsigned char *moved_states; /* of the block that was freed last */

void Begin(int count) {
    fates = calloc(count + 1, sizeof *fates);
    known_fates = calloc(count + 1, 1);
    if (!fates || !known_fates)
        abort();
}

/* ---- the heap -------------------------------------------------------------------------------------------- */

/* The C library's chunk: what it could hold, from the word before the block. */
static long usable_size(const struct block *block) {
    unsigned long chunk = ((const unsigned long *)block->address)[-1];
    return (long)(chunk & ~7UL) - (chunk & 2 ? 16 : 8);
}

void on_allocate(struct block *block) {
    long usable = usable_size(block);
    shadow_set(block->address, block->size, block->cleared ? GOOD : UNSET_HEAP);
    if (block->moved > 0)
        shadow_copy(moved_states, block->address, block->moved, 1);
    shadow_set(block->address - 8, 8, OUTSIDE);
    if (usable >= block->size)
        shadow_set(block->address + block->size, usable - block->size + 8, OUTSIDE);
}

void on_free(struct block *block, long address, long site) {
    if (!block) {
        report_error(*shadow_of(address) == FREED ? DOUBLE_FREE : WRONG_FREE, site, 0, address, NULL);
        return;
    }
    free(moved_states);
    moved_states = malloc(block->size + 1);
    if (!moved_states)
        abort();
    shadow_copy(moved_states, block->address, block->size, 0);
    shadow_set(block->address, block->size, FREED);
    remember_freed(block);
}

/* ---- loads and stores ------------------------------------------------------------------------------------ */

/* How many bytes of the range are in which state; 0 if all are GOOD. */
static int count_states(unsigned long address, long size, int counts[5]) {
    memset(counts, 0, 5 * sizeof *counts);
    for (long i = 0; i < size; i++)
        counts[*shadow_of(address + i)]++;
    return counts[GOOD] < size;
}

static int all_good(unsigned long address, long size) {
    if (size == 8 && address % 8 == 0)
        return *(long *)shadow_of(address) == 0;
    if (size == 4 && address % 4 == 0)
        return *(int *)shadow_of(address) == 0;
    if (size == 1)
        return *shadow_of(address) == GOOD;
    return 0;
}

/* Aligned accesses bring more than is asked for where a byte or a short is meant: one byte inside makes them
 * right. */
static int is_outside(const int *counts, long size, int kind) {
    int outside = counts[OUTSIDE] + counts[FREED];
    return (kind & (STRINGS | UNALIGNED)) == UNALIGNED ? outside > 0 : outside == size;
}

void Load(int number, unsigned long address, unsigned long pc, int kind, long thread) {
    int counts[5];
    long size = kind & SIZE;
    if (kind & UNALIGNED) { /* for the one byte at its address, but in string routines */
        size = kind & STRINGS ? 8 : 1;
        address = kind & STRINGS ? address & ~7UL : address;
    }
    if (all_good(address, size) || !count_states(address, size, counts) || in_allocator(thread))
        return;
    if (!known_fates[number]) {
        fates[number] = kind & STRINGS ? (struct load_fate){USED, 0, 0} : fate_of_load(pc);
        known_fates[number] = 1;
    }
    if (kind & UNALIGNED && fates[number].fate == MASKED)
        return;
    if (is_outside(counts, size, kind)) {
        report_error(counts[FREED] ? FREED_READ : OUTSIDE_READ, (long)pc, size, address, NULL);
        return;
    }
    if (counts[GOOD] > 0 || kind & COPYING)
        return; /* an access may bring more than the part that is meant */
    enum state state = counts[UNSET_HEAP] ? UNSET_HEAP : UNSET_STACK;
    if (fates[number].fate == USED) {
        report_error(state == UNSET_HEAP ? UNSET_HEAP_READ : UNSET_STACK_READ, (long)pc, size, address, NULL);
    } else if (fates[number].fate == STORED) {
        copy.pc = fates[number].store;
        copy.thread = thread;
        copy.state = state;
        copy.part_of = fates[number].added ? 0 : address;
    }
}

void Store(unsigned long address, unsigned long pc, int kind, long thread) {
    int counts[5], copies = copy.pc == pc && copy.thread == thread;
    long size = kind & SIZE;
    unsigned long first = address;
    if (kind & UNALIGNED)
        first = address & ~7UL;
    if (!copies && all_good(first, size))
        return;
    if (kind & UNALIGNED && !(kind & STRINGS))
        size = part_of_store(pc, address, &first);
    if (copies)
        copy.pc = 0;
    if (in_allocator(thread) || (!count_states(first, size, counts) && !copies))
        return;
    if (is_outside(counts, size, kind))
        report_error(counts[FREED] ? FREED_WRITE : OUTSIDE_WRITE, (long)pc, size, first, NULL);
    else if (copies && copy.part_of != first)
        shadow_set(first, size, copy.state);
    else
        shadow_define(first, size);
}
