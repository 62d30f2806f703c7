/* annotation.c: the values of a run's reports for a procedure's instructions and lines, for the source and
   the disassembly: every measure of every report that has an address there. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "runs/results/tree.h"
#include "support/json.h"
#include "workbench/project/programs.h"
#include "workbench/server/server.h"
#include "workbench/project/tables.h"

struct annotation {
    struct request *request;
    struct store store;
    int64_t run, program, pc, end;
    int64_t distance; /* from these to the addresses in the run's tables */
    json_t *metrics, *instructions, *lines, *branches, *callees, *values;
    /* The chosen range of times, of the tables of one tool by the same counter. */
    const char *tool, *counter; /* NULL: none is chosen */
    int64_t from, last;
};

/* The times of a table that was written while the program ran, whose counts are those up to each time. */
struct times {
    uint32_t column; /* the shape's column_count: it has none */
    bool is_range;   /* of `begin` to `end`; else the counts are those of the last time */
    bool is_level;   /* counts have become less: those at `end` */
    int64_t begin, end;
};

/* ---- the procedure ------------------------------------------------------------------------------------- */

static bool find_annotated_procedure(struct annotation *annotation, struct answer *answer) {
    sqlite3 *database = annotation->request->database;
    sqlite3_stmt *find = statement(database, "SELECT program FROM run WHERE id = ?1", "i", annotation->run);
    annotation->program = find ? statement_number(find, -1) : -1;
    if (annotation->program < 0) {
        answer_error(answer, MHD_HTTP_NOT_FOUND, NULL, "there is no run %" PRId64, annotation->run);
        return false;
    }
    const char *wanted = request_query(annotation->request, "procedure");
    uint64_t pc = wanted ? strtoull(wanted, NULL, 0) : 0;
    find =
        statement(database, "SELECT pc, pc + size FROM procedure WHERE ?2 < pc + size AND " PROCEDURE_BEFORE,
                  "ii", annotation->program, (int64_t)pc);
    bool there = next_row(find);
    if (there) {
        annotation->pc = sqlite3_column_int64(find, 0);
        annotation->end = sqlite3_column_int64(find, 1);
    }
    sqlite3_finalize(find);
    if (!there)
        answer_error(answer, MHD_HTTP_NOT_FOUND,
                     "GET /programs/P/procedures lists them, and makes them known",
                     "there is no procedure at %s that is known", wanted ? wanted : "?procedure=");
    return there;
}

/* ---- the values of a place ------------------------------------------------------------------------------ */

static json_t *object_member(json_t *object, const char *key) {
    json_t *value = json_object_get(object, key);
    if (!value) {
        value = json_object();
        json_object_set_new(object, key, value);
    }
    return value;
}

/* Beyond 2^53, JavaScript reads a text exactly. */
static json_t *count_json(int64_t value) {
    const bool exact = value >= -9007199254740991 && value <= 9007199254740991;
    return exact ? json_integer(value) : json_sprintf("%" PRId64, value);
}

static json_t *column_value_json(sqlite3_stmt *query, int column) {
    switch (sqlite3_column_type(query, column)) {
    case SQLITE_INTEGER:
        return count_json(sqlite3_column_int64(query, column));
    case SQLITE_FLOAT:
        return json_real(sqlite3_column_double(query, column));
    default:
        return NULL;
    }
}

/* The column with the address of a row's place: that of the innermost place. */
static uint32_t place_column(const struct shape *shape) {
    uint32_t found = shape->column_count;
    for (uint32_t i = 0; i < shape->column_count; i++) {
        const struct row_column *column = &shape->columns[i];
        if (column->type != ROW_ADDRESS || (column->role != ROW_KEY && !column->hidden) ||
            strncmp(column->attribute, "proc", 4) == 0 || strncmp(column->attribute, "object", 6) == 0)
            continue;
        if (found == shape->column_count || strncmp(column->attribute, "inst", 4) == 0)
            found = i;
    }
    return found;
}

static bool is_metric(const struct row_column *column) {
    return column->role == ROW_MEASURE && !column->hidden && column->merge != ROW_NONE &&
           (column->type == ROW_INTEGER || column->type == ROW_REAL);
}

