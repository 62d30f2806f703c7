/* values.c: analysis routines of values.atd: how often each place has had each value. */
#include <stdlib.h>

#include "table.h"

/* The values of a place: a hash table, at most half full. A value that was never there has no times. */
static struct place {
    struct value {
        long value, times;
    } * values;
    long room, different, executed;
} * places;
static struct name {
    long pc;
    const char *instruction, *procedure, *file;
    int line;
} * names;
static long place_count;
static int all_are_one;

static void *zeroed(long count, long size) {
    void *memory = calloc(count, size);
    if (!memory)
        abort();
    return memory;
}

void Begin(long count, int together) {
    places = zeroed(count + 1, sizeof *places);
    names = zeroed(count + 1, sizeof *names);
    place_count = count;
    all_are_one = together;
}

void Place(int number, long pc, const char *instruction, const char *procedure, const char *file, int line) {
    names[number] = (struct name){pc, instruction, procedure, file, line};
}

static struct value *find(const struct place *place, long value) {
    unsigned long at = ((unsigned long)value ^ (unsigned long)value >> 29) * 0x9e3779b97f4a7c15;
    for (at = (at ^ at >> 32) * 0xd6e8feb86659fd93 >> 20;; at++) {
        struct value *found = &place->values[at & (place->room - 1)];
        if (found->times == 0 || found->value == value)
            return found;
    }
}

static void grow(struct place *place) {
    struct place old = *place;
    place->room = old.room ? 2 * old.room : 4;
    place->values = zeroed(place->room, sizeof *place->values);
    for (long i = 0; i < old.room; i++)
        if (old.values[i].times)
            *find(place, old.values[i].value) = old.values[i];
    free(old.values);
}

void Value(int number, long value) {
    struct place *place = &places[all_are_one ? 0 : number];
    place->executed++;
    if (2 * place->different >= place->room)
        grow(place);
    struct value *found = find(place, value);
    found->value = value;
    place->different += found->times++ == 0;
}

/* ---- the report ------------------------------------------------------------------------------------------ */

static int most_first(const void *left, const void *right) {
    const struct value *a = left, *b = right;
    if (a->times != b->times)
        return a->times < b->times ? 1 : -1;
    return (a->value > b->value) - (a->value < b->value);
}

static void print_place(struct place *place, const struct name *name, int top) {
    char source[4096] = "";
    if (name->line)
        snprintf(source, sizeof source, "%s:%d", name->file, name->line);
    qsort(place->values, place->room, sizeof *place->values, most_first);
    for (int i = 0; i < top && i < place->different; i++)
        atomc_add_row(name->pc, name->instruction, name->procedure, source, place->executed, place->different,
                      place->values[i].value, place->values[i].times,
                      (20000 * place->values[i].times + place->executed) / (2 * place->executed));
}

void Print(const char *out, int top) {
    static const struct name all = {.instruction = "all", .procedure = "", .file = ""};
    atomc_begin_table("values", out,
                      "@PC|'Instruction|'Procedure|'Source|#Executed|#Different|#Value|#Times|.Share");
    for (int i = 0; i < (all_are_one ? 1 : place_count); i++)
        if (places[i].executed)
            print_place(&places[i], all_are_one ? &all : &names[i], top);
    atomc_end_table();
}
