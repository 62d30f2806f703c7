/* cache.c: analysis routines of cache.atd. */
#include "atomc.h"

enum { by_place = procedures || lines || cachegrind || html, kinds = 2 };
#include "levels.h"

void Init(int count, int threads) {
    make_levels("L1", threads);
    make_places(by_place ? count : 0);
}

void Reference(unsigned long address, int place, int kind) {
    if (!is_recent(address, kind))
        refer(address, place, kind);
}

void Forget(void) {
    forget_levels();
}

void Print(const char *out, const long *load_count, const long *store_count) {
    print_levels("cache", out, *load_count, *store_count);
    tell_levels("cache", writeback && allocate ? ", write-back"
                         : writeback           ? ", write-back, no write-allocate"
                         : allocate            ? ", write-through"
                                               : ", write-through, no write-allocate");
}
