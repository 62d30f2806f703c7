/* export_html.c: all results of a run as one page that needs no server: tables, sources and flame graphs.
   page.html is the page; its data are JSON. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "results_page.h"
#include "runs/results/ending.h"
#include "runs/results/export.h"
#include "support/json.h"

enum { MOST_PAGE_ROWS = 20000, MOST_SOURCE = 1 << 20 };

/* ---- sources -------------------------------------------------------------------------------------------- */

/* The page is given to others: a program may name any file as its source, also one with a secret. */
static bool is_source_name(const char *path) {
    static const char *const endings[] = {
        "c",   "h",   "cc",  "cpp", "cxx", "C",   "hh", "hpp", "hxx", "H", "inc", "inl", "tcc", "f", "F",
        "for", "f90", "F90", "f95", "adb", "ads", "go", "mod", "def", "s", "S",   "d",   "rs",  "l", "y"};
    const char *dot = strrchr(path, '.');
    for (size_t i = 0; dot && i < sizeof endings / sizeof endings[0]; i++)
        if (strcmp(dot + 1, endings[i]) == 0)
            return true;
    return false;
}

static bool is_in_folder(const char *path, const char *folder) {
    char real[PATH_MAX];
    size_t length = folder && realpath(folder, real) ? strlen(real) : 0;
    return length > 0 && strncmp(path, real, length) == 0 && (path[length] == '/' || length == 1);
}

static bool is_allowed(const struct request *request, const char *path) {
    bool allowed =
        request->allowed_count == 0 && (is_in_folder(path, ".") || is_in_folder(path, getenv("HOME")));
    for (uint32_t i = 0; i < request->allowed_count; i++)
        allowed |= is_in_folder(path, request->allowed[i]);
    return allowed && is_source_name(path);
}

/* The text of a file below an allowed folder: of that name, else below --source. NULL: there is none. */
static char *read_shared_source(const struct request *request, const char *file) {
    const char *slash = strrchr(file, '/'), *folder = request->source ? request->source : ".";
    const char *names[] = {file, arena_format(request->arena, "%s/%s", folder, file),
                           arena_format(request->arena, "%s/%s", folder, slash ? slash + 1 : file)};
    char real[PATH_MAX];
    for (int i = 0; i < 3; i++) {
        size_t length;
        char *text = realpath(names[i], real) && is_allowed(request, real) ? read_file(real, &length) : NULL;
        if (text && length <= MOST_SOURCE && strlen(text) == length)
            return text;
        free(text);
    }
    return NULL;
}

static void add_source(const struct request *request, json_t *sources, json_t *known, const char *file) {
    if (!*file || json_object_get(known, file))
        return;
    json_object_set_new_nocheck(known, file, json_true());
    char *text = read_shared_source(request, file);
    if (text)
        json_array_append_new(sources,
                              json_pack("{s:o, s:o}", "file", json_text(file), "text", json_text(text)));
    free(text);
}

/* ---- tables ----------------------------------------------------------------------------------------------- */

static json_t *page_columns(const struct shape *shape) {
    json_t *columns = json_array();
    for (uint32_t i = 0; i < shape->column_count; i++) {
        const struct row_column *column = &shape->columns[i];
        json_array_append_new(columns,
                              json_pack("{s:o, s:s, s:s, s:s, s:o, s:b}", "title", json_text(column->title),
                                        "type", row_type_words[column->type], "role",
                                        row_role_words[column->role], "merge", row_merge_words[column->merge],
                                        "attribute", json_text(column->attribute), "hidden", column->hidden));
    }
    return columns;
}

static json_t *page_cell(const struct request *request, const struct row_column *column,
                         const struct cell *cell) {
    int64_t exact = 1LL << 53;
    if (cell->missing)
        return json_null();
    switch (column->type) {
    case ROW_TEXT:
        return json_text(shown_symbol(request, cell->value.text));
    case ROW_REAL:
        return json_real(cell->value.real);
    case ROW_INTEGER:
        if (cell->value.integer >= -exact && cell->value.integer <= exact)
            return json_integer(cell->value.integer);
        return json_text(arena_format(request->arena, "%lld", (long long)cell->value.integer));
    default:
        return json_address((uint64_t)cell->value.integer);
    }
}

static bool add_table(const struct request *request, struct store *store, const struct selection *selection,
                      json_t *page, json_t *known) {
    const struct shape *shape = selection->shape;
    struct source_columns source = source_columns(shape);
    struct row_list list = {NULL, 0, 0};
    json_t *rows = json_array();
    bool good = read_rows(store, selection, request->arena, &list);
    for (uint32_t i = 0; i < list.count && i < MOST_PAGE_ROWS; i++) {
        json_t *row = json_array();
        for (uint32_t k = 0; k < shape->column_count; k++)
            json_array_append_new(row, page_cell(request, &shape->columns[k], &list.rows[i][k]));
        json_array_append_new(rows, row);
        if (source.line < shape->column_count)
            add_source(request, json_object_get(page, "sources"), known,
                       text_at(list.rows[i], source.file, shape->column_count));
    }
    json_array_append_new(json_object_get(page, "tables"),
                          json_pack("{s:o, s:o, s:i, s:o, s:o}", "tool", json_text(shape->tool), "report",
                                    json_text(shape->report), "count", (int)list.count, "columns",
                                    page_columns(shape), "rows", rows));
    return good;
}

