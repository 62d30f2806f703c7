/* callgrind.c: writes costs of procedures and calls in callgrind's format, for callgrind_annotate and
 * KCachegrind. Names of procedures as people write them. */
#include <stdio.h>
#include <stdlib.h>

#include "calls.h"
#include "table.h"

const char *shown_procedure(int number) {
    static const char **shown; /* NULL: not known yet */
    if (!shown)
        shown = allocated(procedure_count, sizeof *shown);
    if (!shown[number])
        shown[number] = atomc_shown_name(procedures[number].name);
    return shown[number];
}

static int by_caller(const void *left, const void *right) {
    const struct arc *a = *(const struct arc *const *)left, *b = *(const struct arc *const *)right;
    return a->caller != b->caller ? a->caller - b->caller : a->callee - b->callee;
}

/* The arcs sorted by callers, without arcs that have no caller; NULL-terminated. */
static const struct arc **arcs_by_caller(const struct arc *arcs, int count) {
    const struct arc **order = allocated(count, sizeof *order);
    int found = 0;
    for (int i = 0; i < count; i++)
        if (arcs[i].caller >= 0)
            order[found++] = &arcs[i];
    qsort(order, found, sizeof *order, by_caller);
    return order;
}

void write_callgrind(const char *out, const char *program, const char *event, const long *self,
                     const struct arc *arcs, int arc_count) {
    long total = 0;
    FILE *file = atomc_begin_file(out);
    const struct arc **order = arcs_by_caller(arcs, arc_count), **next = order;
    if (!file)
        return;
    fprintf(file, "version: 1\ncreator: atomc\ncmd: %s\npositions: line\nevents: %s\n", program, event);
    for (int i = 0; i < procedure_count; i++) {
        const struct procedure *procedure = &procedures[i];
        if (self[i] == 0 && !(*next && (*next)->caller == i))
            continue;
        total += self[i];
        fprintf(file, "\nfl=%s\nfn=%s\n%d %ld\n", *procedure->file ? procedure->file : "???",
                shown_procedure(i), procedure->line, self[i]);
        for (; *next && (*next)->caller == i; next++) {
            const struct procedure *callee = &procedures[(*next)->callee];
            fprintf(file, "cfi=%s\ncfn=%s\ncalls=%ld %d\n%d %ld\n", *callee->file ? callee->file : "???",
                    shown_procedure((*next)->callee), (*next)->calls, callee->line, procedure->line,
                    (*next)->total);
        }
    }
    fprintf(file, "\ntotals: %ld\n", total);
    atomc_end_file();
    free(order);
}
