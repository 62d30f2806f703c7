/* select.c: see select.h. Sums are SQLite's, which reports an overflow. */
#include "runs/results/select.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "runs/results/tree.h"
#include "support/json.h"

bool same_columns(const struct shape *left, const struct shape *right) {
    return strcmp(left->tool, right->tool) == 0 && strcmp(left->report, right->report) == 0 &&
           json_equal(json_object_get(left->header, "columns"), json_object_get(right->header, "columns"));
}

void selections_add(struct store *store, struct selections *selections, int64_t report, uint32_t shape) {
    struct selection *at = selections->list;
    while (at < selections->list + selections->count && !same_columns(at->shape, &store->shapes[shape]))
        at++;
    if (at == selections->list + selections->count) {
        ARENA_RESERVE(store->arena, selections->list, selections->count, selections->capacity);
        at = &selections->list[selections->count++];
        struct shape *copy = arena_allocate(store->arena, sizeof *copy); /* the store's list may move */
        *copy = store->shapes[shape];
        *at = (struct selection){.shape = copy};
    }
    int64_t *reports = arena_allocate(store->arena, (at->report_count + 1) * sizeof *reports);
    uint32_t *shapes = arena_allocate(store->arena, (at->report_count + 1) * sizeof *shapes);
    if (at->report_count) {
        memcpy(reports, at->reports, at->report_count * sizeof *reports);
        memcpy(shapes, at->shapes, at->report_count * sizeof *shapes);
    }
    reports[at->report_count] = report;
    shapes[at->report_count] = (uint32_t)store->shapes[shape].id;
    at->reports = reports;
    at->shapes = shapes;
    at->report_count++;
}

static bool tells_row(const struct row_column *column) {
    return column->role == ROW_KEY || column->role == ROW_LABEL;
}

/* The column whose title begins a list of titles: the column with the longest such title, since titles may
   contain commas. Only visible columns count, since hidden columns are named after the page's variables.
   NULL: there is none. */
static const struct row_column *column_at_title(const struct shape *shape, const char *titles) {
    const struct row_column *best = NULL;
    size_t longest = 0;
    for (uint32_t i = 0; i < shape->column_count; i++) {
        const struct row_column *column = &shape->columns[i];
        size_t length = strlen(column->title);
        if (!tells_row(column) || strncasecmp(column->title, titles, length) != 0 ||
            (titles[length] && titles[length] != ','))
            continue;
        if (!best || length > longest || (length == longest && best->hidden && !column->hidden)) {
            best = column;
            longest = length;
        }
    }
    return best;
}

/* The titles of visible key columns. */
static const char **titles_of(struct store *store, const struct shape *shape, uint32_t *count) {
    const char **titles = arena_allocate(store->arena, (shape->column_count + 1) * sizeof *titles);
    *count = 0;
    for (uint32_t i = 0; i < shape->column_count; i++)
        if (tells_row(&shape->columns[i]) && !shape->columns[i].hidden)
            titles[(*count)++] = shape->columns[i].title;
    return titles;
}

const char *selection_title(struct store *store, const struct shape *shape) {
    uint32_t count, procedure = 0;
    const char **titles = titles_of(store, shape, &count);
    while (procedure < count && strcmp(titles[procedure], "Procedure") != 0)
        procedure++;
    const char *title = procedure < count ? titles[procedure] : count ? titles[0] : NULL;
    const struct row_column *time = shape_time(shape);
    return time && title != time->title ? arena_format(store->arena, "%s,%s", time->title, title) : title;
}

static void report_no_column(struct store *store, const struct shape *shape, const char *titles) {
    uint32_t count;
    const char **known = titles_of(store, shape, &count), *list = "";
    const char *title = arena_string(store->arena, titles, strcspn(titles, ","));
    const char *nearest = nearest_name(title, known, count);
    for (uint32_t i = 0; i < count; i++)
        list = arena_format(store->arena, "%s%s%s", list, i ? ", " : "", known[i]);
    diagnose(store->diagnostics, NULL, MESSAGE_NO_COLUMN, shape->report, title);
    if (nearest)
        diagnose_hint(store->diagnostics, "did you mean '%s'?", nearest);
    else if (count)
        diagnose_hint(store->diagnostics, "such columns are: %s", list);
}

