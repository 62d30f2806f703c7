/* itb.c: analysis routines of itb.atd. */
#include "atomc.h"
#include "configuration.h"

#include "buffer.h"
#include "cache.h"
#include "places.h"

enum { by_place = procedures };
static struct buffer buffer;
static long fetches;

void Init(int count) {
    first_level_name = "ITB";
    levels[0].line = page;
    make_buffer(&buffer, pages, ways);
    make_places(by_place ? count : 0);
}

static void count_fetch(int place) {
    fetches++;
    if (by_place)
        place_misses[place].references++;
}

static void refer(unsigned long number, int place) {
    count_fetch(place);
    if (use_page(&buffer, number))
        return;
    levels[0].misses[LOAD]++;
    levels[0].compulsory += seen_first(&levels[0].seen, number);
    if (by_place)
        place_misses[place].first++;
}

/* A fetch is a reference if the instruction before was on another page. */
void Fetch(unsigned long pc, int place) {
    unsigned long number = pc / page;
    if (number == buffer.last)
        return;
    if (use_first(&buffer, number))
        count_fetch(place);
    else
        refer(number, place);
}

void Forget(void) {
    forget_levels();
    fetches = 0;
}

void Print(const char *out) {
    print_fetch_levels("itb", out, fetches);
    struct configuration all = {.length = 0};
    configure_pages(&all, pages, page, ways);
    atomc_announce("itb: %s", all.text);
}
