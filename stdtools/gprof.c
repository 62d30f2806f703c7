/* gprof.c: the cost of procedures with their callees, by gprof's rule: the cost is divided among callers in
   proportion to their calls, and a cycle is one unit. Requires the arcs of gprof_arcs.c. */
#include <stdlib.h>

#include "gprof.h"
#include "table.h"

static struct node *nodes, *cycles; /* indexed by procedure; indexed by number of the cycle, from 1 */
static int cycle_count;
static struct arc *arcs;
static int arc_count;
static int *first_in; /* indexed by procedure, with one more entry: the first arc to it */

/* ---- cycles: strongly connected components, by Tarjan's algorithm --------------------------------------- */

static int *first_out, *next_out, *number, *low, *stack, stack_depth, numbered;
static int *order, *units, unit_count; /* procedures, callees first; where in it each component begins */

static void finish_component(int node) {
    int begin = unit_count ? units[unit_count] : 0, end = begin, member;
    int alone = stack[stack_depth - 1] == node;
    if (!alone)
        cycle_count++;
    do {
        member = stack[--stack_depth];
        nodes[member].cycle = alone ? 0 : cycle_count;
        number[member] = -1; /* done */
        order[end++] = member;
    } while (member != node);
    units[++unit_count] = end;
}

static void connect(int node) {
    number[node] = low[node] = ++numbered;
    stack[stack_depth++] = node;
    for (int arc = first_out[node]; arc; arc = next_out[arc - 1]) {
        int callee = arcs[arc - 1].callee;
        if (!number[callee])
            connect(callee);
        if (number[callee] > 0 && low[callee] < low[node])
            low[node] = low[callee];
    }
    if (low[node] == number[node])
        finish_component(node);
}

static void find_cycles(void) {
    first_in = allocated(procedure_count + 1, sizeof *first_in);
    first_out = allocated(procedure_count, sizeof *first_out);
    next_out = allocated(arc_count, sizeof *next_out);
    number = allocated(procedure_count, sizeof *number);
    low = allocated(procedure_count, sizeof *low);
    stack = allocated(procedure_count, sizeof *stack);
    order = allocated(procedure_count, sizeof *order);
    units = allocated(procedure_count + 1, sizeof *units);
    for (int i = arc_count - 1; i >= 0; i--) {
        first_in[arcs[i].callee + 1]++;
        if (arcs[i].caller >= 0) {
            next_out[i] = first_out[arcs[i].caller];
            first_out[arcs[i].caller] = i + 1;
        }
    }
    for (int i = 0; i < procedure_count; i++)
        first_in[i + 1] += first_in[i];
    for (int i = 0; i < procedure_count; i++) /* most have no known facts */
        if (!number[i] && (nodes[i].self || first_out[i] || first_in[i + 1] > first_in[i]))
            connect(i);
}

/* ---- costs ---------------------------------------------------------------------------------------------- */

static int is_inside(const struct arc *arc) {
    int cycle = nodes[arc->callee].cycle;
    return arc->caller == arc->callee || (cycle && arc->caller >= 0 && nodes[arc->caller].cycle == cycle);
}

static void count_calls(const struct arc *arc) {
    struct node *callee = &nodes[arc->callee], *cycle = &cycles[callee->cycle];
    *(arc->caller == arc->callee ? &callee->self_calls : &callee->calls) += arc->calls;
    *(is_inside(arc) ? &cycle->self_calls : &cycle->calls) += arc->calls;
}

unsigned long scaled(unsigned long cost, unsigned long part, unsigned long whole) {
    unsigned long product;
    if (__builtin_mul_overflow(cost, part, &product))
        return (unsigned long)((unsigned __int128)cost * part / whole);
    return product / whole;
}

/* The part of the cost that belongs to the calls after the first `before` of `all`: no instruction is lost.
 */
static long share(long cost, long before, long calls, long all) {
    if (cost == 0 || calls == all)
        return cost;
    return (long)(scaled(cost, before + calls, all) - scaled(cost, before, all));
}

/* Adds a component's cost to its callers, when the costs of all its callees are known. */
static void propagate(const int *members, int count) {
    long before = 0;
    struct node whole = {0};
    for (int m = 0; m < count; m++) {
        whole.self += nodes[members[m]].self;
        whole.children += nodes[members[m]].children;
    }
    struct node *node = &nodes[members[0]];
    whole.calls = node->cycle ? cycles[node->cycle].calls : node->calls;
    if (node->cycle) {
        cycles[node->cycle].self = whole.self;
        cycles[node->cycle].children = whole.children;
    }
    for (int m = 0; m < count; m++)
        for (int i = first_in[members[m]]; i < first_in[members[m] + 1]; i++) {
            struct arc *arc = &arcs[i];
            if (is_inside(arc))
                continue;
            arc->self = share(whole.self, before, arc->calls, whole.calls);
            arc->total = arc->self + share(whole.children, before, arc->calls, whole.calls);
            before += arc->calls;
            if (arc->caller >= 0)
                nodes[arc->caller].children += arc->total;
        }
}

static int by_number(const void *left, const void *right) {
    return *(const int *)left - *(const int *)right;
}

void Print(const long *executed, const long *entered, const char *out, const char *calls,
           const char *callgrind, const char *program) {
    long *self = allocated(procedure_count, sizeof *self);
    nodes = allocated(procedure_count, sizeof *nodes);
    arcs = finish_arcs(entered, &arc_count);
    for (int i = 0; i < procedure_count; i++)
        if (executed[i])
            nodes[procedures[i].whole].self = self[procedures[i].whole] += executed[i];
    find_cycles();
    cycles = allocated(cycle_count + 1, sizeof *cycles);
    for (int i = 0; i < arc_count; i++)
        count_calls(&arcs[i]);
    for (int i = 0; i < unit_count; i++) {
        if (units[i + 1] - units[i] > 1)
            qsort(&order[units[i]], units[i + 1] - units[i], sizeof *order, by_number);
        propagate(&order[units[i]], units[i + 1] - units[i]);
    }
    if (atomc_for_programs())
        write_tables(out, calls, nodes, arcs, arc_count);
    else
        print_profile(out, nodes, cycles, cycle_count, arcs, arc_count);
    if (*callgrind)
        write_callgrind(callgrind, program, "Instructions", self, arcs, arc_count);
}
