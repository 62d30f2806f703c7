/* tidy.c: atomc campaign rows: the rows of a report of all runs, each with the values of its run's
   dimensions, for programs that compute with tables of one observation a line. */
#include <stdlib.h>
#include <string.h>

#include "runs/campaign/campaign.h"
#include "runs/results/ending.h"
#include "runs/results/print.h"
#include "runs/results/store.h"

/* After the dimensions. */
enum { FACT_CUT_SHORT, FACT_ENDED_BY, FACT_PROCESS, FACT_COUNT };

struct tidy {
    struct session *session;
    struct store store;
    struct row_column *columns;
    struct cell *cells; /* of the row that is printed */
    uint32_t column_count, column_capacity;
    uint32_t first;       /* the first column of the report */
    int64_t *shapes;      /* of the report: tables of it may have different columns */
    uint32_t **places;    /* by shape: for each of its columns, the column */
    char **queries;       /* by shape: the rows of a run, ?1 */
    uint32_t shape_count; /* at least one */
    struct printer printer;
    uint32_t without, cut, lost; /* runs */
};

static uint32_t add_tidy_column(struct tidy *tidy, const char *title, enum row_type type) {
    struct arena *arena = tidy->session->campaign->arena;
    ARENA_RESERVE(arena, tidy->columns, tidy->column_count, tidy->column_capacity);
    tidy->columns[tidy->column_count] = (struct row_column){
        .title = arena_string(arena, title, strlen(title)), .unit = "", .attribute = "", .type = type};
    return tidy->column_count++;
}

/* 007 and +7 are texts: as numbers they would be other values. */
static bool is_integer(const char *text) {
    char printed[24];
    snprintf(printed, sizeof printed, "%lld", strtoll(text, NULL, 10));
    return strcmp(printed, text) == 0;
}

/* Values of a parameter are integers if all are. */
static enum row_type dimension_type(const struct matrix *matrix, const char *dimension) {
    uint32_t count;
    const char **texts = dimension_texts(matrix, dimension, &count);
    bool is_name = strcmp(dimension, "program") == 0 || strcmp(dimension, "input") == 0 ||
                   strcmp(dimension, "tool") == 0;
    bool all = count > 0 && !is_name;
    for (uint32_t i = 0; i < count; i++)
        all = all && is_integer(texts[i]);
    return all ? ROW_INTEGER : ROW_TEXT;
}

/* ---- the report: its shapes, and their columns ------------------------------------------------------------ */

static uint32_t column_of(struct tidy *tidy, const struct row_column *column, const uint32_t *taken,
                          uint32_t taken_count) {
    for (uint32_t i = tidy->first; i < tidy->column_count; i++) {
        bool is_taken = false;
        for (uint32_t k = 0; k < taken_count; k++)
            is_taken |= taken[k] == i;
        if (!is_taken && tidy->columns[i].type == column->type &&
            strcmp(tidy->columns[i].title, column->title) == 0)
            return i;
    }
    uint32_t added = add_tidy_column(tidy, column->title, column->type);
    tidy->columns[added].unit = column->unit;
    return added;
}

static void add_shape(struct tidy *tidy, const struct shape *shape) {
    struct arena *arena = tidy->session->campaign->arena;
    uint32_t *places = arena_allocate(arena, (shape->column_count + 1) * sizeof *places);
    char *sql = NULL;
    size_t size;
    FILE *stream = open_memstream(&sql, &size);
    for (uint32_t i = 0; i < shape->column_count; i++)
        places[i] = column_of(tidy, &shape->columns[i], places, i);
    fputs("SELECT ", stream);
    for (uint32_t i = 0; i < shape->column_count; i++)
        fprintf(stream, "data.c%u, ", i);
    fprintf(stream, "report.process FROM report JOIN data_%lld AS data ON data.report = report.id WHERE ",
            (long long)shape->id);
    shape_write_parts(shape, stream);
    fprintf(stream,
            " AND report.run = ?1 AND report.shape = %lld"
            " ORDER BY report.process, report.number, data.row",
            (long long)shape->id);
    fclose(stream);
    tidy->shapes[tidy->shape_count] = shape->id;
    tidy->places[tidy->shape_count] = places;
    tidy->queries[tidy->shape_count++] = arena_string(arena, sql, size);
    free(sql);
}

