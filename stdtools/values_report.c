/* values_report.c: the table of values.atd. */
#include <stdlib.h>
#include <string.h>

#include "atomc.h"
#include "decimal.h"
#include "table.h"
#include "values.h"

/* True if the first of two values is printed after the second in the report. */
static inline int comes_later(const struct value *a, const struct value *b) {
    return a->times != b->times ? a->times < b->times : a->value > b->value;
}

/* A heap whose first value is the last in the report: moves the value at `at` down to its position. */
static void sink(struct value *heap, long count, long at) {
    struct value sinking = heap[at];
    for (long below; (below = 2 * at + 1) < count; at = below) {
        if (below + 1 < count && comes_later(&heap[below + 1], &heap[below]))
            below++;
        if (!comes_later(&heap[below], &sinking))
            break;
        heap[at] = heap[below];
    }
    heap[at] = sinking;
}

/* A value may replace the first of the heap. */
static inline void offer(struct value *heap, long count, const struct value *value) {
    if (!comes_later(&heap[0], value))
        return;
    heap[0] = *value;
    sink(heap, count, 0);
}

enum { AT_ONCE = 8 }; /* sizes of tables are multiples of this */

/* Adds the values from `from` on to the heap, which keeps the first values of the report. Eight values are
   skipped at once if their total is less than the heap's least. */
static long offer_rest(const struct value *from, const struct value *slots, const struct value *end,
                       struct value *heap, long count) {
    long executed = 0;
    for (; (from - slots) % AT_ONCE; from++) {
        executed += from->times;
        offer(heap, count, from);
    }
    long least = heap[0].times;
    for (; from < end; from += AT_ONCE) {
        long sum = 0;
#pragma GCC unroll 8
        for (int i = 0; i < AT_ONCE; i++)
            sum += from[i].times;
        executed += sum;
        if (sum < least)
            continue;
#pragma GCC unroll 8
        for (int i = 0; i < AT_ONCE; i++)
            if (from[i].times >= least) {
                offer(heap, count, &from[i]);
                least = heap[0].times;
            }
    }
    return executed;
}

/* The remaining values need not be sorted. */
static long find_first(const struct place *place, struct value *best, long wanted) {
    const struct value *value = place->slots;
    long executed = 0, count = 0;
    for (; count < wanted; value++)
        if (value->times) {
            executed += value->times;
            best[count++] = *value;
        }
    for (long i = wanted / 2; i-- > 0;)
        sink(best, wanted, i);
    if (wanted < different_of(place))
        executed += offer_rest(value, place->slots, place->slots + room_of(place), best, wanted);
    for (long rest = wanted; --rest > 0;) {
        struct value last = best[0];
        best[0] = best[rest];
        best[rest] = last;
        sink(best, rest, 0);
    }
    return executed;
}

long find_frequent(const struct place *place, struct value *best, long wanted) {
    return find_first(place, best, wanted);
}

/* The parts of the rows of a place. */
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

enum { ROWS = 512, COLUMNS = 8 };
static long columns[COLUMNS][ROWS];
static long row_count;

static void write_rows(void) {
    const long *these[COLUMNS];
    for (int i = 0; i < COLUMNS; i++)
        these[i] = columns[i];
    atomc_add_rows(row_count, these);
    row_count = 0;
}

/* A text that remains valid. */
static const char *source_of(const char *file, int line) {
    static const char none[8] __attribute__((aligned(8)));
    if (!line)
        return none;
    size_t length = strlen(file), size = length + sizeof ":18446744073709551615";
    char *text = (char *)empty_slots(size / sizeof(struct value) + 1);
    memcpy(text, file, length);
    *write_number(text + length, line) = '\0';
    return text;
}

static void print_place(const struct found *at) {
    const struct value *first = best + at->first;
    const char *source = source_of(at->file, at->line);
    for (const struct value *value = first; value < first + at->shown; value++) {
        if (row_count == ROWS)
            write_rows();
        const long row[COLUMNS] = {at->pc,       (long)at->instruction,   (long)at->procedure, (long)source,
                                   at->executed, different_of(at->place), value->value,        value->times};
        for (int i = 0; i < COLUMNS; i++)
            columns[i][row_count] = row[i];
        row_count++;
    }
}

/* The busiest places first; places with equal numbers of executions keep their order. Sorted by the digits of
   how often, the least one first. */
struct ordered {
    long executed;
    const struct found *place;
};
enum { DIGIT = 8, DIGITS = 1 << DIGIT };

static void sort_by_digit(const struct ordered *from, struct ordered *to, int shift) {
    long begin[DIGITS + 1] = {0};
    for (long i = 0; i < found_count; i++)
        begin[DIGITS - (from[i].executed >> shift & (DIGITS - 1))]++;
    for (int digit = 0; digit < DIGITS; digit++)
        begin[digit + 1] += begin[digit];
    for (long i = 0; i < found_count; i++)
        to[begin[DIGITS - 1 - (from[i].executed >> shift & (DIGITS - 1))]++] = from[i];
}

static struct ordered *order_places(void) {
    struct ordered *order = malloc((found_count + 1) * sizeof *order),
                   *other = malloc((found_count + 1) * sizeof *order);
    if (!order || !other)
        abort();
    long all_bits = 0;
    for (long i = 0; i < found_count; i++) {
        order[i] = (struct ordered){found[i].executed, &found[i]};
        all_bits |= found[i].executed;
    }
    for (int shift = 0; shift < 64 && all_bits >> shift; shift += DIGIT) {
        sort_by_digit(order, other, shift);
        struct ordered *sorted = other;
        other = order;
        order = sorted;
    }
    free(other);
    return order;
}

/* Places from `first` on. */
void Places(long first, long count, const long *pcs, const char *const *instructions,
            const char *const *procedures, const char *const *files, const int *lines) {
    if (together)
        return;
    for (long at = first; (at = next_filled(at, first + count)) < first + count; at++) {
        long i = at - first;
        find_place(place_of(at), pcs[i], instructions ? instructions[i] : operand, procedures[i], files[i],
                   lines[i]);
    }
}

void Print(const char *out) {
    if (together && different_of(place_of(0)))
        find_place(place_of(0), 0, "all", "", "", 0);
    struct ordered *order = order_places();
    atomc_begin_table(
        "values", out,
        "@PC|'Instruction|'Procedure|'Source|+Executed|+Different|=Value|#Times|%Percent:Times/Executed");
    for (long i = 0; i < found_count; i++)
        print_place(order[i].place);
    write_rows();
    atomc_end_table();
    free(order);
}
