/* cache.c: analysis routines of cache.atd, dtb.atd, icache.atd and itb.atd: two levels of least recently used
 * lines. */
#include "cache.h"
#include "places.h"
#include "table.h"

struct level levels[2];
const char *first_level_name;
static int allocate = 1, write_back = 1;

void Init(const char *name, int count) {
    first_level_name = name;
    make_places(count);
}

void Level(int number, long size, long line, long ways) {
    if (size)
        lru_init(&levels[number - 1].lru, size, line, ways);
}

void Policy(int allocates, int writes_back) {
    allocate = allocates;
    write_back = writes_back;
}

/* An access to the level; returns 0 if it misses the last one. */
static int access_level(int number, unsigned long address, int kind, int *missed) {
    struct level *level = &levels[number];
    unsigned long dirty = kind == STORE && write_back, gone;
    if (number > 1 || !level->lru.line)
        return 0;
    level->references[kind]++;
    int first = seen_first(&level->seen, address / level->lru.line);
    int hit = lru_hit(&level->lru, address, dirty);
    if (kind == STORE && !write_back)
        access_level(number + 1, address, STORE, missed + 1);
    if (hit)
        return 1;
    missed[0] = 1;
    level->misses[kind]++;
    level->compulsory += first;
    if (kind == STORE && !allocate) {
        if (write_back)
            access_level(number + 1, address, STORE, missed + 1);
        return 0;
    }
    access_level(number + 1, address, LOAD, missed + 1);
    if (lru_bring(&level->lru, address, dirty, &gone)) {
        int of_another_line[3];
        level->written_back++;
        access_level(number + 1, gone, STORE, of_another_line);
    }
    return 0;
}

void Reference(unsigned long address, int place, int kind) {
    int missed[4] = {0};
    access_level(0, address, kind, missed);
    places[place].references[kind]++;
    places[place].misses[kind] += missed[0];
    places[place].misses2[kind] += missed[1];
}

/* A fetch is a reference if the previous instruction was on another line. */
void Fetch(unsigned long pc, int place) {
    static unsigned long last;
    if (pc / levels[0].lru.line + 1 == last)
        return;
    last = pc / levels[0].lru.line + 1;
    Reference(pc, place, LOAD);
}

void Print(const char *tool, const char *out) {
    atomc_begin_table(
        tool, out,
        "'Cache|#References|#Misses|.Rate|#Loads|#Load misses|#Stores|#Store misses|#Compulsory|"
        "#Written back");
    for (int i = 0; i < 2 && levels[i].lru.line; i++) {
        const struct level *level = &levels[i];
        long references = level->references[LOAD] + level->references[STORE];
        long misses = level->misses[LOAD] + level->misses[STORE];
        atomc_add_row((long)(i ? "L2" : first_level_name), references, misses, hundredths(misses, references),
                      level->references[LOAD], level->misses[LOAD], level->references[STORE],
                      level->misses[STORE], level->compulsory, level->written_back);
    }
    atomc_end_table();
}
