/* procedures.c: the procedures of a program, which are stored on the first request, with the counts of a
   run; and one procedure: its blocks, edges, loops and instructions. */
#include <inttypes.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "support/demangle.h"
#include "support/json.h"
#include "workbench/project/programs.h"
#include "workbench/project/tables.h"

static int64_t address_of(const json_t *object, const char *key) {
    const char *text = dump_text(object, key);
    return text ? (int64_t)strtoull(text, NULL, 16) : 0;
}

/* ---- the list ----------------------------------------------------------------------------------------- */

struct listing {
    int64_t program;
    const json_t *lines;
};

static bool bind_text_number(sqlite3 *database, sqlite3_stmt *insert, int place, const char *text) {
    int64_t number = text && *text ? text_number(database, text) : 0;
    if (text && *text && !number)
        return false;
    return (number ? sqlite3_bind_int64(insert, place, number) : sqlite3_bind_null(insert, place)) ==
           SQLITE_OK;
}

static bool insert_procedure(sqlite3 *database, sqlite3_stmt *insert, const json_t *line) {
    static const char *const numbers[] = {"object", "line", "size", "blocks", "instructions"};
    bool good = bind_text_number(database, insert, 8, dump_text(line, "name")) &&
                bind_text_number(database, insert, 9, dump_text(line, "demangled")) &&
                bind_text_number(database, insert, 10, dump_text(line, "file"));
    sqlite3_bind_int64(insert, 2, address_of(line, "pc"));
    for (int i = 0; i < 5; i++)
        sqlite3_bind_int64(insert, 3 + i, json_integer_value(json_object_get(line, numbers[i])));
    sqlite3_bind_text(insert, 11, dump_text(line, "shape"), -1, SQLITE_STATIC);
    good = good && sqlite3_step(insert) == SQLITE_DONE;
    sqlite3_reset(insert);
    return good;
}

static bool insert_procedures(sqlite3 *database, void *argument) {
    const struct listing *listing = argument;
    sqlite3_stmt *insert =
        statement(database,
                  "INSERT OR REPLACE INTO procedure(program, pc, object, line, size, blocks, instructions, "
                  "name, demangled, file, shape) VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)",
                  "i", listing->program);
    const json_t *line;
    size_t i;
    bool good = insert != NULL;
    sqlite3_stmt *folder =
        statement(database, "INSERT OR IGNORE INTO compiled_in(program, folder) SELECT ?1, ?2 WHERE ?2 <> ''",
                  "i", listing->program);
    json_array_foreach(listing->lines, i, line) {
        good = good && folder && insert_procedure(database, insert, line);
        if (good) {
            sqlite3_bind_text(folder, 2, dump_text(line, "folder"), -1, SQLITE_STATIC);
            good = sqlite3_step(folder) == SQLITE_DONE;
            sqlite3_reset(folder);
        }
    }
    sqlite3_finalize(folder);
    sqlite3_finalize(insert);
    return good;
}

static bool are_procedures_listed(struct request *request, int64_t program) {
    return statement_number(statement(request->database, "SELECT 1 FROM procedure WHERE program = ?1 LIMIT 1",
                                      "i", program),
                            0) == 1;
}

bool program_list_procedures(struct request *request, struct answer *answer,
                             const struct known_program *program) {
    if (are_procedures_listed(request, program->id))
        return true;
    json_t *lines = program_dump(request, answer, program, "procedures", NULL, NULL);
    struct listing listing = {program->id, lines};
    int code = lines ? project_write(request->project, insert_procedures, &listing) : SQLITE_OK;
    bool good = lines && code == SQLITE_OK;
    answer_database(answer, code);
    json_decref(lines);
    return good;
}

/* ---- counts of a run ---------------------------------------------------------------------------------- */

/* A column of numbers in a run's tables that have addresses of the program. */
struct metric {
    int64_t run, shape;
    int key, measure;
    const char *title, *unit, *report;
};

