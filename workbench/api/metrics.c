/* metrics.c: figures of runs. For each run: the sum of its first count, together with the sums of earlier
   runs; and metrics: SQL queries with names, whose results have a column `run` and a value in the last
   column. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "support/json.h"
#include "workbench/project/programs.h"
#include "workbench/server/server.h"
#include "workbench/project/tables.h"

enum { LONGEST_NAME = 100, MOST_RUNS = 200, MOST_BEFORE = 12, KNOWN_TOTALS = 4096, LONGEST_TIME = 32 };

/* ---- metrics ------------------------------------------------------------------------------------------ */

/* Columns of the result: `run`, and the value, which is the last one. NULL: it does not have them. */
static const char *value_column(sqlite3_stmt *query) {
    int count = sqlite3_column_count(query), run = 0;
    while (run < count && strcasecmp(sqlite3_column_name(query, run), "run") != 0)
        run++;
    return count > 1 && run < count - 1 ? sqlite3_column_name(query, count - 1) : NULL;
}

static const char *quoted_metric(struct request *request, const char *name) {
    char *text = arena_allocate(request->arena, 2 * strlen(name) + 3), *to = text;
    *to++ = '"';
    for (; *name; name++) {
        if (*name == '"')
            *to++ = '"';
        *to++ = *name;
    }
    *to++ = '"';
    *to = '\0';
    return text;
}

static json_t *about_metric(sqlite3_stmt *row) {
    return json_pack("{s:o, s:o, s:o, s:o, s:o}", "id", column_integer(row, 0), "name", column_text(row, 1),
                     "formula", column_text(row, 2), "unit", column_text(row, 3), "better",
                     column_text(row, 4));
}

static const char metric_sql[] = "SELECT id, name, formula, unit, better FROM metric ORDER BY id";

/* GET /metrics */
static void get_metrics(struct request *request, struct answer *answer) {
    sqlite3_stmt *row = statement(request->database, metric_sql, "");
    json_t *list = json_array();
    while (next_row(row))
        json_array_append_new(list, about_metric(row));
    sqlite3_finalize(row);
    answer_json(answer, json_pack("{s:o}", "metrics", list));
}

struct saving {
    const char *name, *formula, *unit, *better;
    int64_t id;
};

static bool save_metric(sqlite3 *database, void *argument) {
    struct saving *saving = argument;
    saving->id =
        statement_number(statement(database,
                                   "INSERT INTO metric(name, formula, unit, better) VALUES(?1, ?2, ?3, ?4) "
                                   "ON CONFLICT DO UPDATE SET "
                                   "formula = ?2, unit = ?3, better = ?4 RETURNING id",
                                   "ssss", saving->name, saving->formula, saving->unit, saving->better),
                         0);
    return saving->id != 0;
}

/* POST /metrics {name, formula, unit, better}: one of that name is replaced. */
static void post_metric(struct request *request, struct answer *answer) {
    static const struct field fields[] = {{"name", FIELD_TEXT, true},
                                          {"formula", FIELD_TEXT, true},
                                          {"unit", FIELD_TEXT, false},
                                          {"better", FIELD_TEXT, false}};
    if (!request_fields(request, answer, fields, 4))
        return;
    struct saving saving = {request_text(request, "name"), request_text(request, "formula"),
                            request_text(request, "unit"), request_text(request, "better"), 0};
    saving.unit = saving.unit ? saving.unit : "";
    saving.better = saving.better ? saving.better : "";
    if (!*saving.name || strlen(saving.name) > LONGEST_NAME) {
        answer_error(answer, MHD_HTTP_BAD_REQUEST, NULL, "a name has 1 to %d bytes", LONGEST_NAME);
        return;
    }
    if (*saving.better && strcmp(saving.better, "lower") != 0 && strcmp(saving.better, "higher") != 0) {
        answer_error(answer, MHD_HTTP_BAD_REQUEST, "lower, higher, or nothing", "'%s' is not better",
                     saving.better);
        return;
    }
    sqlite3_stmt *query = reading_statement(request, answer, saving.formula);
    if (query && !value_column(query))
        answer_error(answer, MHD_HTTP_BAD_REQUEST, "SELECT run, sum(...) FROM ... GROUP BY run",
                     "a metric has a column 'run', and its value in the last column");
    else if (query)
        answer_database(answer, project_write(request->project, save_metric, &saving));
    sqlite3_finalize(query);
    if (answer_failed(answer))
        return;
    answer_status(answer, MHD_HTTP_CREATED);
    answer_json(answer, json_pack("{s:I}", "id", (json_int_t)saving.id));
}

