/* gprof_print.c: a measured call graph in gprof's layout: the flat profile, then an entry for each procedure.
 */
#include <stdlib.h>
#include <string.h>

#include "gprof.h"
#include "table.h"

static struct node *nodes, *cycles;
static const struct arc *arcs;
static int arc_count, *order, entry_count; /* entries: procedures, and -cycle */
static FILE *file;
static long total;

static struct node *node_of(int entry) {
    return entry < 0 ? &cycles[-entry] : &nodes[entry];
}

static int by_self(const void *left, const void *right) {
    const int a = *(const int *)left, b = *(const int *)right;
    if (nodes[a].self != nodes[b].self)
        return nodes[a].self < nodes[b].self ? 1 : -1;
    return nodes[a].calls != nodes[b].calls ? (nodes[a].calls < nodes[b].calls ? 1 : -1) : a - b;
}

static int by_total(const void *left, const void *right) {
    const int a = *(const int *)left, b = *(const int *)right;
    long x = node_of(a)->self + node_of(a)->children, y = node_of(b)->self + node_of(b)->children;
    return x != y ? (x < y ? 1 : -1) : a - b;
}

static double percent(long part) {
    return total ? 100.0 * part / total : 0.0;
}

static void print_flat(void) {
    long sum = 0;
    qsort(order, entry_count, sizeof *order, by_self);
    fprintf(file, "Flat profile:\n\n  %%    cumulative         self                  self       total\n"
                  " time  instructions instructions    calls  per call    per call  name\n");
    for (int i = 0; i < entry_count; i++) {
        const struct node *node = &nodes[order[i]];
        long calls = node->calls + node->self_calls;
        sum += node->self;
        fprintf(file, "%6.2f %13ld %12ld ", percent(node->self), sum, node->self);
        if (calls > 0)
            fprintf(file, "%8ld %9.1f %11.1f", calls, (double)node->self / calls,
                    (double)(node->self + node->children) / calls);
        else
            fprintf(file, "%30s", "");
        fprintf(file, "  %s\n", procedures[order[i]].name);
    }
}

static void print_name(int procedure) {
    fprintf(file, "%s", procedures[procedure].name);
    if (nodes[procedure].cycle)
        fprintf(file, " <cycle %d>", nodes[procedure].cycle);
    fprintf(file, " [%d]\n", nodes[procedure].index);
}

/* A caller's or callee's line: calls of all calls, or inside of a cycle only calls. */
static void print_arc(const struct arc *arc, int shown) {
    const struct node *callee = &nodes[arc->callee];
    int inside = arc->caller >= 0 && callee->cycle && callee->cycle == nodes[arc->caller].cycle;
    char calls[64];
    snprintf(calls, sizeof calls, inside ? "%ld" : "%ld/%ld", arc->calls,
             callee->cycle ? cycles[callee->cycle].calls : callee->calls);
    if (inside)
        fprintf(file, "%40s %17s     ", "", calls);
    else
        fprintf(file, "%26ld %13ld %17s     ", arc->self, arc->total - arc->self, calls);
    if (shown < 0)
        fprintf(file, "<spontaneous>\n");
    else
        print_name(shown);
}

static void print_entry(int entry) {
    const struct node *node = node_of(entry);
    char calls[64];
    for (int i = 0; i < arc_count; i++) {
        const struct arc *arc = &arcs[i];
        int from = arc->caller >= 0 ? nodes[arc->caller].cycle : 0;
        if (entry < 0 ? nodes[arc->callee].cycle == -entry && from != -entry
                      : arc->callee == entry && arc->caller != entry)
            print_arc(arc, arc->caller);
    }
    snprintf(calls, sizeof calls, node->self_calls ? "%ld+%ld" : "%ld", node->calls, node->self_calls);
    fprintf(file, "[%d]%*s %5.1f %12ld %13ld %17s ", node->index,
            node->index < 10    ? 3
            : node->index < 100 ? 2
                                : 1,
            "", percent(node->self + node->children), node->self, node->children, calls);
    if (entry < 0)
        fprintf(file, "<cycle %d as a whole> [%d]\n", -entry, node->index);
    else
        print_name(entry);
    for (int i = 0; i < arc_count; i++)
        if (entry >= 0 && arcs[i].caller == entry && arcs[i].callee != entry)
            print_arc(&arcs[i], arcs[i].callee);
    for (int i = 0; entry < 0 && i < procedure_count; i++)
        if (nodes[i].cycle == -entry) {
            fprintf(file, "%26ld %13s %17ld     ", nodes[i].self, "", nodes[i].calls);
            print_name(i);
        }
    fprintf(file, "-----------------------------------------------\n");
}

void print_profile(const char *out, struct node *all_nodes, struct node *all_cycles, int cycle_count,
                   const struct arc *all_arcs, int count) {
    nodes = all_nodes;
    cycles = all_cycles;
    arcs = all_arcs;
    arc_count = count;
    if (!(file = atomc_begin_file(out)))
        return;
    order = allocated(procedure_count + cycle_count, sizeof *order);
    for (int i = 0; i < procedure_count; i++) {
        total += nodes[i].self;
        if (nodes[i].self > 0 || nodes[i].calls + nodes[i].self_calls > 0)
            order[entry_count++] = i;
    }
    print_flat();
    for (int i = 1; i <= cycle_count; i++)
        order[entry_count++] = -i;
    qsort(order, entry_count, sizeof *order, by_total);
    for (int i = 0; i < entry_count; i++)
        node_of(order[i])->index = i + 1;
    fprintf(file, "\n\n\t\t\tCall graph\n\n"
                  "index %% time         self      children            called     name\n");
    for (int i = 0; i < entry_count; i++)
        print_entry(order[i]);
    atomc_end_file();
}
