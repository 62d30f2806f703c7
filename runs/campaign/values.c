/* values.c: the values of a formula's names for each run, from the store: properties of the run, and columns,
   which are combined over all rows of the run's processes in the way that each column specifies. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "runs/campaign/table.h"
#include "runs/results/select.h"

static const char *const facts[] = {"seconds", "cpu_seconds", "instrument_seconds", "peak_kb", "exit_status"};
enum { FACTS = sizeof facts / sizeof facts[0] };

struct gathering {
    struct session *session;
    const struct formula *formula;
    struct store store;
    const char *database;
    json_t *runs;        /* numbers in the matrix, by name; two numbers may name one run: a list */
    json_t *identifiers; /* from runs in the database to names */
    double *values;      /* indexed by run and name */
    int64_t *integers;   /* the same for formulas of one column */
    uint8_t *set;        /* indexed by run: true if it has a value */
    uint8_t *cut;        /* indexed by run: true if it was stopped */
    uint32_t lost;       /* runs of which a child process left no rows */
    int64_t *shapes;     /* indexed by run: the shape from which the value was read; 0: none */
    bool integer;        /* the formula is one column of integers */
    struct {
        const char *title, *value; /* NULL: all rows */
    } where;                       /* --where */
    bool found;                    /* some run has such rows */
};

static uint32_t where_column(const struct gathering *gathering, const struct shape *shape);

static bool is_fact(const char *name) {
    for (size_t i = 0; i < FACTS; i++)
        if (strcmp(facts[i], name) == 0)
            return true;
    return false;
}

/* ---- runs --------------------------------------------------------------------------------------------- */

static void list_runs(struct gathering *gathering) {
    const struct matrix *matrix = &gathering->session->matrix;
    gathering->runs = json_object();
    for (uint32_t i = 0; i < matrix->run_count; i++) {
        json_t *list = json_object_get(gathering->runs, matrix->runs[i].name);
        if (!list)
            json_object_set_new(gathering->runs, matrix->runs[i].name, list = json_array());
        json_array_append_new(list, json_integer(i));
    }
}

/* Fills the table `wanted` with the campaign's runs, and the facts of each. */
static bool read_campaign_runs(struct gathering *gathering) {
    struct store *store = &gathering->store;
    if (!store_execute(store, "CREATE TEMP TABLE wanted(run INTEGER PRIMARY KEY, name TEXT NOT NULL)"))
        return false;
    sqlite3_stmt *ask = store_prepare(
        store, "SELECT id, key || '.' || repeat, seconds, cpu_seconds, "
               "instrument_seconds, peak_kb, exit_status, state = 'stopped' OR signal IS NOT NULL, "
               "about ->> '$.missing' IS NOT NULL FROM run "
               "WHERE state = 'finished' OR state = 'stopped'");
    sqlite3_stmt *insert = ask ? store_prepare(store, "INSERT INTO wanted VALUES(?1, ?2)") : NULL;
    bool good = insert != NULL;
    while (good && sqlite3_step(ask) == SQLITE_ROW) {
        json_t *list = json_object_get(gathering->runs, (const char *)sqlite3_column_text(ask, 1)), *number;
        size_t i;
        if (!list)
            continue;
        sqlite3_bind_int64(insert, 1, sqlite3_column_int64(ask, 0));
        sqlite3_bind_text(insert, 2, (const char *)sqlite3_column_text(ask, 1), -1, SQLITE_TRANSIENT);
        good = store_step(store, insert);
        json_array_foreach(list, i, number) for (uint32_t k = 0; k < gathering->formula->name_count; k++) {
            size_t at = (size_t)json_integer_value(number) * gathering->formula->name_count + k;
            for (int fact = 0; fact < FACTS; fact++)
                if (strcmp(facts[fact], gathering->formula->names[k]) == 0)
                    gathering->values[at] = sqlite3_column_type(ask, 2 + fact) == SQLITE_NULL
                                                ? NAN
                                                : sqlite3_column_double(ask, 2 + fact);
        }
        json_array_foreach(list, i, number) {
            gathering->set[json_integer_value(number)] = 1;
            gathering->cut[json_integer_value(number)] = sqlite3_column_int(ask, 2 + FACTS) != 0;
            gathering->lost += sqlite3_column_int(ask, 3 + FACTS) != 0;
        }
    }
    sqlite3_finalize(insert);
    sqlite3_finalize(ask);
    return good && !store->failed;
}

