/* tables.c: the tables of runs: a list of them, their rows in pages, and the values of a column. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "runs/results/display.h"
#include "runs/results/tree.h"
#include "support/json.h"
#include "workbench/project/orders.h"
#include "workbench/server/server.h"

enum { MOST_ROWS = 10000 };

static json_t *loads_or_null(const char *text) {
    json_t *value = text ? json_loads(text, JSON_DECODE_ANY, NULL) : NULL;
    return value ? value : json_null();
}

static const char *nullable_column_text(sqlite3_stmt *query, int column) {
    return (const char *)sqlite3_column_text(query, column);
}

/* ---- which tables -------------------------------------------------------------------------------------- */

static json_t *columns_json(const struct shape *shape) {
    json_t *columns = json_array();
    for (uint32_t i = 0; i < shape->column_count; i++)
        json_array_append_new(columns, table_column_json(&shape->columns[i]));
    return columns;
}

/* From the header: how the rows are sorted and selected (sorted, where, top); and the best chart. */
static void add_table_header(json_t *object, const struct shape *shape) {
    static const char *const keys[] = {"places", "where", "sorted", "descending", "top"};
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        json_t *value = json_object_get(shape->header, keys[i]);
        json_object_set(object, keys[i], value ? value : json_null());
    }
    json_object_set_new(object, "display", display_json(shape));
    json_object_set_new(object, "tree", json_boolean(is_tree(shape)));
    uint32_t name, address;
    json_object_set_new(object, "whole",
                        shape_whole(shape, &name, &address)
                            ? json_pack("{s:i, s:i}", "name", (int)name, "address", (int)address)
                            : json_null());
}

/* A row of the query in get_tables(). */
static json_t *table_json(struct store *store, sqlite3_stmt *list) {
    uint32_t number = store_shape(store, sqlite3_column_int64(list, 3));
    if (number >= store->shape_count)
        return NULL;
    const struct shape *shape = &store->shapes[number];
    json_t *table = json_pack(
        "{s:I, s:I, s:I, s:o, s:o, s:I, s:I, s:o, s:o, s:o}", "id", (json_int_t)sqlite3_column_int64(list, 0),
        "process", (json_int_t)sqlite3_column_int64(list, 1), "number",
        (json_int_t)sqlite3_column_int64(list, 2), "tool", json_text(shape->tool), "report",
        json_text(shape->report), "rows", (json_int_t)sqlite3_column_int64(list, 4), "processes",
        (json_int_t)sqlite3_column_int64(list, 5), "program", json_text(nullable_column_text(list, 6)),
        "parameters", loads_or_null(nullable_column_text(list, 7)), "columns", columns_json(shape));
    add_table_header(table, shape);
    return table;
}

static json_t *processes_json(struct request *request, int64_t run) {
    json_t *processes = json_array();
    sqlite3_stmt *list = NULL;
    sqlite3_prepare_v2(
        request->database,
        "SELECT process, min(parent), min(program.name) FROM report JOIN program ON program.id = program "
        "WHERE run = ?1 GROUP BY process ORDER BY process",
        -1, &list, NULL);
    sqlite3_bind_int64(list, 1, run);
    while (next_row(list))
        json_array_append_new(processes, json_pack("{s:I, s:I, s:o}", "process",
                                                   (json_int_t)sqlite3_column_int64(list, 0), "parent",
                                                   (json_int_t)sqlite3_column_int64(list, 1), "program",
                                                   json_text(nullable_column_text(list, 2))));
    sqlite3_finalize(list);
    return processes;
}

static bool is_run_known(struct request *request, struct answer *answer, int64_t run) {
    sqlite3_stmt *find = NULL;
    sqlite3_prepare_v2(request->database, "SELECT 1 FROM run WHERE id = ?1", -1, &find, NULL);
    sqlite3_bind_int64(find, 1, run);
    bool there = next_row(find);
    sqlite3_finalize(find);
    if (!there)
        answer_error(answer, MHD_HTTP_NOT_FOUND, NULL, "there is no run %" PRId64, run);
    return there;
}

/* ?process=N: the tables of that process. Otherwise each table is listed one time, to be requested with
   merged=1 if processes > 1. The rows of a merged table are the sums over all processes: they are counted on
   request. */
