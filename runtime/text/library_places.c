/* library_places.c: where instrumented libraries are in memory, and how far from their static addresses.
   Compiled without floating-point registers. */
#include <sys/mman.h>

#include "stdtools/addresses.h"
#include "runtime/text/internal.h"

/* For each library in atomc_image.libraries. */
static struct {
    int loaded;    /* the library is in memory: at most one time */
    long distance; /* distance from its static addresses to its addresses in memory */
} places[LIBRARIES];

int atomc_library_is_loaded(unsigned long number) {
    return places[number].loaded;
}

long atomc_library_distance(unsigned long number) {
    return places[number].distance;
}

static long *new_leaf(void) {
    static unsigned long next = ATOMC_DISTANCES;
    const unsigned long size = DISTANCES_LEAF_PAGES * sizeof(long);
    if (next + size > ATOMC_DISTANCES_END)
        atomc_give_up("there are libraries in too many parts of the memory", "");
    long leaf = RAW(CALL_mmap, next, size, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE, -1, 0);
    next += size;
    return (long *)leaf;
}

static void set_distances(const struct atomc_library *moved, long distance, long value) {
    unsigned long page = (moved->begin + (unsigned long)distance) & -(unsigned long)SMALLEST_PAGE;
    for (; page < moved->end + (unsigned long)distance; page += SMALLEST_PAGE) {
        long **leaf = &atomc_distances[page >> DISTANCES_LEAF_SHIFT];
        if (!*leaf)
            *leaf = new_leaf();
        (*leaf)[(page >> DISTANCES_PAGE_SHIFT) % DISTANCES_LEAF_PAGES] = value;
    }
}

long atomc_address(long address) {
    for (unsigned long k = 0; k < atomc_image.library_count; k++)
        if ((unsigned long)address - library_at(k)->begin < library_at(k)->end - library_at(k)->begin)
            return places[k].loaded ? address + places[k].distance : 0;
    return address;
}

long atomc_address_of(unsigned long instruction) {
    for (unsigned long k = 0; k < atomc_image.library_count; k++)
        if (instruction - library_at(k)->first < library_at(k)->count)
            return (long)(library_at(k)->text + 4 * (instruction - library_at(k)->first)) +
                   places[k].distance;
    return (long)(atomc_image.text_address + 4 * instruction);
}

/* ---- loading, unloading ------------------------------------------------------------------------------------- */

void atomc_place_library(unsigned long number, long distance) {
    places[number].distance = distance;
    set_distances(library_at(number), distance, distance);
    places[number].loaded = 1;
}

void atomc_leave_library(long number) {
    places[number].loaded = 0;
    set_distances(library_at((unsigned long)number), places[number].distance, 0);
}