/* ---- columns ------------------------------------------------------------------------------------------ */

/* Can be computed with. */
static bool is_value(const struct row_column *column) {
    return column->role == ROW_MEASURE && column->type != ROW_TEXT;
}

/* The shape's column of that title, if formulas may use it; else column_count. */
static uint32_t find_number_column(const struct shape *shape, const char *title) {
    for (uint32_t i = 0; i < shape->column_count; i++)
        if (strcasecmp(shape->columns[i].title, title) == 0 && is_value(&shape->columns[i]))
            return i;
    return shape->column_count;
}

static bool has_columns(const struct gathering *gathering, const struct shape *shape) {
    const char *report = gathering->session->request->report;
    if (report && strcmp(report, shape->report) != 0)
        return false;
    for (uint32_t i = 0; i < gathering->formula->name_count; i++)
        if (!is_fact(gathering->formula->names[i]) &&
            find_number_column(shape, gathering->formula->names[i]) == shape->column_count)
            return false;
    return !gathering->where.title || where_column(gathering, shape) < shape->column_count;
}

/* If no run has been made, no title is known. */
static bool has_runs(const struct gathering *gathering) {
    const uint32_t runs = gathering->session->matrix.run_count;
    for (uint32_t i = 0; i < runs; i++)
        if (gathering->set[i])
            return true;
    struct diagnostics *diagnostics = gathering->session->campaign->diagnostics;
    diagnose(diagnostics, NULL, MESSAGE_CAMPAIGN_NOT_MADE, runs, runs);
    diagnose_hint(diagnostics, "a program that was built again has runs of its own: make them");
    return false;
}

/* Reports unknown names, with the titles that exist. */
static bool refuse_names(struct gathering *gathering, const int64_t *shapes, uint32_t count) {
    const char **titles = NULL;
    uint32_t title_count = 0, capacity = 0;
    struct arena *arena = gathering->store.arena;
    for (size_t i = 0; i < FACTS; i++) {
        ARENA_RESERVE(arena, titles, title_count, capacity);
        titles[title_count++] = facts[i];
    }
    for (uint32_t i = 0; i < count; i++) {
        const struct shape *shape = &gathering->store.shapes[store_shape(&gathering->store, shapes[i])];
        for (uint32_t k = 0; k < shape->column_count; k++)
            if (is_value(&shape->columns[k])) {
                ARENA_RESERVE(arena, titles, title_count, capacity);
                titles[title_count++] = shape->columns[k].title;
            }
    }
    for (uint32_t i = 0; i < gathering->formula->name_count; i++) {
        const char *name = gathering->formula->names[i];
        uint32_t k = 0;
        while (k < title_count && strcasecmp(titles[k], name) != 0)
            k++;
        if (k < title_count && count)
            continue;
        diagnose(gathering->session->campaign->diagnostics, &gathering->formula->places[i],
                 MESSAGE_CAMPAIGN_NO_COLUMN, name);
        const char *nearest = nearest_name(name, titles, title_count);
        if (nearest)
            diagnose_hint(gathering->session->campaign->diagnostics, "did you mean '%s'?", nearest);
        return false;
    }
    diagnose(gathering->session->campaign->diagnostics, NULL, MESSAGE_CAMPAIGN_NO_REPORT);
    return false;
}

/* ---- which rows --------------------------------------------------------------------------------------- */

static bool read_row_filter(struct gathering *gathering) {
    const char *text = gathering->session->request->where, *equals = text ? strchr(text, '=') : NULL;
    struct arena *arena = gathering->session->campaign->arena;
    if (!text)
        return true;
    if (!equals || equals == text) {
        diagnose(gathering->session->campaign->diagnostics, NULL, MESSAGE_USAGE,
                 arena_format(arena, "--where=%s: it is COLUMN=VALUE", text));
        return false;
    }
    size_t length = (size_t)(equals - text);
    while (length > 0 && text[length - 1] == ' ')
        length--;
    gathering->where.title = arena_string(arena, text, length);
    gathering->where.value = equals + 1 + strspn(equals + 1, " ");
    return true;
}

/* The column by which rows are selected; column_count: none. */
static uint32_t where_column(const struct gathering *gathering, const struct shape *shape) {
    for (uint32_t i = 0; i < shape->column_count; i++)
        if (gathering->where.title && strcasecmp(shape->columns[i].title, gathering->where.title) == 0 &&
            shape->columns[i].role != ROW_MEASURE)
            return i;
    return shape->column_count;
}