static bool delete_metric_row(sqlite3 *database, void *argument) {
    return statement_run(
               statement(database, "DELETE FROM metric WHERE id = ?1", "i", *(int64_t *)argument)) &&
           sqlite3_changes(database) == 1;
}

/* DELETE /metrics/N */
static void delete_metric(struct request *request, struct answer *answer) {
    int64_t id = (int64_t)request->number[0];
    int code = project_write(request->project, delete_metric_row, &id);
    if (code == SQLITE_ABORT)
        answer_error(answer, MHD_HTTP_NOT_FOUND, NULL, "there is no metric %s", request->name[0]);
    else
        answer_database(answer, code);
}

/* ---- sums of runs ------------------------------------------------------------------------------------- */

/* Tables of a run do not change, so their sums are computed once. A repeated run has another time of its
   end. */
static struct {
    pthread_mutex_t lock;
    struct known_total {
        int64_t run, report;
        char ended[LONGEST_TIME];
        bool is_real;
        int64_t whole;
        double real;
    } list[KNOWN_TOTALS];
} totals = {.lock = PTHREAD_MUTEX_INITIALIZER};

static json_t *exact_number(int64_t number) {
    return number > 9007199254740991 || number < -9007199254740991 ? json_sprintf("%lld", (long long)number)
                                                                   : json_integer(number);
}

/* The first count of the first table that has one. */
struct main_figure {
    int64_t report, shape, column;
    const char *ended, *title, *tool;
};

static bool find_main(struct request *request, int64_t run, struct main_figure *figure) {
    sqlite3_stmt *row = statement(request->database,
                                  "SELECT report.id, report.shape, c.number, ifnull(run.ended, ''), c.title, "
                                  "shape.tool FROM report JOIN run ON "
                                  "run.id = report.run JOIN shape ON shape.id = report.shape JOIN "
                                  "shape_column AS c ON c.shape = shape.id AND c.role "
                                  "= 'measure' AND c.merge = 'sum' AND NOT c.hidden WHERE report.run = ?1 "
                                  "ORDER BY report.id, c.number LIMIT 1",
                                  "i", run);
    bool found = next_row(row);
    if (found)
        *figure = (struct main_figure){
            sqlite3_column_int64(row, 0),
            sqlite3_column_int64(row, 1),
            sqlite3_column_int64(row, 2),
            arena_format(request->arena, "%.*s", LONGEST_TIME - 1, (const char *)sqlite3_column_text(row, 3)),
            arena_format(request->arena, "%s", (const char *)sqlite3_column_text(row, 4)),
            arena_format(request->arena, "%s", (const char *)sqlite3_column_text(row, 5))};
    sqlite3_finalize(row);
    return found;
}

