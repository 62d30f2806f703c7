/* export_callgrind.c: costs of procedures, and of the calls of a tree, in callgrind's format, for
   callgrind_annotate and KCachegrind. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "runs/results/export.h"

struct function {
    const char *file, *name;
    int64_t line;
};
struct arc {
    uint32_t caller, callee; /* functions */
    int64_t calls;
    int64_t *costs; /* indexed by event, with the sums of all nodes below */
};
struct graph {
    const struct shape *shape;
    uint32_t *events, event_count; /* columns */
    uint32_t calls;                /* number of the column; column_count: there is none */
    struct function *functions;
    uint32_t function_count;
    uint32_t *function_of; /* indexed by node, or by row */
    struct arena *arena;
};

/* Calls are no costs of a tree, but counts of its arcs. */
static void find_events(struct graph *graph, bool has_arcs) {
    const struct shape *shape = graph->shape;
    graph->events = arena_allocate(graph->arena, shape->column_count * sizeof *graph->events);
    graph->calls = shape->column_count;
    for (uint32_t i = 0; i < shape->column_count; i++) {
        if (!is_event(&shape->columns[i]))
            continue;
        if (has_arcs && strcmp(shape->columns[i].title, "Calls") == 0)
            graph->calls = i;
        else
            graph->events[graph->event_count++] = i;
    }
    if (graph->event_count == 0)
        graph->events[graph->event_count++] = graph->calls;
}

/* ---- functions ---------------------------------------------------------------------------------------- */

static const struct function *sorted; /* for qsort(), which has no argument for its function */

static int compare_function_names(const struct function *left, const struct function *right) {
    int order = strcmp(left->file, right->file);
    if (order == 0)
        order = strcmp(left->name, right->name);
    return order ? order : (left->line > right->line) - (left->line < right->line);
}

static int by_function(const void *left, const void *right) {
    return compare_function_names(&sorted[*(const uint32_t *)left], &sorted[*(const uint32_t *)right]);
}

/* Stores the number of its function in each of `all`. `with_line`: functions at different lines are
   different. */
static void number_functions(struct graph *graph, struct function *all, uint32_t count) {
    uint32_t *order = allocate((count + 1) * sizeof *order);
    graph->function_of = arena_allocate(graph->arena, (count + 1) * sizeof *graph->function_of);
    graph->functions = arena_allocate(graph->arena, (count + 1) * sizeof *graph->functions);
    for (uint32_t i = 0; i < count; i++)
        order[i] = i;
    sorted = all;
    if (count > 0)
        qsort(order, count, sizeof *order, by_function);
    for (uint32_t i = 0; i < count; i++) {
        if (i == 0 || compare_function_names(&all[order[i - 1]], &all[order[i]]) != 0)
            graph->functions[graph->function_count++] = all[order[i]];
        graph->function_of[order[i]] = graph->function_count - 1;
    }
    free(order);
}

static const char *or_unknown(const char *text) {
    return *text ? text : "???";
}

/* ---- what is written ---------------------------------------------------------------------------------- */

static void put_head(const struct graph *graph, const char *program, bool has_addresses, FILE *stream) {
    fprintf(stream, "version: 1\ncreator: atomc\ncmd: %s\npositions:%s line\nevents:", program,
            has_addresses ? " instr" : "");
    for (uint32_t i = 0; i < graph->event_count; i++) {
        fputc(' ', stream);
        for (const char *at = graph->shape->columns[graph->events[i]].title; *at; at++)
            fputc(*at == ' ' || *at == ':' ? '_' : *at, stream);
    }
    fputc('\n', stream);
}

static void put_costs(const struct graph *graph, const int64_t *costs, FILE *stream) {
    for (uint32_t i = 0; i < graph->event_count; i++)
        fprintf(stream, " %" PRId64, costs[i]);
    fputc('\n', stream);
}

static void put_totals(const struct graph *graph, const int64_t *totals, FILE *stream) {
    fputs("\ntotals:", stream);
    put_costs(graph, totals, stream);
}

