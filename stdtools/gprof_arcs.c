/* gprof_arcs.c: the calls between procedures. Transfers with a known target are counted without a call. The
   others call a routine here. All counts are passed here when the program has ended. */
#include <stdlib.h>
#include <string.h>

#include "gprof.h"

static struct arc *arcs;
static int arc_count, room;

static void add_arc(int caller, int callee, long calls) {
    if (arc_count == room && !(arcs = realloc(arcs, (room = 2 * room + 1024) * sizeof *arcs)))
        abort();
    arcs[arc_count++] = (struct arc){.caller = caller, .callee = callee, .calls = calls};
}

/* ---- transfers to where a register says: a few targets of each, the others in a list -------------------- */

enum { SITES = 16384, WAYS = 8, SLOTS = 1 << 16 };
static struct target { long pc, count; } table[SITES * WAYS];
static struct other {
    struct target target;
    long site;
    struct other *next, *earlier; /* earlier: of all */
} * others[SLOTS], *latest;

/* `site`: its number, or the negative of its address. */
static void add_target(long site, long pc, long count) {
    struct other **slot = &others[(unsigned long)((pc >> 4) + 31 * site) % SLOTS], *other = *slot;
    while (other && (other->site != site || other->target.pc != pc))
        other = other->next;
    if (!other) {
        other = allocated(1, sizeof *other);
        *other = (struct other){.target.pc = pc, .site = site, .next = *slot, .earlier = latest};
        *slot = latest = other;
    }
    other->target.count += count;
}

static void replace(struct target *target, int site, long pc) {
    if (target->count)
        add_target(site, target->pc, target->count);
    *target = (struct target){.pc = pc};
}

/* `link`: 0, or the return address of the call that this jump completes. */
void Indirect(int site, long pc, long link) {
    if (link) {
        add_target(4 - link, pc, 1);
        return;
    }
    if (site >= SITES) {
        add_target(site, pc, 1);
        return;
    }
    struct target *target = &table[site * WAYS + (pc >> 4) % WAYS];
    if (target->pc != pc)
        replace(target, site, pc);
    target->count++;
}

void Forget(void) {
    memset(table, 0, sizeof table);
    memset(others, 0, sizeof others);
    for (struct other *earlier; latest; latest = earlier) {
        earlier = latest->earlier;
        free(latest);
    }
}

/* ---- when the program has ended ------------------------------------------------------------------------- */

static long *explained; /* by procedure: entries by transfers that were counted */

void Procedures(int count, const long *pcs, const long *sizes, const char *const *names,
                const char *const *files, const int *lines) {
    procedure_count = count;
    procedures = allocated(count, sizeof *procedures);
    explained = allocated(count, sizeof *explained);
    for (int i = 0; i < count; i++)
        procedures[i] = (struct procedure){pcs[i], sizes[i], names[i], files[i], lines[i], i};
    find_wholes();
}

static int procedure_at(long pc) {
    int low = 0, high = procedure_count;
    while (high - low > 1) {
        int middle = (low + high) / 2;
        if (procedures[middle].pc <= pc)
            low = middle;
        else
            high = middle;
    }
    return (unsigned long)(pc - procedures[low].pc) < (unsigned long)procedures[low].size ? low : -1;
}

/* A call instruction is always a call. A jump is one only to the entry of another procedure: a jump to the
   middle continues there. */
static void add_transfers(int maker, long pc, int call, long count) {
    int to = procedure_at(pc), from = procedures[maker].whole;
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
    for (int i = 0; i < count; i++)
        if (made[i])
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

void IndirectTransfers(int count, const int *makers, const char *calls) {
    for (int site = 0; site < count && site < SITES; site++)
        for (int way = 0; way < WAYS; way++) {
            const struct target *target = &table[site * WAYS + way];
            if (target->count)
                add_transfers(makers[site], target->pc, calls[site], target->count);
        }
    for (const struct other *other = latest; other; other = other->earlier) {
        int maker = other->site < 0 ? procedure_at(-other->site) : makers[other->site];
        if (maker >= 0)
            add_transfers(maker, other->target.pc, other->site < 0 || calls[other->site],
                          other->target.count);
    }
}

static int by_callee(const void *left, const void *right) {
    const struct arc *a = left, *b = right;
    return a->callee != b->callee ? a->callee - b->callee : a->caller - b->caller;
}

struct arc *finish_arcs(const long *entered, int *count) {
    for (int i = 0; i < procedure_count; i++)
        if (procedures[i].whole == i && entered[i] > explained[i])
            add_arc(-1, i, entered[i] - explained[i]);
    qsort(arcs, arc_count, sizeof *arcs, by_callee);
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
