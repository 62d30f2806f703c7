/* levels.h: a cache of one or two levels whose sets keep the most recently used lines. What includes it has
   its parameters as constants: line, size, ways (0: fully associative), the same with 2 at the end (size2 0:
   one level), allocate (also for stores that miss), writeback, and by_place.

   The common case is decided at the site: a line that was the last one of its set to be used, for a store
   also dirty, changes nothing. `recent` has these lines, for each quadword of them, so that an address needs
   but a mask to be looked up; or, where that would be too many, for each line. */
#include "cache.h"
#include "places.h"

enum {
    WAYS = ways ? ways : size / line,
    SETS = size / line / WAYS,
    WAYS2 = size2 == 0 ? 1
            : ways2    ? ways2
                       : size2 / line2,
    SETS2 = size2 == 0 ? 1 : size2 / line2 / WAYS2,
    MOST = 65536, /* elements of `recent` */
    RECENT_SETS = SETS > MOST && (SETS & (SETS - 1)) == 0 ? MOST : SETS,
    GRAIN = kinds == 2 && line <= 64 && (long)RECENT_SETS * line <= 8 * MOST ? 8 : line
};
#define NO_LINE (~0ul)

static unsigned long recent[kinds]
                           [RECENT_SETS * (line / GRAIN)]; /* numbers of lines, for loads and for stores */
atomc_unlocked(recent);
static int shared; /* by threads */

/* Is it a reference that changes nothing? */
static inline int is_recent(unsigned long address, int kind) {
    return recent[kind][address % (RECENT_SETS * line) / GRAIN] == address / line;
}

static inline void fill_recent(unsigned long first, unsigned long for_loads, unsigned long for_stores) {
#pragma GCC unroll 8
    for (int i = 0; i < line / GRAIN; i++) {
        recent[LOAD][first + i] = for_loads;
        if (kinds == 2)
            recent[kinds - 1][first + i] = for_stores;
    }
}

/* So no other thread finds a new line in one element, and the old one in another after that. */
static __attribute__((noinline)) void clear_recent(unsigned long first) {
    fill_recent(first, NO_LINE, NO_LINE);
    __sync_synchronize();
}

static void set_recent(unsigned long address, unsigned long for_loads, unsigned long for_stores) {
    unsigned long first = address % (RECENT_SETS * line) / line * (line / GRAIN);
    if (kinds * line > GRAIN && shared)
        clear_recent(first);
    fill_recent(first, for_loads, for_stores);
}

static void make_levels(const char *name, int threads) {
    shared = threads;
    first_level_name = name;
    levels[0] = (struct level){line, SETS, WAYS, zeroed(SETS * WAYS, sizeof(long))};
    if (size2)
        levels[1] = (struct level){line2, SETS2, WAYS2, zeroed(SETS2 * WAYS2, sizeof(long))};
    set_recent(0, NO_LINE, NO_LINE);
}

/* Of the second level, if there is one; whether it misses. */
static int use_second(unsigned long address, int kind) {
    struct level *level = &levels[1];
    unsigned long number = address / line2, gone = 0;
    if (size2 == 0)
        return 0;
    level->references[kind]++;
    if (use_line(level->entries + number % SETS2 * WAYS2, WAYS2, number, kind == STORE && writeback,
                 kind == LOAD || allocate, &gone))
        return 0;
    level->misses[kind]++;
    level->compulsory += seen_first(&level->seen, number);
    level->written_back += gone & 1;
    return 1;
}

static void refer(unsigned long address, int place, int kind) {
    struct level *level = &levels[0];
    unsigned long number = address / line, *set = level->entries + number % SETS * WAYS, gone = 0;
    int hit = use_line(set, WAYS, number, kind == STORE && writeback, kind == LOAD || allocate, &gone);
    int misses2 = kind == STORE && !writeback && use_second(address, STORE);
    if (!hit) {
        level->misses[kind]++;
        level->compulsory += seen_first(&level->seen, number);
        if (kind == LOAD || allocate)
            misses2 |= use_second(address, LOAD);
        else if (writeback)
            misses2 |= use_second(address, STORE);
        if (gone & 1) {
            level->written_back++;
            use_second(((gone >> 1) - 1) * line, STORE);
        }
    }
    if (by_place) {
        place_misses[place].first += !hit;
        place_misses[place].second += misses2;
    }
    if (set[0] >> 1 == number + 1)
        set_recent(address, number, (writeback ? set[0] & 1 : size2 == 0) ? number : NO_LINE);
}
