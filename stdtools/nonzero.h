/* nonzero.h: finds counts that are not 0 among many that are. */
#ifndef ATOMC_NONZERO_H
#define ATOMC_NONZERO_H

/* The number of the first from this one on, or `count`. */
static inline int next_nonzero(const volatile long *counts, int from, int count) {
    for (; from + 8 <= count; from += 8) {
        const volatile long *c = counts + from;
        if (c[0] | c[1] | c[2] | c[3] | c[4] | c[5] | c[6] | c[7])
            break;
    }
    while (from < count && !counts[from])
        from++;
    return from;
}

#endif
