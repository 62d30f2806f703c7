/* values.c: analysis routines of values.atd: the number of times that each place has had each value. */
#include <malloc.h>

#include "atomc.h"
#include "values.h"

struct place places_at_hand[AT_HAND], *more_places;
#define MULTIPLIER 0x1e3779b97f4a7c00ul
enum { LARGE_SHIFT = 45, OFTEN = 32, SPARSE = 16, MOST_MAPPED = 4096 };

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
    free_slots(place);
    place->left = 0;
    make_empty(place);
}

/* Places of calling contexts are stored elsewhere. */
static void note_filled(const struct place *place) {
    unsigned long at = (unsigned long)place, number;
    if (at - (unsigned long)places_at_hand < sizeof places_at_hand)
        number = place - places_at_hand;
    else if (place_count > AT_HAND &&
             at - (unsigned long)more_places < (place_count - AT_HAND) * sizeof *more_places)
        number = AT_HAND + (place - more_places);
    else
        return;
    fill_place(number);
}

enum { AT_ONCE = 8 };

/* Room for a multiple of AT_ONCE. */
static void make_all_empty(struct place *places, long count) {
    for (const struct place *end = places + count; places < end; places += AT_ONCE)
#pragma GCC unroll 8
        for (int i = 0; i < AT_ONCE; i++)
            make_empty(&places[i]);
}

void Begin(long count) {
    long more;
    place_count = together ? 1 : count;
    more = place_count > AT_HAND ? place_count - AT_HAND : 0;
    more_places = zeroed(more + AT_ONCE, sizeof *more_places);
    begin_filled(place_count);
    mallopt(M_MMAP_THRESHOLD, MAPPED); /* the kernel clears this memory */
    mallopt(M_MMAP_MAX, MOST_MAPPED);  /* most of the process's mappings are reserved for the program */
    make_all_empty(places_at_hand, place_count - more);
    make_all_empty(more_places, more);
}

void Forget(void) {
    for (long i = next_filled(0, place_count); i < place_count; i = next_filled(i + 1, place_count))
        forget_values(place_of(i));
    forget_filled(place_count);
    if (callers > 0)
        forget_contexts();
    free_chunks();
}

/* Puts a value of a table that does not change its room where its way ends. */
static inline void put(struct place table, struct value *end, struct value value) {
    struct value *slot = slot_at(&table, home_of(&table, value.value));
    while (slot->times)
        if (++slot == end)
            slot = table.slots;
    *slot = value;
}

/* Makes a table larger. */
static void enlarge(struct place *place) {
    struct place old = *place, table = old;
    table.multiplier -= shift_of(place) > LARGE_SHIFT ? 2 : 1;
    table.slots = empty_slots(room_of(&table));
    table.slots[0].value = -1;
    table.left = capacity_of(&table) - different_of(&old);
    *place = table;
    struct value *end = table.slots + room_of(&table);
    if (old.slots == none) {
        note_filled(place);
        return;
    }
    for (const struct value *from = old.slots, *old_end = from + room_of(&old); from < old_end; from++)
        if (from->times)
            put(table, end, *from);
    free_slots(&old);
}

/* Called for a value for which a table has no room. */
static __attribute__((noinline)) void grow(struct place *place, long value) {
    enlarge(place);
    struct value *home = slot_at(place, home_of(place, value)), there = *home;
    if (there.times)
        put(*place, place->slots + room_of(place), there);
    *home = (struct value){value, 1};
    place->left--;
}

/* Values collide: if the table is not large, it is enlarged. */
static __attribute__((noinline)) void spread(struct place *place) {
    if (shift_of(place) > LARGE_SHIFT && room_of(place) <= SPARSE * different_of(place))
        enlarge(place);
}

/* If a value is not in its home slot, moves it there, and exchanges it with the value there; the home slot
   may be empty. Most new values find their home empty. */
static __attribute__((noinline)) void bring_home(struct place *place, long value, struct value *home) {
    if (home->times) {
        struct value *slot = home;
        const struct value *end = place->slots + room_of(place);
        long times;
        do
            if (++slot == end)
                slot = place->slots;
        while ((times = slot->times) && slot->value != value);
        if (times || place->left)
            *slot = *home;
        if (times) {
            *home = (struct value){value, ++times};
            if (times % OFTEN == 0)
                spread(place);
            return;
        }
    }
    if (place->left == 0) {
        grow(place, value);
        return;
    }
    place->left--;
    *home = (struct value){value, 1};
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
