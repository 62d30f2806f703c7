/* gprof.c: measures calls between procedures for gprof.atd, on the stacks of calls.c, and finds their cycles.
 */
#include <stdlib.h>
#include <string.h>

#include "gprof.h"

static struct arc *arcs;
static int arc_count, room;
static int *slots; /* hash table: arc number + 1 */
static int slot_count;

static unsigned long hash(int caller, int callee) {
    return ((unsigned long)caller << 32 | (unsigned)callee) * 0x9e3779b97f4a7c15 >> 32;
}

static int *slot_of(int caller, int callee) {
    unsigned long at = hash(caller, callee);
    for (;; at++) {
        int *slot = &slots[at % slot_count];
        if (!*slot || (arcs[*slot - 1].caller == caller && arcs[*slot - 1].callee == callee))
            return slot;
    }
}

static int arc_of(int caller, int callee) {
    if (2 * arc_count >= slot_count) {
        free(slots);
        slot_count = 2 * slot_count + 1024;
        slots = allocated(slot_count, sizeof *slots);
        for (int i = 0; i < arc_count; i++)
            *slot_of(arcs[i].caller, arcs[i].callee) = i + 1;
    }
    int *slot = slot_of(caller, callee);
    if (!*slot) {
        if (arc_count == room && !(arcs = realloc(arcs, (room = 2 * room + 256) * sizeof *arcs)))
            abort();
        arcs[arc_count] = (struct arc){.caller = caller, .callee = callee};
        *slot = ++arc_count;
    }
    return *slot - 1;
}

void on_push(struct thread *thread, struct frame *frame, int called) {
    int caller = thread->depth > 1 ? frame[-1].procedure : -1;
    int arc = arc_of(caller, frame->procedure);
    frame->item = (void *)(long)(arc + 1);
    arcs[arc].calls += called;
}

/* The outermost activation of a procedure has all its cost. */
void on_pop(struct thread *thread, struct frame *frame) {
    struct arc *arc = &arcs[(long)frame->item - 1];
    if (thread->active[frame->procedure] > 1)
        return;
    arc->total += thread->clock - frame->start;
    arc->self += thread->self[frame->procedure] - frame->self_start;
}

void on_cost(struct thread *thread, struct frame *frame, long cost) {
    (void)thread, (void)frame, (void)cost;
}

/* ---- cycles: strongly connected components, by Tarjan's algorithm on lists of arcs by caller ------------- */

static struct node *nodes;
static int *first_arc, *next_arc, *number, *low, *stack, stack_depth, numbered, cycle_count;

static void connect(int node) {
    number[node] = low[node] = ++numbered;
    stack[stack_depth++] = node;
    for (int arc = first_arc[node]; arc; arc = next_arc[arc - 1]) {
        int callee = arcs[arc - 1].callee;
        if (!number[callee])
            connect(callee);
        if (number[callee] > 0 && low[callee] < low[node])
            low[node] = low[callee];
    }
    if (low[node] != number[node])
        return;
    if (stack[stack_depth - 1] != node)
        cycle_count++;
    int alone = stack[stack_depth - 1] == node, member;
    do {
        member = stack[--stack_depth];
        nodes[member].cycle = alone ? 0 : cycle_count;
        number[member] = -1; /* done */
    } while (member != node);
}

static void find_cycles(void) {
    first_arc = allocated(procedure_count, sizeof *first_arc);
    next_arc = allocated(arc_count, sizeof *next_arc);
    number = allocated(procedure_count, sizeof *number);
    low = allocated(procedure_count, sizeof *low);
    stack = allocated(procedure_count, sizeof *stack);
    for (int i = arc_count - 1; i >= 0; i--)
        if (arcs[i].caller >= 0 && arcs[i].calls > 0) {
            next_arc[i] = first_arc[arcs[i].caller];
            first_arc[arcs[i].caller] = i + 1;
        }
    for (int i = 0; i < procedure_count; i++)
        if (!number[i])
            connect(i);
}

/* ---- the sums -------------------------------------------------------------------------------------------- */

static void add_arc(const struct arc *arc, struct node *cycles) {
    struct node *callee = &nodes[arc->callee];
    int from = arc->caller >= 0 ? nodes[arc->caller].cycle : 0;
    if (arc->caller == arc->callee)
        callee->self_calls += arc->calls;
    else
        callee->calls += arc->calls;
    callee->children += arc->total - arc->self;
    if (callee->cycle && callee->cycle == from)
        cycles[callee->cycle].self_calls += arc->calls;
    else
        cycles[callee->cycle].calls += arc->calls;
    if (from && callee->cycle != from)
        cycles[from].children += arc->total;
}

void Print(const char *out, const char *callgrind, const char *program) {
    long *self = allocated(procedure_count, sizeof *self);
    end_calls();
    nodes = allocated(procedure_count, sizeof *nodes);
    find_cycles();
    struct node *cycles = allocated(cycle_count + 1, sizeof *cycles);
    for (const struct thread *thread = threads; thread; thread = thread->next)
        for (int i = 0; i < procedure_count; i++)
            self[i] += thread->self[i];
    for (int i = 0; i < procedure_count; i++) {
        nodes[i].self = self[i];
        cycles[nodes[i].cycle].self += self[i];
    }
    for (int i = 0; i < arc_count; i++)
        add_arc(&arcs[i], cycles);
    print_profile(out, nodes, cycles, cycle_count, arcs, arc_count);
    if (*callgrind)
        write_callgrind(callgrind, program, "Instructions", self, arcs, arc_count);
}
