/* place_search.h: finds a place by its address, for tools that show few of many places. The places are stored
 * as arrays.
 */
#ifndef ATOMC_PLACE_SEARCH_H
#define ATOMC_PLACE_SEARCH_H

/* Its number among the ascending addresses; -1 if it is not among them. */
static inline long place_at(long pc, const long *pcs, long count) {
    long low = 0, high = count;
    while (low < high) {
        long middle = (low + high) / 2;
        if (pcs[middle] < pc)
            low = middle + 1;
        else
            high = middle;
    }
    return low < count && pcs[low] == pc ? low : -1;
}

#endif
