/* values.c: analysis routines of values.atd: how often each place has had each value. */
#include <malloc.h>
#include <stdlib.h>

#include "atomc.h"
#include "values.h"

struct place places_at_hand[AT_HAND], *more_places;
#define MULTIPLIER 0x1e3779b97f4a7c00ul
enum { LARGE_SHIFT = 45, MAPPED = 1 << 14, MOST_MAPPED = 4096 };

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

static struct value none[2] = {{-1, 0}};

static inline void make_empty(struct place *place) {
    place->slots = none;
    place->multiplier = MULTIPLIER | LEAST_SHIFT;
}

void forget_values(struct place *place) {
    if (place->slots != none)
        free(place->slots);
    place->left = 0;
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

/* A value comes that a table has no room for. */
static __attribute__((noinline)) void grow(struct place *place, long value) {
    struct value *old = place->slots;
    long room = room_of(place), different = capacity_of(place);
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
    if (old != none)
        free(old);
    struct value *home = slot_at(place, home_of(place, value)), *slot = home;
    while (slot->times)
        if (++slot == end)
            slot = place->slots;
    *slot = *home;
    *home = (struct value){value, 1};
    place->left = capacity_of(place) - different - 1;
}

/* A value that is not in its home goes there, and what is there to the slot where it was, or to the empty
   one. Most new values find their home empty. */
static __attribute__((noinline)) void bring_home(struct place *place, long value, struct value *home) {
    struct value *slot = home;
    long times = 0;
    if (home->times) {
        const struct value *end = place->slots + room_of(place);
        do
            if (++slot == end)
                slot = place->slots;
        while ((times = slot->times) && slot->value != value);
    }
    if (times == 0) {
        if (place->left == 0) {
            grow(place, value);
            return;
        }
        place->left--;
    }
    if (slot != home)
        *slot = *home;
    *home = (struct value){value, times + 1};
}

static inline void add_value(struct place *place, long value) {
    struct value *home = slot_at(place, home_of(place, value));
    if (home->value == value)
        home->times++;
    else
        bring_home(place, value, home);
}

void Value(int number, long value) {
    add_value(place_of(together ? 0 : number), value);
}

void count_value(struct place *place, long value) {
    add_value(place, value);
}