static uint32_t find_first_title(const struct shape *shape, const char *const *titles) {
    for (uint32_t i = 0; i < shape->column_count; i++)
        for (const char *const *title = titles; *title; title++)
            if (shape->columns[i].role == ROW_MEASURE && strcasecmp(shape->columns[i].title, *title) == 0)
                return i;
    return shape->column_count;
}

static uint32_t with_attribute(const struct shape *shape, const char *end) {
    for (uint32_t i = 0; i < shape->column_count; i++) {
        const char *dot = strchr(shape->columns[i].attribute, '.');
        if (dot && strcmp(dot + 1, end) == 0)
            return i;
    }
    return shape->column_count;
}

/* ?1 and ?2 are the range of addresses. The rows in the range, combined by address: the most rows of one
   report, then the address, file, line, callee and all columns. */
static sqlite3_stmt *prepare_places(struct annotation *annotation, const struct selection *selection,
                                    uint32_t place) {
    char *sql = NULL;
    size_t size;
    FILE *stream = open_memstream(&sql, &size);
    fputs("SELECT * FROM (", stream);
    selection_write(selection, stream);
    fprintf(stream, ") WHERE c%u >= ?1 AND c%u < ?2", place, place);
    fclose(stream);
    sqlite3_stmt *query = store_prepare(&annotation->store, sql);
    free(sql);
    if (query) {
        sqlite3_bind_int64(query, 1, annotation->pc + annotation->distance);
        sqlite3_bind_int64(query, 2, annotation->end + annotation->distance);
    }
    return query;
}

/* True if a report has several rows for an address in the range, at one time if it has times. Then their
   counts do not belong to the instruction. */
static bool has_repeated_rows(struct annotation *annotation, const struct selection *selection,
                              const struct times *times, uint32_t place) {
    bool found = false;
    const uint32_t also = times->column < selection->shape->column_count ? times->column : place;
    for (uint32_t i = 0; i < selection->report_count && !found; i++) {
        char *sql = format_string(
            "SELECT 1 FROM data_%u WHERE report = ?1 AND c%u >= ?2 AND c%u < ?3 GROUP BY c%u, c%u HAVING "
            "count(*) > 1 LIMIT 1",
            selection->shapes[i], place, place, place, also);
        sqlite3_stmt *query =
            statement(annotation->request->database, sql, "iii", selection->reports[i],
                      annotation->pc + annotation->distance, annotation->end + annotation->distance);
        free(sql);
        found = next_row(query);
        sqlite3_finalize(query);
    }
    return found;
}

static char *metric_id(const struct selection *selection, uint32_t column) {
    return format_string("%" PRId64 ".%u", selection->reports[0], column);
}

/* ---- tables of several times -------------------------------------------------------------------------- */

/* The latest time of the report below that limit; `none` if there is none. */
static int64_t time_before(struct annotation *annotation, const struct selection *selection, uint32_t report,
                           uint32_t column, int64_t limit, int64_t none) {
    char *sql = format_string("SELECT max(c%u) FROM data_%u WHERE report = ?1 AND c%u < ?2", column,
                              selection->shapes[report], column);
    sqlite3_stmt *query =
        statement(annotation->request->database, sql, "ii", selection->reports[report], limit);
    free(sql);
    const bool any = next_row(query) && sqlite3_column_type(query, 0) != SQLITE_NULL;
    const int64_t found = any ? sqlite3_column_int64(query, 0) : none;
    sqlite3_finalize(query);
    return found;
}

/* Counts of the range, as expressions of the table's columns: those up to the end, without those before the
   range. Other rows have no value. */
static void choose_values(struct annotation *annotation, struct selection *selection,
                          const struct times *times, const int64_t *ends) {
    const struct shape *shape = selection->shape;
    const char *at_end = "CASE report";
    for (uint32_t i = 0; i < selection->report_count; i++)
        at_end = arena_format(annotation->request->arena, "%s WHEN %" PRId64 " THEN %" PRId64, at_end,
                              selection->reports[i], ends[i]);
    selection->values =
        arena_allocate(annotation->request->arena, shape->column_count * sizeof *selection->values);
    for (uint32_t i = 0; i < shape->column_count; i++) {
        if (i == times->column) /* one for all rows: the counts of all processes at their ends are added */
            selection->values[i] = "0";
        else if (shape->columns[i].role == ROW_MEASURE && times->is_range && !times->is_level &&
                 shape->columns[i].merge == ROW_SUM)
            selection->values[i] =
                arena_format(annotation->request->arena,
                             "CASE c%u WHEN %" PRId64 " THEN c%u WHEN %" PRId64 " THEN -c%u END",
                             times->column, times->end, i, times->begin, i);
        else if (shape->columns[i].role == ROW_MEASURE)
            selection->values[i] = arena_format(annotation->request->arena, "iif(c%u = %s END, c%u, NULL)",
                                                times->column, at_end, i);
    }
    selection->as_written = false;
}