/* The requested run, or the latest with counts. False: there is no such run. */
static bool find_metric(struct request *request, int64_t program, struct metric *metric) {
    static const char sql[] =
        "SELECT run.id, shape.id, key.number, measure.number, measure.title, measure.unit, shape.report "
        "FROM run JOIN report ON report.run = run.id JOIN shape ON shape.id = report.shape "
        "JOIN shape_column key ON key.shape = shape.id AND key.type = 'address' AND key.role = 'key' AND "
        "key.number = "
        "(SELECT min(number) FROM shape_column WHERE shape = shape.id AND type = 'address' AND role = 'key') "
        "JOIN shape_column measure ON measure.shape = shape.id AND measure.type = 'integer' AND "
        "measure.merge = 'sum' "
        "WHERE report.program = ?1 AND (?2 = 0 OR run.id = ?2) AND report.rows > 0 "
        "AND NOT EXISTS (SELECT 1 FROM shape_column WHERE shape = shape.id AND role = 'node') "
        "ORDER BY run.id DESC, measure.title <> 'Instructions', key.attribute <> 'proc.pc', report.number, "
        "measure.number";
    sqlite3_stmt *row = statement(request->database, sql, "ii", program,
                                  (int64_t)request_number(request, "run", 0, 0, INT32_MAX));
    bool found = next_row(row);
    if (found)
        *metric =
            (struct metric){sqlite3_column_int64(row, 0),
                            sqlite3_column_int64(row, 1),
                            sqlite3_column_int(row, 2),
                            sqlite3_column_int(row, 3),
                            arena_format(request->arena, "%s", (const char *)sqlite3_column_text(row, 4)),
                            arena_format(request->arena, "%s", (const char *)sqlite3_column_text(row, 5)),
                            arena_format(request->arena, "%s", (const char *)sqlite3_column_text(row, 6))};
    sqlite3_finalize(row);
    return found;
}

/* Counts by procedure, as a table of SQL. */
static const char *counts_sql(struct request *request, int64_t program, const struct metric *metric) {
    if (!metric)
        return "counts(pc, count) AS (SELECT NULL, NULL WHERE 0)";
    const char *key = arena_format(request->arena, "d.c%d", metric->key);
    return arena_format(request->arena,
                        "counts(pc, count) AS (SELECT (SELECT p.pc FROM procedure p WHERE p.program = ?1 AND "
                        "p.pc <= d.pc ORDER BY p.pc DESC LIMIT 1), sum(d.count) FROM (SELECT %s AS pc, d.c%d "
                        "AS count FROM data_%" PRId64 " d WHERE d.report IN "
                        "(SELECT id FROM report WHERE run = %" PRId64 " AND shape = %" PRId64
                        ") AND %s) d WHERE d.pc IS NOT NULL GROUP BY 1)",
                        listed_address(request, program, metric->run, key), metric->measure, metric->shape,
                        metric->run, metric->shape, table_parts(request, metric->shape));
}

/* ---- the requests ------------------------------------------------------------------------------------- */

/* The possible keys for sorting, and the columns that hold them. */
static const char *const orders[][2] = {
    {"pc", "p.pc"},
    {"own", "f.value IS NULL"}, /* procedures that have a source first */
    {"name", "coalesce(d.value, n.value) COLLATE NOCASE"},
    {"object", "p.object"},
    {"file", "f.value"},
    {"line", "p.line"},
    {"size", "p.size"},
    {"blocks", "p.blocks"},
    {"instructions", "p.instructions"},
    {"count", "coalesce(c.count, 0)"},
};

static const char *order_of(struct request *request, bool has_counts) {
    const char *asked = request_query(request, "sort");
    asked = asked && *asked ? asked : has_counts ? "-count" : "own";
    const char *direction = *asked == '-' ? "DESC" : "ASC";
    asked += *asked == '-';
    for (size_t i = 0; i < sizeof orders / sizeof orders[0]; i++)
        if (strcmp(orders[i][0], asked) == 0)
            return arena_format(request->arena, "%s %s, p.pc", orders[i][1], direction);
    return "p.pc";
}

/* A pattern for LIKE: the text occurs anywhere. */
static const char *pattern_of(struct request *request, const char *text) {
    char *pattern = arena_allocate(request->arena, 2 * strlen(text) + 3);
    size_t length = 0;
    pattern[length++] = '%';
    for (; *text; text++) {
        if (strchr("%_\\", *text))
            pattern[length++] = '\\';
        pattern[length++] = *text;
    }
    pattern[length] = '%';
    return pattern;
}

