/* values.h: the values that places have had, for values.c, which counts them, and values_report.c. */
#ifndef ATOMC_VALUES_H
#define ATOMC_VALUES_H

/* The values of a place: a hash table with linear probing, from a value's home slot on. The common case, a
   value in its home slot, is decided at the site; a value that is found elsewhere changes places with what is
   in its home. Nothing is removed, so the ways to all values remain without gaps.

   A slot is empty if it has no times. Then its value has another home: 0 has the first one, -1 has not. */
struct value {
    long value, times;
};
struct place {
    struct value *slots;
    unsigned long multiplier; /* MULTIPLIER: at hand here */
    long shift;               /* 60 - the logarithm of the number of slots */
    long different;
};
extern struct place *places; /* one if all are together */

static inline long room_of(const struct place *place) {
    return 1l << (60 - place->shift);
}

#endif