/* The value is bound to ?1 as a text: numbers are compared in their printed form. */
static void write_where(const struct gathering *gathering, const struct shape *shape, FILE *stream) {
    uint32_t column = where_column(gathering, shape);
    if (!gathering->where.title)
        return;
    if (shape->columns[column].type == ROW_TEXT)
        fprintf(stream, " AND data.c%u = (SELECT id FROM text WHERE value = ?1)", column);
    else if (shape->columns[column].type == ROW_ADDRESS)
        fprintf(stream, " AND printf('0x%%x', data.c%u) = lower(?1)", column);
    else
        fprintf(stream, " AND CAST(data.c%u AS TEXT) = ?1", column);
}

/* True if its value is a sum over rows. */
static bool is_summable(const struct row_column *column) {
    return column->merge == ROW_SUM || column->merge == ROW_RATIO || column->merge == ROW_SHARE;
}

/* Values that occur in the column, for the hint. */
static char *kinds_of(struct gathering *gathering, const struct shape *shape, uint32_t column) {
    char *sql =
        format_string("SELECT DISTINCT value FROM data_%lld JOIN text ON text.id = c%u JOIN report ON "
                      "report.id = report JOIN wanted ON wanted.run = report.run ORDER BY 1 LIMIT 12",
                      (long long)shape->id, column);
    sqlite3_stmt *ask = store_prepare(&gathering->store, sql);
    char *text = NULL;
    size_t size;
    FILE *stream = open_memstream(&text, &size);
    for (bool any = false; ask && sqlite3_step(ask) == SQLITE_ROW; any = true)
        fprintf(stream, "%s--where='%s=%s'", any ? " or " : "", shape->columns[column].title,
                (const char *)sqlite3_column_text(ask, 0));
    fclose(stream);
    sqlite3_finalize(ask);
    free(sql);
    return text;
}

/* Rows that are no parts of a whole: their sum would have no meaning. */
static bool refuse_sum(struct gathering *gathering, const struct shape *shape, const char *name) {
    struct diagnostics *diagnostics = gathering->session->campaign->diagnostics;
    for (uint32_t i = 0; i < shape->column_count; i++) {
        if (!is_kind(&shape->columns[i]) || (gathering->where.title && i == where_column(gathering, shape)))
            continue;
        char *kinds = kinds_of(gathering, shape, i);
        diagnose(diagnostics, NULL, MESSAGE_CAMPAIGN_KINDS, shape->tool, shape->report,
                 shape->columns[i].title);
        diagnose_hint(diagnostics, "%s", kinds);
        free(kinds);
        return false;
    }
    diagnose(diagnostics, NULL, MESSAGE_CAMPAIGN_INCLUSIVE, name, shape->tool, shape->report);
    diagnose_hint(diagnostics, "--where=COLUMN=VALUE chooses a row");
    return false;
}

/* ---- values ------------------------------------------------------------------------------------------- */

static char *values_query(const struct gathering *gathering, const struct shape *shape) {
    char *sql = NULL;
    size_t size;
    FILE *stream = open_memstream(&sql, &size);
    fputs("SELECT wanted.name", stream);
    for (uint32_t i = 0; i < gathering->formula->name_count; i++) {
        uint32_t column = find_number_column(shape, gathering->formula->names[i]);
        fputs(", ", stream);
        if (column == shape->column_count)
            fputs("NULL", stream);
        else if (shape->columns[column].merge == ROW_SUM) {
            fprintf(stream, "ifnull(sum(c%u), %s)", column,
                    gathering->where.title ? "NULL" : "0"); /* of no rows */
        } else
            merged_write(&shape->columns[column], column, stream);
    }
    for (uint32_t i = 0; i < gathering->formula->name_count; i++) {
        uint32_t column = find_number_column(shape, gathering->formula->names[i]);
        fputs(", ", stream);
        if (column < shape->column_count && is_summable(&shape->columns[column]))
            shape_write_addable(shape, column, stream);
        else
            fputc('1', stream);
    }
    fprintf(stream,
            " FROM wanted JOIN report ON report.run = wanted.run AND report.shape = %lld"
            " LEFT JOIN data_%lld AS data ON data.report = report.id AND ",
            (long long)shape->id, (long long)shape->id);
    shape_write_parts(shape, stream);
    write_where(gathering, shape, stream);
    fputs(" GROUP BY wanted.run", stream);
    fclose(stream);
    return sql;
}

