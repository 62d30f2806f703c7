/* export.c: atomc export: chooses the tables that are written in the format of another program. */
#include "runs/results/export.h"

#include <string.h>
#include <strings.h>

/* The first column with such an attribute, or else with that title; column_count: there is none. */
static uint32_t find_attribute_column(const struct shape *shape, const char *ending, const char *title,
                                      enum row_type type) {
    for (uint32_t i = 0; i < shape->column_count; i++) {
        const struct row_column *column = &shape->columns[i];
        size_t length = strlen(column->attribute);
        if (column->type == type && length >= strlen(ending) &&
            strcmp(column->attribute + length - strlen(ending), ending) == 0)
            return i;
    }
    for (uint32_t i = 0; i < shape->column_count; i++)
        if (shape->columns[i].type == type && strcasecmp(shape->columns[i].title, title) == 0)
            return i;
    return shape->column_count;
}

struct source_columns source_columns(const struct shape *shape) {
    return (struct source_columns){.name = find_attribute_column(shape, "proc.name", "Procedure", ROW_TEXT),
                                   .file = find_attribute_column(shape, ".file", "File", ROW_TEXT),
                                   .line = find_attribute_column(shape, ".line", "Line", ROW_INTEGER),
                                   .address = find_attribute_column(shape, ".pc", "PC", ROW_ADDRESS)};
}

const char *text_at(const struct cell *cells, uint32_t column, uint32_t columns) {
    return cells && column < columns && !cells[column].missing ? cells[column].value.text : "";
}

int64_t number_at(const struct cell *cells, uint32_t column, uint32_t columns) {
    return cells && column < columns && !cells[column].missing ? cells[column].value.integer : 0;
}

bool is_event(const struct row_column *column) {
    return column->role == ROW_MEASURE && column->merge == ROW_SUM && column->type == ROW_INTEGER &&
           !column->hidden;
}

uint32_t column_titled(const struct shape *shape, const char *title, bool is_of_events) {
    uint32_t i = 0;
    while (i < shape->column_count && ((is_of_events && !is_event(&shape->columns[i])) ||
                                       strcasecmp(shape->columns[i].title, title) != 0))
        i++;
    return i;
}

bool read_rows(struct store *store, const struct selection *selection, struct arena *arena,
               struct row_list *list) {
    const struct shape *shape = selection->shape;
    sqlite3_stmt *query = selection_prepare(store, selection, 0);
    uint32_t name, address;
    bool has_wholes = shape_whole(shape, &name, &address);
    int state = SQLITE_DONE;
    while (query && (state = sqlite3_step(query)) == SQLITE_ROW) {
        struct cell *cells = arena_allocate(arena, shape->column_count * sizeof *cells);
        for (uint32_t i = 0; i < shape->column_count; i++)
            cells[i] = store_cell(store, query, (int)i, shape->columns[i].type, arena);
        if (has_wholes && !cells[name].missing && !cells[address].missing &&
            is_whole_row(cells[name].value.text, cells[address].value.integer))
            continue;
        ARENA_RESERVE(arena, list->rows, list->count, list->capacity);
        list->rows[list->count++] = cells;
    }
    sqlite3_finalize(query);
    return query && (state == SQLITE_DONE || store_failed(store));
}

/* ---- which table -------------------------------------------------------------------------------------- */

static bool has_events(const struct shape *shape) {
    bool found = false;
    for (uint32_t i = 0; i < shape->column_count; i++)
        if (is_time(&shape->columns[i]))
            return false; /* a profile has one count for each place */
        else if (is_event(&shape->columns[i]))
            found = true;
    return found;
}

static bool is_counted_tree(const struct shape *shape) {
    return is_tree(shape) && has_events(shape);
}

static bool has_procedures(const struct shape *shape) {
    return source_columns(shape).name < shape->column_count && has_events(shape);
}

static bool covers_lines(const struct shape *shape) {
    return coverage_kind_of(shape) == COVERS_LINES;
}

static bool covers_procedures(const struct shape *shape) {
    return coverage_kind_of(shape) == COVERS_PROCEDURES;
}

static bool covers_branches(const struct shape *shape) {
    return coverage_kind_of(shape) == COVERS_BRANCHES;
}

/* The table of that kind, prepared for reading; NULL, with an error if there are several. */
static const struct selection *find_exported_table(const struct request *request, struct store *store,
                                                   const struct selections *selections,
                                                   bool (*is_such)(const struct shape *shape)) {
    struct selection *found = NULL;
    for (uint32_t i = 0; i < selections->count; i++) {
        struct selection *selection = &selections->list[i];
        if (!is_such(selection->shape))
            continue;
        if (found) {
            diagnose(request->diagnostics, NULL, MESSAGE_EXPORT_SEVERAL, found->shape->tool,
                     found->shape->report, selection->shape->tool, selection->shape->report);
            diagnose_hint(request->diagnostics, "give the file of one: FOLDER/%s.NUMBER.rows",
                          found->shape->tool);
            return NULL;
        }
        found = selection;
    }
    return found && may_be_merged(request, store, found) && selection_choose(store, found, NULL) ? found
                                                                                                 : NULL;
}

static bool export_tree(const struct request *request, struct store *store,
                        const struct selections *selections, FILE *stream,
                        bool (*write)(const struct request *, struct store *, const struct selection *,
                                      FILE *)) {
    const struct selection *tree = find_exported_table(request, store, selections, is_counted_tree);
    return tree && write(request, store, tree, stream);
}