static bool set_by_titles(struct store *store, struct selection *selection, const char *titles) {
    const struct shape *shape = selection->shape;
    for (const char *at = titles; *at; at += at[0] == ',') {
        const struct row_column *column = column_at_title(shape, at);
        if (!column) {
            report_no_column(store, shape, at);
            return false;
        }
        for (uint32_t i = 0; i < shape->column_count; i++)
            if (tells_row(&shape->columns[i]) && shape->columns[i].hidden == column->hidden &&
                strcasecmp(shape->columns[i].title, column->title) == 0)
                selection->by[i] = true;
        at += strlen(column->title);
    }
    const struct row_column *time = shape_time(shape);
    if (!time || selection->by[time - shape->columns])
        return true;
    diagnose(store->diagnostics, NULL, MESSAGE_MERGE_TIMES, shape->report);
    diagnose_hint(store->diagnostics, "--by=%s,%s keeps them apart; the table %.*s has those of the end",
                  time->title, titles, (int)(strlen(shape->report) - strlen(" by ") - strlen(time->title)),
                  shape->report);
    return false;
}

bool selection_choose(struct store *store, struct selection *selection, const char *titles) {
    const struct shape *shape = selection->shape;
    uint32_t node, parent;
    bool keys = false, has_nodes = row_tree(shape->columns, shape->column_count, &node, &parent);
    selection->by = arena_allocate(store->arena, shape->column_count * sizeof(bool));
    selection->shown = arena_allocate(store->arena, shape->column_count * sizeof(bool));
    if (titles && !set_by_titles(store, selection, titles))
        return false;
    for (uint32_t i = 0; i < shape->column_count && !titles; i++)
        keys |= selection->by[i] = shape->columns[i].role == ROW_KEY;
    for (uint32_t i = 0; i < shape->column_count && !titles && (!keys || has_nodes); i++)
        selection->by[i] = tells_row(&shape->columns[i]); /* siblings differ in a label */
    /* A property of a place is known for rows combined by places, not for groups of them. */
    for (uint32_t i = 0; i < shape->column_count; i++)
        selection->shown[i] = selection->by[i] || shape->columns[i].role == ROW_MEASURE || !titles;
    if (!has_nodes)
        return true;
    bool good = selection->as_written || tree_place(store, selection);
    selection->by[node] = selection->shown[node] = selection->shown[parent] = true;
    return good;
}

uint32_t selection_measure(const struct selection *selection) {
    const struct shape *shape = selection->shape;
    uint32_t i = 0;
    while (i < shape->column_count && (shape->columns[i].merge != ROW_SUM ||
                                       shape->columns[i].role != ROW_MEASURE || shape->columns[i].hidden))
        i++;
    return i;
}

void column_write(const struct selection *selection, uint32_t number, FILE *stream) {
    if (selection->values && selection->values[number])
        fputs(selection->values[number], stream);
    else
        fprintf(stream, "c%u", number);
}

/* The rows of a report, whose nodes are identified by the numbers of their paths. */
static void write_placed(const struct selection *selection, uint32_t report, uint32_t node, uint32_t parent,
                         FILE *stream) {
    fputs("SELECT data.report, data.row", stream);
    for (uint32_t i = 0; i < selection->shape->column_count; i++)
        if (i == node || i == parent)
            fprintf(stream, ", place.%s AS c%u", i == node ? "path" : "parent", i);
        else {
            fputs(", ", stream);
            column_write(selection, i, stream);
            fprintf(stream, " AS c%u", i);
        }
    fprintf(stream,
            " FROM data_%u AS data JOIN temp.place AS place ON place.report = data.report AND place.row = "
            "data.row WHERE data.report = %lld",
            selection->shapes[report], (long long)selection->reports[report]);
}

/* The rows of a report that is no tree. */
static void write_plain_rows(const struct selection *selection, uint32_t report, FILE *stream) {
    fputs("SELECT report, row", stream);
    for (uint32_t i = 0; i < selection->shape->column_count; i++) {
        fputs(", ", stream);
        column_write(selection, i, stream);
        fprintf(stream, " AS c%u", i);
    }
    fprintf(stream, " FROM data_%u WHERE report = %lld", selection->shapes[report],
            (long long)selection->reports[report]);
}