/* True if the range has less of a count than there was before it. */
static bool has_become_less(struct annotation *annotation, const struct selection *selection,
                            const struct times *times) {
    const struct shape *shape = selection->shape;
    bool found = false;
    char *sql = NULL;
    size_t size;
    FILE *stream = open_memstream(&sql, &size);
    fputs("SELECT 1 FROM (SELECT 0 AS none", stream);
    for (uint32_t i = 0; i < shape->column_count; i++)
        if (is_metric(&shape->columns[i]) && shape->columns[i].merge == ROW_SUM)
            fprintf(stream, ", sum(iif(c%u = ?2, c%u, -c%u)) AS s%u", times->column, i, i, i);
    fprintf(stream, " FROM data_%u WHERE report = ?1 AND c%u IN (?2, ?3) GROUP BY report",
            selection->shapes[0], times->column);
    for (uint32_t i = 0; i < shape->column_count; i++)
        if (i != times->column && shape->columns[i].role == ROW_KEY)
            fprintf(stream, ", c%u", i);
    fputs(") WHERE none", stream);
    for (uint32_t i = 0; i < shape->column_count; i++)
        if (is_metric(&shape->columns[i]) && shape->columns[i].merge == ROW_SUM)
            fprintf(stream, " OR s%u < 0", i);
    fputs(" LIMIT 1", stream);
    fclose(stream);
    sqlite3_stmt *query =
        statement(annotation->request->database, sql, "iii", selection->reports[0], times->end, times->begin);
    free(sql);
    found = next_row(query);
    sqlite3_finalize(query);
    return found;
}

/* The times whose counts are shown, with the selection's values for them. Processes have times of their own:
   of several, no range is chosen. */
static struct times choose_times(struct annotation *annotation, struct selection *selection) {
    const struct shape *shape = selection->shape;
    const struct row_column *time = shape_time(shape);
    struct times times = {.column = time ? (uint32_t)(time - shape->columns) : shape->column_count};
    if (!time || time->type != ROW_INTEGER || selection->report_count == 0) {
        times.column = shape->column_count;
        return times;
    }
    int64_t *ends = arena_allocate(annotation->request->arena, selection->report_count * sizeof *ends);
    times.is_range = annotation->tool && selection->report_count == 1 &&
                     strcmp(annotation->tool, shape->tool) == 0 &&
                     strcmp(annotation->counter, time->title) == 0;
    for (uint32_t i = 0; i < selection->report_count; i++)
        ends[i] = time_before(annotation, selection, i, times.column,
                              times.is_range ? annotation->last + 1 : INT64_MAX, -1);
    times.end = ends[0];
    if (times.is_range) {
        times.begin = time_before(annotation, selection, 0, times.column, annotation->from, -1);
        times.is_level = has_become_less(annotation, selection, &times);
    }
    choose_values(annotation, selection, &times, ends);
    return times;
}

/* The sum of the chosen times. */
static json_t *total_of_times(struct annotation *annotation, const struct selection *selection,
                              uint32_t column) {
    const uint32_t count = selection->shape->column_count;
    bool *wanted = arena_allocate(annotation->request->arena, count * sizeof *wanted);
    struct cell *totals = arena_allocate(annotation->request->arena, count * sizeof *totals);
    wanted[column] = true;
    if (!selection_totals(&annotation->store, selection, wanted, totals) || totals[column].missing)
        return json_null();
    return selection->shape->columns[column].type == ROW_REAL ? json_real(totals[column].value.real)
                                                              : count_json(totals[column].value.integer);
}

