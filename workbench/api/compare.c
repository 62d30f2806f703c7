/* compare.c: two runs side by side: differences in their requests, and their tables by the rules of atomc
   diff (runs/results/compare.h). */
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "runs/results/display.h"
#include "runs/results/tree.h"
#include "support/json.h"
#include "workbench/api/comparing.h"
#include "workbench/project/programs.h"
#include "workbench/project/tables.h"

enum { MOST_ROWS = 10000 };

/* ---- which runs ---------------------------------------------------------------------------------------- */

/* The latest run before this run with one of its tools, of a program with the same name: a new build of a
   program is another program in the database. 0: there is none. */
static int64_t previous_run(struct request *request, int64_t run) {
    return statement_number(
        statement(
            request->database,
            "SELECT a.id FROM run AS a JOIN run AS b ON b.id = ?1 JOIN program AS p ON p.id = a.program "
            "JOIN program AS q ON q.id = b.program AND q.name = p.name WHERE a.id < b.id AND a.state IN "
            "('finished', 'stopped') AND EXISTS (SELECT 1 FROM run_tool AS s JOIN tool AS t ON t.id = "
            "s.tool JOIN run_tool AS u ON u.run = b.id JOIN tool AS v ON v.id = u.tool AND v.name = "
            "t.name AND v.package = t.package WHERE s.run = a.id) ORDER BY a.id DESC LIMIT 1",
            "i", run),
        0);
}

/* ---- differences of the two requests --------------------------------------------------------------------- */

/* The value as text; NULL: it was not given. */
static json_t *as_readable_text(json_t *value) {
    if (!value || json_is_null(value))
        return json_null();
    if (json_is_string(value))
        return json_incref(value);
    char *text = json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT | JSON_SORT_KEYS);
    json_t *copy = json_text(text);
    free(text);
    return copy;
}

static void add_difference(json_t *list, const char *what, const char *name, json_t *a, json_t *b) {
    if (a == b || (a && b && json_equal(a, b)))
        return;
    json_array_append_new(list, json_pack("{s:s, s:o, s:o, s:o}", "what", what, "name", json_text(name), "a",
                                          as_readable_text(a), "b", as_readable_text(b)));
}

/* The keys of both objects. */
static void add_differences(json_t *list, const char *what, json_t *a, json_t *b) {
    const char *key;
    json_t *value;
    json_object_foreach(a, key, value) add_difference(list, what, key, value, json_object_get(b, key));
    json_object_foreach(b, key, value) if (!json_object_get(a, key))
        add_difference(list, what, key, NULL, value);
}

/* The run in the form for add_differences(): {"program", "tools", "parameters", "request"}. NULL: there is no
   such run.
 */
static json_t *about_run(struct request *request, int64_t run, int64_t other) {
    sqlite3_stmt *ask = statement(
        request->database,
        "SELECT json_object('id', run.id, 'name', run.name, 'state', state, 'program', program, "
        "'program_name', "
        "ifnull(program.name, ''), 'digest', ifnull(program.digest, ''), 'kept', program.file IS NOT NULL, "
        "'started', started, 'seconds', seconds, 'folder', folder, 'repeatable', repeatable, 'facts', "
        "json_object('arguments', json(arguments), 'input', nullif(input, ''), 'objects', objects, "
        "'environment', request -> '$.environment', 'emulator', emulator, 'atomc', atomc, 'isolation', "
        "isolation), 'tools', (SELECT json_group_object(package || iif(package = '', '', '/') || name, "
        "substr(digest, 1, 12)) FROM run_tool JOIN tool ON tool.id = tool WHERE run = run.id), 'parameters', "
        "(SELECT json_group_object(tool.name || ': ' || p.name, p.value) FROM run_parameter AS p JOIN tool "
        "ON "
        "tool.id = p.tool WHERE p.run = run.id AND EXISTS (SELECT 1 FROM run_tool AS o JOIN tool AS t ON "
        "t.id = o.tool "
        "WHERE o.run = ?2 AND t.name = tool.name))) FROM run LEFT JOIN program ON program.id = run.program "
        "WHERE "
        "run.id = ?1",
        "ii", run, other);
    json_t *about = next_row(ask) ? json_loads((const char *)sqlite3_column_text(ask, 0), 0, NULL) : NULL;
    sqlite3_finalize(ask);
    return about;
}

