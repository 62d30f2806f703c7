/* levels.h: a cache of one or two levels whose sets keep the most recently used lines. The including file
   defines its parameters as constants: line, size, ways (0: fully associative), the same with 2 at the end
   (size2 0: one level), allocate (also for stores that miss), writeback, and by_place.

   The common case is handled at the site: the most recently used line of its set, for a store also dirty,
   needs no change. `recent` has these lines. If there is room, its rows have the same distance as lines, and
   hold addresses of lines: then an address without its low bits is a direct index. */
#include "cache.h"
#include "configuration.h"
#include "places.h"

enum {
    WAYS = ways ? ways : size / line,
    SETS = size / line / WAYS,
    WAYS2 = size2 == 0 ? 1
            : ways2    ? ways2
                       : size2 / line2,
    SETS2 = size2 == 0 ? 1 : size2 / line2 / WAYS2,
    MOST = 65536, /* elements of `recent` for each kind */
    RECENT_SETS = SETS > MOST && (SETS & (SETS - 1)) == 0 ? MOST : SETS,
    BY_ADDRESS = kinds == 2 && line >= 16 && line <= 64 && (long)RECENT_SETS * line <= 8 * MOST,
    ROW = BY_ADDRESS ? line / 8 : kinds
};
#define NO_LINE (~0ul)

static unsigned long recent[RECENT_SETS][ROW]; /* lines, as line_of() has them, for loads and for stores */
atomc_unlocked(recent);
static int shared; /* by threads */

static inline unsigned long line_of(unsigned long address) {
    return BY_ADDRESS ? address & -(unsigned long)line : address / line;
}

/* True if it is a reference that needs no change. */
static inline int is_recent(unsigned long address, int kind) {
    unsigned long number = line_of(address);
    return recent[address % (RECENT_SETS * line) / line][kind] == number;
}

static inline void set_recent(unsigned long address, unsigned long for_loads, unsigned long for_stores) {
    unsigned long *row = recent[address % (RECENT_SETS * line) / line];
    row[LOAD] = for_loads;
    if (kinds == 2)
        row[kinds - 1] = for_stores;
}

static void make_levels(const char *name, int threads) {
    shared = threads;
    first_level_name = name;
    levels[0] = (struct level){line, SETS, WAYS, zeroed(SETS * WAYS, sizeof(long))};
    if (size2)
        levels[1] = (struct level){line2, SETS2, WAYS2, zeroed(SETS2 * WAYS2, sizeof(long))};
    set_recent(0, NO_LINE, NO_LINE);
}

/* `policy`: a text about stores. */
static void tell_levels(const char *tool, const char *policy) {
    struct configuration all = {.length = 0};
    configure_cache(&all, size, line, ways);
    if (size2) {
        configure(&all, "%s; level 2 ", policy);
        configure_cache(&all, size2, line2, ways2);
    }
    atomc_announce("%s: %s%s", tool, all.text, policy);
}

/* Accesses the second level, if there is one; returns true if it misses. */
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

/* So no other thread finds a new line in one element, and after that the old line in another. */
static __attribute__((noinline)) void set_shared(unsigned long address, unsigned long for_stores,
                                                 int is_first) {
    set_recent(address, NO_LINE, NO_LINE);
    __sync_synchronize();
    set_recent(address, line_of(address), for_stores);
    if (is_first)
        levels[0].compulsory += seen_first(&levels[0].seen, address / line);
}

static __attribute__((noinline)) void find_seen(unsigned long number) {
    levels[0].compulsory += seen_first(&levels[0].seen, number);
}

/* Code that may take long is the last, so that no values have to be saved across it. */
static __attribute__((noinline)) void refer(unsigned long address, int place, int kind) {
    struct level *level = &levels[0];
    unsigned long number = address / line, *set = level->entries + number % SETS * WAYS, gone = 0;
    int hit = use_line(set, WAYS, number, kind == STORE && writeback, kind == LOAD || allocate, &gone);
    int is_there = hit || kind == LOAD || allocate;
    unsigned long for_stores = (writeback ? is_there && set[0] & 1 : size2 == 0) ? line_of(address) : NO_LINE;
    int misses2 = kind == STORE && !writeback && use_second(address, STORE);
    if (!hit) {
        level->misses[kind]++;
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
    if (is_there && kinds == 2 && shared) {
        set_shared(address, for_stores, !hit);
        return;
    }
    if (is_there)
        set_recent(address, line_of(address), for_stores);
    if (!hit && !seen_quickly(&level->seen, number, &level->compulsory))
        find_seen(number);
}
