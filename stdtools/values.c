/* values.c: analysis routines of values.atd: how often each place has had each value. */
#include <malloc.h>
#include <stdlib.h>

#include "atomc.h"
#include "values.h"

struct place places_at_hand[AT_HAND], *more_places;
#define MULTIPLIER 0x1e3779b97f4a7c00ul
enum { LEAST_SHIFT = 59, DENSE_SHIFT = 54, LARGE_SHIFT = 45, MAPPED = 1 << 14, MOST_MAPPED = 4096 };

static void *zeroed(long count, long size) {
    void *memory = calloc(count, size);
    if (!memory)
        abort();
    return memory;
}

static inline unsigned long home_of(const struct place *place, long value) {
    return (unsigned long)value * place->multiplier >> shift_of(place) & ~15ul;
}

static inline struct value *slot_at(const struct place *place, unsigned long home) {
    return (struct value *)((char *)place->slots + home);
}

static long place_count;

static inline void make_empty(struct place *place) {
    static struct value none[2] = {{-1, 0}};
    place->slots = none;
    place->multiplier = MULTIPLIER | LEAST_SHIFT;
}

void forget_values(struct place *place) {
    if (place->different)
        free(place->slots);
    place->different = 0;
    make_empty(place);
}

void Begin(long count) {
    place_count = together ? 1 : count;
    more_places = zeroed(place_count > AT_HAND ? place_count - AT_HAND : 1, sizeof *more_places);
    mallopt(M_MMAP_THRESHOLD, MAPPED); /* the kernel gives zeros */
    mallopt(M_MMAP_MAX, MOST_MAPPED);  /* of what a process may have, most is for the program */
    for (long i = 0; i < place_count; i++)
        make_empty(place_of(i));
}

void Forget(void) {
    for (long i = 0; i < place_count; i++)
        forget_values(place_of(i));
    if (callers > 0)
        forget_contexts();
}

/* The slot of the value, or the empty one where it is to be. */
static struct value *find(const struct place *place, long value) {
    struct value *slot = slot_at(place, home_of(place, value)), *end = place->slots + room_of(place);
    while (slot->times && slot->value != value)
        if (++slot == end)
            slot = place->slots;
    return slot;
}

/* The value goes to its home, and what is there to the slot. */
static inline void set_home(const struct place *place, struct value *slot, long value, long times) {
    struct value *home = slot_at(place, home_of(place, value));
    *slot = *home;
    *home = (struct value){value, times};
}

/* A value comes that a table has no room for. */
static __attribute__((noinline)) void grow(struct place *place, long value) {
    struct value *old = place->slots;
    long room = room_of(place);
    place->multiplier -= shift_of(place) > LARGE_SHIFT ? 2 : 1;
    place->slots = zeroed(room_of(place), sizeof *place->slots);
    place->slots[0].value = -1;
    struct value *end = place->slots + room_of(place);
    for (const struct value *from = old; from < old + room; from++)
        if (from->times) {
            struct value *to = slot_at(place, home_of(place, from->value));
            while (to->times)
                if (++to == end)
                    to = place->slots;
            *to = *from;
        }
    if (place->different)
        free(old);
    place->different++;
    set_home(place, find(place, value), value, 1);
}

/* Half full; small tables a quarter. */
static inline int is_full(const struct place *place) {
    return place->different << (shift_of(place) > DENSE_SHIFT ? 2 : 1) >= room_of(place) ||
           place->different == 0;
}

static __attribute__((noinline)) void search(struct place *place, long value) {
    struct value *slot = find(place, value);
    if (slot->times == 0) {
        if (is_full(place)) {
            grow(place, value);
            return;
        }
        place->different++;
    }
    set_home(place, slot, value, slot->times + 1);
}

static inline void add_value(struct place *place, long value) {
    struct value *home = slot_at(place, home_of(place, value));
    if (home->value == value)
        home->times++;
    else
        search(place, value);
}

void Value(int number, long value) {
    add_value(place_of(together ? 0 : number), value);
}

void count_value(struct place *place, long value) {
    add_value(place, value);
}