static bool is_nothing(const struct graph *graph, const int64_t *costs) {
    for (uint32_t i = 0; i < graph->event_count; i++)
        if (costs[i] != 0)
            return false;
    return true;
}

/* ---- trees -------------------------------------------------------------------------------------------- */

static int by_arc(const void *left, const void *right) {
    const struct arc *a = left, *b = right;
    return a->caller != b->caller   ? (a->caller < b->caller ? -1 : 1)
           : a->callee != b->callee ? (a->callee < b->callee ? -1 : 1)
                                    : 0;
}

/* An arc for each node that has a parent; arcs between the same functions are combined. The cost of a
   recursive call is included in that of the outermost: it is counted once. */
static struct arc *find_arcs(struct graph *graph, const struct tree *tree, uint32_t *count) {
    struct arc *arcs = arena_allocate(graph->arena, tree->count * sizeof *arcs);
    uint32_t *active = allocate_zeroed(graph->function_count + 1, sizeof *active);
    uint32_t *path = allocate_zeroed(tree->count + 1, sizeof *path), depth = 0;
    int64_t **totals = arena_allocate(graph->arena, graph->event_count * sizeof *totals);
    for (uint32_t k = 0; k < graph->event_count; k++)
        totals[k] = tree_totals(tree, graph->events[k], graph->arena);
    *count = 0;
    for (uint32_t i = 1; i < tree->count; i++) {
        const struct tree_node *node = &tree->nodes[i];
        while (depth >= node->depth)
            active[graph->function_of[path[depth--]]]--;
        path[++depth] = i;
        bool outermost = active[graph->function_of[i]]++ == 0;
        if (!node->parent)
            continue;
        struct arc *arc = &arcs[(*count)++];
        *arc = (struct arc){.caller = graph->function_of[node->parent],
                            .callee = graph->function_of[i],
                            .calls = number_at(node->cells, graph->calls, graph->shape->column_count)};
        arc->costs = arena_allocate(graph->arena, graph->event_count * sizeof *arc->costs);
        for (uint32_t k = 0; k < graph->event_count && outermost; k++)
            arc->costs[k] = totals[k][i];
    }
    free(active);
    free(path);
    if (*count > 0)
        qsort(arcs, *count, sizeof *arcs, by_arc);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < *count; i++) {
        if (kept == 0 || by_arc(&arcs[kept - 1], &arcs[i]) != 0) {
            arcs[kept++] = arcs[i];
            continue;
        }
        arcs[kept - 1].calls += arcs[i].calls;
        for (uint32_t k = 0; k < graph->event_count; k++)
            arcs[kept - 1].costs[k] += arcs[i].costs[k];
    }
    *count = kept;
    return arcs;
}

static void write_graph(struct graph *graph, const struct tree *tree, FILE *stream) {
    uint32_t arc_count, next = 0, columns = graph->shape->column_count, events = graph->event_count;
    const struct arc *arcs = find_arcs(graph, tree, &arc_count);
    int64_t *self = arena_allocate(graph->arena, (graph->function_count + 1) * (size_t)events * sizeof *self);
    int64_t *totals = arena_allocate(graph->arena, events * sizeof *totals);
    for (uint32_t i = 1; i < tree->count; i++)
        for (uint32_t k = 0; k < events; k++) {
            int64_t cost = number_at(tree->nodes[i].cells, graph->events[k], columns);
            self[graph->function_of[i] * (size_t)events + k] += cost;
            totals[k] += cost;
        }
    for (uint32_t i = 0; i < graph->function_count; i++) {
        const struct function *function = &graph->functions[i];
        bool calls = next < arc_count && arcs[next].caller == i;
        if (!*function->name || (!calls && is_nothing(graph, &self[i * (size_t)events])))
            continue;
        fprintf(stream, "\nfl=%s\nfn=%s\n%" PRId64, or_unknown(function->file), function->name,
                function->line);
        put_costs(graph, &self[i * (size_t)events], stream);
        for (; next < arc_count && arcs[next].caller == i; next++) {
            const struct function *callee = &graph->functions[arcs[next].callee];
            fprintf(stream, "cfi=%s\ncfn=%s\ncalls=%" PRId64 " %" PRId64 "\n%" PRId64,
                    or_unknown(callee->file), callee->name, arcs[next].calls, callee->line, function->line);
            put_costs(graph, arcs[next].costs, stream);
        }
    }
    put_totals(graph, totals, stream);
}

