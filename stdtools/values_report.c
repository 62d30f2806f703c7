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

/* Into `best`, in order, the `wanted` values that come first: the others need not be sorted. Returns how
   often the place has been executed. */
static long find_first(const struct place *place, struct value *best, long wanted) {
    const struct value *value = place->slots, *end = value + room_of(place);
    long executed = 0, count = 0;
    for (; count < wanted; value++)
        if (value->times) {
            executed += value->times;
            best[count++] = *value;
        }
    for (long i = wanted / 2; i-- > 0;)
        sink(best, wanted, i);
    for (; value < end; value++) {
        executed += value->times;
        if (value->times >= best[0].times && most_first(value, &best[0]) < 0) {
            best[0] = *value;
            sink(best, wanted, 0);
        }
    }
    qsort(best, wanted, sizeof *best, most_first);
    return executed;
}

static void print_place(const struct place *place, long pc, const char *instruction, const char *procedure,
                        const char *file, int line) {
    static struct value *best;
    static long room;
    char source[4096] = "";
    long shown = top < place->different ? top : place->different;
    if (shown > room && !(best = realloc(best, (room = shown) * sizeof *best)))
        abort();
    if (line)
        snprintf(source, sizeof source, "%s:%d", file, line);
    long executed = find_first(place, best, shown);
    for (const struct value *value = best; value < best + shown; value++)
        atomc_add_row(pc, instruction, procedure, source, executed, place->different, value->value,
                      value->times, (20000 * value->times + executed) / (2 * executed));
}

void BeginTable(const char *out) {
    atomc_begin_table("values", out,
                      "@PC|'Instruction|'Procedure|'Source|#Executed|#Different|#Value|#Times|.Share");
    if (together && places[0].different)
        print_place(&places[0], 0, "all", "", "", 0);
}

/* Places from `first` on. */
void Places(long first, long count, const long *pcs, const char *const *instructions,
            const char *const *procedures, const char *const *files, const int *lines) {
    for (long i = 0; !together && i < count; i++)
        if (places[first + i].different)
            print_place(&places[first + i], pcs[i], instructions ? instructions[i] : operand, procedures[i],
                        files[i], lines[i]);
}

void EndTable(void) {
    atomc_end_table();
}
