/* bbv_blocks.c: finds the groups of blocks that an interval of bbv.c has executed and recent intervals have
   not: among all groups ever executed, latest first, then among the rest. */
#include <stdlib.h>
#include <string.h>

#include "atomc.h"
#include "bbv.h"

enum { FEW = 32 }; /* groups that are sorted one by one */
long *written;
static struct group *old, *found;  /* old: the groups that were recent last are at the end */
static const volatile long **rest; /* cells of groups that have executed no instruction, the last ones
                                      first */
static long old_count, rest_count;
static long *forked; /* the blocks' counts at a fork, or NULL */

/* The cells of the last blocks: after them is another counter, or no memory. */
static volatile long tail[GROUP];
static long tail_first;
static const volatile long before_all[GROUP] = {1}; /* ends a search */

void *for_blocks(long size) {
    void *memory = calloc(count_blocks + GROUP, size);
    if (!memory)
        abort();
    return memory;
}

void look_at_cells(void) {
    for (long i = tail_first; i < count_blocks; i++)
        tail[i - tail_first] = executed[i];
}

static const volatile long *cells_from(long first) {
    return first == tail_first ? tail : executed + first;
}

static void forget(void) {
    old_count = rest_count = 0;
    for (long first = tail_first; first >= 0; first -= GROUP)
        rest[rest_count++] = cells_from(first);
}

void begin_groups(void) {
    tail_first = count_blocks / GROUP * GROUP;
    written = for_blocks(sizeof *written);
    old = for_blocks(sizeof *old / GROUP);
    found = for_blocks(2 * sizeof *found / GROUP);
    rest = for_blocks(sizeof *rest / GROUP + 1);
    *rest++ = before_all;
    forget();
}

void keep_group(struct group group) {
    old[old_count++] = group;
}

/* Each of these two functions writes its results at `to`, and ends when all instructions have been found.
   Their lists are unordered: a result's place is filled by an element that has been examined. */
static struct group *find_old(struct group *to, long *missing) {
    struct group *at = old + old_count, *end = at;
    while (at > old && *missing > 0) {
        at--;
        long here = sum_of(at->cells) - at->written;
        if (here == 0)
            continue;
        *missing -= here;
        *to++ = *at;
        *at = *--end;
    }
    old_count = end - old;
    return to;
}

static struct group *find_rest(struct group *to, long *missing) {
    const volatile long **at = rest + rest_count, **end = at;
    while (*missing > 0) {
        const volatile long *cells;
        do
            cells = *--at;
        while (!any_of(cells));
        if (at < rest)
            break;
        *missing -= sum_of(cells);
        *to++ = (struct group){.cells = cells, .first = cells == tail ? tail_first : cells - executed};
        *at = *--end;
    }
    rest_count = end - rest;
    return to;
}

/* Radix sort by the bytes of the group's number, unless there are few groups or they are sorted already. */
static struct group *in_order(struct group *from, long count) {
    struct group *to = from + count;
    long sorted = 1;
    while (sorted < count && from[sorted - 1].first < from[sorted].first)
        sorted++;
    if (sorted >= count)
        return from;
    for (long i = sorted; i < count && count <= FEW; i++) {
        struct group at = from[i];
        long k = i;
        for (; k > 0 && from[k - 1].first > at.first; k--)
            from[k] = from[k - 1];
        from[k] = at;
    }
    for (int shift = 0; count > FEW && count_blocks / GROUP >> shift; shift += 8) {
        int begins[257] = {0};
        for (long i = 0; i < count; i++)
            begins[(from[i].first / GROUP >> shift & 255) + 1]++;
        for (int i = 1; i < 256; i++)
            begins[i] += begins[i - 1];
        for (long i = 0; i < count; i++)
            to[begins[from[i].first / GROUP >> shift & 255]++] = from[i];
        struct group *other = from;
        from = to;
        to = other;
    }
    return from;
}

struct group *find_groups(long instructions, long *count, long *total) {
    long missing = instructions;
    *count = find_rest(find_old(found, &missing), &missing) - found;
    *total += instructions - missing;
    return in_order(found, *count);
}

void begin_child(void) {
    free(forked);
    forked = for_blocks(sizeof *forked);
    for (long i = 0; i < count_blocks; i++)
        forked[i] = written[i] = executed[i];
    forget();
    look_at_cells();
    long missing = 0;
    for (long i = 0; i < count_blocks; i++)
        missing += forked[i];
    for (struct group *at = found, *end = find_rest(found, &missing); at < end; at++) {
        at->written = sum_of(at->cells);
        keep_group(*at);
    }
}

void rebase_group(struct group *group) {
    for (long i = group->first; forked && i < group->first + GROUP; i++) {
        written[i] -= forked[i];
        group->written -= forked[i];
    }
}

void end_child(void) {
    for (long i = 0; i < old_count; i++)
        rebase_group(&old[i]);
    free(forked);
    forked = NULL;
}
