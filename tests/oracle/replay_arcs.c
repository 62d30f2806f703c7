/* replay_arcs.c: what gprof makes of the oracle's record: each transfer to another procedure is an arc, and
   what procedures cost with all that they call is divided among their callers by the numbers of their calls.
   Cycles are found by who reaches whom. Requires procedure names. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "replay.h"

struct arc {
    int caller, callee; /* caller -1: what enters is no transfer of the program's */
    uint64_t calls;
    bool inside; /* of a cycle, or of one procedure */
    uint64_t self, children;
};
static struct arc *arcs;
static size_t arc_count;

static void count_arc(int caller, int callee) {
    static size_t *slots;
    enum { SLOTS = 1 << 20 };
    size_t at = ((size_t)(caller + 1) * 65599 + callee) % SLOTS;
    if (!slots)
        slots = calloc(SLOTS, sizeof *slots);
    for (; slots[at]; at = (at + 1) % SLOTS)
        if (arcs[slots[at] - 1].caller == caller && arcs[slots[at] - 1].callee == callee) {
            arcs[slots[at] - 1].calls++;
            return;
        }
    arcs = again(arcs, (arc_count + 1) * sizeof *arcs);
    arcs[arc_count] = (struct arc){.caller = caller, .callee = callee, .calls = 1};
    slots[at] = ++arc_count;
}

/* ---- the record ----------------------------------------------------------------------------------------- */

static struct {
    struct record last;
    bool started;
} threads[64];

static bool leaves_link(const struct record *record) {
    unsigned opcode = opcode_of(record);
    return (opcode == 0x1a || opcode == 0x30 || opcode == 0x34) && (record->word >> 21 & 31) != 31;
}
static bool is_jump(const struct record *record) { /* to somewhere, but no return */
    unsigned opcode = opcode_of(record);
    return opcode == 0x1a ? (record->word >> 14 & 3) != 2 : opcode >= 0x30;
}

static void follow(const struct record *last, const struct record *record, bool started) {
    int at = procedure_at(record->pc), now = whole_procedures[at];
    int from = started ? whole_procedures[procedure_at(last->pc)] : -1;
    bool entry = record->pc - procedures[at].pc <= 8 && now == at;
    bool next = started && record->pc == last->pc + 4;
    bool by_program = started && record->sp == last->sp;
    if (by_program && leaves_link(last) && !next)
        count_arc(from, now);
    else if (by_program && entry && from != now && (is_jump(last) || (next && opcode_of(last) != 0)))
        count_arc(from, now);
    else if (entry && !next && from != now)
        count_arc(-1, now);
}

/* ---- cycles and costs ----------------------------------------------------------------------------------- */

static uint64_t *reaches; /* a row of bits for each procedure */
static size_t row;        /* words of one */

static bool reach(int from, int to) {
    return reaches[from * row + to / 64] >> (to % 64) & 1;
}
static bool together(int a, int b) {
    return a == b || (reach(a, b) && reach(b, a));
}

static void find_reach(void) {
    row = (size_t)procedure_count / 64 + 1;
    reaches = calloc(procedure_count * row, sizeof *reaches);
    for (size_t i = 0; i < arc_count; i++)
        if (arcs[i].caller >= 0)
            reaches[arcs[i].caller * row + arcs[i].callee / 64] |= UINT64_C(1) << (arcs[i].callee % 64);
    for (int middle = 0; middle < procedure_count; middle++)
        for (int from = 0; from < procedure_count; from++)
            if (reach(from, middle))
                for (size_t w = 0; w < row; w++)
                    reaches[from * row + w] |= reaches[middle * row + w];
    for (size_t i = 0; i < arc_count; i++)
        arcs[i].inside = arcs[i].caller >= 0 && together(arcs[i].caller, arcs[i].callee);
}

static int by_place(const void *left, const void *right) {
    const struct arc *a = left, *b = right;
    return a->callee != b->callee ? a->callee - b->callee : a->caller - b->caller;
}