/* The sum over the whole table, of which shares are. */
static json_t *total_of_table(struct annotation *annotation, const struct selection *selection,
                              uint32_t column) {
    json_t *total = NULL;
    if (selection->shape->columns[column].merge != ROW_SUM)
        return json_null();
    if (selection->values)
        return total_of_times(annotation, selection, column);
    char *sql = NULL;
    size_t size;
    FILE *stream = open_memstream(&sql, &size);
    fprintf(stream, "SELECT CASE WHEN min(adds) THEN sum(n) END FROM (");
    for (uint32_t i = 0; i < selection->report_count; i++) {
        fprintf(stream, "%sSELECT sum(c%u) AS n, ", i ? " UNION ALL " : "", column);
        shape_write_addable(selection->shape, column, stream);
        fprintf(stream, " AS adds FROM data_%u WHERE report = %" PRId64 " AND ", selection->shapes[i],
                selection->reports[i]);
        shape_write_parts(selection->shape, stream);
    }
    fputc(')', stream);
    fclose(stream);
    sqlite3_stmt *query = store_prepare(&annotation->store, sql);
    free(sql);
    if (next_row(query))
        total = column_value_json(query, 0);
    sqlite3_finalize(query);
    return total ? total : json_null();
}

/* null: the counts are not those of a range. */
static json_t *range_json(const struct selection *selection, const struct times *times) {
    if (!times->is_range)
        return json_null();
    return json_pack("{s:o, s:I, s:o, s:b}", "title",
                     json_text(selection->shape->columns[times->column].title), "begin",
                     (json_int_t)(times->begin < 0 ? 0 : times->begin), "end",
                     times->end < 0 ? json_null() : json_integer(times->end), "is_level", times->is_level);
}

/* place: the column with the address, or with the line. */
static void add_metrics(struct annotation *annotation, const struct selection *selection,
                        const struct times *times, uint32_t place) {
    const struct shape *shape = selection->shape;
    const bool of_lines = shape->columns[place].type != ROW_ADDRESS;
    const char *attribute = of_lines ? "line." : shape->columns[place].attribute,
               *dot = strchr(attribute, '.');
    for (uint32_t i = 0; i < shape->column_count; i++) {
        if (!is_metric(&shape->columns[i]) || (of_lines && shape->columns[i].merge != ROW_SUM))
            continue;
        char *id = metric_id(selection, i);
        json_array_append_new(
            annotation->metrics,
            json_pack("{s:s, s:o, s:o, s:s, s:o, s:I, s:i, s:o, s:o, s:o}", "id", id, "title",
                      json_text(shape->columns[i].title), "unit", json_text(shape->columns[i].unit), "merge",
                      row_merge_words[shape->columns[i].merge], "tool", json_text(shape->tool), "table",
                      (json_int_t)selection->reports[0], "column", (int)i, "place",
                      dot ? json_stringn(attribute, (size_t)(dot - attribute)) : json_string(""), "total",
                      total_of_table(annotation, selection, i), "range", range_json(selection, times)));
        free(id);
    }
}

/* Adds a value to an address or a line: the values of a line are sums. */
static void put_place_value(json_t *places, const char *key, const char *id, json_t *value, bool add) {
    json_t *place = object_member(places, key), *there = json_object_get(place, id);
    if (add && json_is_integer(there) && json_is_integer(value)) {
        json_object_set_new(place, id, json_integer(json_integer_value(there) + json_integer_value(value)));
        json_decref(value);
    } else {
        json_object_set_new(place, id, value);
    }
}

struct columns {
    uint32_t place, file, line, callee, taken, untaken, calls;
};

/* NULL: the row has no line. */
static char *line_of_row(struct annotation *annotation, const struct shape *shape, sqlite3_stmt *row,
                         uint32_t file, uint32_t line) {
    if (file == shape->column_count || line == shape->column_count ||
        sqlite3_column_int64(row, (int)line) <= 0)
        return NULL;
    return format_string("%s:%" PRId64, store_text(&annotation->store, sqlite3_column_int64(row, (int)file)),
                         (int64_t)sqlite3_column_int64(row, (int)line));
}