static json_t *differences_json(json_t *a, json_t *b) {
    json_t *list = json_array();
    const char *digests[2] = {json_string_value(json_object_get(a, "digest")),
                              json_string_value(json_object_get(b, "digest"))};
    add_difference(list, "program", "name", json_object_get(a, "program_name"),
                   json_object_get(b, "program_name"));
    if (strcmp(digests[0], digests[1]) != 0)
        json_array_append_new(list, json_pack("{s:s, s:s, s:o, s:o}", "what", "program", "name", "build", "a",
                                              json_sprintf("%.12s", digests[0]), "b",
                                              json_sprintf("%.12s", digests[1])));
    add_differences(list, "tool", json_object_get(a, "tools"), json_object_get(b, "tools"));
    add_differences(list, "parameter", json_object_get(a, "parameters"), json_object_get(b, "parameters"));
    add_differences(list, "request", json_object_get(a, "facts"), json_object_get(b, "facts"));
    return list;
}

/* ---- which tables -------------------------------------------------------------------------------------- */

/* The tables of the run, combined by the rules of atomc diff for a folder. */
static bool find_tables(struct request *request, struct store *store, int64_t run,
                        struct selections *selections) {
    sqlite3_stmt *list =
        statement(request->database, "SELECT id, shape FROM report WHERE run = ?1 ORDER BY id", "i", run);
    bool good = list != NULL;
    while (good && next_row(list)) {
        uint32_t shape = store_shape(store, sqlite3_column_int64(list, 1));
        good = shape < store->shape_count;
        if (good)
            selections_add(store, selections, sqlite3_column_int64(list, 0), shape);
    }
    sqlite3_finalize(list);
    return good;
}

/* Both runs, and the pairs of their tables. */
struct pair {
    uint32_t a, b;
};
struct comparing {
    int64_t runs[2];
    struct diagnostics *diagnostics;
    struct store store;
    struct selections sides[2];
    struct pair *pairs;
    uint32_t pair_count;
    struct compared_runs compared;
};

static bool find_compared_run(struct request *request, struct answer *answer, const char *name,
                              int64_t *run) {
    const char *text = request_query(request, name);
    char *end = NULL;
    *run = text ? strtoll(text, &end, 10) : 0;
    if (!text || !*text || *end || *run <= 0) {
        answer_error(answer, 400, "GET /runs lists them", "%s= is the number of a run", name);
        return false;
    }
    if (statement_number(statement(request->database, "SELECT 1 FROM run WHERE id = ?1", "i", *run), 0) == 1)
        return true;
    answer_error(answer, 404, "it may have been deleted", "there is no run %" PRId64, *run);
    return false;
}

static void comparing_close(struct comparing *comparing) {
    if (!comparing->diagnostics)
        return;
    store_close(&comparing->store);
    diagnostics_destroy(comparing->diagnostics);
}

static void keep_first_problem(const struct diagnostic_parts *parts, void *context) {
    const char **message = context;
    if (!*message && strcmp(parts->severity, "error") == 0)
        *message = parts->message;
}

/* An unknown title is an error of the request. */
static void answer_failure(struct comparing *comparing, struct answer *answer) {
    const char *message = NULL;
    int code = sqlite3_errcode(comparing->store.database) & 0xff;
    diagnostics_visit(comparing->diagnostics, keep_first_problem, &message);
    if (code != SQLITE_OK && code != SQLITE_ROW && code != SQLITE_DONE)
        answer_database(answer, code);
    else if (message)
        answer_error(answer, 400, "by=TITLE,...: columns of places or names", "%s", message);
    else
        answer_database(answer, SQLITE_ERROR);
}