/* All rows of the reports. */
static void write_source(const struct selection *selection, FILE *stream) {
    uint32_t node, parent;
    bool has_nodes = row_tree(selection->shape->columns, selection->shape->column_count, &node, &parent);
    fputc('(', stream);
    for (uint32_t i = 0; i < selection->report_count; i++) {
        fputs(i ? " UNION ALL " : "", stream);
        if (has_nodes)
            write_placed(selection, i, node, parent, stream);
        else
            write_plain_rows(selection, i, stream);
    }
    fputc(')', stream);
}

bool selection_totals(struct store *store, const struct selection *selection, const bool *wanted,
                      struct cell *totals) {
    const struct shape *shape = selection->shape;
    char *sql = NULL;
    size_t size;
    FILE *stream = open_memstream(&sql, &size);
    fputs("SELECT NULL", stream);
    for (uint32_t i = 0; i < shape->column_count; i++)
        if (wanted[i]) {
            fputs(", CASE WHEN ", stream);
            shape_write_addable(shape, i, stream);
            fprintf(stream,
                    shape->columns[i].type == ROW_REAL ? " THEN total(c%u) END"
                                                       : " THEN ifnull(sum(c%u), 0) END",
                    i);
        }
    fputs(" FROM ", stream);
    write_source(selection, stream);
    fputs(" WHERE ", stream);
    shape_write_parts(shape, stream);
    fclose(stream);
    sqlite3_stmt *query = store_prepare(store, sql);
    free(sql);
    bool good = query && sqlite3_step(query) == SQLITE_ROW;
    int at = 1;
    for (uint32_t i = 0; i < shape->column_count; i++) {
        totals[i] = (struct cell){true, {.integer = 0}};
        if (!wanted[i] || !good)
            continue;
        totals[i].missing = sqlite3_column_type(query, at) == SQLITE_NULL;
        if (shape->columns[i].type == ROW_REAL)
            totals[i].value.real = sqlite3_column_double(query, at++);
        else
            totals[i].value.integer = sqlite3_column_int64(query, at++);
    }
    sqlite3_finalize(query);
    return good;
}

void merged_write(const struct row_column *column, uint32_t number, FILE *stream) {
    switch (column->merge) {
    case ROW_SAME:
    case ROW_LEAST:
        fprintf(stream, "min(c%u)", number);
        break;
    case ROW_GREATEST:
        fprintf(stream, "max(c%u)", number);
        break;
    case ROW_SUM:
        fprintf(stream, "sum(c%u)", number);
        break;
    case ROW_RATIO:
        if (column->type == ROW_INTEGER)
            fprintf(stream, "ifnull(sum(c%u) / nullif(sum(c%u), 0), 0)", column->of[0], column->of[1]);
        else
            fprintf(stream, "ifnull(%s * sum(c%u) / nullif(sum(c%u), 0), 0)",
                    strcmp(column->unit, "percent") == 0 ? "100.0" : "1.0", column->of[0], column->of[1]);
        break;
    case ROW_SHARE: /* for a single row, and if a sum has no meaning, the value is unchanged */
    case ROW_NONE:
        fprintf(stream, "CASE count(*) WHEN 1 THEN min(c%u) END", number);
        break;
    }
}

static void write_value(const struct selection *selection, uint32_t number, FILE *stream) {
    const struct row_column *column = &selection->shape->columns[number];
    if (!selection->shown[number]) {
        fputs("NULL", stream);
    } else if (selection->by[number] && (column->merge == ROW_SAME || column->merge == ROW_LEAST)) {
        fprintf(stream, "c%u", number);
    } else if (column->merge == ROW_SHARE) {
        fprintf(stream, "ifnull(100.0 * sum(c%u) / nullif((SELECT sum(c%u) FROM ", column->of[0],
                column->of[0]);
        write_source(selection, stream);
        fputs("), 0), 0)", stream);
    } else {
        merged_write(column, number, stream);
    }
}

/* The rows unchanged. */
static void write_as_written(const struct selection *selection, FILE *stream) {
    for (uint32_t i = 0; i < selection->shape->column_count; i++)
        fprintf(stream, "%sc%u", i ? ", " : "SELECT ", i);
    fprintf(stream, " FROM data_%u WHERE report = %lld", selection->shapes[0],
            (long long)selection->reports[0]);
}

