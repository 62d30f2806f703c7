/* tables.c: see tables.h. Columns are given by numbers and values are bound: no word of a request or of a
   report becomes SQL. */
#include "workbench/project/tables.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "support/json.h"
#include "workbench/project/programs.h"
#include "workbench/server/server.h"

/* ---- a table ------------------------------------------------------------------------------------------- */

struct found {
    int64_t run, shape;
    uint64_t rows;
};

static bool find_report(struct request *request, int64_t report, struct found *found) {
    sqlite3_stmt *find = NULL;
    sqlite3_prepare_v2(request->database, "SELECT run, shape, rows FROM report WHERE id = ?1", -1, &find,
                       NULL);
    sqlite3_bind_int64(find, 1, report);
    bool there = next_row(find);
    if (there)
        *found = (struct found){sqlite3_column_int64(find, 0), sqlite3_column_int64(find, 1),
                                (uint64_t)sqlite3_column_int64(find, 2)};
    sqlite3_finalize(find);
    return there;
}

/* The reports that are one table when processes are put together: of one run, program and tool's parameters.
 */
static bool find_reports(struct table *table, int64_t report, bool merged) {
    uint32_t count = 0, capacity = 0;
    int64_t *reports = NULL;
    sqlite3_stmt *list =
        store_prepare(&table->store, merged ? "SELECT b.id, b.rows FROM report AS a JOIN report AS b "
                                              "USING(run, shape, number, program, parameters) "
                                              "WHERE a.id = ?1 ORDER BY b.id"
                                            : "SELECT id, rows FROM report WHERE id = ?1");
    if (!list)
        return false;
    sqlite3_bind_int64(list, 1, report);
    table->rows = 0;
    while (next_row(list)) {
        ARENA_RESERVE(table->store.arena, reports, count, capacity);
        reports[count++] = sqlite3_column_int64(list, 0);
        table->rows += (uint64_t)sqlite3_column_int64(list, 1);
    }
    sqlite3_finalize(list);
    uint32_t *shapes = arena_allocate(table->store.arena, (count + 1) * sizeof *shapes);
    for (uint32_t i = 0; i < count; i++)
        shapes[i] = (uint32_t)table->shape->id;
    table->selection = (struct selection){.shape = table->shape,
                                          .reports = reports,
                                          .shapes = shapes,
                                          .report_count = count,
                                          .as_written = count == 1};
    table->merged = count > 1;
    return selection_choose(&table->store, &table->selection, NULL);
}

bool table_open(struct request *request, struct answer *answer, struct table *table) {
    int64_t report = (int64_t)request->number[0];
    struct found found;
    *table = (struct table){.diagnostics = diagnostics_create()};
    store_attach(&table->store, request->database, "project.sqlite", table->diagnostics);
    if (!find_report(request, report, &found)) {
        answer_error(answer, MHD_HTTP_NOT_FOUND, "the run may have been deleted",
                     "there is no table %" PRId64, report);
        return false;
    }
    uint32_t shape = store_shape(&table->store, found.shape);
    if (shape < table->store.shape_count) {
        table->shape = &table->store.shapes[shape];
        table->run = found.run;
        if (find_reports(table, report, request_number(request, "merged", 0, 0, 1) == 1))
            return true;
    }
    table_answer_error(table, answer);
    return false;
}

void table_close(struct table *table) {
    store_close(&table->store);
    diagnostics_destroy(table->diagnostics);
}

static void keep_first_message(const struct diagnostic_parts *parts, void *context) {
    const char **message = context;
    if (!*message)
        *message = parts->message;
}

void table_answer_error(struct table *table, struct answer *answer) {
    const char *message = NULL;
    int code = table->disk_full ? SQLITE_FULL : sqlite3_errcode(table->store.database) & 0xff;
    diagnostics_visit(table->diagnostics, keep_first_message, &message);
    if (code == SQLITE_INTERRUPT || code == SQLITE_BUSY || code == SQLITE_FULL || !message)
        answer_database(answer,
                        code == SQLITE_OK || code == SQLITE_ROW || code == SQLITE_DONE ? SQLITE_ERROR : code);
    else
        answer_error(answer, MHD_HTTP_INTERNAL_SERVER_ERROR, NULL, "%s", message);
}