/* False: answered. The caller must close it in any case. */
static bool comparing_open(struct request *request, struct answer *answer, struct comparing *comparing) {
    *comparing = (struct comparing){.diagnostics = NULL};
    if (!find_compared_run(request, answer, "b", &comparing->runs[1]))
        return false;
    if (!request_query(request, "a")) {
        comparing->runs[0] = previous_run(request, comparing->runs[1]);
        if (!comparing->runs[0]) {
            answer_error(answer, 404, "run a tool of it again, or choose another run",
                         "there is no run before run %" PRId64 " with the same program and tool",
                         comparing->runs[1]);
            return false;
        }
    } else if (!find_compared_run(request, answer, "a", &comparing->runs[0])) {
        return false;
    }
    compared_list(request, comparing->runs);
    comparing->diagnostics = diagnostics_create();
    store_attach(&comparing->store, request->database, "project.sqlite", comparing->diagnostics);
    uint32_t capacity = 0;
    for (int side = 0; side < 2; side++)
        if (!find_tables(request, &comparing->store, comparing->runs[side], &comparing->sides[side])) {
            answer_failure(comparing, answer);
            return false;
        }
    for (uint32_t a = 0; a < comparing->sides[0].count; a++)
        for (uint32_t b = 0; b < comparing->sides[1].count; b++)
            if (same_columns(comparing->sides[0].list[a].shape, comparing->sides[1].list[b].shape)) {
                ARENA_RESERVE(request->arena, comparing->pairs, comparing->pair_count, capacity);
                comparing->pairs[comparing->pair_count++] = (struct pair){a, b};
            }
    return true;
}

static bool is_paired(const struct comparing *comparing, int side, uint32_t number) {
    for (uint32_t i = 0; i < comparing->pair_count; i++)
        if ((side ? comparing->pairs[i].b : comparing->pairs[i].a) == number)
            return true;
    return false;
}

/* The reason why a table has no counterpart: the other run has no table of that name, or only a table with
   other columns. */
static json_t *alone_json(const struct comparing *comparing) {
    json_t *list = json_array();
    for (int side = 0; side < 2; side++)
        for (uint32_t i = 0; i < comparing->sides[side].count; i++) {
            const struct shape *shape = comparing->sides[side].list[i].shape;
            const struct selections *others = &comparing->sides[!side];
            bool tool = false, report = false;
            if (is_paired(comparing, side, i))
                continue;
            for (uint32_t k = 0; k < others->count; k++) {
                bool same = strcmp(others->list[k].shape->tool, shape->tool) == 0;
                tool |= same;
                report |= same && strcmp(others->list[k].shape->report, shape->report) == 0;
            }
            char *why = report ? duplicate_string("its columns are others there")
                        : tool ? format_string("%s did not report it there", shape->tool)
                               : format_string("%s was not run there", shape->tool);
            json_array_append_new(list, json_pack("{s:s, s:o, s:o, s:o}", "side", side ? "b" : "a", "tool",
                                                  json_text(shape->tool), "report", json_text(shape->report),
                                                  "why", json_text(why)));
            free(why);
        }
    return list;
}

static int64_t row_count(struct request *request, const struct selection *selection) {
    int64_t rows = 0;
    for (uint32_t i = 0; i < selection->report_count; i++)
        rows += statement_number(
            statement(request->database, "SELECT rows FROM report WHERE id = ?1", "i", selection->reports[i]),
            0);
    return rows;
}

static const char *whole_folder(struct request *request, const char *folder) {
    return folder[0] == '/' ? folder
                            : arena_format(request->arena, "%s/%s", project_folder(request->project), folder);
}

/* The file from which a table of one process was read, for atomc diff; null: there are several files, or the
   file no longer exists. */
static json_t *compared_file_json(struct request *request, struct comparing *comparing, const char *folder,
                                  const struct selection *selection) {
    const char **files, *found = NULL;
    uint32_t count;
    if (selection->report_count != 1 || access(folder, R_OK) != 0 ||
        !find_rows_files(request->arena, comparing->diagnostics, folder, &files, &count))
        return json_null();
    int64_t number = statement_number(
        statement(request->database, "SELECT number FROM report WHERE id = ?1", "i", selection->reports[0]),
        0);
    const char *name = arena_format(request->arena, "/%s.%" PRId64 ".rows", selection->shape->tool, number);
    for (uint32_t i = 0; i < count; i++) {
        const char *at = strstr(files[i], name);
        if (at && !found)
            found = files[i];
        else if (at)
            return json_null();
    }
    return found ? json_text(found) : json_null();
}

