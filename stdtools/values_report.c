/* values_report.c: the table of values.atd. */
#include <stdlib.h>

#include "atomc.h"
#include "table.h"
#include "values.h"

static int most_first(const void *left, const void *right) {
    const struct value *a = left, *b = right;
    if (a->times != b->times)
        return a->times < b->times ? 1 : -1;
    return (a->value > b->value) - (a->value < b->value);
}

/* A heap whose first value comes last in the report: the value at `at` sinks to its place. */
static void sink(struct value *heap, long count, long at) {
    struct value sinking = heap[at];
    for (long below; (below = 2 * at + 1) < count; at = below) {
        if (below + 1 < count && most_first(&heap[below], &heap[below + 1]) < 0)
            below++;
        if (most_first(&heap[below], &sinking) <= 0)
            break;
        heap[at] = heap[below];
    }
    heap[at] = sinking;
}

/* The others need not be sorted. */
static inline __attribute__((always_inline)) long find_first(const struct place *place, struct value *best,
                                                             long wanted) {
    const struct value *value = place->slots, *end = value + room_of(place);
    long executed = 0, count = 0;
    for (; count < wanted; value++)
        if (value->times) {
            executed += value->times;
            best[count++] = *value;
        }
    for (long i = wanted / 2; i-- > 0;)
        sink(best, wanted, i);
    /* Of four, none is wanted if all bits of their times are less. */
    long least = best[0].times, last = best[0].value;
    for (; end - value >= 4; value += 4) {
        long times[4] = {value[0].times, value[1].times, value[2].times, value[3].times};
        executed += times[0] + times[1] + times[2] + times[3];
        if ((times[0] | times[1] | times[2] | times[3]) < least)
            continue;
#pragma GCC unroll 4
        for (int i = 0; i < 4; i++)
            if (times[i] > least || (times[i] == least && value[i].value < last)) {
                best[0] = value[i];
                sink(best, wanted, 0);
                least = best[0].times;
                last = best[0].value;
            }
    }
    for (; value < end; value++) {
        executed += value->times;
        if (most_first(value, &best[0]) < 0) {
            best[0] = *value;
            sink(best, wanted, 0);
        }
    }
    qsort(best, wanted, sizeof *best, most_first);
    return executed;
}

long find_frequent(const struct place *place, struct value *best, long wanted) {
    return find_first(place, best, wanted);
}

/* What the rows of a place are made of. */
static struct found {
    const struct place *place;
    long pc;
    const char *instruction, *procedure, *file;
    int line;
    long executed, first, shown; /* its values in `best` */
} * found;
static long found_count, found_room;
static struct value *best;
static long best_count, best_room;

static void find_place(const struct place *place, long pc, const char *instruction, const char *procedure,
                       const char *file, int line) {
    long shown = top < different_of(place) ? top : different_of(place);
    if (best_count + shown > best_room) {
        best_room = 2 * best_room + shown;
        best = realloc(best, best_room * sizeof *best);
    }
    if (found_count == found_room) {
        found_room = 2 * found_room + 64;
        found = realloc(found, found_room * sizeof *found);
    }
    if (!best || !found)
        abort();
    found[found_count] = (struct found){place, pc, instruction, procedure, file, line, 0, best_count, shown};
    found[found_count++].executed = find_first(place, best + best_count, shown);
    best_count += shown;
}

static void print_place(const struct found *at) {
    const struct value *first = best + at->first;
    char source[4096] = "";
    if (at->line)
        snprintf(source, sizeof source, "%s:%d", at->file, at->line);
    for (const struct value *value = first; value < first + at->shown; value++)
        atomc_add_row(at->pc, at->instruction, at->procedure, source, at->executed, different_of(at->place),
                      value->value, value->times);
}

/* The busiest first; places that were executed equally often stay in their order. */
static int busiest_first(const void *left, const void *right) {
    const struct found *a = left, *b = right;
    if (a->executed != b->executed)
        return a->executed < b->executed ? 1 : -1;
    return a->first < b->first ? -1 : 1;
}

/* Places from `first` on. */
void Places(long first, long count, const long *pcs, const char *const *instructions,
            const char *const *procedures, const char *const *files, const int *lines) {
    for (long i = 0; !together && i < count; i++)
        if (different_of(place_of(first + i)))
            find_place(place_of(first + i), pcs[i], instructions ? instructions[i] : operand, procedures[i],
                       files[i], lines[i]);
}

void Print(const char *out) {
    if (together && different_of(place_of(0)))
        find_place(place_of(0), 0, "all", "", "", 0);
    qsort(found, found_count, sizeof *found, busiest_first);
    atomc_begin_table(
        "values", out,
        "@PC|'Instruction|'Procedure|'Source|#Executed|#Different|=Value|#Times|%Share:Times/Executed");
    for (const struct found *at = found; at < found + found_count; at++)
        print_place(at);
    atomc_end_table();
}