/* The reports of the store, one of each tool and name, for the hint. */
static void hint_reports(const struct tidy *tidy) {
    char *text = NULL;
    size_t size;
    const char *separator = "";
    FILE *stream = open_memstream(&text, &size);
    for (uint32_t i = 0; i < tidy->store.shape_count; i++) {
        const struct shape *shape = &tidy->store.shapes[i];
        bool is_repeated = false;
        for (uint32_t k = 0; k < i; k++)
            is_repeated |= strcmp(shape->report, tidy->store.shapes[k].report) == 0;
        if (!is_repeated) {
            fprintf(stream, "%s--report=%s", separator, shape->report);
            separator = ", ";
        }
    }
    fclose(stream);
    if (size > 0)
        diagnose_hint(tidy->session->campaign->diagnostics, "%s", text);
    free(text);
}

/* The shapes of the campaign's runs, into the store's list. */
static bool read_shapes(struct tidy *tidy) {
    struct store *store = &tidy->store;
    sqlite3_stmt *ask = store_prepare(
        store, "SELECT DISTINCT shape FROM report WHERE run IN (SELECT id FROM run WHERE key || '.' || "
               "repeat IN (SELECT value FROM json_each(?1))) ORDER BY shape");
    json_t *names = json_array();
    const struct matrix *matrix = &tidy->session->matrix;
    bool good = ask != NULL;
    for (uint32_t i = 0; i < matrix->run_count; i++)
        json_array_append_new(names, json_string(matrix->runs[i].name));
    char *text = json_dumps(names, JSON_COMPACT);
    if (good)
        sqlite3_bind_text(ask, 1, text, -1, SQLITE_STATIC);
    while (good && sqlite3_step(ask) == SQLITE_ROW) {
        int64_t id = sqlite3_column_int64(ask, 0);
        good = store_shape(store, id) < store->shape_count;
    }
    sqlite3_finalize(ask);
    free(text);
    json_decref(names);
    return good && !store->failed;
}

static bool find_report(struct tidy *tidy) {
    struct diagnostics *diagnostics = tidy->session->campaign->diagnostics;
    const char *report = tidy->session->request->report, *tool = NULL;
    struct arena *arena = tidy->session->campaign->arena;
    if (!read_shapes(tidy))
        return false;
    uint32_t count = tidy->store.shape_count;
    tidy->shapes = arena_allocate(arena, (count + 1) * sizeof *tidy->shapes);
    tidy->places = arena_allocate(arena, (count + 1) * sizeof *tidy->places);
    tidy->queries = arena_allocate(arena, (count + 1) * sizeof *tidy->queries);
    const char *found = NULL;
    for (uint32_t i = 0; i < count; i++) {
        const struct shape *shape = &tidy->store.shapes[i];
        if (report && strcmp(report, shape->report) != 0)
            continue;
        if (found && (strcmp(found, shape->report) != 0 || strcmp(tool, shape->tool) != 0)) {
            diagnose(diagnostics, NULL, MESSAGE_CAMPAIGN_REPORTS);
            hint_reports(tidy);
            return false;
        }
        found = shape->report;
        tool = shape->tool;
        add_shape(tidy, shape);
    }
    if (found)
        return true;
    if (report && count > 0) {
        diagnose(diagnostics, NULL, MESSAGE_CAMPAIGN_REPORT_MISSING, report);
        hint_reports(tidy);
    } else {
        diagnose(diagnostics, NULL, MESSAGE_CAMPAIGN_NOT_MADE, tidy->session->matrix.run_count,
                 tidy->session->matrix.run_count);
        diagnose_hint(diagnostics, "atomc campaign run %s, and collect", tidy->session->campaign->path);
    }
    return false;
}