static void get_tables(struct request *request, struct answer *answer) {
    int64_t run = (int64_t)request->number[0];
    const char *process = request_query(request, "process");
    bool one = process && strcmp(process, "all") != 0;
    if (!is_run_known(request, answer, run))
        return;
    struct diagnostics *diagnostics = diagnostics_create();
    struct store store;
    store_attach(&store, request->database, "project.sqlite", diagnostics);
    sqlite3_stmt *list = store_prepare(
        &store, one ? "SELECT report.id, process, number, shape, rows, 1, program.name, parameters FROM "
                      "report JOIN program "
                      "ON program.id = report.program WHERE run = ?1 AND process = ?2 ORDER BY report.id"
                    : "SELECT min(report.id), process, number, shape, sum(rows), count(*), "
                      "min(program.name), parameters "
                      "FROM report JOIN program ON program.id = report.program WHERE run = ?1 GROUP BY "
                      "shape, number, "
                      "report.program, parameters ORDER BY 1");
    json_t *tables = json_array();
    if (list) {
        sqlite3_bind_int64(list, 1, run);
        if (one)
            sqlite3_bind_int64(list, 2, strtoll(process, NULL, 10));
        while (next_row(list)) {
            json_t *table = table_json(&store, list);
            if (table)
                json_array_append_new(tables, table);
        }
    }
    sqlite3_finalize(list);
    store_close(&store);
    diagnostics_destroy(diagnostics);
    answer_json(answer, json_pack("{s:o, s:o}", "processes", processes_json(request, run), "tables", tables));
}

static void get_table(struct request *request, struct answer *answer) {
    struct table table;
    if (table_open(request, answer, &table)) {
        json_t *object = json_pack(
            "{s:I, s:I, s:o, s:o, s:I, s:b, s:o, s:o, s:o}", "id", (json_int_t)table.selection.reports[0],
            "run", (json_int_t)table.run, "tool", json_text(table.shape->tool), "report",
            json_text(table.shape->report), "rows", (json_int_t)table.rows, "merged", table.merged, "program",
            json_text(program_of(&table.store, &table.selection)), "parameters",
            parameters_of(&table.store, &table.selection), "columns", columns_json(table.shape));
        add_table_header(object, table.shape);
        answer_json(answer, object);
    }
    table_close(&table);
}

/* ---- rows ---------------------------------------------------------------------------------------------- */

/* True if the column, or one that it is computed from, has rows that may be added. */
static void write_addable(const struct shape *shape, uint32_t number, FILE *stream) {
    const struct row_column *column = &shape->columns[number];
    shape_write_addable(shape, column->merge == ROW_SUM ? number : column->of[0], stream);
    if (column->merge == ROW_RATIO) {
        fputs(" AND ", stream);
        shape_write_addable(shape, column->of[1], stream);
    }
}

/* The number of rows, and their totals: sums, least and greatest values, and values computed from sums.
 */
static void write_totals_query(const struct table *table, const struct rows_wanted *wanted, FILE *stream) {
    fputs("SELECT count(*), json_array(", stream);
    for (uint32_t i = 0; i < table->shape->column_count; i++) {
        const struct row_column *column = &table->shape->columns[i];
        fputs(i ? ", " : "", stream);
        bool adds = column->role == ROW_MEASURE &&
                    (column->merge == ROW_SUM || column->merge == ROW_SHARE || column->merge == ROW_RATIO);
        if (adds) {
            fputs("CASE WHEN ", stream);
            write_addable(table->shape, i, stream);
            fputs(" THEN ", stream);
        }
        switch (column->role == ROW_MEASURE ? column->merge : ROW_NONE) {
        case ROW_SUM:
            if (column->type == ROW_INTEGER)
                fprintf(stream, "iif(abs(total(c%u)) > 9e15, CAST(sum(c%u) AS TEXT), sum(c%u))", i, i, i);
            else
                fprintf(stream, "sum(c%u)", i);
            break;
        case ROW_LEAST:
            fprintf(stream, "min(c%u)", i);
            break;
        case ROW_GREATEST:
            fprintf(stream, "max(c%u)", i);
            break;
        case ROW_SHARE:
            fprintf(stream, "100.0 * sum(c%u) / nullif((SELECT sum(c%u)", column->of[0], column->of[0]);
            table_write_from(table, stream);
            fprintf(stream, "%s), 0)", table->merged ? "" : " WHERE report = ?1");
            break;
        case ROW_RATIO:
            fprintf(stream, "%s * sum(c%u) / nullif(sum(c%u), 0)",
                    strcmp(column->unit, "percent") == 0 ? "100.0" : "1.0", column->of[0], column->of[1]);
            break;
        default:
            fputs("NULL", stream);
        }
        fputs(adds ? " END" : "", stream);
    }
    fputc(')', stream);
    table_write_from(table, stream);
    table_write_where(table, wanted, stream);
}

