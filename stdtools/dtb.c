/* dtb.c: analysis routines of dtb.atd. */
#include "atomc.h"
#include "configuration.h"

#include "buffer.h"
#include "cache.h"
#include "places.h"

enum { by_place = procedures || lines };
static struct buffer buffer;

void Init(int count) {
    first_level_name = "DTB";
    levels[0].line = page;
    make_buffer(&buffer, pages, ways);
    make_places(by_place ? count : 0);
}

static void refer(unsigned long number, int place, int kind) {
    if (use_page(&buffer, number))
        return;
    levels[0].misses[kind]++;
    levels[0].compulsory += seen_first(&levels[0].seen, number);
    if (by_place)
        place_misses[place].first++;
}

void Reference(unsigned long address, int place, int kind) {
    unsigned long number = address / page;
    if (number != buffer.last && !use_first(&buffer, number))
        refer(number, place, kind);
}

void Forget(void) {
    forget_levels();
}

void Print(const char *out, const long *load_count, const long *store_count) {
    print_levels("dtb", out, *load_count, *store_count);
    struct configuration all = {.length = 0};
    configure_pages(&all, pages, page, ways);
    atomc_announce("dtb: %s", all.text);
}
