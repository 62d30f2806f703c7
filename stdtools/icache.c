/* icache.c: analysis routines of icache.atd. */
#include "atomc.h"

enum { by_place = procedures || lines, allocate = 1, writeback = 1, kinds = 1 };
#include "levels.h"

static const unsigned long *pcs; /* counts of the places, in the order of addresses */
static int place_count;
static long stays;

void Init(const unsigned long *addresses, int count) {
    pcs = addresses;
    place_count = count;
    make_levels("I1", 0); /* a line has one element */
    make_places(by_place ? count : 0);
}

/* The next instruction is on another line than its predecessor, or control has arrived from elsewhere. */
void Fetch(unsigned long pc, int place) {
    if (!is_recent(pc, LOAD))
        refer(pc, place, LOAD);
}

static __attribute__((noinline)) void stay(unsigned long pc) {
    int low = 0, high = place_count - 1;
    stays++;
    while (by_place && low < high) {
        int middle = (low + high) / 2;
        if (pcs[middle] < pc)
            low = middle + 1;
        else
            high = middle;
    }
    if (by_place)
        place_misses[low].references--;
}

/* Control continues at this address, which may be on the same line. */
void Stay(unsigned long pc, unsigned long from) {
    if (pc / line == from / line)
        stay(pc);
}

/* The misses of a direct-mapped cache. The first fetch from a line is one. */
void Direct(const long *missed) {
    unsigned long last = NO_LINE;
    for (int i = 0; i < place_count; i++) {
        if (missed[i] == 0)
            continue;
        levels[0].misses[LOAD] += missed[i];
        levels[0].compulsory += pcs[i] / line != last;
        last = pcs[i] / line;
        if (by_place)
            place_misses[i].first = missed[i];
    }
}

void References(const long *crossed, const long *stayed) {
    for (int i = 0; i < place_count; i++)
        place_misses[i].references += crossed[i] - stayed[i];
}

void Forget(void) {
    forget_levels();
    stays = 0;
}

void Print(const char *out, const long *crossed, const long *stayed) {
    print_fetch_levels("icache", out, *crossed - *stayed - stays);
    tell_levels("icache", "");
}