static json_t *pairs_json(struct request *request, struct comparing *comparing, const char *const *folders) {
    json_t *list = json_array();
    for (uint32_t i = 0; i < comparing->pair_count; i++) {
        const struct selection *a = &comparing->sides[0].list[comparing->pairs[i].a];
        const struct selection *b = &comparing->sides[1].list[comparing->pairs[i].b];
        json_t *columns = json_array();
        for (uint32_t k = 0; k < a->shape->column_count; k++)
            json_array_append_new(columns, table_column_json(&a->shape->columns[k]));
        json_array_append_new(
            list, json_pack("{s:i, s:o, s:o, s:[I, I], s:[I, I], s:[i, i], s:b, s:o, s:[o, o]}", "number",
                            (int)i, "tool", json_text(a->shape->tool), "report", json_text(a->shape->report),
                            "tables", (json_int_t)a->reports[0], (json_int_t)b->reports[0], "rows",
                            (json_int_t)row_count(request, a), (json_int_t)row_count(request, b), "processes",
                            (int)a->report_count, (int)b->report_count, "tree", is_tree(a->shape), "columns",
                            columns, "files", compared_file_json(request, comparing, folders[0], a),
                            compared_file_json(request, comparing, folders[1], b)));
    }
    return list;
}

/* GET /compare */
static void get_compare(struct request *request, struct answer *answer) {
    struct comparing comparing;
    if (comparing_open(request, answer, &comparing)) {
        json_t *about[2] = {about_run(request, comparing.runs[0], comparing.runs[1]),
                            about_run(request, comparing.runs[1], comparing.runs[0])};
        const char *folders[2];
        for (int side = 0; side < 2; side++) {
            const char *folder = json_string_value(json_object_get(about[side], "folder"));
            folders[side] = whole_folder(request, folder ? folder : "");
        }
        if (about[0] && about[1])
            answer_json(answer,
                        json_pack("{s:O, s:O, s:o, s:o, s:o, s:[o, o]}", "a", about[0], "b", about[1],
                                  "differences", differences_json(about[0], about[1]), "tables",
                                  pairs_json(request, &comparing, folders), "alone", alone_json(&comparing),
                                  "folders", json_text(folders[0]), json_text(folders[1])));
        else /* deleted since the search */
            answer_error(answer, 404, "GET /runs lists them", "one of the runs is no longer there");
        json_decref(about[0]);
        json_decref(about[1]);
    }
    comparing_close(&comparing);
}

/* ---- rows ---------------------------------------------------------------------------------------------- */

static char *read_allowed(void *context, const char *path) {
    return source_read(context, path);
}

/* The requested table, compared. False: the request has been answered. compare_end() must be called in any
   case. */
static bool compare_table(struct request *request, struct answer *answer, struct comparing *comparing,
                          struct compared_table *comparison) {
    const char *table = request_query(request, "table"), *by = request_query(request, "by");
    const char *threshold = request_query(request, "threshold");
    char *end = NULL;
    unsigned long number = table ? strtoul(table, &end, 10) : 0;
    if (table && (!*table || *table < '0' || *table > '9' || *end || number >= comparing->pair_count)) {
        answer_error(answer, 404, "GET /compare lists them", "there is no such pair of tables");
        return false;
    }
    if (comparing->pair_count == 0) {
        answer_error(answer, 409, "GET /compare says why",
                     "run %" PRId64 " and run %" PRId64 " have no table in common", comparing->runs[0],
                     comparing->runs[1]);
        return false;
    }
    comparison->threshold = threshold ? strtod(threshold, &end) : 0.1;
    if (threshold && (!*threshold || *end || !(comparison->threshold >= 0 && comparison->threshold <= 100))) {
        answer_error(answer, 400, NULL, "threshold= is a number from 0 to 100");
        return false;
    }
    comparison->store = &comparing->store;
    comparison->sides[0] = comparing->sides[0].list[comparing->pairs[number].a];
    comparison->sides[1] = comparing->sides[1].list[comparing->pairs[number].b];
    comparison->by = by && *by ? by : NULL;
    comparison->reader = (struct source_reader){read_allowed, request};
    comparing->compared = (struct compared_runs){request, {comparing->runs[0], comparing->runs[1]}};
    comparison->code = (struct code_reader){compared_code, &comparing->compared};
    if (compare_rows(comparison))
        return true;
    answer_failure(comparing, answer);
    return false;
}