static void add_annotated_place(struct annotation *annotation, const struct selection *selection,
                                sqlite3_stmt *row, const struct columns *columns) {
    static const char *none = "";
    const struct shape *shape = selection->shape;
    uint32_t count = shape->column_count;
    char *pc = format_string(
             "0x%" PRIx64, (uint64_t)(sqlite3_column_int64(row, (int)columns->place) - annotation->distance)),
         *line = line_of_row(annotation, shape, row, columns->file, columns->line);
    for (uint32_t i = 0; i < count; i++) {
        json_t *value = is_metric(&shape->columns[i]) ? column_value_json(row, (int)i) : NULL;
        if (!value)
            continue;
        char *id = metric_id(selection, i);
        if (line && shape->columns[i].merge == ROW_SUM)
            put_place_value(annotation->lines, line, id, json_incref(value), true);
        put_place_value(annotation->instructions, pc, id, value, false);
        free(id);
    }
    if (columns->taken < count && columns->untaken < count)
        json_object_set_new(annotation->branches, pc,
                            json_pack("{s:o, s:o}", "taken", column_value_json(row, (int)columns->taken),
                                      "untaken", column_value_json(row, (int)columns->untaken)));
    if (columns->callee < count && columns->calls < count) {
        const char *name = store_text(&annotation->store, sqlite3_column_int64(row, (int)columns->callee));
        json_object_set_new(annotation->callees, pc,
                            json_pack("{s:o, s:o}", "name", json_text(name ? name : none), "calls",
                                      column_value_json(row, (int)columns->calls)));
    }
    free(pc);
    free(line);
}

/* Rows that have a line, but no address of their own: those of the procedure, and of its file. */
static sqlite3_stmt *prepare_lines(struct annotation *annotation, const struct selection *selection,
                                   uint32_t file) {
    const struct shape *shape = selection->shape;
    uint32_t procedure = 0;
    while (procedure < shape->column_count && strcmp(shape->columns[procedure].title, "Procedure") != 0)
        procedure++;
    char *sql = NULL;
    size_t size;
    FILE *stream = open_memstream(&sql, &size);
    fputs("SELECT * FROM (", stream);
    selection_write(selection, stream);
    fprintf(stream, ") WHERE c%u = (SELECT file FROM procedure WHERE program = ?1 AND pc = ?2)", file);
    if (procedure < shape->column_count)
        fprintf(stream, " OR c%u = (SELECT name FROM procedure WHERE program = ?1 AND pc = ?2)", procedure);
    fclose(stream);
    sqlite3_stmt *query = store_prepare(&annotation->store, sql);
    free(sql);
    if (query) {
        sqlite3_bind_int64(query, 1, annotation->program);
        sqlite3_bind_int64(query, 2, annotation->pc);
    }
    return query;
}

/* Returns false if the database fails. */
static bool add_lines(struct annotation *annotation, struct selection *selection, const struct times *times) {
    const struct shape *shape = selection->shape;
    const uint32_t file = with_attribute(shape, "file"), line = with_attribute(shape, "line");
    if (file == shape->column_count || line == shape->column_count)
        return true;
    if (!selection_choose(&annotation->store, selection, NULL))
        return false;
    sqlite3_stmt *query = prepare_lines(annotation, selection, file);
    bool any = false;
    int state = SQLITE_ERROR;
    while (query && (state = sqlite3_step(query)) == SQLITE_ROW) {
        char *key = line_of_row(annotation, shape, query, file, line);
        for (uint32_t i = 0; i < shape->column_count && key; i++) {
            json_t *value = is_metric(&shape->columns[i]) && shape->columns[i].merge == ROW_SUM
                                ? column_value_json(query, (int)i)
                                : NULL;
            if (!value)
                continue;
            char *id = metric_id(selection, i);
            put_place_value(annotation->lines, key, id, value, true);
            free(id);
            any = true;
        }
        free(key);
    }
    sqlite3_finalize(query);
    if (any || times->is_range)
        add_metrics(annotation, selection, times, line);
    return state == SQLITE_DONE;
}

/* A C table of procedures: one row here, at the beginning. Its values are the procedure's. */
static bool is_of_procedures(struct annotation *annotation, const struct selection *selection,
                             uint32_t place) {
    sqlite3_stmt *query;
    if (*selection->shape->columns[place].attribute)
        return false;
    char *sql = format_string(
        "SELECT count(*) = 1 AND min(c%u) = ?2 FROM data_%u WHERE report = ?1 AND c%u >= ?2 AND c%u "
        "< ?3",
        place, selection->shapes[0], place, place);
    query = statement(annotation->request->database, sql, "iii", selection->reports[0],
                      annotation->pc + annotation->distance, annotation->end + annotation->distance);
    free(sql);
    return query && statement_number(query, 0) == 1;
}