static bool refuse_two(struct gathering *gathering, int64_t first, int64_t second) {
    const struct shape *one = &gathering->store.shapes[store_shape(&gathering->store, first)],
                       *other = &gathering->store.shapes[store_shape(&gathering->store, second)];
    diagnose(gathering->session->campaign->diagnostics, NULL, MESSAGE_CAMPAIGN_TWO_REPORTS, one->tool,
             one->report, other->tool, other->report);
    diagnose_hint(gathering->session->campaign->diagnostics, "--report=%s", one->report);
    return false;
}

static bool read_run_values(struct gathering *gathering, int64_t identifier) {
    uint32_t place = store_shape(&gathering->store, identifier), names = gathering->formula->name_count;
    if (place == gathering->store.shape_count)
        return false;
    const struct shape *shape = &gathering->store.shapes[place];
    char *sql = values_query(gathering, shape);
    sqlite3_stmt *ask = store_prepare(&gathering->store, sql);
    if (ask && gathering->where.title)
        sqlite3_bind_text(ask, 1, gathering->where.value, -1, SQLITE_STATIC);
    bool good = ask != NULL;
    int step = SQLITE_DONE;
    free(sql);
    while (good && (step = sqlite3_step(ask)) == SQLITE_ROW) {
        json_t *list = json_object_get(gathering->runs, (const char *)sqlite3_column_text(ask, 0)), *number;
        size_t i;
        for (uint32_t k = 0; k < names && good; k++)
            if (!sqlite3_column_int(ask, (int)(names + k) + 1))
                good = refuse_sum(gathering, shape, gathering->formula->names[k]);
        for (uint32_t k = 0; k < names; k++)
            gathering->found |= sqlite3_column_type(ask, (int)k + 1) != SQLITE_NULL;
        if (!good)
            break;
        json_array_foreach(list, i, number) {
            size_t run = (size_t)json_integer_value(number);
            if (gathering->shapes[run] && (good = false, true)) {
                refuse_two(gathering, gathering->shapes[run], identifier);
                break;
            }
            gathering->shapes[run] = identifier;
            for (uint32_t k = 0; k < names; k++) {
                if (is_fact(gathering->formula->names[k]))
                    continue;
                int type = sqlite3_column_type(ask, (int)k + 1);
                gathering->values[run * names + k] =
                    type == SQLITE_NULL ? NAN : sqlite3_column_double(ask, (int)k + 1);
                gathering->integer &= type == SQLITE_INTEGER;
                if (k == 0)
                    gathering->integers[run] = sqlite3_column_int64(ask, (int)k + 1);
            }
        }
    }
    if (good && step != SQLITE_DONE)
        good = store_failed(&gathering->store);
    sqlite3_finalize(ask);
    return good;
}

/* Shapes of the reports that the campaign's runs have. */
static int64_t *list_shapes(struct gathering *gathering, uint32_t *count) {
    struct arena *arena = gathering->session->campaign->arena;
    int64_t *shapes = NULL;
    uint32_t capacity = 0;
    sqlite3_stmt *ask = store_prepare(
        &gathering->store,
        "SELECT DISTINCT shape FROM report JOIN wanted ON wanted.run = report.run ORDER BY shape");
    *count = 0;
    while (ask && sqlite3_step(ask) == SQLITE_ROW) {
        ARENA_RESERVE(arena, shapes, *count, capacity);
        shapes[(*count)++] = sqlite3_column_int64(ask, 0);
    }
    sqlite3_finalize(ask);
    return shapes;
}