/* The parts of differing rows that are shown. */
enum group { GROUP_ALL, GROUP_MORE, GROUP_LESS, GROUP_OTHER, GROUP_COVERED, GROUP_UNCOVERED, GROUPS };
static const char *const group_words[GROUPS] = {"", "more", "less", "other", "covered", "uncovered"};

static bool read_group(struct request *request, struct answer *answer, enum group *group) {
    const char *word = request_query(request, "group");
    unsigned i = 0;
    while (word && i < GROUPS && strcmp(word, group_words[i]) != 0)
        i++;
    *group = (enum group)i;
    if (i == GROUPS)
        answer_error(answer, 400, "more, less, other, covered or uncovered", "there is no group %s", word);
    return i < GROUPS;
}

/* True if it was executed in that run. */
static bool is_executed_in(const struct compared_table *comparison, const struct compared *row, int side) {
    const struct shape *shape = comparison->sides[0].shape;
    return comparison->measure < shape->column_count &&
           compared_number(&shape->columns[comparison->measure], &row->sides[side][comparison->measure]) > 0;
}

static bool is_row_in_group(const struct compared_table *comparison, const struct compared *row,
                            enum group group) {
    bool executed[2] = {is_executed_in(comparison, row, 0), is_executed_in(comparison, row, 1)};
    switch (group) {
    case GROUP_MORE:
        return compared_group(row) == COMPARED_MORE;
    case GROUP_LESS:
        return compared_group(row) == COMPARED_LESS;
    case GROUP_OTHER:
        return compared_group(row) == COMPARED_OTHER;
    case GROUP_COVERED:
        return !executed[0] && executed[1];
    case GROUP_UNCOVERED:
        return executed[0] && !executed[1];
    default:
        return true;
    }
}

/* The text to search for, also in the C++ names of procedures. */
struct wanted {
    const char *text;
    json_t *names; /* the linker's names of procedures that C++ writes with the text in it */
};

static struct wanted wanted_text(struct request *request, const char *text) {
    struct wanted wanted = {text, json_object()};
    sqlite3_stmt *row = statement(request->database,
                                  "SELECT DISTINCT n.value FROM " NAMED_PROCEDURES
                                  " WHERE instr(lower(d.value), lower(?1)) > 0",
                                  "s", text);
    while (next_row(row))
        json_object_set_new(wanted.names, (const char *)sqlite3_column_text(row, 0), json_true());
    sqlite3_finalize(row);
    return wanted;
}

/* A name is a text of its own, or a part of a path. */
static bool is_wanted_name(struct request *request, const struct wanted *wanted, const char *text) {
    if (strcasestr(text, wanted->text))
        return true;
    for (const char *at = text; json_object_size(wanted->names) > 0 && *at;) {
        size_t length = strcspn(at, ";");
        if (json_object_get(wanted->names, arena_string(request->arena, at, length)))
            return true;
        at += length + (at[length] == ';');
    }
    return false;
}

static bool has_text(struct request *request, const struct shown_columns *shown, const struct cell *cells,
                     const struct wanted *wanted) {
    for (uint32_t i = 0; i < shown->count; i++) {
        char address[32];
        const char *text =
            shown->columns[i].type == ROW_TEXT && !cells[i].missing ? cells[i].value.text : NULL;
        if (shown->columns[i].type == ROW_ADDRESS && !cells[i].missing) {
            snprintf(address, sizeof address, "0x%" PRIx64, (uint64_t)cells[i].value.integer);
            text = address;
        }
        if (text && shown->from[i].what != SHOWN_STATE && is_wanted_name(request, wanted, text))
            return true;
    }
    return false;
}