json_t *table_column_json(const struct row_column *column) {
    json_t *object = json_pack("{s:o, s:s, s:s, s:s, s:o, s:o, s:b}", "title", json_text(column->title),
                               "type", row_type_words[column->type], "role", row_role_words[column->role],
                               "merge", row_merge_words[column->merge], "unit", json_text(column->unit),
                               "attribute", json_text(column->attribute), "hidden", column->hidden);
    if (column->merge == ROW_SHARE)
        json_object_set_new(object, "of", json_pack("[i]", (int)column->of[0]));
    if (column->merge == ROW_RATIO)
        json_object_set_new(object, "of", json_pack("[i, i]", (int)column->of[0], (int)column->of[1]));
    return object;
}

/* ---- which rows ---------------------------------------------------------------------------------------- */

static bool refuse_table(struct answer *answer, const char *what, const char *why) {
    answer_error(answer, MHD_HTTP_BAD_REQUEST,
                 "where=COLUMN>=VALUE;COLUMN~TEXT, sort=COLUMN or sort=-COLUMN: columns are "
                 "numbers from 0",
                 "%s: %s", what, why);
    return false;
}

static const struct {
    const char *word;
    enum comparison comparison;
    const char *sql;
} comparisons[] = {{">=", AT_LEAST, ">="}, {"<=", AT_MOST, "<="}, {"!=", DIFFERENT, "IS NOT"},
                   {"!~", UNLIKE, NULL},   {">", MORE, ">"},      {"<", LESS, "<"},
                   {"=", EQUAL, "IS"},     {"~", LIKE, NULL}};
enum { COMPARISONS = sizeof comparisons / sizeof comparisons[0] };

static bool is_text_comparison(enum comparison comparison) {
    return comparison == LIKE || comparison == UNLIKE;
}

/* A number, if the column has numbers: addresses may be decimal, too. */
static bool read_column_number(const struct row_column *column, const char *text, int64_t *integer,
                               double *real) {
    char *end;
    bool hexadecimal = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
    *integer = hexadecimal ? (int64_t)strtoull(text + 2, &end, 16) : strtoll(text, &end, 10);
    bool whole = *end == '\0' && end != text && end != text + 2 * hexadecimal;
    *real = strtod(text, &end);
    bool number = *text && *end == '\0';
    if (column->type == ROW_REAL || (!whole && number))
        *integer = (int64_t)0;
    return whole || number;
}

static bool read_condition(struct request *request, struct answer *answer, const struct table *table,
                           char *text, struct condition *condition) {
    char *at;
    unsigned long column = strtoul(text, &at, 10);
    unsigned i = 0;
    int64_t integer;
    double real;
    (void)request;
    if (at == text || column >= table->shape->column_count)
        return refuse_table(answer, "where", "there is no such column");
    while (i < COMPARISONS && strncmp(at, comparisons[i].word, strlen(comparisons[i].word)) != 0)
        i++;
    if (i == COMPARISONS)
        return refuse_table(answer, "where", "no comparison: >= <= != > < = ~ !~");
    *condition =
        (struct condition){(uint32_t)column, comparisons[i].comparison, at + strlen(comparisons[i].word)};
    const struct row_column *about = &table->shape->columns[column];
    if (about->type != ROW_TEXT && !is_text_comparison(condition->comparison) &&
        !read_column_number(about, condition->value, &integer, &real))
        return refuse_table(answer, "where", "the value is not a number");
    return true;
}

/* COLUMN OPERATOR VALUE;...: a semicolon in a value is written \;. */
static bool read_where_query(struct request *request, struct answer *answer, const struct table *table,
                             const char *text, struct rows_wanted *wanted) {
    char *copy = arena_format(request->arena, "%s", text), *from = copy, *to = copy, *begin = copy;
    uint32_t capacity = 0;
    for (bool last = false; !last; from++) {
        last = *from == '\0';
        if (*from == '\\' && (from[1] == ';' || from[1] == '\\')) {
            *to++ = *++from;
        } else if (last || *from == ';') {
            *to++ = '\0';
            if (*begin) {
                ARENA_RESERVE(request->arena, wanted->conditions, wanted->condition_count, capacity);
                if (!read_condition(request, answer, table, begin,
                                    &wanted->conditions[wanted->condition_count++]))
                    return false;
            }
            begin = to;
        } else {
            *to++ = *from;
        }
    }
    return wanted->condition_count <= 50 || refuse_table(answer, "where", "more than 50 conditions");
}