/* ---- trees -------------------------------------------------------------------------------------------------- */

static json_t *page_metrics(const struct tree *tree) {
    const struct shape *shape = tree->shape;
    json_t *metrics = json_array();
    for (uint32_t i = 0; i < shape->column_count; i++) {
        if (!is_event(&shape->columns[i]))
            continue;
        json_t *values = json_array();
        for (uint32_t node = 1; node < tree->count; node++)
            json_array_append_new(values,
                                  json_integer(number_at(tree->nodes[node].cells, i, shape->column_count)));
        json_array_append_new(
            metrics, json_pack("{s:o, s:o}", "title", json_text(shape->columns[i].title), "values", values));
    }
    return metrics;
}

static bool add_tree(const struct request *request, struct store *store, const struct selection *selection,
                     json_t *page) {
    struct tree tree;
    if (!tree_read(store, selection, request->arena, &tree))
        return false;
    show_tree_names(request, &tree);
    json_t *names = json_array(), *numbers = json_object(), *name = json_array(), *parent = json_array();
    for (uint32_t i = 1; i < tree.count; i++) {
        const char *text = tree.nodes[i].name ? tree.nodes[i].name : "?";
        json_t *number = json_object_get(numbers, text);
        if (!number) {
            number = json_integer((json_int_t)json_array_size(names));
            json_object_set_new_nocheck(numbers, text, number);
            json_array_append_new(names, json_text(text));
        }
        json_array_append(name, number);
        json_array_append_new(parent, json_integer(tree.nodes[i].parent));
    }
    json_decref(numbers);
    json_array_append_new(json_object_get(page, "trees"),
                          json_pack("{s:o, s:o, s:o, s:o, s:o, s:o}", "tool", json_text(tree.shape->tool),
                                    "report", json_text(tree.shape->report), "names", names, "name", name,
                                    "parent", parent, "metrics", page_metrics(&tree)));
    return true;
}

/* ---- the page --------------------------------------------------------------------------------------------------- */

static void add_tool(struct store *store, const struct selection *selection, json_t *tools) {
    json_t *tool;
    size_t i;
    json_array_foreach(tools, i, tool) if (strcmp(json_string_value(json_object_get(tool, "tool")),
                                                  selection->shape->tool) == 0) return;
    json_array_append_new(tools, json_pack("{s:o, s:o}", "tool", json_text(selection->shape->tool),
                                           "parameters", parameters_of(store, selection)));
}

static void add_ending(json_t *endings, const char *words) {
    json_t *known;
    size_t i;
    json_array_foreach(endings, i, known) if (words && strcmp(json_string_value(known), words) == 0) return;
    if (words)
        json_array_append_new(endings, json_string(words));
}

/* How programs ended that signals ended, and which children left no rows: each sentence once. */
static void add_endings(const struct request *request, json_t *endings) {
    for (uint32_t i = 0; i < request->input_count; i++) {
        const char **files;
        uint32_t count;
        add_ending(endings, ending_words(request->arena, ending_signal(request->inputs[i])));
        if (find_rows_files(request->arena, request->diagnostics, request->inputs[i], &files, &count))
            add_ending(endings, ending_children(request->arena, files, count));
    }
}

/* `<` is escaped, so that no text ends the element that has the data. */
static void write_page(const json_t *page, FILE *stream) {
    static const char mark[] = "<!-- DATA -->";
    const char *at = strstr(results_page, mark);
    char *text = json_dumps(page, JSON_COMPACT);
    fwrite(results_page, 1, (size_t)(at - results_page), stream);
    for (const char *from = text; *from; from++)
        if (*from == '<')
            fputs("\\u003c", stream);
        else
            fputc(*from, stream);
    fputs(at + strlen(mark), stream);
    free(text);
}

bool export_html(const struct request *request, struct store *store, const struct selections *selections,
                 FILE *stream) {
    json_t *page =
               json_pack("{s:[], s:[], s:[], s:[], s:[]}", "tools", "tables", "trees", "sources", "endings"),
           *known = json_object();
    bool good = selections->count > 0;
    add_endings(request, json_object_get(page, "endings"));
    for (uint32_t i = 0; i < selections->count && good; i++) {
        struct selection *selection = &selections->list[i];
        const struct shape *shape = selection->shape;
        if (i == 0)
            json_object_set_new(page, "program", json_text(program_of(store, selection)));
        add_tool(store, selection, json_object_get(page, "tools"));
        good = may_be_merged(request, store, selection) && selection_choose(store, selection, NULL);
        uint32_t node, parent;
        if (good && is_tree(shape))
            good = add_tree(request, store, selection, page) && tree_end(store);
        if (good && !row_tree(shape->columns, shape->column_count, &node, &parent))
            good = add_table(request, store, selection, page, known);
    }
    if (good)
        write_page(page, stream);
    json_decref(page);
    json_decref(known);
    return good;
}
