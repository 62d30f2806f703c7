/* export.c: tables and trees as files, for other programs: /export/tables/NUMBER.csv, .json, .rows, .parquet,
   and for trees .folded and .speedscope.json. The file has the same rows as the page: where, find, sort and
   merged apply here, too. */
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "runs/results/ending.h"
#include "runs/results/print.h"
#include "runs/results/tree.h"
#include "support/json.h"
#include "workbench/server/server.h"
#include "workbench/project/programs.h"
#include "workbench/project/tables.h"

/* ---- rows ---------------------------------------------------------------------------------------------- */

static sqlite3_stmt *prepare_exported_rows(const struct table *table, struct store *store,
                                           const struct rows_wanted *wanted) {
    char *sql = NULL;
    size_t size;
    FILE *stream = open_memstream(&sql, &size);
    for (uint32_t i = 0; i < table->shape->column_count; i++)
        fprintf(stream, "%sc%u", i ? ", " : "SELECT ", i);
    table_write_from(table, stream);
    table_write_where(table, wanted, stream);
    table_write_order(table, wanted, stream);
    fclose(stream);
    sqlite3_stmt *query = store_prepare(store, sql);
    free(sql);
    if (query)
        table_bind(table, wanted, query);
    return query;
}

/* Only rows have the hidden columns, unchanged. */
static uint32_t shown_columns(const struct table *table, bool all, uint32_t *numbers,
                              struct row_column *columns) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < table->shape->column_count; i++)
        if (all || !table->shape->columns[i].hidden) {
            numbers[count] = i;
            columns[count++] = table->shape->columns[i];
        }
    return count;
}

/* Of the table's run; NULL: it ended by itself. */
static const char *table_ended_by(struct request *request, const struct table *table) {
    sqlite3_stmt *ask = statement(
        request->database,
        "SELECT ifnull(signal, 0), CASE state WHEN 'stopped' THEN reason END FROM run WHERE id = ?1", "i",
        table->run);
    if (!ask || sqlite3_step(ask) != SQLITE_ROW) {
        sqlite3_finalize(ask);
        return NULL;
    }
    const char *reason = (const char *)sqlite3_column_text(ask, 1);
    const char *cause = ending_cause(request->arena, sqlite3_column_int64(ask, 0),
                                     reason ? arena_format(request->arena, "%s", reason) : NULL);
    sqlite3_finalize(ask);
    return cause;
}

static bool write_exported_rows(struct request *request, struct table *table,
                                const struct rows_wanted *wanted, enum print_form form, FILE *stream) {
    struct arena *arena = request->arena;
    uint32_t capacity = table->shape->column_count + 1; /* with what ended the run */
    uint32_t *numbers = arena_allocate(arena, capacity * sizeof *numbers);
    struct row_column *columns = arena_allocate(arena, capacity * sizeof *columns);
    uint32_t count = shown_columns(table, form == PRINT_ROWS, numbers, columns), printed = count;
    const char *ended_by = form == PRINT_CSV || form == PRINT_PARQUET ? table_ended_by(request, table) : NULL;
    struct cell *cells = arena_allocate(arena, capacity * sizeof *cells);
    if (ended_by) {
        columns[printed] =
            (struct row_column){.title = "ended by", .unit = "", .attribute = "", .type = ROW_TEXT};
        cells[printed++] = (struct cell){.value.text = ended_by};
    }
    struct printer printer = {.form = form, .stream = stream, .columns = columns, .column_count = printed};
    sqlite3_stmt *query = prepare_exported_rows(table, &table->store, wanted);
    int state = SQLITE_ERROR;
    if (!query)
        return false;
    print_begin(&printer, table->shape->tool, table->shape->report,
                selection_header(&table->store, &table->selection, NULL));
    while ((state = sqlite3_step(query)) == SQLITE_ROW) {
        struct arena_mark mark = arena_mark(arena);
        for (uint32_t i = 0; i < count; i++)
            cells[i] = store_cell(&table->store, query, (int)numbers[i], columns[i].type, arena);
        print_row(&printer, cells);
        arena_release(arena, mark);
    }
    print_end(&printer);
    sqlite3_finalize(query);
    return state == SQLITE_DONE;
}

/* ---- trees --------------------------------------------------------------------------------------------- */

static int64_t own_value(const struct tree *tree, uint32_t node) {
    const struct cell *cells = tree->nodes[node].cells;
    return tree->measure < tree->shape->column_count && cells && !cells[tree->measure].missing
               ? cells[tree->measure].value.integer
               : 0;
}

/* A name may contain the separator. */
static void put_frame(FILE *stream, const char *name) {
    for (; *name; name++)
        fputc(*name == ';' || *name == '\n' ? ':' : *name, stream);
}

static void write_path(const struct tree *tree, uint32_t node, FILE *stream) {
    if (tree->nodes[node].parent) {
        write_path(tree, tree->nodes[node].parent, stream);
        fputc(';', stream);
    }
    put_frame(stream, tree->nodes[node].name ? tree->nodes[node].name : "?");
}

static void write_folded_tree(const struct tree *tree, FILE *stream) {
    for (uint32_t i = 1; i < tree->count; i++)
        if (own_value(tree, i) > 0) {
            write_path(tree, i, stream);
            fprintf(stream, " %" PRId64 "\n", own_value(tree, i));
        }
}

static void put_exported_json(FILE *stream, const char *text) {
    json_t *value = json_text(text);
    json_dumpf(value, stream, JSON_ENCODE_ANY);
    json_decref(value);
}

static uint32_t node_depth(const struct tree *tree, uint32_t node) {
    return tree->nodes[node].depth;
}