static bool gather_values(struct gathering *gathering) {
    const struct formula *formula = gathering->formula;
    struct arena *arena = gathering->session->campaign->arena;
    uint32_t runs = gathering->session->matrix.run_count, count = 0, used = 0;
    bool columns = false;
    gathering->values = arena_allocate(arena, ((size_t)runs * formula->name_count + 1) * sizeof(double));
    gathering->integers = arena_allocate(arena, (size_t)runs * sizeof(int64_t));
    gathering->shapes = arena_allocate(arena, (size_t)runs * sizeof(int64_t));
    gathering->set = arena_allocate(arena, runs);
    gathering->cut = arena_allocate(arena, runs);
    for (uint32_t i = 0; i < formula->name_count; i++)
        columns |= !is_fact(formula->names[i]);
    gathering->integer = formula->step_count == 1 && columns;
    if (!read_row_filter(gathering) || !read_campaign_runs(gathering))
        return false;
    if (!columns)
        return true;
    if (!has_runs(gathering))
        return false;
    int64_t *shapes = list_shapes(gathering, &count);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t place = store_shape(&gathering->store, shapes[i]);
        if (place == gathering->store.shape_count)
            return false;
        if (!has_columns(gathering, &gathering->store.shapes[place]))
            continue;
        used++;
        if (!read_run_values(gathering, shapes[i]))
            return false;
    }
    for (uint32_t i = 0; i < runs; i++) /* a run whose tool has no such table */
        gathering->set[i] = gathering->set[i] && gathering->shapes[i];
    if (used && gathering->where.title && !gathering->found) {
        diagnose(gathering->session->campaign->diagnostics, NULL, MESSAGE_CAMPAIGN_WHERE,
                 gathering->where.title, gathering->where.value);
        return false;
    }
    return used || refuse_names(gathering, shapes, count);
}

struct value *collected_values(struct session *session, const struct formula *formula) {
    struct gathering gathering = {
        .session = session,
        .formula = formula,
        .database = arena_format(session->campaign->arena, "%s/project.sqlite", session->project.folder)};
    uint32_t runs = session->matrix.run_count;
    struct value *values = arena_allocate(session->campaign->arena, runs * sizeof *values);
    list_runs(&gathering);
    bool good =
        store_open(&gathering.store, gathering.database, STORE_READ, session->campaign->diagnostics) &&
        gather_values(&gathering);
    for (uint32_t i = 0; i < runs && good; i++) {
        values[i].cut_short = gathering.cut[i];
        if (!gathering.set[i])
            continue;
        for (uint32_t k = 0; k < formula->name_count; k++)
            values[i].absent |= isnan(gathering.values[(size_t)i * formula->name_count + k]);
        values[i].kind = gathering.integer ? VALUE_INTEGER : VALUE_REAL;
        values[i].integer = gathering.integers[i];
        values[i].real = formula_value(formula, &gathering.values[(size_t)i * formula->name_count]);
    }
    if (good && gathering.lost)
        diagnose(session->campaign->diagnostics, NULL, MESSAGE_CAMPAIGN_LOST, gathering.lost, runs);
    store_close(&gathering.store);
    json_decref(gathering.runs);
    return good ? values : NULL;
}

/* ---- what there is ------------------------------------------------------------------------------------ */

static json_t *list_columns(struct gathering *gathering) {
    json_t *list = json_array();
    uint32_t count;
    int64_t *shapes = list_shapes(gathering, &count);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t place = store_shape(&gathering->store, shapes[i]);
        if (place == gathering->store.shape_count)
            break;
        const struct shape *shape = &gathering->store.shapes[place];
        for (uint32_t k = 0; k < shape->column_count; k++)
            if (is_value(&shape->columns[k]))
                json_array_append_new(list, json_pack("{ss,ss,ss}", "tool", shape->tool, "report",
                                                      shape->report, "column", shape->columns[k].title));
    }
    for (size_t i = 0; i < FACTS; i++)
        json_array_append_new(list, json_pack("{sn,sn,ss}", "tool", "report", "column", facts[i]));
    return list;
}

bool print_columns(struct session *session) {
    const struct formula none = {.text = ""};
    struct gathering gathering = {
        .session = session,
        .formula = &none,
        .database = arena_format(session->campaign->arena, "%s/project.sqlite", session->project.folder)};
    gathering.set = arena_allocate(session->campaign->arena, session->matrix.run_count);
    gathering.cut = arena_allocate(session->campaign->arena, session->matrix.run_count);
    list_runs(&gathering);
    bool good =
        store_open(&gathering.store, gathering.database, STORE_READ, session->campaign->diagnostics) &&
        read_campaign_runs(&gathering);
    json_t *list = good ? list_columns(&gathering) : json_array(), *column;
    size_t i;
    if (good && is_json(session->request))
        session->answer = json_pack("{sO}", "columns", list);
    json_array_foreach(list, i, column) {
        const char *tool = json_string_value(json_object_get(column, "tool")),
                   *title = json_string_value(json_object_get(column, "column"));
        if (session->answer)
            break;
        if (tool)
            printf("%s %s: %s\n", tool, json_string_value(json_object_get(column, "report")), title);
        else
            printf("%s\n", title);
    }
    json_decref(list);
    store_close(&gathering.store);
    json_decref(gathering.runs);
    return good;
}
