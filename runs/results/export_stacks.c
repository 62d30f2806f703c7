/* export_stacks.c: trees as folded stacks, which programs for flame graphs read, and for speedscope. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "runs/results/export.h"
#include "support/json.h"

/* ---- folded: names from the root on with `;` between them, a blank, the count --------------------------- */

static void put_frame_name(const char *name, FILE *stream) {
    for (size_t length; *name; name += length + (name[length] == ';')) {
        length = strcspn(name, ";");
        put_line_part(name, length, stream);
        fputs(name[length] ? ":" : "", stream);
    }
}

static void put_path(const struct tree *tree, uint32_t node, FILE *stream) {
    const struct tree_node *at = &tree->nodes[node];
    uint32_t *path = allocate(at->depth * sizeof *path);
    for (uint32_t i = at->depth; i-- > 0; node = tree->nodes[node].parent)
        path[i] = node;
    for (uint32_t i = 0; i < at->depth; i++) {
        fputs(i > 0 ? ";" : "", stream);
        put_frame_name(tree->nodes[path[i]].name, stream);
    }
    free(path);
}

static uint32_t first_event(const struct shape *shape) {
    uint32_t i = 0;
    while (!is_event(&shape->columns[i]))
        i++;
    return i;
}

bool export_folded(const struct request *request, struct store *store, const struct selection *selection,
                   FILE *stream) {
    struct tree tree;
    uint32_t event = first_event(selection->shape), columns = selection->shape->column_count;
    if (!tree_read(store, selection, request->arena, &tree))
        return false;
    show_tree_names(request, &tree);
    for (uint32_t i = 1; i < tree.count; i++) {
        int64_t count = number_at(tree.nodes[i].cells, event, columns);
        if (count == 0)
            continue;
        put_path(&tree, i, stream);
        fprintf(stream, " %" PRId64 "\n", count);
    }
    return true;
}

/* ---- speedscope: https://www.speedscope.app/file-format-schema.json ------------------------------------- */

/* Each distinct frame is added once; equal frames have equal keys. */
static json_t *add_frame(json_t *frames, json_t *numbers, const struct tree *tree, uint32_t node,
                         struct source_columns source) {
    uint32_t columns = tree->shape->column_count;
    const struct cell *cells = tree->nodes[node].cells;
    const char *file = text_at(cells, source.file, columns);
    int64_t line = number_at(cells, source.line, columns);
    json_t *frame = json_pack("{s:o}", "name", json_text(tree->nodes[node].name));
    if (*file)
        json_object_set_new(frame, "file", json_text(file));
    if (*file && line > 0)
        json_object_set_new(frame, "line", json_integer(line));
    char *key = json_dumps(frame, JSON_COMPACT | JSON_SORT_KEYS);
    json_t *number = json_object_get(numbers, key);
    if (!number) {
        number = json_integer((json_int_t)json_array_size(frames));
        json_object_set_new(numbers, key, number);
        json_array_append(frames, frame);
    }
    json_decref(frame);
    free(key);
    return number;
}

static json_t *make_frames(const struct tree *tree, json_t **of_nodes) {
    json_t *frames = json_array(), *numbers = json_object();
    struct source_columns source = source_columns(tree->shape);
    *of_nodes = json_array();
    json_array_append_new(*of_nodes, json_null());
    for (uint32_t i = 1; i < tree->count; i++)
        json_array_append(*of_nodes, add_frame(frames, numbers, tree, i, source));
    json_decref(numbers);
    return frames;
}

static json_t *make_profile(const struct tree *tree, uint32_t event, json_t *frame_of) {
    json_t *samples = json_array(), *weights = json_array();
    int64_t sum = 0;
    for (uint32_t i = 1; i < tree->count; i++) {
        int64_t count = number_at(tree->nodes[i].cells, event, tree->shape->column_count);
        if (count == 0)
            continue;
        json_t *stack = json_array();
        for (uint32_t at = i; at; at = tree->nodes[at].parent)
            json_array_insert(stack, 0, json_array_get(frame_of, at));
        json_array_append_new(samples, stack);
        json_array_append_new(weights, json_integer(count));
        sum += count;
    }
    const char *title = tree->shape->columns[event].title;
    return json_pack("{s:s, s:o, s:s, s:i, s:I, s:o, s:o}", "type", "sampled", "name", json_text(title),
                     "unit", strcmp(title, "Bytes") == 0 ? "bytes" : "none", "startValue", 0, "endValue",
                     (json_int_t)sum, "samples", samples, "weights", weights);
}

bool export_speedscope(const struct request *request, struct store *store, const struct selection *selection,
                       FILE *stream) {
    struct tree tree;
    const struct shape *shape = selection->shape;
    if (!tree_read(store, selection, request->arena, &tree))
        return false;
    show_tree_names(request, &tree);
    json_t *frame_of, *frames = make_frames(&tree, &frame_of), *profiles = json_array();
    for (uint32_t i = 0; i < shape->column_count; i++)
        if (is_event(&shape->columns[i]))
            json_array_append_new(profiles, make_profile(&tree, i, frame_of));
    json_t *file = json_pack("{s:s, s:s, s:o, s:i, s:{s:o}, s:o}", "$schema",
                             "https://www.speedscope.app/file-format-schema.json", "exporter", "atomc",
                             "name", json_text(program_of(store, selection)), "activeProfileIndex", 0,
                             "shared", "frames", frames, "profiles", profiles);
    json_decref(frame_of);
    json_print(file, false, stream);
    return true;
}