/* ---- rows -------------------------------------------------------------------------------------------------- */

static void set_dimensions(struct tidy *tidy, const struct run *run) {
    const struct matrix *matrix = &tidy->session->matrix;
    for (uint32_t i = 0; i < matrix->dimension_count; i++) {
        const char *text = run_text(tidy->session->campaign, run, matrix->dimensions[i]);
        struct cell *cell = &tidy->cells[i];
        cell->missing = text == NULL;
        if (text && tidy->columns[i].type == ROW_INTEGER)
            cell->value.integer = strtoll(text, NULL, 10);
        else
            cell->value.text = text;
    }
}

/* Returns false after an error. */
static bool put_rows_of_shape(struct tidy *tidy, uint32_t shape, int64_t run, uint64_t *rows) {
    struct store *store = &tidy->store;
    struct arena *arena = tidy->session->campaign->arena;
    const struct shape *about = &store->shapes[store_shape(store, tidy->shapes[shape])];
    sqlite3_stmt *ask = store_prepare(store, tidy->queries[shape]);
    int step = SQLITE_DONE;
    if (!ask)
        return false;
    sqlite3_bind_int64(ask, 1, run);
    while ((step = sqlite3_step(ask)) == SQLITE_ROW) {
        struct arena_mark mark = arena_mark(arena);
        for (uint32_t i = tidy->first; i < tidy->column_count; i++)
            tidy->cells[i].missing = true;
        for (uint32_t i = 0; i < about->column_count; i++)
            tidy->cells[tidy->places[shape][i]] =
                store_cell(store, ask, (int)i, about->columns[i].type, arena);
        tidy->cells[tidy->first - FACT_COUNT + FACT_PROCESS] =
            (struct cell){.value.integer = sqlite3_column_int64(ask, (int)about->column_count)};
        print_row(&tidy->printer, tidy->cells);
        arena_release(arena, mark);
        ++*rows;
    }
    if (step != SQLITE_DONE)
        store_failed(store);
    sqlite3_finalize(ask);
    return step == SQLITE_DONE;
}

static bool put_run(struct tidy *tidy, sqlite3_stmt *find, uint32_t number) {
    struct arena *arena = tidy->session->campaign->arena;
    const struct run *run = &tidy->session->matrix.runs[number];
    const char *dot = strchr(run->name, '.');
    uint64_t rows = 0;
    bool good = true;
    sqlite3_reset(find);
    sqlite3_bind_text(find, 1, run->name, (int)(dot - run->name), SQLITE_STATIC);
    sqlite3_bind_text(find, 2, dot + 1, -1, SQLITE_STATIC);
    if (sqlite3_step(find) == SQLITE_ROW) {
        int64_t id = sqlite3_column_int64(find, 0);
        const bool is_cut = sqlite3_column_int(find, 1) != 0, is_lost = sqlite3_column_int(find, 4) != 0;
        set_dimensions(tidy, run);
        struct cell *facts = &tidy->cells[tidy->first - FACT_COUNT];
        const char *reason = (const char *)sqlite3_column_text(find, 3),
                   *cause = ending_cause(arena, sqlite3_column_int64(find, 2), reason);
        facts[FACT_CUT_SHORT] = (struct cell){.value.integer = is_cut || is_lost};
        facts[FACT_ENDED_BY] = (struct cell){.missing = cause == NULL, .value.text = cause};
        tidy->cut += is_cut;
        tidy->lost += is_lost;
        for (uint32_t i = 0; i < tidy->shape_count && good; i++)
            good = put_rows_of_shape(tidy, i, id, &rows);
    }
    tidy->without += rows == 0;
    return good;
}