void selection_write(const struct selection *selection, FILE *stream) {
    bool grouped = false;
    if (selection->as_written) {
        write_as_written(selection, stream);
        return;
    }
    fputs("SELECT ", stream);
    for (uint32_t i = 0; i < selection->shape->column_count; i++) {
        fputs(i ? ", " : "", stream);
        write_value(selection, i, stream);
        fprintf(stream, " AS c%u", i);
    }
    fputs(" FROM ", stream);
    write_source(selection, stream);
    fputs(" GROUP BY ", stream);
    for (uint32_t i = 0; i < selection->shape->column_count; i++)
        if (selection->by[i]) {
            fprintf(stream, "%sc%u", grouped ? ", " : "", i);
            grouped = true;
        }
    if (!grouped) /* a table of one row */
        fputs("NULL", stream);
}

sqlite3_stmt *selection_prepare(struct store *store, const struct selection *selection, uint32_t order) {
    char *sql = NULL;
    size_t size;
    FILE *stream = open_memstream(&sql, &size);
    selection_write(selection, stream);
    fprintf(stream, " ORDER BY c%u", order);
    fclose(stream);
    sqlite3_stmt *query = store_prepare(store, sql);
    free(sql);
    return query;
}

/* ---- what is said of it ---------------------------------------------------------------------------------- */

/* True if all reports have the same value of that column as the first. */
static bool is_column_same(struct store *store, const struct selection *selection, const char *column) {
    char *sql =
        format_string("SELECT (SELECT %s FROM report WHERE id = ?1) IS (SELECT %s FROM report WHERE id = ?2)",
                      column, column);
    sqlite3_stmt *ask = store_prepare(store, sql);
    bool one = ask != NULL;
    free(sql);
    for (uint32_t i = 1; i < selection->report_count && one; i++) {
        sqlite3_bind_int64(ask, 1, selection->reports[0]);
        sqlite3_bind_int64(ask, 2, selection->reports[i]);
        one = sqlite3_step(ask) == SQLITE_ROW && sqlite3_column_int(ask, 0);
        sqlite3_reset(ask);
    }
    sqlite3_finalize(ask);
    return one;
}

bool is_one_program(struct store *store, const struct selection *selection) {
    return is_column_same(store, selection, "program");
}

bool has_one_parameters(struct store *store, const struct selection *selection) {
    return is_column_same(store, selection, "parameters");
}

static const char *ask_text(struct store *store, const char *sql, int64_t report) {
    sqlite3_stmt *ask = store_prepare(store, sql);
    const char *said = "";
    if (!ask)
        return said;
    sqlite3_bind_int64(ask, 1, report);
    if (sqlite3_step(ask) == SQLITE_ROW)
        said = arena_format(store->arena, "%s", (const char *)sqlite3_column_text(ask, 0));
    sqlite3_finalize(ask);
    return said;
}

const char *program_of(struct store *store, const struct selection *selection) {
    return ask_text(store, "SELECT name FROM program WHERE id = (SELECT program FROM report WHERE id = ?1)",
                    selection->reports[0]);
}

const char *digest_of(struct store *store, const struct selection *selection) {
    if (!is_one_program(store, selection))
        return "";
    return ask_text(store, "SELECT digest FROM program WHERE id = (SELECT program FROM report WHERE id = ?1)",
                    selection->reports[0]);
}

json_t *parameters_of(struct store *store, const struct selection *selection) {
    return json_loads(ask_text(store, "SELECT parameters FROM report WHERE id = ?1", selection->reports[0]),
                      0, NULL);
}

json_t *selection_header(struct store *store, const struct selection *selection, const char *by) {
    json_t *header = json_deep_copy(selection->shape->header);
    if (is_one_program(store, selection)) { /* then the result can be merged with other results of that
                                               program */
        json_object_set_new(header, "program", json_text(program_of(store, selection)));
        json_object_set_new(header, "program_digest", json_text(digest_of(store, selection)));
    }
    json_object_set_new(header, "parameters", parameters_of(store, selection));
    json_object_set_new(header, "process", json_integer(0));
    json_object_set_new(header, "parent", json_integer(0));
    json_object_set_new(header, "merged", json_integer(selection->report_count));
    if (by)
        json_object_set_new(header, "by", json_string(by));
    return header;
}