static void write_compared_cell(FILE *stream, enum row_type type, const struct cell *cell) {
    if (cell->missing) {
        fputs("null", stream);
    } else if (type == ROW_TEXT) {
        json_t *text = json_text(cell->value.text);
        json_dumpf(text, stream, JSON_ENCODE_ANY);
        json_decref(text);
    } else if (type == ROW_REAL) {
        fprintf(stream, "%.15g", cell->value.real);
    } else if (type == ROW_ADDRESS) {
        fprintf(stream, "\"0x%" PRIx64 "\"", (uint64_t)cell->value.integer);
    } else {
        bool large = cell->value.integer > 9007199254740991 || cell->value.integer < -9007199254740991;
        fprintf(stream, large ? "\"%" PRId64 "\"" : "%" PRId64, cell->value.integer);
    }
}

static json_t *shown_json(const struct shown_columns *shown) {
    json_t *columns = json_array();
    for (uint32_t i = 0; i < shown->count; i++) {
        json_t *column = shown->columns[i].unit ? table_column_json(&shown->columns[i]) : json_object();
        json_object_set_new(column, "shown", json_string(shown_words[shown->from[i].what]));
        json_object_set_new(column, "column", json_integer(shown->from[i].column));
        json_array_append_new(columns, column);
    }
    return columns;
}

/* A summary of all rows. */
static json_t *comparison_summary_json(struct compared_table *comparison, const struct shown_columns *shown) {
    uint32_t columns = comparison->sides[0].shape->column_count, gone = 0, added = 0;
    for (uint32_t i = 0; i < comparison->count; i++) {
        added += !comparison->rows[i].in[0];
        gone += !comparison->rows[i].in[1];
    }
    json_t *summary = json_pack(
        "{s:o, s:b, s:i, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:f, s:o}", "by",
        comparison->by       ? json_text(comparison->by)
        : comparison->titles ? json_text(comparison->titles)
                             : json_null(),
        "other_build", comparison->other_build, "unread", (int)comparison->unread, "more",
        (json_int_t)comparison->groups[COMPARED_MORE], "less", (json_int_t)comparison->groups[COMPARED_LESS],
        "other", (json_int_t)comparison->groups[COMPARED_OTHER], "new", (json_int_t)added, "gone",
        (json_int_t)gone, "equal", (json_int_t)comparison->equal, "below", (json_int_t)comparison->below,
        "threshold", comparison->threshold, "columns", shown_json(shown));
    json_object_set_new(summary, "same_procedures",
                        comparison->by_code ? json_integer(comparison->same_procedures) : json_null());
    json_object_set_new(summary, "procedures",
                        comparison->by_code ? json_integer(comparison->procedures) : json_null());
    json_object_set_new(summary, "measure",
                        comparison->measure < columns ? json_integer(comparison->measure) : json_null());
    json_object_set_new(summary, "totals", compare_totals_json(comparison));
    return summary;
}

