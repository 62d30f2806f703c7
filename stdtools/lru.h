/* lru.h: models of caches and translation buffers, which keep the most recently used lines or pages. */
#ifndef ATOMC_LRU_H
#define ATOMC_LRU_H

#include <stdlib.h>
#include <string.h>

/* The lines that have been used so far: bits for ranges of lines, in hash chains. */
enum { RANGE = 32768, RANGE_CHAINS = 256 };
struct seen {
    struct range {
        unsigned long number, bits[RANGE / 64];
        struct range *next;
    } * chains[RANGE_CHAINS]; /* the most recently used range is the first */
};

static __attribute__((unused)) void forget_seen(struct seen *seen) {
    for (int i = 0; i < RANGE_CHAINS; i++)
        for (struct range *range = seen->chains[i], *next; range; range = next) {
            next = range->next;
            free(range);
        }
    memset(seen, 0, sizeof *seen);
}

static inline void *zeroed(unsigned long count, unsigned long size) {
    void *memory = calloc(count, size);
    if (!memory)
        abort();
    return memory;
}

/* Uses a line in a set, sorted by recent use: 2 * (line number + 1) + dirty, or 0. Returns true if the set
   has the line. The line moves to the front. It is dirty if it was dirty before or `dirty` is 1. If it is new
   and `brings` is set, *gone is the entry that it replaces. */
static inline int use_line(unsigned long *set, long set_ways, unsigned long number, int dirty, int brings,
                           unsigned long *gone) {
    long i = 0;
    while (i < set_ways && set[i] >> 1 != number + 1)
        i++;
    int hit = i < set_ways;
    if (!hit && !brings)
        return 0;
    if (!hit)
        *gone = set[--i];
    unsigned long entry = hit ? set[i] | dirty : (number + 1) << 1 | dirty;
    for (; i > 0; i--) {
        set[i] = set[i - 1];
        __asm__(""); /* sets are short: no memmove */
    }
    set[0] = entry;
    return hit;
}

static __attribute__((noinline, unused)) struct range *seen_range(struct seen *seen, unsigned long number) {
    struct range **first = &seen->chains[number % RANGE_CHAINS], **place = first, *found;
    while (*place && (*place)->number != number)
        place = &(*place)->next;
    found = *place;
    if (!found) {
        found = zeroed(1, sizeof *found);
        found->number = number;
    } else {
        *place = found->next;
    }
    found->next = *first;
    return *first = found;
}

static inline int seen_in(struct range *range, unsigned long number) {
    unsigned long *word = &range->bits[number % RANGE / 64], bit = 1ul << number % 64;
    int first = !(*word & bit);
    *word |= bit;
    return first;
}

/* Adds the number; adds 1 to *count if it is new. Returns false, and does nothing, if the number belongs to
 * another range than the last number. */
static __attribute__((unused)) inline int seen_quickly(struct seen *seen, unsigned long number, long *count) {
    struct range *range = seen->chains[number / RANGE % RANGE_CHAINS];
    if (!range || range->number != number / RANGE)
        return 0;
    *count += seen_in(range, number);
    return 1;
}

/* True if the number is new. It is added. */
static inline int seen_first(struct seen *seen, unsigned long number) {
    struct range *range = seen->chains[number / RANGE % RANGE_CHAINS];
    if (!range || range->number != number / RANGE)
        range = seen_range(seen, number / RANGE);
    return seen_in(range, number);
}

#endif
