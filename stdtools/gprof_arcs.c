/* gprof_arcs.c: the calls between procedures. Transfers with a known target are counted without a call of a
   routine. All other transfers call a routine in targets.c. All counts are passed here when the program has
   ended. */
#include <stdlib.h>

#include "gprof.h"
#include "nonzero.h"
#include "targets.h"

static struct arc *arcs;
static int arc_count, room;

static void add_arc(int caller, int callee, long calls) {
    if (arc_count == room && !(arcs = realloc(arcs, (room = 2 * room + 1024) * sizeof *arcs)))
        abort();
    arcs[arc_count++] = (struct arc){.caller = caller, .callee = callee, .calls = calls};
}

/* ---- when the program has ended ------------------------------------------------------------------------- */

static long *explained; /* indexed by procedure: entries by transfers that were counted */

void Procedures(int count, const long *pcs, const long *sizes, const char *const *names,
                const char *const *files, const int *lines) {
    procedure_count = count;
    procedures = reserved(count, sizeof *procedures);
    explained = allocated(count, sizeof *explained);
    for (int i = 0; i < count; i++)
        procedures[i] = (struct procedure){pcs[i], sizes[i], names[i], files[i], lines[i], i};
    find_wholes();
}

/* A call instruction is always a call. A jump is a call only if its target is the entry of another procedure:
   a jump to the middle continues the procedure there. */
static void add_transfers(int maker, long pc, int call, long count) {
    int to = procedure_of(pc), from = procedures[maker].whole;
    if (to < 0)
        return;
    int entry = procedures[to].whole == to && pc - procedures[to].pc <= 8;
    if (!call && (!entry || from == to))
        return;
    if (entry)
        explained[to] += count;
    add_arc(from, procedures[to].whole, count);
}

void Transfers(int count, const int *makers, const long *targets, const char *calls, const long *made) {
    for (int i = 0; (i = next_nonzero(made, i, count)) < count; i++)
        add_transfers(makers[i], targets[i], calls[i], made[i]);
}

/* Control falls from the end of one procedure into the next. */
void Falls(int count, const int *makers, const long *fell) {
    for (int i = 0; i < count; i++) {
        const struct procedure *maker = &procedures[makers[i]];
        if (fell[i])
            add_transfers(makers[i], maker->pc + maker->size, 0, fell[i]);
    }
}

static const int *indirect_makers;
static const char *indirect_calls;

static void add_indirect(long site, long pc, long count) {
    int maker = site < 0 ? procedure_of(-site) : indirect_makers[site];
    if (maker >= 0)
        add_transfers(maker, pc, site < 0 || indirect_calls[site], count);
}

void IndirectTransfers(int count, const int *makers, const char *calls) {
    indirect_makers = makers;
    indirect_calls = calls;
    each_target(count, add_indirect);
}

/* Stably, by callers or by callees. */
static void sort_arcs(int by_callees) {
    int *begin = allocated(procedure_count + 2, sizeof *begin), at = 0;
    struct arc *sorted = reserved(arc_count, sizeof *sorted);
    for (int i = 0; i < arc_count; i++)
        begin[by_callees ? arcs[i].callee : arcs[i].caller + 1]++;
    for (int i = 0; i <= procedure_count; i++) {
        int here = begin[i];
        begin[i] = at;
        at += here;
    }
    for (int i = 0; i < arc_count; i++)
        sorted[begin[by_callees ? arcs[i].callee : arcs[i].caller + 1]++] = arcs[i];
    free(arcs);
    free(begin);
    arcs = sorted;
}

struct arc *finish_arcs(const long *entered, int *count) {
    for (int i = 0; i < procedure_count; i++)
        if (procedures[i].whole == i && entered[i] > explained[i])
            add_arc(-1, i, entered[i] - explained[i]);
    sort_arcs(0);
    sort_arcs(1);
    *count = 0;
    for (int i = 0; i < arc_count; i++) {
        struct arc *last = &arcs[*count - 1];
        if (*count > 0 && last->caller == arcs[i].caller && last->callee == arcs[i].callee)
            last->calls += arcs[i].calls;
        else
            arcs[(*count)++] = arcs[i];
    }
    return arcs;
}
