/* bbv_blocks.c: finds the blocks that an interval of bbv.c has executed and that the last ones have not:
   among those that have ever been executed, the last ones first, then among their neighbours, then among all.
 */
#include <stdlib.h>
#include <string.h>

#include "atomc.h"
#include "bbv.h"

enum { GROUP = 8, FEW = 32 };       /* neighbours; blocks that are sorted one by one */
static struct known *old, *found;   /* old: those that were recent last are at the end */
static const volatile long **fresh; /* not executed yet, with neighbours that have been */
static const volatile long **rest;  /* groups of which nothing has been, the last ones first */
static long old_count, fresh_count, rest_count;
static long *forked; /* what blocks had executed at a fork, or NULL */

/* Blocks are looked at in groups. */
void *for_blocks(long size) {
    void *memory = calloc(count_blocks + GROUP, size);
    if (!memory)
        abort();
    return memory;
}

static void forget(void) {
    old_count = fresh_count = rest_count = 0;
    for (long first = (count_blocks - 1) & -GROUP; first >= 0; first -= GROUP)
        rest[rest_count++] = executed + first;
}

void begin_blocks(void) {
    old = for_blocks(sizeof *old);
    found = for_blocks(2 * sizeof *found);
    fresh = for_blocks(sizeof *fresh);
    rest = for_blocks(sizeof *rest);
    forget();
}

void keep_block(struct known block) {
    old[old_count++] = block;
}

/* Each of these three puts what it finds at `to`, and ends if nothing more is missing. Their lists need no
   order: what has been looked at takes the place of what has been found. */
static struct known *find_old(struct known *to, long *missing) {
    struct known *at = old + old_count, *end = at;
    while (at > old && *missing > 0) {
        long here = *(--at)->cell - at->before;
        if (here == 0)
            continue;
        *missing -= here;
        *to++ = *at;
        *at = *--end;
    }
    old_count = end - old;
    return to;
}

static struct known *find_fresh(struct known *to, long *missing) {
    const volatile long **at = fresh + fresh_count, **end = at;
    while (at > fresh && *missing > 0) {
        long here = **--at;
        if (here == 0)
            continue;
        *missing -= here;
        *to++ = (struct known){*at, 0};
        *at = *--end;
    }
    fresh_count = end - fresh;
    return to;
}

static struct known *find_rest(struct known *to, long *missing) {
    const volatile long **at = rest + rest_count, **end = at;
    while (at > rest && *missing > 0) {
        const volatile long *cell = *--at;
        /* What follows the cells of the last blocks is another counter, or nothing. */
        if (!(cell[0] | cell[1] | cell[2] | cell[3] | cell[4] | cell[5] | cell[6] | cell[7]))
            continue;
        *at = *--end;
        for (int i = 0; i < GROUP && cell < executed + count_blocks; i++, cell++)
            if (*cell) {
                *missing -= *cell;
                *to++ = (struct known){cell, 0};
            } else {
                fresh[fresh_count++] = cell;
            }
    }
    rest_count = end - rest;
    return to;
}

/* By a byte of the block's number after the other, unless they are few or in order. */
static struct known *in_order(struct known *from, long count) {
    struct known *to = from + count;
    long sorted = 1;
    while (sorted < count && from[sorted - 1].cell < from[sorted].cell)
        sorted++;
    if (sorted >= count)
        return from;
    for (long i = sorted; i < count && count <= FEW; i++) {
        struct known at = from[i];
        long k = i;
        for (; k > 0 && from[k - 1].cell > at.cell; k--)
            from[k] = from[k - 1];
        from[k] = at;
    }
    for (int shift = 0; count > FEW && count_blocks - 1 >> shift; shift += 8) {
        int begins[257] = {0};
        for (long i = 0; i < count; i++)
            begins[((from[i].cell - executed) >> shift & 255) + 1]++;
        for (int i = 1; i < 256; i++)
            begins[i] += begins[i - 1];
        for (long i = 0; i < count; i++)
            to[begins[(from[i].cell - executed) >> shift & 255]++] = from[i];
        struct known *other = from;
        from = to;
        to = other;
    }
    return from;
}

struct known *find_blocks(long instructions, int *count, long *total) {
    long missing = instructions;
    struct known *end = find_rest(find_fresh(find_old(found, &missing), &missing), &missing);
    *count = (int)(end - found);
    *total += instructions - missing;
    return in_order(found, *count);
}

void begin_child(void) {
    free(forked);
    forked = for_blocks(sizeof *forked);
    for (long i = 0; i < count_blocks; i++)
        forked[i] = executed[i];
    forget();
    long missing = 0;
    for (long i = 0; i < count_blocks; i++)
        missing += forked[i];
    for (struct known *at = found, *end = find_rest(found, &missing); at < end; at++)
        keep_block((struct known){at->cell, *at->cell});
}

void rebase_block(struct known *block) {
    if (forked)
        block->before -= forked[block->cell - executed];
}

void end_child(void) {
    for (long i = 0; i < old_count; i++)
        rebase_block(&old[i]);
    free(forked);
    forked = NULL;
}