/* True if the run has another table of the same report: the table of the end, beside that of all times, or
   the other way round. */
static bool has_table(struct annotation *annotation, const struct shape *shape, const char *report) {
    return statement_number(
               statement(annotation->request->database,
                         "SELECT 1 FROM report JOIN shape ON shape.id = report.shape WHERE run = ?1 AND "
                         "shape.tool = ?2 AND shape.report = ?3 LIMIT 1",
                         "iss", annotation->run, shape->tool, report),
               0) == 1;
}

/* Of a report that was written at several times, one of its two tables is shown: in a chosen range that of
   all times, else that of the end. */
static bool is_shown_by_other(struct annotation *annotation, const struct selection *selection,
                              const struct times *times) {
    const struct shape *shape = selection->shape;
    struct arena *arena = annotation->request->arena;
    if (times->is_range)
        return false;
    if (times->column < shape->column_count) {
        const char *title = shape->columns[times->column].title;
        const size_t length = strlen(shape->report), end = strlen(" by ") + strlen(title);
        return length > end && has_table(annotation, shape, arena_string(arena, shape->report, length - end));
    }
    return annotation->tool && selection->report_count == 1 && strcmp(annotation->tool, shape->tool) == 0 &&
           has_table(annotation, shape, arena_format(arena, "%s by %s", shape->report, annotation->counter));
}

static bool add_reports(struct annotation *annotation, struct selection *selection) {
    static const char *const taken[] = {"taken", NULL},
                             *const untaken[] = {"not taken", "untaken", "fell through", NULL},
                             *const calls[] = {"calls", NULL};
    const struct shape *shape = selection->shape;
    uint32_t place = place_column(shape);
    if (is_tree(shape))
        return true;
    const struct times times = choose_times(annotation, selection);
    if (is_shown_by_other(annotation, selection, &times))
        return true;
    if (place == shape->column_count || has_repeated_rows(annotation, selection, &times, place))
        return add_lines(annotation, selection, &times);
    if (!selection_choose(&annotation->store, selection, NULL))
        return false;
    /* Combines rows by the address alone: hidden columns are not keys. */
    for (uint32_t i = 0; i < shape->column_count; i++)
        selection->by[i] = i == place;
    bool of_procedures = is_of_procedures(annotation, selection, place);
    struct columns columns = {place,
                              with_attribute(shape, "file"),
                              with_attribute(shape, "line"),
                              with_attribute(shape, "callee"),
                              find_first_title(shape, taken),
                              find_first_title(shape, untaken),
                              find_first_title(shape, calls)};
    sqlite3_stmt *query = prepare_places(annotation, selection, place);
    bool any = false;
    int state = SQLITE_ERROR;
    while (query && (state = sqlite3_step(query)) == SQLITE_ROW) {
        if (of_procedures) {
            for (uint32_t i = 0; i < shape->column_count; i++)
                if (is_metric(&shape->columns[i])) {
                    char *id = metric_id(selection, i);
                    json_object_set_new(annotation->values, id, column_value_json(query, (int)i));
                    free(id);
                }
        } else {
            add_annotated_place(annotation, selection, query, &columns);
        }
        any = true;
    }
    sqlite3_finalize(query);
    if ((any || times.is_range) && !of_procedures)
        add_metrics(annotation, selection, &times, place);
    return state == SQLITE_DONE;
}