/* The value for all processes of the run; NULL: it cannot be computed, or is too large. */
static json_t *total_of_figure(struct request *request, int64_t run, const struct main_figure *figure) {
    struct known_total *place = &totals.list[(uint64_t)figure->report % KNOWN_TOTALS], known;
    pthread_mutex_lock(&totals.lock);
    known = *place;
    pthread_mutex_unlock(&totals.lock);
    if (known.run != run || known.report != figure->report || strcmp(known.ended, figure->ended) != 0) {
        char *sql = arena_format(
            request->arena,
            "SELECT sum(c%lld) FROM data_%lld WHERE report IN (SELECT id FROM report WHERE run = "
            "?1 AND shape = ?2) AND %s HAVING %s",
            (long long)figure->column, (long long)figure->shape, table_parts(request, figure->shape),
            table_addable(request, figure->shape, (uint32_t)figure->column));
        sqlite3_stmt *sum = statement(request->database, sql, "ii", run, figure->shape);
        bool good = sum && sqlite3_step(sum) == SQLITE_ROW; /* no row: its rows are not to be added */
        known = (struct known_total){.run = run, .report = figure->report};
        snprintf(known.ended, sizeof known.ended, "%s", figure->ended);
        if (good) {
            known.is_real = sqlite3_column_type(sum, 0) == SQLITE_FLOAT;
            known.whole = sqlite3_column_int64(sum, 0);
            known.real = sqlite3_column_double(sum, 0);
        }
        sqlite3_finalize(sum);
        if (!good)
            return NULL;
        pthread_mutex_lock(&totals.lock);
        *place = known;
        pthread_mutex_unlock(&totals.lock);
    }
    return known.is_real ? json_real(known.real) : exact_number(known.whole);
}

/* ---- what the list of runs shows ------------------------------------------------------------------------- */

/* Runs with results, and the properties that make them comparable: the program's name and the tools. */
struct past {
    int64_t *runs;
    const char **kinds;
    size_t count, capacity, kind_capacity;
};

static void read_past(struct request *request, struct past *past) {
    sqlite3_stmt *row = statement(request->database,
                                  "SELECT run.id, ifnull(program.name, '') || char(10) || ifnull((SELECT "
                                  "group_concat(name) FROM (SELECT tool.name "
                                  "FROM run_tool JOIN tool ON tool.id = run_tool.tool WHERE run_tool.run = "
                                  "run.id ORDER BY number)), '') FROM run "
                                  "LEFT JOIN program ON program.id = run.program WHERE state IN ('finished', "
                                  "'stopped') ORDER BY run.id",
                                  "");
    while (next_row(row)) {
        ARENA_RESERVE(request->arena, past->runs, past->count, past->capacity);
        ARENA_RESERVE(request->arena, past->kinds, past->count, past->kind_capacity);
        past->runs[past->count] = sqlite3_column_int64(row, 0);
        past->kinds[past->count++] =
            arena_format(request->arena, "%s", (const char *)sqlite3_column_text(row, 1));
    }
    sqlite3_finalize(row);
}

/* {"title", "tool", "value", "before"}: values of the runs before it that are like it, the oldest first. */
static json_t *main_of(struct request *request, const struct past *past, int64_t run) {
    struct main_figure figure, other;
    size_t at = 0;
    while (at < past->count && past->runs[at] != run)
        at++;
    if (at == past->count || !find_main(request, run, &figure))
        return NULL;
    json_t *value = total_of_figure(request, run, &figure), *before = json_array();
    for (size_t i = at; i > 0 && json_array_size(before) < MOST_BEFORE; i--) {
        if (strcmp(past->kinds[i - 1], past->kinds[at]) != 0 ||
            !find_main(request, past->runs[i - 1], &other) || strcmp(other.title, figure.title) != 0 ||
            strcmp(other.tool, figure.tool) != 0)
            continue;
        json_t *earlier = total_of_figure(request, past->runs[i - 1], &other);
        if (earlier)
            json_array_insert_new(before, 0, earlier);
    }
    if (value)
        return json_pack("{s:o, s:o, s:o, s:o}", "title", json_text(figure.title), "tool",
                         json_text(figure.tool), "value", value, "before", before);
    json_decref(before);
    return NULL;
}