static bool put_all(struct tidy *tidy, FILE *stream) {
    const struct matrix *matrix = &tidy->session->matrix;
    sqlite3_stmt *find = store_prepare(
        &tidy->store,
        "SELECT id, state = 'stopped' OR signal IS NOT NULL, signal, reason, about ->> '$.missing' IS NOT "
        "NULL FROM run WHERE key = ?1 AND "
        "repeat = CAST(?2 AS INTEGER) AND state IN ('finished', 'stopped')");
    bool good = find != NULL;
    tidy->printer.stream = stream;
    tidy->printer.columns = tidy->columns;
    tidy->printer.column_count = tidy->column_count;
    const struct shape *shape = &tidy->store.shapes[store_shape(&tidy->store, tidy->shapes[0])];
    print_begin(&tidy->printer, shape->tool, shape->report, NULL);
    for (uint32_t i = 0; i < matrix->run_count && good; i++)
        good = put_run(tidy, find, i);
    print_end(&tidy->printer);
    sqlite3_finalize(find);
    return good;
}

/* ---- all of it ---------------------------------------------------------------------------------------------- */

static bool check_rows_request(struct tidy *tidy) {
    const struct request *request = tidy->session->request;
    struct diagnostics *diagnostics = tidy->session->campaign->diagnostics;
    const char *word = request->format ? request->format : "csv";
    if (request->value || request->where || request->rows || request->columns || request->panels ||
        request->over || request->summary) {
        diagnose(diagnostics, NULL, MESSAGE_USAGE,
                 "rows are all rows of a report: --value, --where and the like are of table");
        return false;
    }
    if (print_form_of(word, &tidy->printer.form) && tidy->printer.form != PRINT_TEXT &&
        tidy->printer.form != PRINT_ROWS)
        return true;
    diagnose(diagnostics, NULL, MESSAGE_CAMPAIGN_FORM, word);
    diagnose_hint(diagnostics, "csv, json or parquet");
    return false;
}

static void say_what_lacks(const struct tidy *tidy) {
    struct diagnostics *diagnostics = tidy->session->campaign->diagnostics;
    uint32_t runs = tidy->session->matrix.run_count;
    if (tidy->without)
        diagnose(diagnostics, NULL, MESSAGE_CAMPAIGN_NO_ROWS, tidy->without, runs);
    if (tidy->cut)
        diagnose(diagnostics, NULL, MESSAGE_CAMPAIGN_CUT, tidy->cut, runs);
    if (tidy->lost)
        diagnose(diagnostics, NULL, MESSAGE_CAMPAIGN_LOST, tidy->lost, runs);
}

bool print_campaign_rows(struct session *session) {
    struct campaign *campaign = session->campaign;
    const struct matrix *matrix = &session->matrix;
    struct tidy tidy = {.session = session, .printer.exact = true};
    const char *database = arena_format(campaign->arena, "%s/project.sqlite", session->project.folder);
    struct output_file output;
    if (!check_rows_request(&tidy))
        return false;
    for (uint32_t i = 0; i < matrix->dimension_count; i++)
        add_tidy_column(&tidy, matrix->dimensions[i], dimension_type(matrix, matrix->dimensions[i]));
    add_tidy_column(&tidy, "cut short", ROW_INTEGER);
    add_tidy_column(&tidy, "ended by", ROW_TEXT);
    add_tidy_column(&tidy, "process", ROW_INTEGER);
    tidy.first = tidy.column_count;
    bool good = store_open(&tidy.store, database, STORE_READ, campaign->diagnostics) && find_report(&tidy);
    if (good) {
        tidy.cells = arena_allocate(campaign->arena, tidy.column_count * sizeof *tidy.cells);
        good = output_open(&output, session->request->output, campaign->diagnostics);
        if (good) {
            good = put_all(&tidy, output.stream);
            good = output_close(&output, good, campaign->diagnostics) && good;
        }
    }
    store_close(&tidy.store);
    if (good)
        say_what_lacks(&tidy);
    return good;
}