static bool write_callgrind_tree(const struct request *request, struct graph *graph, struct store *store,
                                 const struct selection *selection, FILE *stream) {
    struct tree tree;
    struct source_columns source = source_columns(graph->shape);
    uint32_t columns = graph->shape->column_count;
    if (!tree_read(store, selection, graph->arena, &tree))
        return false;
    show_tree_names(request, &tree);
    struct function *all = arena_allocate(graph->arena, tree.count * sizeof *all);
    for (uint32_t i = 0; i < tree.count; i++)
        all[i] = (struct function){text_at(tree.nodes[i].cells, source.file, columns), tree.nodes[i].name,
                                   number_at(tree.nodes[i].cells, source.line, columns)};
    number_functions(graph, all, tree.count);
    put_head(graph, program_of(store, selection), false, stream);
    write_graph(graph, &tree, stream);
    return true;
}

/* ---- tables ------------------------------------------------------------------------------------------- */

static bool write_callgrind_rows(const struct request *request, struct graph *graph, struct store *store,
                                 const struct selection *selection, FILE *stream) {
    struct source_columns source = source_columns(graph->shape);
    struct row_list list = {NULL, 0, 0};
    uint32_t columns = graph->shape->column_count;
    bool has_addresses = source.address < columns;
    if (!read_rows(store, selection, graph->arena, &list))
        return false;
    struct function *all = arena_allocate(graph->arena, (list.count + 1) * sizeof *all);
    for (uint32_t i = 0; i < list.count; i++)
        all[i] = (struct function){
            text_at(list.rows[i], source.file, columns),
            or_unknown(shown_symbol(request, text_at(list.rows[i], source.name, columns))), 0};
    number_functions(graph, all, list.count);
    put_head(graph, program_of(store, selection), has_addresses, stream);
    int64_t *totals = arena_allocate(graph->arena, graph->event_count * sizeof *totals);
    int64_t *costs = arena_allocate(graph->arena, graph->event_count * sizeof *costs);
    uint32_t *order = arena_allocate(graph->arena, (list.count + 1) * sizeof *order), *first;
    first = arena_allocate(graph->arena, (graph->function_count + 1) * sizeof *first);
    for (uint32_t i = 0; i < list.count; i++) /* the rows by their functions, in their order */
        first[graph->function_of[i] + 1]++;
    for (uint32_t i = 0; i < graph->function_count; i++)
        first[i + 1] += first[i];
    for (uint32_t i = 0; i < list.count; i++)
        order[first[graph->function_of[i]]++] = i;
    for (uint32_t at = 0; at < list.count; at++) {
        uint32_t i = order[at], function = graph->function_of[i];
        if (at == 0 || graph->function_of[order[at - 1]] != function)
            fprintf(stream, "\nfl=%s\nfn=%s\n", or_unknown(graph->functions[function].file),
                    graph->functions[function].name);
        for (uint32_t k = 0; k < graph->event_count; k++)
            totals[k] += costs[k] = number_at(list.rows[i], graph->events[k], columns);
        if (is_nothing(graph, costs))
            continue;
        if (has_addresses)
            fprintf(stream, "0x%" PRIx64 " ", (uint64_t)number_at(list.rows[i], source.address, columns));
        fprintf(stream, "%" PRId64, number_at(list.rows[i], source.line, columns));
        put_costs(graph, costs, stream);
    }
    put_totals(graph, totals, stream);
    return true;
}

bool export_callgrind(const struct request *request, struct store *store, const struct selection *selection,
                      FILE *stream) {
    struct graph graph = {.shape = selection->shape, .arena = request->arena};
    bool has_arcs = is_tree(selection->shape);
    find_events(&graph, has_arcs);
    return has_arcs ? write_callgrind_tree(request, &graph, store, selection, stream)
                    : write_callgrind_rows(request, &graph, store, selection, stream);
}