/* Writes the rows, separated by commas; returns false after an error. */
static bool write_row_list(sqlite3_stmt *query, FILE *stream) {
    int state;
    for (bool any = false; (state = sqlite3_step(query)) == SQLITE_ROW; any = true) {
        fputs(any ? ",\n" : "", stream);
        fwrite(sqlite3_column_text(query, 0), 1, (size_t)sqlite3_column_bytes(query, 0), stream);
    }
    return state == SQLITE_DONE;
}

/* {"total", "shown", "totals", "rows", "steps"}: the number of all rows, of selected rows, a page of these,
   and the cost in SQLite's steps. */
static bool answer_rows(struct request *request, struct answer *answer, struct table *table,
                        const struct rows_wanted *wanted) {
    char *text = NULL, *sql = NULL;
    size_t length, size;
    bool good = true;
    struct page page = {request_number(request, "offset", 0, 0, INT32_MAX),
                        request_number(request, "limit", 100, 0, MOST_ROWS), 0};
    FILE *stream = open_memstream(&text, &length), *words;
    fputs("{", stream);
    if (request_number(request, "totals", 1, 0, 1)) {
        words = open_memstream(&sql, &size);
        write_totals_query(table, wanted, words);
        fclose(words);
        sqlite3_stmt *totals = table_prepare(table, wanted, sql);
        good = next_row(totals);
        if (good)
            fprintf(stream, "\"total\":%" PRIu64 ",\"shown\":%" PRId64 ",\"totals\":%s,", table->rows,
                    (int64_t)sqlite3_column_int64(totals, 0), nullable_column_text(totals, 1));
        page_end(&page, totals);
    }
    if (good) {
        fputs("\"rows\":[", stream);
        good = orders_write_page(request, table, wanted, &page, stream);
        fprintf(stream, "],\"steps\":%" PRIu64 "}", page.steps);
    }
    fclose(stream);
    if (good)
        answer_text(answer, text, length);
    else
        free(text);
    return good;
}

static bool refuse_merged_tree(const struct table *table, struct answer *answer) {
    if (!table->merged || !is_tree(table->shape))
        return false;
    answer_error(answer, MHD_HTTP_CONFLICT, "ask for /tables/N/tree?merged=1, or for one process",
                 "the rows of a tree are put together as a tree");
    return true;
}

static void get_table_rows(struct request *request, struct answer *answer) {
    struct table table;
    struct rows_wanted wanted;
    if (table_open(request, answer, &table) && !refuse_merged_tree(&table, answer) &&
        rows_wanted_read(request, answer, &table, &wanted)) {
        if (!answer_rows(request, answer, &table, &wanted))
            table_answer_error(&table, answer);
    }
    table_close(&table);
}

/* ---- facets -------------------------------------------------------------------------------------------- */

/* The measure whose sums are asked for: that with the number `sum`, if its rows add up, or the table's main
   one. The shape's column_count: there is none. */
static uint32_t measure_wanted(const struct request *request, const struct table *table) {
    const uint32_t count = table->shape->column_count;
    const long wanted = request_number(request, "sum", -1, -1, INT32_MAX);
    if (wanted < 0)
        return selection_measure(&table->selection);
    return wanted < (long)count && table->shape->columns[wanted].role == ROW_MEASURE &&
                   table->shape->columns[wanted].merge == ROW_SUM
               ? (uint32_t)wanted
               : count;
}

/* The most frequent values of a column among the selected rows: [value, rows, sum], with the sum of a
   measure. `order=value`: the least values. */