static void write_compared_rows(struct request *request, struct compared_table *comparison, enum group group,
                                FILE *stream) {
    const char *find = request_query(request, "find");
    long offset = request_number(request, "offset", 0, 0, INT32_MAX);
    long limit = request_number(request, "limit", 100, 0, MOST_ROWS), place = 0;
    struct shown_columns shown;
    compare_columns(comparison, &shown);
    json_t *summary = comparison_summary_json(comparison, &shown);
    char *text = json_dumps(summary, JSON_COMPACT);
    fprintf(stream, "%.*s,\"rows\":[", (int)strlen(text) - 1, text);
    free(text);
    json_decref(summary);
    struct cell *cells = arena_allocate(request->arena, shown.count * sizeof *cells);
    struct wanted wanted = {NULL, NULL};
    if (find && *find)
        wanted = wanted_text(request, find);
    for (uint32_t i = 0; i < comparison->count; i++) {
        if (!is_row_in_group(comparison, &comparison->rows[i], group))
            continue;
        bool here = place >= offset && place < offset + limit;
        if (here || wanted.text)
            compare_cells(comparison, &shown, &comparison->rows[i], cells);
        if (wanted.text && !has_text(request, &shown, cells, &wanted))
            continue;
        here = place >= offset && place < offset + limit;
        if (here)
            fputs(place > offset ? ",\n[" : "[", stream);
        for (uint32_t k = 0; k < shown.count && here; k++) {
            fputs(k ? "," : "", stream);
            write_compared_cell(stream, shown.columns[k].type, &cells[k]);
        }
        fputs(here ? "]" : "", stream);
        place++;
    }
    fprintf(stream, "],\"shown\":%ld}", place);
    json_decref(wanted.names);
}

/* GET /compare/rows */
static void get_compared_rows(struct request *request, struct answer *answer) {
    struct comparing comparing;
    struct compared_table comparison = {.arena = NULL};
    enum group group;
    if (comparing_open(request, answer, &comparing) && read_group(request, answer, &group) &&
        compare_table(request, answer, &comparing, &comparison)) {
        char *text = NULL;
        size_t length;
        FILE *stream = open_memstream(&text, &length);
        write_compared_rows(request, &comparison, group, stream);
        fclose(stream);
        answer_text(answer, text, length);
    }
    if (comparison.store)
        compare_end(&comparison);
    comparing_close(&comparing);
}

/* GET /compare/tree */
static void get_compared_tree(struct request *request, struct answer *answer) {
    struct comparing comparing;
    struct compared_table comparison = {.arena = NULL, .keep_all = true};
    if (comparing_open(request, answer, &comparing) &&
        compare_table(request, answer, &comparing, &comparison)) {
        if (!is_tree(comparison.sides[0].shape)) {
            answer_error(answer, 409, "hiprof, dynmem with -D callers=30 and tools with $stack write trees",
                         "this table is no tree");
        } else {
            char *text = NULL;
            size_t length;
            FILE *stream = open_memstream(&text, &length);
            compared_tree_write(&comparison, stream);
            fclose(stream);
            answer_text(answer, text, length);
        }
    }
    if (comparison.store)
        compare_end(&comparison);
    comparing_close(&comparing);
}

/* GET /export/compare/: the bytes of atomc diff --format=csv and json. */
static void export_compare(struct request *request, struct answer *answer) {
    struct comparing comparing;
    struct compared_table comparison = {.arena = NULL};
    bool csv = strcmp(request->name[0], "table.csv") == 0;
    if (!csv && strcmp(request->name[0], "table.json") != 0) {
        answer_error(answer, 404, "table.csv or table.json", "comparisons are not exported as %s",
                     request->name[0]);
        return;
    }
    if (comparing_open(request, answer, &comparing) &&
        compare_table(request, answer, &comparing, &comparison)) {
        int file = memfd_create("export", MFD_CLOEXEC), copy = file >= 0 ? dup(file) : -1;
        FILE *stream = copy >= 0 ? fdopen(copy, "w") : NULL;
        if (stream) {
            compare_print(&comparison, csv ? PRINT_CSV : PRINT_JSON, NULL, stream);
            fclose(stream);
            lseek(file, 0, SEEK_SET);
            answer_file(answer, csv ? "text/csv; charset=utf-8" : "application/json",
                        csv ? "comparison.csv" : "comparison.json", file);
        } else {
            if (file >= 0)
                close(file);
            answer_error(answer, 500, NULL, "there is no memory");
        }
    }
    if (comparison.store)
        compare_end(&comparison);
    comparing_close(&comparing);
}

const struct route compare_routes[] = {
    {"GET", "/compare", get_compare},
    {"GET", "/compare/rows", get_compared_rows},
    {"GET", "/compare/tree", get_compared_tree},
    {"GET", "/export/compare/*", export_compare},
    {NULL, NULL, NULL},
};