/* A frame for each node, as equal names are distinguished by their nodes. */
static void write_speedscope(const struct table *table, const struct tree *tree, FILE *stream) {
    int64_t all = 0;
    fputs("{\"$schema\":\"https://www.speedscope.app/"
          "file-format-schema.json\",\"exporter\":\"atomc\",\"name\":",
          stream);
    put_exported_json(stream, table->shape->report);
    fputs(",\"shared\":{\"frames\":[", stream);
    for (uint32_t i = 1; i < tree->count; i++) {
        fputs(i > 1 ? ",{\"name\":" : "{\"name\":", stream);
        put_exported_json(stream, tree->nodes[i].name ? tree->nodes[i].name : "?");
        fputc('}', stream);
        all += own_value(tree, i);
    }
    fputs("]},\"profiles\":[{\"type\":\"sampled\",\"unit\":\"none\",\"name\":", stream);
    put_exported_json(
        stream, tree->measure < tree->shape->column_count ? tree->shape->columns[tree->measure].title : "");
    fprintf(stream, ",\"startValue\":0,\"endValue\":%" PRId64 ",\"samples\":[", all);
    bool any = false;
    for (uint32_t i = 1; i < tree->count; i++) {
        if (own_value(tree, i) <= 0)
            continue;
        uint32_t depth = node_depth(tree, i), *path = allocate((depth + 1) * sizeof *path);
        for (uint32_t node = i, at = depth; at-- > 0; node = tree->nodes[node].parent)
            path[at] = node;
        fputs(any ? ",[" : "[", stream);
        for (uint32_t at = 0; at < depth; at++)
            fprintf(stream, "%s%u", at ? "," : "", path[at] - 1);
        fputc(']', stream);
        free(path);
        any = true;
    }
    fputs("],\"weights\":[", stream);
    any = false;
    for (uint32_t i = 1; i < tree->count; i++)
        if (own_value(tree, i) > 0) {
            fprintf(stream, "%s%" PRId64, any ? "," : "", own_value(tree, i));
            any = true;
        }
    fputs("]}]}\n", stream);
}

/* ---- the request ---------------------------------------------------------------------------------------- */

enum export_form {
    EXPORT_CSV,
    EXPORT_JSON,
    EXPORT_ROWS,
    EXPORT_PARQUET,
    EXPORT_FOLDED,
    EXPORT_SPEEDSCOPE,
    EXPORT_FORMS
};
static const struct {
    const char *end, *type;
} forms[EXPORT_FORMS] = {
    {".csv", "text/csv; charset=utf-8"},      {".json", "application/json"},
    {".rows", "application/x-ndjson"},        {".parquet", "application/vnd.apache.parquet"},
    {".folded", "text/plain; charset=utf-8"}, {".speedscope.json", "application/json"}};

/* NUMBER and one of the ends. */
static enum export_form form_of_name(const char *name, uint64_t *number) {
    char *end;
    *number = strtoull(name, &end, 10);
    unsigned i = 0;
    while (i < EXPORT_FORMS && (end == name || *name < '0' || *name > '9' || strcmp(end, forms[i].end) != 0))
        i++;
    return (enum export_form)i;
}

static bool write_exported_tree(struct request *request, struct answer *answer, struct table *table,
                                enum export_form form, FILE *stream) {
    struct tree tree;
    bool good = false;
    if (!is_tree(table->shape)) {
        answer_error(answer, MHD_HTTP_CONFLICT, "export it as .csv, .json, .rows or .parquet",
                     "the table is no tree");
        return false;
    }
    good = tree_read(&table->store, &table->selection, request->arena, &tree);
    good = tree_end(&table->store) && good;
    if (good && form == EXPORT_FOLDED)
        write_folded_tree(&tree, stream);
    else if (good)
        write_speedscope(table, &tree, stream);
    else
        table_answer_error(table, answer);
    return good;
}

static void export_run_table(struct request *request, struct answer *answer) {
    static const enum print_form printed[] = {PRINT_CSV, PRINT_JSON, PRINT_ROWS, PRINT_PARQUET};
    struct table table;
    struct rows_wanted wanted;
    enum export_form form = form_of_name(request->name[0], &request->number[0]);
    if (form == EXPORT_FORMS) {
        answer_error(answer, MHD_HTTP_NOT_FOUND,
                     "NUMBER.csv, .json, .rows, .parquet, of trees .folded and .speedscope.json",
                     "tables are not exported as %s", request->name[0]);
        return;
    }
    if (table_open(request, answer, &table) && rows_wanted_read(request, answer, &table, &wanted)) {
        int file = memfd_create("export", MFD_CLOEXEC), copy = file >= 0 ? dup(file) : -1;
        FILE *stream = copy >= 0 ? fdopen(copy, "w") : NULL;
        bool good = stream != NULL;
        if (form >= EXPORT_FOLDED) {
            good = good && write_exported_tree(request, answer, &table, form, stream);
        } else if (good && table.merged && is_tree(table.shape)) {
            answer_error(answer, MHD_HTTP_CONFLICT, "atomc merge does it; or export one process",
                         "the trees of several processes are not exported as rows");
            good = false;
        } else if (good) {
            good = write_exported_rows(request, &table, &wanted, printed[form], stream);
            if (!good)
                table_answer_error(&table, answer);
        }
        if (stream)
            fclose(stream);
        char *name = format_string("%s%s", table.shape->report, forms[form].end);
        for (char *at = name; *at; at++)
            if (*at == '/' || *at == '"' || *at == '\\' || (unsigned char)*at < ' ')
                *at = '_';
        if (good)
            lseek(file, 0, SEEK_SET), answer_file(answer, forms[form].type, name, file);
        else if (file >= 0)
            close(file);
        free(name);
    }
    table_close(&table);
}

const struct route export_routes[] = {
    {"GET", "/export/tables/*", export_run_table},
    {NULL, NULL, NULL},
};