/* The metric's values for these runs; NULL: *error has the reason. */
static json_t *metric_values(struct request *request, const char *formula, const char *runs,
                             const char **error) {
    struct answer wrong;
    json_t *values = NULL;
    answer_begin(&wrong);
    sqlite3_stmt *query = reading_statement(request, &wrong, formula);
    const char *column = query ? value_column(query) : NULL;
    const char *text = query ? sqlite3_sql(query) : "";
    size_t length = strlen(text);
    while (length > 0 && strchr("; \t\r\n", text[length - 1]))
        length--;
    char *sql = column ? arena_format(request->arena, "SELECT run, %s FROM (%.*s\n) WHERE run IN (%s)",
                                      quoted_metric(request, column), (int)length, text, runs)
                       : NULL;
    sqlite3_finalize(query);
    query = sql && !answer_failed(&wrong) ? reading_statement(request, &wrong, sql) : NULL;
    int code = SQLITE_ERROR;
    if (query)
        values = json_object();
    while (query && (code = sqlite3_step(query)) == SQLITE_ROW) {
        int type = sqlite3_column_type(query, 1);
        json_object_set_new(values,
                            arena_format(request->arena, "%lld", (long long)sqlite3_column_int64(query, 0)),
                            type == SQLITE_INTEGER ? exact_number(sqlite3_column_int64(query, 1))
                            : type == SQLITE_FLOAT ? json_real(sqlite3_column_double(query, 1))
                                                   : column_text(query, 1));
    }
    if (query && code != SQLITE_DONE)
        answer_reading_failure(request, &wrong, code);
    sqlite3_finalize(query);
    const char *said = json_string_value(json_object_get(wrong.error, "error"));
    *error = said ? arena_format(request->arena, "%s", said) : "it has no column 'run' with a value after it";
    if (answer_failed(&wrong)) {
        json_decref(values);
        values = NULL;
    }
    answer_end(&wrong);
    return values;
}

/* The numbers in a list with commas, up to the limit, in the syntax of SQL. */
static const char *read_run_numbers(struct request *request, int64_t *runs, size_t *count) {
    const char *text = request_query(request, "runs"), *list = "";
    for (*count = 0; text && *text && *count < MOST_RUNS; text += strcspn(text, ","), text += *text == ',') {
        runs[*count] = strtoll(text, NULL, 10);
        list = arena_format(request->arena, "%s%s%lld", list, *count ? "," : "", (long long)runs[*count]);
        ++*count;
    }
    return list;
}

/* GET /runs/figures?runs=: {"runs": {RUN: {"main", "metrics": {METRIC: value}}}, "metrics"}. */
static void get_figures(struct request *request, struct answer *answer) {
    int64_t runs[MOST_RUNS];
    size_t count;
    const char *list = read_run_numbers(request, runs, &count), *error;
    struct past past = {0};
    json_t *figures = json_object(), *metrics = json_array();
    read_past(request, &past);
    for (size_t i = 0; i < count; i++) {
        json_t *main = main_of(request, &past, runs[i]);
        json_object_set_new(figures, arena_format(request->arena, "%lld", (long long)runs[i]),
                            json_pack("{s:o, s:{}}", "main", main ? main : json_null(), "metrics"));
    }
    sqlite3_stmt *row = statement(request->database, metric_sql, "");
    while (count > 0 && next_row(row)) {
        json_t *about = about_metric(row),
               *values = metric_values(request, (const char *)sqlite3_column_text(row, 2), list, &error),
               *value;
        const char *run, *id = arena_format(request->arena, "%lld", (long long)sqlite3_column_int64(row, 0));
        json_object_set_new(about, "error", json_text(values ? NULL : error));
        json_array_append_new(metrics, about);
        json_object_foreach(values, run, value)
            json_object_set(json_object_get(json_object_get(figures, run), "metrics"), id, value);
        json_decref(values);
    }
    sqlite3_finalize(row);
    answer_json(answer, json_pack("{s:o, s:o}", "runs", figures, "metrics", metrics));
}

const struct route metrics_routes[] = {
    {"GET", "/metrics", get_metrics},
    {"POST", "/metrics", post_metric},
    {"DELETE", "/metrics/#", delete_metric},
    {"GET", "/runs/figures", get_figures},
    {NULL, NULL, NULL},
};