/* Objects by their numbers, "0,2"; NULL: all. Other characters are ignored. */
static const char *objects_condition(struct request *request) {
    const char *asked = request_query(request, "objects");
    if (!asked)
        return "1";
    const char *list = "-1";
    for (const char *at = asked; *at; at += strcspn(at, ",") + (at[strcspn(at, ",")] == ','))
        list = arena_format(request->arena, "%s,%ld", list, strtol(at, NULL, 10));
    return arena_format(request->arena, "p.object IN (%s)", list);
}

static json_t *procedure_row(sqlite3_stmt *row) {
    json_t *procedure = json_object();
    json_object_set_new(procedure, "pc", column_address(row, 0));
    json_object_set_new(procedure, "name", column_text(row, 1));
    json_object_set_new(procedure, "demangled", column_text(row, 2));
    json_object_set_new(procedure, "object", column_integer(row, 3));
    json_object_set_new(procedure, "file", column_text(row, 4));
    json_object_set_new(procedure, "line", column_integer(row, 5));
    json_object_set_new(procedure, "size", column_integer(row, 6));
    json_object_set_new(procedure, "blocks", column_integer(row, 7));
    json_object_set_new(procedure, "instructions", column_integer(row, 8));
    json_object_set_new(procedure, "shape", column_text(row, 9));
    json_object_set_new(procedure, "count", column_integer(row, 10));
    return procedure;
}

static void get_procedures(struct request *request, struct answer *answer) {
    static const char tables[] =
        "FROM " NAMED_PROCEDURES " LEFT JOIN text f ON f.id = p.file LEFT JOIN counts c ON c.pc = p.pc WHERE "
        "p.program = ?1 AND (?2 IS "
        "NULL OR n.value LIKE ?2 ESCAPE '\\' "
        "OR d.value LIKE ?2 ESCAPE '\\' OR f.value LIKE ?2 ESCAPE '\\' OR (?3 >= "
        "p.pc AND ?3 < p.pc + p.size))";
    struct known_program program;
    struct metric metric = {0};
    if (!program_find(request, answer, request->number[0], &program) ||
        !program_list_procedures(request, answer, &program))
        return;
    bool has_counts = find_metric(request, program.id, &metric);
    const char *counts = counts_sql(request, program.id, has_counts ? &metric : NULL);
    const char *find = request_query(request, "find"),
               *like = find && *find ? pattern_of(request, find) : NULL;
    int64_t address = find && strncmp(find, "0x", 2) == 0 ? (int64_t)strtoull(find, NULL, 16) : -1;
    const char *objects = objects_condition(request);
    int64_t limit = request_number(request, "limit", 200, 1, 10000),
            offset = request_number(request, "offset", 0, 0, INT32_MAX);
    const char *rows_sql = arena_format(
        request->arena,
        "WITH %s SELECT p.pc, n.value, d.value, p.object, f.value, p.line, p.size, p.blocks, p.instructions, "
        "p.shape, c.count %s AND %s ORDER BY %s LIMIT ?4 OFFSET ?5",
        counts, tables, objects, order_of(request, has_counts));
    const char *sums_sql = arena_format(request->arena,
                                        "WITH %s SELECT count(*), sum(c.count), (SELECT sum(count) FROM "
                                        "counts), (SELECT count(*) FROM procedure WHERE "
                                        "program = ?1) %s AND %s",
                                        counts, tables, objects);
    json_t *rows = json_array(), *document = json_object();
    sqlite3_stmt *row =
        statement(request->database, rows_sql, "isiii", program.id, like, address, limit, offset);
    while (next_row(row))
        json_array_append_new(rows, procedure_row(row));
    sqlite3_finalize(row);
    row = statement(request->database, sums_sql, "isi", program.id, like, address);
    if (next_row(row)) {
        json_object_set_new(document, "shown", column_integer(row, 0));
        json_object_set_new(document, "sum", column_integer(row, 1));
        json_object_set_new(document, "whole", column_integer(row, 2));
        json_object_set_new(document, "total", column_integer(row, 3));
    }
    sqlite3_finalize(row);
    json_object_set_new(document, "run", has_counts ? json_integer(metric.run) : json_null());
    json_object_set_new(document, "metric",
                        has_counts ? json_pack("{s:o, s:o, s:o}", "title", json_text(metric.title), "unit",
                                               json_text(metric.unit), "report", json_text(metric.report))
                                   : json_null());
    json_object_set_new(document, "rows", rows);
    answer_json(answer, document);
}

