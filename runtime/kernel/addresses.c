/* addresses.c: static addresses for addresses in memory. runtime/text/library_places.c fills in the table.
   Compiled without floating-point registers. */
#include "runtime/kernel/kernel.h"
#include "stdtools/addresses.h"

/* The distance of each page of an instrumented library from its static address, in leaves of 4 gigabytes
   each, most of which are never touched; entry.S reads them too. If pages are larger, several entries are
   equal. */
_Static_assert(SMALLEST_PAGE == 1 << DISTANCES_PAGE_SHIFT, "entry.S counts with it");
long *atomc_distances[1 << (DISTANCES_ADDRESS_BITS - DISTANCES_LEAF_SHIFT)];

long atomc_static(long address) {
    unsigned long page = (unsigned long)address >> DISTANCES_PAGE_SHIFT;
    const long *leaf =
        (unsigned long)address >> DISTANCES_ADDRESS_BITS ? 0 : atomc_distances[page / DISTANCES_LEAF_PAGES];
    return leaf ? address - leaf[page % DISTANCES_LEAF_PAGES] : address;
}
