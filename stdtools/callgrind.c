/* callgrind.c: writes costs of procedures and calls as callgrind does: callgrind_annotate and KCachegrind
 * read it. */
#include <stdio.h>

#include "calls.h"
#include "table.h"

void write_callgrind(const char *out, const char *program, const char *event, const long *self,
                     const struct arc *arcs, int arc_count) {
    long total = 0;
    FILE *file = atomc_begin_file(out);
    if (!file)
        return;
    fprintf(file, "version: 1\ncreator: atomc\ncmd: %s\npositions: line\nevents: %s\n", program, event);
    for (int i = 0; i < procedure_count; i++) {
        const struct procedure *procedure = &procedures[i];
        int called = 0;
        for (int k = 0; k < arc_count && !called; k++)
            called = arcs[k].caller == i;
        if (self[i] == 0 && !called)
            continue;
        total += self[i];
        fprintf(file, "\nfl=%s\nfn=%s\n%d %ld\n", *procedure->file ? procedure->file : "???", procedure->name,
                procedure->line, self[i]);
        for (int k = 0; k < arc_count; k++) {
            if (arcs[k].caller != i)
                continue;
            const struct procedure *callee = &procedures[arcs[k].callee];
            fprintf(file, "cfi=%s\ncfn=%s\ncalls=%ld %d\n%d %ld\n", *callee->file ? callee->file : "???",
                    callee->name, arcs[k].calls, callee->line, procedure->line, arcs[k].total);
        }
    }
    fprintf(file, "\ntotals: %ld\n", total);
    atomc_end_file();
}