static void get_facets(struct request *request, struct answer *answer) {
    struct table table;
    struct rows_wanted wanted;
    long column = request_number(request, "column", -1, -1, INT32_MAX);
    if (table_open(request, answer, &table) && !refuse_merged_tree(&table, answer) &&
        rows_wanted_read(request, answer, &table, &wanted)) {
        if (column < 0 || column >= (long)table.shape->column_count) {
            answer_error(answer, MHD_HTTP_BAD_REQUEST, NULL, "column: there is no such column");
        } else {
            char *sql = NULL, *text = NULL;
            size_t size, length;
            uint32_t measure = measure_wanted(request, &table);
            const char *order = request_query(request, "order");
            FILE *words = open_memstream(&sql, &size);
            fputs("SELECT json_array(", words);
            table_write_value(&table.shape->columns[column], (uint32_t)column, words);
            if (measure < table.shape->column_count)
                fprintf(words, ", count(*), sum(c%u))", measure);
            else
                fputs(", count(*), NULL)", words);
            table_write_from(&table, words);
            table_write_where(&table, &wanted, words);
            fprintf(words, " GROUP BY c%ld ORDER BY %sc%ld LIMIT ?1001", column,
                    order && strcmp(order, "value") == 0 ? "" : "count(*) DESC, ", column);
            fclose(words);
            sqlite3_stmt *query = table_prepare(&table, &wanted, sql);
            FILE *stream = open_memstream(&text, &length);
            fputs("{\"values\":[", stream);
            if (query)
                sqlite3_bind_int64(query, 1001, request_number(request, "limit", 50, 1, 10000));
            bool good = query && write_row_list(query, stream);
            fputs("]}", stream);
            fclose(stream);
            sqlite3_finalize(query);
            if (good)
                answer_text(answer, text, length);
            else
                free(text), table_answer_error(&table, answer);
        }
    }
    table_close(&table);
}

/* ---- trees --------------------------------------------------------------------------------------------- */

static void put_cell_json(FILE *stream, const char *text) {
    json_t *value = json_text(text);
    json_dumpf(value, stream, JSON_ENCODE_ANY);
    json_decref(value);
}

/* The format has columns, for trees of 350,000 nodes: all names; for each node the number of its name, its
   parent and the values. A node's values do not include its children's values. */
struct names {
    const char **list;
    uint32_t *slots;
    uint32_t count, capacity, size;
};

static uint32_t number_of_name(struct names *names, struct arena *arena, const char *name) {
    uint32_t hash = 2166136261u;
    for (const char *at = name; *at; at++)
        hash = (hash ^ (unsigned char)*at) * 16777619u;
    for (uint32_t slot = hash;; slot++) {
        uint32_t *number = &names->slots[slot & (names->size - 1)];
        if (!*number) {
            ARENA_RESERVE(arena, names->list, names->count, names->capacity);
            names->list[names->count++] = name;
            *number = names->count;
        }
        if (strcmp(names->list[*number - 1], name) == 0)
            return *number - 1;
    }
}

static void write_node_values(const struct tree *tree, uint32_t column, FILE *stream) {
    enum row_type type = tree->shape->columns[column].type;
    for (uint32_t i = 1; i < tree->count; i++) {
        const struct cell *cell = tree->nodes[i].cells ? &tree->nodes[i].cells[column] : NULL;
        fputs(i > 1 ? "," : "", stream);
        if (!cell || cell->missing)
            fputs("0", stream);
        else if (type == ROW_REAL)
            fprintf(stream, "%.15g", cell->value.real);
        else if (llabs(cell->value.integer) > 9007199254740991)
            fprintf(stream, "\"%" PRId64 "\"", cell->value.integer);
        else
            fprintf(stream, "%" PRId64, cell->value.integer);
    }
}

/* The node's address, by which other panes identify it; 0: there is none. */
static uint32_t address_column(const struct shape *shape) {
    uint32_t i = 0;
    while (i < shape->column_count && shape->columns[i].type != ROW_ADDRESS)
        i++;
    return i;
}

/* The order in which nodes were first executed: the column `First`, merged by the least. The shape's
   column_count: the rows have no such order. */
static uint32_t first_column(const struct shape *shape) {
    uint32_t i = 0;
    while (i < shape->column_count &&
           (shape->columns[i].role != ROW_MEASURE || shape->columns[i].merge != ROW_LEAST ||
            shape->columns[i].type != ROW_INTEGER || strcmp(shape->columns[i].title, "First") != 0))
        i++;
    return i;
}

