/* export_trace.c: trees as events of the Trace Event Format, which Perfetto and Chrome's tracing read. The
   axis of time has the count: one unit is one microsecond. Each count is a process of the trace. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "runs/results/export.h"
#include "support/json.h"

static void put_metadata(json_t *events, int process, const char *what, const char *name) {
    json_array_append_new(events, json_pack("{s:s, s:s, s:i, s:i, s:{s:o}}", "name", what, "ph", "M", "pid",
                                            process, "tid", 1, "args", "name", json_text(name)));
}

/* Callees follow the node's own count, the largest first, as the tree has them. */
static void put_events(json_t *events, const struct tree *tree, uint32_t event, int process,
                       struct arena *arena) {
    const struct shape *shape = tree->shape;
    struct source_columns source = source_columns(shape);
    int64_t *totals = tree_totals(tree, event, arena);
    int64_t *next = arena_allocate(arena, tree->count * sizeof *next); /* where the next callee begins */
    next[0] = 0;
    for (uint32_t i = 1; i < tree->count; i++) {
        const struct tree_node *node = &tree->nodes[i];
        int64_t begin = next[node->parent], own = number_at(node->cells, event, shape->column_count);
        next[node->parent] += totals[i];
        next[i] = begin + own;
        if (totals[i] <= 0)
            continue;
        json_t *args = json_pack("{s:I}", "own", (json_int_t)own);
        const char *file = text_at(node->cells, source.file, shape->column_count);
        if (*file)
            json_object_set_new(args, "file", json_text(file));
        json_array_append_new(events, json_pack("{s:o, s:s, s:i, s:i, s:I, s:I, s:o}", "name",
                                                json_text(node->name ? node->name : "?"), "ph", "X", "pid",
                                                process, "tid", 1, "ts", (json_int_t)begin, "dur",
                                                (json_int_t)totals[i], "args", args));
    }
}

bool export_trace(const struct request *request, struct store *store, const struct selection *selection,
                  FILE *stream) {
    struct tree tree;
    const struct shape *shape = selection->shape;
    int process = 0;
    if (!tree_read(store, selection, request->arena, &tree))
        return false;
    show_tree_names(request, &tree);
    json_t *events = json_array();
    for (uint32_t i = 0; i < shape->column_count; i++)
        if (is_event(&shape->columns[i])) {
            put_metadata(events, ++process, "process_name", shape->columns[i].title);
            put_metadata(events, process, "thread_name", program_of(store, selection));
            put_events(events, &tree, i, process, request->arena);
        }
    json_print(json_pack("{s:o, s:s, s:{s:s, s:s}}", "traceEvents", events, "displayTimeUnit", "ns",
                         "otherData", "exporter", "atomc", "unit", "a microsecond is one of the count"),
               false, stream);
    return true;
}