static bool as_folded(const struct request *request, struct store *store, const struct selections *selections,
                      FILE *stream) {
    return export_tree(request, store, selections, stream, export_folded);
}

static bool as_speedscope(const struct request *request, struct store *store,
                          const struct selections *selections, FILE *stream) {
    return export_tree(request, store, selections, stream, export_speedscope);
}

static bool as_trace(const struct request *request, struct store *store, const struct selections *selections,
                     FILE *stream) {
    return export_tree(request, store, selections, stream, export_trace);
}

/* A tree, else names of procedures: only trees have calls. */
static const struct selection *find_profile(const struct request *request, struct store *store,
                                            const struct selections *selections) {
    const struct selection *table = find_exported_table(request, store, selections, is_counted_tree);
    if (!table && diagnostics_errors(request->diagnostics) == 0)
        table = find_exported_table(request, store, selections, has_procedures);
    return table;
}

static bool as_callgrind(const struct request *request, struct store *store,
                         const struct selections *selections, FILE *stream) {
    const struct selection *table = find_profile(request, store, selections);
    return table && export_callgrind(request, store, table, stream);
}

static bool as_pprof(const struct request *request, struct store *store, const struct selections *selections,
                     FILE *stream) {
    const struct selection *table = find_profile(request, store, selections);
    return table && export_pprof(request, store, table, stream);
}

static bool has_instructions(const struct shape *shape) {
    return has_counts_by_address(shape) && !is_tree(shape) &&
           column_titled(shape, "Instructions", true) < shape->column_count;
}

static bool has_other_counts(const struct shape *shape) {
    return has_counts_by_address(shape) && !is_tree(shape);
}

/* Names the tools whose tables have the missing columns. */
static bool lacks_of_gmon(const struct request *request, const char *needs, const char *hint) {
    if (diagnostics_errors(request->diagnostics) == 0) {
        diagnose(request->diagnostics, NULL, MESSAGE_EXPORT_NOTHING, "gmon", needs);
        diagnose_hint(request->diagnostics, "%s", hint);
    }
    return false;
}

/* A tree's nodes have both; calls without counts need another table. */
static bool as_gmon(const struct request *request, struct store *store, const struct selections *selections,
                    FILE *stream) {
    const struct selection *calls = find_exported_table(request, store, selections, has_calls),
                           *counts = calls && has_counts_by_address(calls->shape) ? calls : NULL;
    if (!calls)
        return lacks_of_gmon(
            request, "calls by caller and callee",
            "gprof and hiprof have them with counts; callgraph has them for the counts of prof");
    if (!counts)
        counts = find_exported_table(request, store, selections, has_instructions);
    if (!counts && diagnostics_errors(request->diagnostics) == 0)
        counts = find_exported_table(request, store, selections, has_other_counts);
    if (!counts)
        return lacks_of_gmon(
            request, "counts by address",
            "gprof and hiprof have them with calls; for the calls of callgraph, give prof's result, too");
    return export_gmon(request, store, counts, calls, stream);
}

static bool as_lcov(const struct request *request, struct store *store, const struct selections *selections,
                    FILE *stream) {
    const struct selection *tables[COVERAGE_KINDS] = {
        [COVERS_LINES] = find_exported_table(request, store, selections, covers_lines),
        [COVERS_PROCEDURES] = find_exported_table(request, store, selections, covers_procedures),
        [COVERS_BRANCHES] = find_exported_table(request, store, selections, covers_branches)};
    bool any = tables[COVERS_LINES] || tables[COVERS_PROCEDURES] || tables[COVERS_BRANCHES];
    return any && diagnostics_errors(request->diagnostics) == 0 &&
           export_lcov(request, store, tables, stream);
}

static const struct export_form {
    const char *word, *needs;
    bool (*write)(const struct request *request, struct store *store, const struct selections *selections,
                  FILE *stream);
} forms[] = {
    {"folded", "a tree, or call stacks", as_folded},
    {"speedscope", "a tree, or call stacks", as_speedscope},
    {"callgrind", "a tree, or names of procedures, with counts", as_callgrind},
    {"pprof", "a tree, or names of procedures, with counts", as_pprof},
    {"gmon", "counts by address, and calls by caller and callee", as_gmon},
    {"trace", "a tree, or call stacks", as_trace},
    {"html", "a table", export_html},
    {"lcov", "files and lines of instructions or blocks, with counts", as_lcov},
};

bool is_export_form(const char *word) {
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++)
        if (strcmp(forms[i].word, word) == 0)
            return true;
    return false;
}

bool export_results(const struct request *request, FILE *stream) {
    struct store store;
    struct selections selections = {NULL, 0, 0};
    const struct export_form *form = forms;
    while (strcmp(form->word, request->export_form) != 0)
        form++;
    bool good = store_open(&store, NULL, STORE_WRITE, request->diagnostics) &&
                add_inputs(request, &store, request->inputs, request->input_count, &selections);
    if (good && !form->write(request, &store, &selections, stream)) {
        good = false;
        if (diagnostics_errors(request->diagnostics) == 0)
            diagnose(request->diagnostics, NULL, MESSAGE_EXPORT_NOTHING, form->word, form->needs);
    }
    store_close(&store);
    return good;
}