static void write_tree_order(const struct tree *tree, FILE *stream) {
    uint32_t first = first_column(tree->shape);
    if (first == tree->shape->column_count)
        return;
    fputs(",\"first\":[", stream);
    for (uint32_t i = 1; i < tree->count; i++) {
        const struct cell *cell = tree->nodes[i].cells ? &tree->nodes[i].cells[first] : NULL;
        fputs(i > 1 ? "," : "", stream);
        if (cell && !cell->missing)
            fprintf(stream, "%" PRId64, cell->value.integer);
        else
            fputs("null", stream);
    }
    fputs("]", stream);
}

static void write_tree_nodes(struct request *request, const struct tree *tree, FILE *stream) {
    uint32_t size = 64, address = address_column(tree->shape);
    while (size < 2 * tree->count)
        size *= 2;
    struct names names = {.size = size,
                          .slots = arena_allocate(request->arena, size * sizeof *names.slots),
                          .capacity = 64,
                          .list = arena_allocate(request->arena, 64 * sizeof *names.list)};
    fputs("{\"name\":[", stream);
    for (uint32_t i = 1; i < tree->count; i++)
        fprintf(stream, "%s%u", i > 1 ? "," : "",
                number_of_name(&names, request->arena, tree->nodes[i].name ? tree->nodes[i].name : ""));
    fputs("],\"parent\":[", stream);
    for (uint32_t i = 1; i < tree->count; i++)
        fprintf(stream, "%s%u", i > 1 ? "," : "", tree->nodes[i].parent);
    fputs("],\"names\":[", stream);
    for (uint32_t i = 0; i < names.count; i++) {
        fputs(i ? "," : "", stream);
        put_cell_json(stream, names.list[i]);
    }
    fputs("],\"metrics\":[", stream);
    bool any = false;
    for (uint32_t i = 0; i < tree->shape->column_count; i++) {
        const struct row_column *column = &tree->shape->columns[i];
        if (column->role != ROW_MEASURE || column->merge != ROW_SUM || column->hidden)
            continue;
        fprintf(stream, "%s{\"column\":%u,\"title\":", any ? "," : "", i);
        put_cell_json(stream, column->title);
        fputs(",\"unit\":", stream);
        put_cell_json(stream, column->unit);
        fputs(",\"values\":[", stream);
        write_node_values(tree, i, stream);
        fputs("]}", stream);
        any = true;
    }
    fputs("],\"address\":[", stream);
    for (uint32_t i = 1; i < tree->count && address < tree->shape->column_count; i++) {
        const struct cell *cell = tree->nodes[i].cells ? &tree->nodes[i].cells[address] : NULL;
        fputs(i > 1 ? "," : "", stream);
        if (cell && !cell->missing)
            fprintf(stream, "\"0x%" PRIx64 "\"", (uint64_t)cell->value.integer);
        else
            fputs("null", stream);
    }
    fputs("]", stream);
    write_tree_order(tree, stream);
    fputs("}", stream);
}

/* Nodes are numbered from 1, parents before their children; a parent of 0 means none. */
static void get_table_tree(struct request *request, struct answer *answer) {
    struct table table;
    struct tree tree;
    if (table_open(request, answer, &table)) {
        bool good = is_tree(table.shape) && tree_read(&table.store, &table.selection, request->arena, &tree);
        good = good && tree_end(&table.store);
        if (!is_tree(table.shape)) {
            answer_error(answer, MHD_HTTP_CONFLICT,
                         "hiprof, dynmem with -D callers=30 and tools with $stack write trees",
                         "table %" PRId64 " is no tree", table.selection.reports[0]);
        } else if (good) {
            char *text = NULL;
            size_t length;
            FILE *stream = open_memstream(&text, &length);
            write_tree_nodes(request, &tree, stream);
            fclose(stream);
            answer_text(answer, text, length);
        } else {
            table_answer_error(&table, answer);
        }
    }
    table_close(&table);
}

const struct route tables_routes[] = {
    {"GET", "/runs/#/tables", get_tables},     {"GET", "/tables/#", get_table},
    {"GET", "/tables/#/rows", get_table_rows}, {"GET", "/tables/#/facets", get_facets},
    {"GET", "/tables/#/tree", get_table_tree}, {NULL, NULL, NULL},
};