/* What the first calls of all would cost, rounded down: an arc has what it adds to those before it. */
static uint64_t cost_of(uint64_t cost, uint64_t calls, uint64_t all) {
    return (uint64_t)((unsigned __int128)cost * calls / all);
}

/* The cost of the procedures that are together with this one. */
static void divide(int procedure, uint64_t *children) {
    uint64_t self = 0, below = 0, all = 0, before = 0;
    for (int i = 0; i < procedure_count; i++)
        if (together(procedure, i)) {
            self += procedures[i].self;
            below += children[i];
        }
    for (size_t i = 0; i < arc_count; i++)
        if (!arcs[i].inside && together(procedure, arcs[i].callee))
            all += arcs[i].calls;
    for (size_t i = 0; i < arc_count; i++) {
        struct arc *arc = &arcs[i];
        if (arc->inside || !together(procedure, arc->callee))
            continue;
        arc->self = cost_of(self, before + arc->calls, all) - cost_of(self, before, all);
        arc->children = cost_of(below, before + arc->calls, all) - cost_of(below, before, all);
        before += arc->calls;
        if (arc->caller >= 0)
            children[arc->caller] += arc->self + arc->children;
    }
}

/* Is all known that those together with it have called? */
static bool is_ready(int procedure, const bool *done) {
    for (int callee = 0; callee < procedure_count; callee++)
        if (reach(procedure, callee) && !together(procedure, callee) && !done[callee])
            return false;
    return true;
}

static uint64_t *divide_all(void) {
    uint64_t *children = calloc(procedure_count, sizeof *children);
    bool *done = calloc(procedure_count, sizeof *done);
    for (bool more = true; more;) {
        more = false;
        for (int i = 0; i < procedure_count; i++) {
            if (done[i] || !is_ready(i, done))
                continue;
            divide(i, children);
            for (int k = 0; k < procedure_count; k++)
                done[k] |= together(i, k);
            more = true;
        }
    }
    return children;
}

static bool is_call(const struct record *record) { /* jsr, jsr_coroutine, bsr */
    return opcode_of(record) == 0x34 || (opcode_of(record) == 0x1a && (record->word >> 14 & 1));
}

void replay_edges(void) {
    for (const struct record *record; (record = next_record());) {
        struct record *last = &threads[record->thread % 64].last;
        bool *started = &threads[record->thread % 64].started;
        if (*started && is_call(last))
            count_arc(procedure_at(last->pc), procedure_at(record->pc));
        *started = true;
        *last = *record;
    }
    for (size_t i = 0; i < arc_count; i++)
        printf("%s,%s\t%" PRIu64 "\n", procedures[arcs[i].caller].name, procedures[arcs[i].callee].name,
               arcs[i].calls);
}

void replay_arcs(void) {
    find_whole_procedures();
    for (const struct record *record; (record = next_record());) {
        struct record *last = &threads[record->thread % 64].last;
        bool *started = &threads[record->thread % 64].started;
        if (!*started || record->pc != last->pc + 4 || procedure_at(record->pc) != procedure_at(last->pc))
            follow(last, record, *started);
        procedures[whole_procedures[procedure_at(record->pc)]].self++;
        *started = true;
        *last = *record;
    }
    qsort(arcs, arc_count, sizeof *arcs, by_place);
    find_reach();
    uint64_t *children = divide_all();
    for (int i = 0; i < procedure_count; i++) {
        uint64_t calls = 0, own = 0;
        for (size_t k = 0; k < arc_count; k++)
            if (arcs[k].callee == i)
                *(arcs[k].caller == i ? &own : &calls) += arcs[k].calls;
        if (procedures[i].self || calls || own)
            printf("node\t%s\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\n", procedures[i].name,
                   procedures[i].self, children[i], calls, own);
    }
    for (size_t i = 0; i < arc_count; i++)
        printf("arc\t%s\t%s\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\n",
               arcs[i].caller < 0 ? "<spontaneous>" : procedures[arcs[i].caller].name,
               procedures[arcs[i].callee].name, arcs[i].calls, arcs[i].self, arcs[i].children);
}
