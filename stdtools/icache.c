/* icache.c: analysis routines of icache.atd. */
#include "atomc.h"

enum { by_place = procedures || lines, allocate = 1, writeback = 1, kinds = 1 };
#include "levels.h"

static unsigned long last = NO_LINE; /* fetched from */
static long arrivals;

void Init(int count) {
    make_levels("I1");
    make_places(by_place ? count : 0);
}

/* The next instruction is on another line than the one before it. */
void Cross(unsigned long pc, int place) {
    last = pc / line;
    if (!is_recent(pc, LOAD))
        refer(pc, place, LOAD);
}

/* It may be: a fetch is a reference then. */
void Arrive(unsigned long pc, int place) {
    if (pc / line == last)
        return;
    last = pc / line;
    arrivals++;
    if (by_place)
        place_misses[place].references++;
    if (!is_recent(pc, LOAD))
        refer(pc, place, LOAD);
}

void Print(const char *out, const long *crossed) {
    print_levels("icache", out, arrivals + *crossed, 0);
}
