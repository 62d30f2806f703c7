/* values.c: analysis routines of values.atd: how often each place has had each value. */
#include <stdlib.h>
#include <string.h>

#include "atomc.h"
#include "values.h"

struct place *places;
#define MULTIPLIER 0x1e3779b97f4a7c15ul
enum { LEAST_SHIFT = 59, DENSE_SHIFT = 54 };

static void *zeroed(long count, long size) {
    void *memory = calloc(count, size);
    if (!memory)
        abort();
    return memory;
}

static inline unsigned long home_of(const struct place *place, long value) {
    return (unsigned long)value * place->multiplier >> place->shift & ~15ul;
}

static inline struct value *slot_at(const struct place *place, unsigned long home) {
    return (struct value *)((char *)place->slots + home);
}

static long place_count;

static void begin(void) {
    static struct value none[2] = {{-1, 0}};
    for (struct place *place = places; place < places + place_count; place++) {
        place->slots = none;
        place->multiplier = MULTIPLIER;
        place->shift = LEAST_SHIFT;
    }
}

void Begin(long count) {
    place_count = together ? 1 : count;
    places = zeroed(place_count + 1, sizeof *places);
    begin();
}

void Forget(void) {
    for (struct place *place = places; place < places + place_count; place++)
        if (place->different)
            free(place->slots);
    memset(places, 0, place_count * sizeof *places);
    begin();
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
    place->shift -= place->different ? 1 : 2;
    place->slots = zeroed(room_of(place), sizeof *place->slots);
    place->slots[0].value = -1;
    for (long i = 0; i < room; i++)
        if (old[i].times)
            *find(place, old[i].value) = old[i];
    if (place->different)
        free(old);
    place->different++;
    set_home(place, find(place, value), value, 1);
}

/* Half full; small tables a quarter. */
static inline int is_full(const struct place *place) {
    return place->different << (place->shift > DENSE_SHIFT ? 2 : 1) >= room_of(place) ||
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

void Value(int number, long value) {
    struct place *place = &places[together ? 0 : number];
    struct value *home = slot_at(place, home_of(place, value));
    if (home->value == value)
        home->times++;
    else
        search(place, value);
}
