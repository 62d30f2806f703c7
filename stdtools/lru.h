/* lru.h: models of caches and translation buffers, which keep the most recently used lines or pages. */
#ifndef ATOMC_LRU_H
#define ATOMC_LRU_H

#include <stdlib.h>
#include <string.h>

struct lru {
    unsigned long line, sets, ways; /* bytes of a line, a power of two; sets; lines in a set */
    unsigned long *entries; /* sets * ways, most recently used first: 2 * (line number + 1) + dirty, or 0 */
};
/* Numbers of all lines seen so far. */
struct seen {
    unsigned long *slots, count, size; /* number + 1, or 0; size is a power of two */
};

static inline void *zeroed(unsigned long count, unsigned long size) {
    void *memory = calloc(count, size);
    if (!memory)
        abort();
    return memory;
}

/* A memory of `size` bytes; ways 0: all lines are in one set. */
static inline void lru_init(struct lru *lru, unsigned long size, unsigned long line, unsigned long ways) {
    lru->line = line;
    lru->ways = ways ? ways : size / line;
    lru->sets = size / line / lru->ways;
    lru->entries = zeroed(lru->sets * lru->ways, sizeof *lru->entries);
}

/* Moves an entry to the front of its set, replacing the one at `from`. */
static inline void lru_move(unsigned long *set, unsigned long from, unsigned long entry) {
    memmove(set + 1, set, from * sizeof *set);
    set[0] = entry;
}

/* Whether the line is present. It becomes the most recently used, and dirty if it was or `dirty` is 1. */
static inline int lru_hit(struct lru *lru, unsigned long address, unsigned long dirty) {
    unsigned long number = address / lru->line, *set = lru->entries + number % lru->sets * lru->ways;
    for (unsigned long i = 0; i < lru->ways; i++)
        if (set[i] >> 1 == number + 1) {
            lru_move(set, i, set[i] | dirty);
            return 1;
        }
    return 0;
}

/* Inserts a line. Returns 1 if the line that it replaces is dirty, with that line's address in *gone.
 */
static inline int lru_bring(struct lru *lru, unsigned long address, unsigned long dirty,
                            unsigned long *gone) {
    unsigned long number = address / lru->line, *set = lru->entries + number % lru->sets * lru->ways;
    unsigned long last = set[lru->ways - 1];
    lru_move(set, lru->ways - 1, (number + 1) << 1 | dirty);
    *gone = ((last >> 1) - 1) * lru->line;
    return last & 1;
}

/* Whether the number is new. It is added. */
static inline int seen_first(struct seen *seen, unsigned long number) {
    if (2 * seen->count >= seen->size) {
        struct seen old = *seen;
        *seen = (struct seen){zeroed(old.size ? 2 * old.size : 4096, sizeof *seen->slots), 0,
                              old.size ? 2 * old.size : 4096};
        for (unsigned long i = 0; i < old.size; i++)
            if (old.slots[i])
                seen_first(seen, old.slots[i] - 1);
        free(old.slots);
    }
    unsigned long at = number * 0x9e3779b97f4a7c15;
    for (at ^= at >> 32; seen->slots[at & (seen->size - 1)]; at++)
        if (seen->slots[at & (seen->size - 1)] == number + 1)
            return 0;
    seen->slots[at & (seen->size - 1)] = number + 1;
    seen->count++;
    return 1;
}

#endif