bool rows_wanted_read(struct request *request, struct answer *answer, const struct table *table,
                      struct rows_wanted *wanted) {
    const char *where = request_query(request, "where"), *find = request_query(request, "find");
    const char *sort = request_query(request, "sort");
    *wanted = (struct rows_wanted){.find = find ? find : "", .sort = table->shape->column_count};
    if (sort && *sort) {
        char *end;
        wanted->descending = *sort == '-';
        const char *digits = sort + wanted->descending;
        unsigned long column = strtoul(digits, &end, 10);
        if (*digits < '0' || *digits > '9' || *end || column >= table->shape->column_count)
            return refuse_table(answer, "sort", "there is no such column");
        wanted->sort = (uint32_t)column;
    }
    return !where || read_where_query(request, answer, table, where, wanted);
}

/* ---- as SQL -------------------------------------------------------------------------------------------- */

void table_write_from(const struct table *table, FILE *stream) {
    if (table->merged) {
        fputs(" FROM (", stream);
        selection_write(&table->selection, stream);
        fputs(") AS t", stream);
    } else {
        fprintf(stream, " FROM data_%" PRId64 " AS t", table->shape->id);
    }
}

/* The text written for the shape, in the request's arena; "1": there is no such shape. */
static const char *shape_text(struct request *request, int64_t number, uint32_t column,
                              void (*write)(const struct shape *shape, uint32_t column, FILE *stream)) {
    struct diagnostics *diagnostics = diagnostics_create();
    struct store store;
    char *text = NULL;
    size_t length;
    FILE *stream = open_memstream(&text, &length);
    store_attach(&store, request->database, NULL, diagnostics);
    uint32_t shape = store_shape(&store, number);
    if (shape < store.shape_count)
        write(&store.shapes[shape], column, stream);
    fclose(stream);
    const char *sql = arena_format(request->arena, "%s", length ? text : "1");
    free(text);
    store_close(&store);
    diagnostics_destroy(diagnostics);
    return sql;
}

static void write_parts(const struct shape *shape, uint32_t column, FILE *stream) {
    (void)column;
    shape_write_parts(shape, stream);
}

const char *table_parts(struct request *request, int64_t number) {
    return shape_text(request, number, 0, write_parts);
}

const char *table_addable(struct request *request, int64_t number, uint32_t column) {
    return shape_text(request, number, column, shape_write_addable);
}

/* A text that contains the bound one, in any case; for a procedure's name, also in its C++ form. */
static void write_like(const struct row_column *column, uint32_t number, unsigned parameter, FILE *stream) {
    if (column->type == ROW_TEXT)
        fprintf(stream,
                "c%u IN (SELECT id FROM text WHERE instr(lower(value), lower(?%u)) > 0 UNION ALL SELECT "
                "p.name FROM " NAMED_PROCEDURES " WHERE instr(lower(d.value), "
                "lower(?%u)) > 0)",
                number, parameter, parameter);
    else if (column->type == ROW_ADDRESS)
        fprintf(stream, "instr(printf('0x%%x', c%u), lower(?%u)) > 0", number, parameter);
    else
        fprintf(stream, "instr(CAST(c%u AS TEXT), ?%u) > 0", number, parameter);
}

static void write_condition(const struct row_column *column, const struct condition *condition,
                            unsigned parameter, FILE *stream) {
    uint32_t number = condition->column;
    unsigned i = 0;
    if (is_text_comparison(condition->comparison)) {
        fputs(condition->comparison == UNLIKE ? "NOT ifnull(" : "ifnull(", stream);
        write_like(column, number, parameter, stream);
        fputs(", 0)", stream);
        return;
    }
    while (comparisons[i].comparison != condition->comparison)
        i++;
    if (column->type == ROW_TEXT && (condition->comparison == EQUAL || condition->comparison == DIFFERENT))
        fprintf(stream, "c%u %s (SELECT id FROM text WHERE value = ?%u)", number, comparisons[i].sql,
                parameter);
    else if (column->type == ROW_TEXT)
        fprintf(stream, "(SELECT value FROM text WHERE id = c%u) %s ?%u", number, comparisons[i].sql,
                parameter);
    else
        fprintf(stream, "c%u %s ?%u", number, comparisons[i].sql, parameter);
}

/* ?1 is the report, ?2 the text to find. */
enum { FIRST_VALUE = 3 };