/* ---- one procedure ------------------------------------------------------------------------------------ */

/* The most recent responses, which do not change. */
enum { KEPT_ANSWERS = 16, KEPT_BYTES = 1 << 18 };
static struct {
    pthread_mutex_t lock;
    struct {
        int64_t program, pc;
        char *text;
        size_t length;
    } answers[KEPT_ANSWERS];
    unsigned next;
} kept = {.lock = PTHREAD_MUTEX_INITIALIZER};

static bool answer_kept(struct answer *answer, int64_t program, int64_t pc) {
    char *copy = NULL;
    pthread_mutex_lock(&kept.lock);
    for (int i = 0; i < KEPT_ANSWERS && !copy; i++)
        if (kept.answers[i].text && kept.answers[i].program == program && kept.answers[i].pc == pc) {
            copy = duplicate_string(kept.answers[i].text);
            answer_text(answer, copy, kept.answers[i].length);
        }
    pthread_mutex_unlock(&kept.lock);
    return copy != NULL;
}

static void keep_listing(int64_t program, int64_t pc, const char *text, size_t length) {
    if (length > KEPT_BYTES || reading_failure() != SQLITE_OK)
        return;
    pthread_mutex_lock(&kept.lock);
    unsigned at = kept.next++ % KEPT_ANSWERS;
    free(kept.answers[at].text);
    kept.answers[at].program = program;
    kept.answers[at].pc = pc;
    kept.answers[at].text = duplicate_string(text);
    kept.answers[at].length = length;
    pthread_mutex_unlock(&kept.lock);
}

/* The keys of the line that are listed. */
static json_t *chosen_keys(const json_t *line, const char *const *keys) {
    json_t *chosen = json_object();
    for (; *keys; keys++)
        json_object_set(chosen, *keys, json_object_get(line, *keys));
    return chosen;
}

/* Groups the lines of --dump=cfg by their kind of place, with the keys that are shown. */
static void sort_places(json_t *document, const json_t *lines) {
    static const char *const block[] = {"pc",         "ninsts",         "file",   "line",
                                        "loop_depth", "loop",           "last",   "is_header",
                                        "is_entry",   "is_landing_pad", "cycles", NULL};
    static const char *const edge[] = {"from", "to", "kind", "is_back", NULL};
    static const char *const loop[] = {"header", "depth", "parent", "nblocks", "ninsts", NULL};
    static const struct {
        const char *place, *list, *const *keys;
    } places[] = {{"block", "blocks", block}, {"edge", "edges", edge}, {"loop", "loops", loop}};
    json_t *line;
    size_t i;
    for (size_t k = 0; k < 3; k++)
        json_object_set_new(document, places[k].list, json_array());
    json_array_foreach(lines, i, line) {
        const char *place = dump_text(line, "place");
        for (size_t k = 0; k < 3; k++)
            if (place && strcmp(place, places[k].place) == 0)
                json_array_append_new(json_object_get(document, places[k].list),
                                      chosen_keys(line, places[k].keys));
        if (place && strcmp(place, "proc") == 0)
            json_object_update_missing(document, line);
    }
}

/* The target of a call, or of a branch out of the procedure: the beginning of the target procedure, and its
   displayed name. */
static void name_callee(struct request *request, int64_t program, int64_t pc, int64_t size,
                        json_t *instruction) {
    int64_t to = address_of(instruction, "callee_pc");
    if (!to)
        to = address_of(instruction, "target");
    if (!to || (to >= pc && to < pc + size && !address_of(instruction, "callee_pc")))
        return;
    sqlite3_stmt *row =
        statement(request->database,
                  "SELECT pc, coalesce(d.value, n.value) FROM " NAMED_PROCEDURES " WHERE " PROCEDURE_BEFORE,
                  "ii", program, to);
    if (next_row(row)) {
        json_object_set_new(instruction, "to", column_address(row, 0));
        json_object_set_new(instruction, "to_name", column_text(row, 1));
    }
    sqlite3_finalize(row);
}

