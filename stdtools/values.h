/* values.h: the values that places have had, for values.c, which counts them, and values_report.c. */
#ifndef ATOMC_VALUES_H
#define ATOMC_VALUES_H

/* The values of a place: a hash table with linear probing, from a value's home slot on. The common case, a
   value in its home slot, is handled at the site; a value found elsewhere is exchanged with the value in its
   home slot. Values are never removed, so search paths have no gaps.

   A slot is empty if its count is 0. Then its value is a value with another home: 0 for all slots but the
   first, -1 for the first.

   Small tables grow by a factor of four, large ones of two: an odd multiplier distinguishes all values, an
   even one ignores their highest bits. */
struct value {
    long value, times;
};
struct place {
    struct value *slots;
    unsigned long multiplier; /* its low six bits: 60 - the logarithm of the number of slots */
    long left;                /* values that the table has room for, before it grows */
};
enum { AT_HAND = 1 << 18 }; /* the first slots, whose addresses sites know */
extern struct place places_at_hand[AT_HAND], *more_places;

static inline struct place *place_of(long number) {
    return number / AT_HAND == 0 ? &places_at_hand[number] : &more_places[number - AT_HAND];
}

/* An instruction that shifts takes these bits itself. */
static inline int shift_of(const struct place *place) {
    return place->multiplier & 63;
}
static inline long room_of(const struct place *place) {
    return 1l << (60 - shift_of(place));
}

enum { LEAST_SHIFT = 59, DENSE_SHIFT = 54 };

/* The number of values that a table holds: half of its slots, for small tables a quarter, for the first table
   none. */
static inline long capacity_of(const struct place *place) {
    int shift = shift_of(place);
    return shift == LEAST_SHIFT ? 0 : room_of(place) >> (shift > DENSE_SHIFT ? 2 : 1);
}
static inline long different_of(const struct place *place) {
    return capacity_of(place) - place->left;
}

/* Memory of tables (values_slots.c): zero, and free together in the end. */
enum { MAPPED = 1 << 14 };           /* larger tables are mapped by the kernel */
void *zeroed(long count, long size); /* if memory is exhausted, the process ends */
struct value *empty_slots(long count);
void free_slots(const struct place *place);
void free_chunks(void); /* no table is in use */

/* The number of the next place, from this place on, that has had a value; `end` if there is none before
   that. */
long next_filled(long from, long end);
void begin_filled(long count); /* of places */
extern unsigned long *filled;  /* a bit for each place that has had a value */
static inline void fill_place(long number) {
    filled[number / 64] |= 1ul << number % 64;
}
void forget_filled(long count);

void Value(int number, long value);
void count_value(struct place *place, long value);
void forget_values(struct place *place); /* also for a new place */

/* Copies the first `wanted` values to `best`, in order. Returns the number of executions of the place.
 */
long find_frequent(const struct place *place, struct value *best, long wanted);

/* Values by calling context (-D callers=N, values_tree.c). */
void forget_contexts(void);

#endif