/* Each table of the run: of the requested process, or all processes combined. */
static bool add_run_tables(struct annotation *annotation) {
    const char *process = request_query(annotation->request, "process");
    bool one = process && strcmp(process, "all") != 0;
    sqlite3_stmt *list = statement(
        annotation->request->database,
        one ? "SELECT shape, json_array(id) FROM report WHERE run = ?1 AND process = ?2 AND "
              "program = ?3 ORDER BY id"
            : "SELECT shape, json_group_array(id) FROM report WHERE run = ?1 AND ?2 = ?2 AND "
              "program = ?3 GROUP BY shape, number, parameters ORDER BY min(id)",
        "iii", annotation->run, one ? (int64_t)strtoll(process, NULL, 10) : (int64_t)0, annotation->program);
    bool good = list != NULL;
    while (good && next_row(list)) {
        uint32_t number = store_shape(&annotation->store, sqlite3_column_int64(list, 0));
        json_t *ids = json_loads((const char *)sqlite3_column_text(list, 1), 0, NULL);
        size_t count = json_array_size(ids);
        int64_t *reports = arena_allocate(annotation->request->arena, (count + 1) * sizeof *reports);
        uint32_t *shapes = arena_allocate(annotation->request->arena, (count + 1) * sizeof *shapes);
        good = number < annotation->store.shape_count && count > 0;
        for (size_t i = 0; i < count && good; i++) {
            reports[i] = json_integer_value(json_array_get(ids, i));
            shapes[i] = (uint32_t)annotation->store.shapes[number].id;
        }
        json_decref(ids);
        if (good) {
            struct shape shape = annotation->store.shapes[number]; /* the store's list may move */
            struct selection selection = {.shape = &shape,
                                          .reports = reports,
                                          .shapes = shapes,
                                          .report_count = (uint32_t)count,
                                          .as_written = count == 1};
            good = add_reports(annotation, &selection);
        }
    }
    sqlite3_finalize(list);
    return good;
}

/* ?times=TABLE&range=FROM-LAST: times of that table, and of the tables that its tool wrote by the same
   counter. */
static void read_range(struct annotation *annotation) {
    const char *range = request_query(annotation->request, "range");
    const long table = request_number(annotation->request, "times", -1, -1, INT32_MAX);
    char *rest = NULL;
    if (!range || table < 0)
        return;
    annotation->from = strtoll(range, &rest, 10);
    if (rest == range || *rest != '-')
        return;
    annotation->last = strtoll(rest + 1, &rest, 10);
    sqlite3_stmt *find =
        statement(annotation->request->database, "SELECT shape FROM report WHERE id = ?1 AND run = ?2", "ii",
                  (int64_t)table, annotation->run);
    const int64_t shape = find ? statement_number(find, -1) : -1;
    const uint32_t number = shape < 0 ? UINT32_MAX : store_shape(&annotation->store, shape);
    if (*rest || number >= annotation->store.shape_count || annotation->last == INT64_MAX)
        return;
    const struct row_column *time = shape_time(&annotation->store.shapes[number]);
    if (!time)
        return;
    annotation->tool = arena_format(annotation->request->arena, "%s", annotation->store.shapes[number].tool);
    annotation->counter = arena_format(annotation->request->arena, "%s", time->title);
}

static void get_annotation(struct request *request, struct answer *answer) {
    struct diagnostics *diagnostics = diagnostics_create();
    struct annotation annotation = {.request = request, .run = (int64_t)request->number[0]};
    if (find_annotated_procedure(&annotation, answer)) {
        store_attach(&annotation.store, request->database, "project.sqlite", diagnostics);
        annotation.metrics = json_array();
        annotation.instructions = json_object();
        annotation.lines = json_object();
        annotation.branches = json_object();
        annotation.callees = json_object();
        annotation.values = json_object();
        read_range(&annotation);
        /* Reports contain no rows about an object that the run did not instrument. */
        bool is_there = run_address(request->database, annotation.program, annotation.run, annotation.pc,
                                    &annotation.distance);
        bool good = !is_there || add_run_tables(&annotation);
        json_t *all =
            json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "procedure",
                      json_sprintf("0x%" PRIx64, (uint64_t)annotation.pc), "end",
                      json_sprintf("0x%" PRIx64, (uint64_t)annotation.end), "metrics", annotation.metrics,
                      "instructions", annotation.instructions, "lines", annotation.lines, "branches",
                      annotation.branches, "callees", annotation.callees, "values", annotation.values);
        if (good)
            answer_json(answer, all);
        else
            json_decref(all), answer_database(answer, sqlite3_errcode(request->database) & 0xff);
        store_close(&annotation.store);
    }
    diagnostics_destroy(diagnostics);
}

const struct route annotation_routes[] = {
    {"GET", "/runs/#/annotation", get_annotation},
    {NULL, NULL, NULL},
};