/* The source files of the instructions, with their lines. */
static json_t *list_line_sources(const json_t *instructions) {
    json_t *sources = json_array(), *by_path = json_object(), *instruction;
    size_t i;
    json_array_foreach(instructions, i, instruction) {
        const char *path = dump_text(instruction, "file");
        json_int_t line = json_integer_value(json_object_get(instruction, "line"));
        if (!path || !*path)
            continue;
        json_t *source = json_object_get(by_path, path);
        if (!source) {
            source = json_pack("{s:s, s:I, s:I, s:i}", "path", path, "first", line, "last", line,
                               "instructions", 0);
            json_object_set_new(by_path, path, source);
            json_array_append(sources, source);
        }
        json_int_t first = json_integer_value(json_object_get(source, "first")),
                   last = json_integer_value(json_object_get(source, "last"));
        json_object_set_new(source, "first", json_integer(line < first ? line : first));
        json_object_set_new(source, "last", json_integer(line > last ? line : last));
        json_object_set_new(source, "instructions",
                            json_integer(json_integer_value(json_object_get(source, "instructions")) + 1));
    }
    json_decref(by_path);
    return sources;
}

static void get_procedure(struct request *request, struct answer *answer) {
    struct known_program program;
    int64_t asked = (int64_t)request->number[1];
    if (!program_find(request, answer, request->number[0], &program) ||
        answer_kept(answer, program.id, asked) || !program_list_procedures(request, answer, &program))
        return;
    const char *only = arena_format(request->arena, "0x%" PRIx64, (uint64_t)asked);
    json_t *places = program_dump(request, answer, &program, "cfg", only, NULL);
    json_t *instructions =
        places ? program_dump(request, answer, &program, "instructions", only, NULL) : NULL;
    if (instructions) {
        json_t *document = json_object(), *instruction;
        size_t i;
        sort_places(document, places);
        int64_t pc = address_of(document, "pc"), size = json_integer_value(json_object_get(document, "size"));
        sqlite3_stmt *row = statement(request->database,
                                      "SELECT d.value, p.object, o.name, p.shape FROM " NAMED_PROCEDURES
                                      " LEFT JOIN program_object o ON o.program = p.program AND o.number = "
                                      "p.object WHERE p.program = ?1 AND p.pc = ?2",
                                      "ii", program.id, pc);
        if (next_row(row)) {
            json_object_set_new(document, "demangled", column_text(row, 0));
            json_object_set_new(document, "object", column_integer(row, 1));
            json_object_set_new(document, "object_name", column_text(row, 2));
            json_object_set_new(document, "shape", column_text(row, 3));
        }
        sqlite3_finalize(row);
        json_array_foreach(instructions, i, instruction) {
            name_callee(request, program.id, pc, size, instruction);
            json_object_del(instruction, "procedure");
        }
        json_object_set(document, "instructions", instructions);
        json_object_set_new(document, "sources", list_line_sources(instructions));
        json_object_set_new(document, "command",
                            program_dump_command(&program, "instructions", dump_text(document, "name")));
        char *text = json_dumps(document, JSON_COMPACT);
        json_decref(document);
        keep_listing(program.id, asked, text, strlen(text));
        answer_text(answer, text, strlen(text));
    }
    json_decref(places);
    json_decref(instructions);
}

/* ---- names -------------------------------------------------------------------------------------------- */

/* The procedures whose C++ names differ from their symbols: these names, and short forms of them. */
static void get_names(struct request *request, struct answer *answer) {
    struct known_program program;
    if (!program_find(request, answer, request->number[0], &program) ||
        !program_list_procedures(request, answer, &program))
        return;
    sqlite3_stmt *row = statement(request->database,
                                  "SELECT DISTINCT n.value, d.value FROM " NAMED_PROCEDURES
                                  " WHERE p.program = ?1 AND d.value IS NOT NULL",
                                  "i", program.id);
    json_t *names = json_object(), *shorter = json_object();
    while (next_row(row)) {
        const char *symbol = (const char *)sqlite3_column_text(row, 0);
        json_object_set_new(names, symbol, column_text(row, 1));
        struct arena *scratch = arena_create();
        json_object_set_new(shorter, symbol,
                            json_string(short_name(scratch, (const char *)sqlite3_column_text(row, 1))));
        arena_destroy(scratch);
    }
    sqlite3_finalize(row);
    answer_json(answer, json_pack("{s:o, s:o}", "names", names, "short", shorter));
}

const struct route procedures_routes[] = {
    {"GET", "/programs/#/names", get_names},
    {"GET", "/programs/#/procedures", get_procedures},
    {"GET", "/programs/#/procedures/#", get_procedure},
    {NULL, NULL, NULL},
};