static void write_find(const struct table *table, FILE *stream) {
    bool any = false;
    fputc('(', stream);
    for (uint32_t i = 0; i < table->shape->column_count; i++) {
        const struct row_column *column = &table->shape->columns[i];
        if (column->hidden || (column->type != ROW_TEXT && column->type != ROW_ADDRESS))
            continue;
        fputs(any ? " OR " : "", stream);
        write_like(column, i, 2, stream);
        any = true;
    }
    for (uint32_t i = 0; i < table->shape->column_count && !any; i++) { /* a table of numbers */
        fputs(i ? " OR " : "", stream);
        write_like(&table->shape->columns[i], i, 2, stream);
    }
    fputc(')', stream);
}

void table_write_where(const struct table *table, const struct rows_wanted *wanted, FILE *stream) {
    const char *word = " WHERE ";
    if (!table->merged) {
        fprintf(stream, "%sreport = ?1", word);
        word = " AND ";
    }
    if (*wanted->find) {
        fputs(word, stream);
        write_find(table, stream);
        word = " AND ";
    }
    for (uint32_t i = 0; i < wanted->condition_count; i++) {
        fputs(word, stream);
        write_condition(&table->shape->columns[wanted->conditions[i].column], &wanted->conditions[i],
                        FIRST_VALUE + i, stream);
        word = " AND ";
    }
}

void table_bind(const struct table *table, const struct rows_wanted *wanted, sqlite3_stmt *query) {
    if (!table->merged)
        sqlite3_bind_int64(query, 1, table->selection.reports[0]);
    if (*wanted->find)
        sqlite3_bind_text(query, 2, wanted->find, -1, SQLITE_STATIC);
    for (uint32_t i = 0; i < wanted->condition_count; i++) {
        const struct condition *condition = &wanted->conditions[i];
        const struct row_column *column = &table->shape->columns[condition->column];
        int parameter = (int)(FIRST_VALUE + i);
        int64_t integer;
        double real;
        if (column->type == ROW_TEXT || is_text_comparison(condition->comparison))
            sqlite3_bind_text(query, parameter, condition->value, -1, SQLITE_STATIC);
        else if (read_column_number(column, condition->value, &integer, &real) &&
                 (column->type == ROW_REAL || integer == 0))
            sqlite3_bind_double(query, parameter, real);
        else
            sqlite3_bind_int64(query, parameter, integer);
    }
}

sqlite3_stmt *table_prepare(struct table *table, const struct rows_wanted *wanted, char *sql) {
    sqlite3_stmt *query = store_prepare(&table->store, sql);
    if (query)
        table_bind(table, wanted, query);
    free(sql);
    return query;
}

/* The busiest rows first, or the order in which the tool wrote them. Equal rows remain in the order of
   places. */
void table_write_order(const struct table *table, const struct rows_wanted *wanted, FILE *stream) {
    uint32_t count = table->shape->column_count, sort = wanted->sort;
    bool descending = wanted->descending;
    if (sort == count && table->merged) {
        sort = selection_measure(&table->selection);
        descending = true;
    }
    fputs(" ORDER BY ", stream);
    if (sort < count && table->shape->columns[sort].type == ROW_TEXT)
        fprintf(stream, "(SELECT value FROM text WHERE id = c%u)%s, ", sort, descending ? " DESC" : "");
    else if (sort < count)
        fprintf(stream, "c%u%s, ", sort, descending ? " DESC" : "");
    for (uint32_t i = 0; i < count && table->merged; i++)
        if (table->selection.by[i])
            fprintf(stream, "c%u, ", i);
    fputs(table->merged ? "1" : sort < count && descending ? "row DESC" : "row", stream);
}

void table_write_value(const struct row_column *column, uint32_t number, FILE *stream) {
    if (column->type == ROW_TEXT)
        fprintf(stream, "(SELECT value FROM text WHERE id = c%u)", number);
    else if (column->type == ROW_ADDRESS)
        fprintf(stream, "iif(c%u IS NULL, NULL, printf('0x%%x', c%u))", number, number);
    else if (column->type == ROW_INTEGER)
        fprintf(
            stream,
            "iif(c%u BETWEEN -9007199254740991 AND 9007199254740991 OR c%u IS NULL, c%u, CAST(c%u AS TEXT))",
            number, number, number, number);
    else
        fprintf(stream, "c%u", number);
}

void table_write_rows(const struct table *table, FILE *stream) {
    fputs("SELECT json_array(", stream);
    for (uint32_t i = 0; i < table->shape->column_count; i++) {
        fputs(i ? ", " : "", stream);
        if (table->selection.shown[i] || !table->merged)
            table_write_value(&table->shape->columns[i], i, stream);
        else
            fputs("NULL", stream);
    }
    fputc(')', stream);
}
