/* runs.c: runs: requesting, listing, watching, stopping, naming, removing them. docs/job.md describes a run;
   project/runs.c executes it. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runs/results/ending.h"
#include "support/json.h"
#include "support/packages.h"
#include "workbench/project/archive.h"
#include "workbench/project/programs.h"
#include "workbench/project/project.h"
#include "workbench/project/runs.h"

/* ---- what is asked for -------------------------------------------------------------------------------- */

/* The path at a key of the object becomes absolute; it must be one that may be read. False: answered. */
static bool settle_path(struct request *request, struct answer *answer, json_t *object, const char *key) {
    const char *path = json_string_value(json_object_get(object, key));
    if (!path || !*path)
        return true; /* atomc reports the error */
    int file = path_open(request->project, path, 0);
    if (file < 0) {
        bool outside = errno == EXDEV;
        answer_error(answer, outside ? MHD_HTTP_FORBIDDEN : MHD_HTTP_BAD_REQUEST,
                     outside ? "allow the folder first" : NULL, "%s: %s", path,
                     outside ? "it is not below a folder that the workbench may read" : strerror(errno));
        answer_where(answer, json_pack("{s:o}", "path", json_text(path)));
        return false;
    }
    struct stat status;
    bool is_other =
        fstat(file, &status) == 0 && (status.st_mode & (S_ISUID | S_ISGID)) != 0 && S_ISREG(status.st_mode);
    close(file);
    if (is_other) {
        answer_error(answer, MHD_HTTP_BAD_REQUEST, "a copy without these rights can be used",
                     "%s: it runs with the rights of another user", path);
        return false;
    }
    char *full = path[0] == '/' ? duplicate_string(path)
                                : format_string("%s/%s", project_folder(request->project), path);
    char *real = path[0] == '/' ? NULL : realpath(full, NULL);
    json_object_set_new(object, key, json_text(real ? real : full));
    free(full);
    free(real);
    return true;
}

static bool settle_list(struct request *request, struct answer *answer, json_t *object, const char *list) {
    json_t *element;
    size_t i;
    json_array_foreach(json_object_get(object, list), i, element) {
        if (!settle_path(request, answer, element, "path") || !settle_list(request, answer, element, "code"))
            return false;
    }
    return true;
}

static bool settle_paths(struct request *request, struct answer *answer) {
    json_t *job = request->body;
    return settle_path(request, answer, json_object_get(job, "program"), "path") &&
           settle_path(request, answer, json_object_get(job, "input"), "path") &&
           settle_path(request, answer, job, "root") && settle_list(request, answer, job, "tools") &&
           settle_list(request, answer, job, "files");
}

static bool tools_are_right(struct request *request, struct answer *answer) {
    json_t *tool;
    size_t i;
    json_array_foreach(json_object_get(request->body, "tools"), i, tool) {
        if (!tool_is_right(request, answer, tool))
            return false;
    }
    return true;
}

/* A requested run, with the known facts. */
struct wish {
    const char *key;
    json_t *canonical; /* the canonical form of the job, from atomc */
    int64_t repeat;
    bool repeat_given, check_output;
    int64_t existing, next_repeat; /* 0: there is none; with check_output, only a checked run counts */
    double seconds;                /* time of the latest run of this program and these tools; < 0: there is
                                      none */
    int64_t run;
    const char *job;
};

/* Computes the job's key by atomc; *document is its output. False: the request is answered. */
static bool ask_key(struct request *request, struct answer *answer, struct wish *wish, json_t **document) {
    char *job = json_dumps(request->body, JSON_COMPACT);
    const char *words[] = {"atomc", "run", "--job=-", "--key", NULL};
    struct command command = {.words = words, .input = job, .input_length = strlen(job)};
    struct command_result result;
    bool good = command_run(request->project, &command, &result) && result.status == 0;
    *document = good ? json_loadb(result.output, result.output_length, 0, NULL) : NULL;
    wish->key = json_string_value(json_object_get(*document, "key"));
    if (!good)
        answer_command(answer, &command, &result);
    else if (!wish->key || strspn(wish->key, "0123456789abcdef") != strlen(wish->key) ||
             strlen(wish->key) != 64)
        answer_error(answer, MHD_HTTP_INTERNAL_SERVER_ERROR, NULL, "atomc run --key printed no key");
    else
        wish->canonical = json_object_get(*document, "canonical");
    command_free(&result);
    free(job);
    return !answer_failed(answer);
}

static int64_t ask_one(sqlite3 *database, const char *sql, const char *key, int64_t repeat) {
    sqlite3_stmt *ask = NULL;
    int64_t value = 0;
    if (sqlite3_prepare_v2(database, sql, -1, &ask, NULL) == SQLITE_OK) {
        sqlite3_bind_text(ask, 1, key, -1, SQLITE_STATIC);
        if (sqlite3_bind_parameter_count(ask) > 1)
            sqlite3_bind_int64(ask, 2, repeat);
        if (next_row(ask))
            value = sqlite3_column_int64(ask, 0);
    }
    sqlite3_finalize(ask);
    return value;
}

/* Finds a run of the same key that exists, or is under way. */
static void find_existing(sqlite3 *database, struct wish *wish) {
    wish->next_repeat =
        ask_one(database, "SELECT ifnull(max(repeat) + 1, 0) FROM run WHERE key = ?1", wish->key, 0);
    wish->existing =
        wish->repeat_given
            ? ask_one(database, "SELECT id FROM run WHERE key = ?1 AND repeat = ?2", wish->key, wish->repeat)
            : ask_one(
                  database,
                  "SELECT id FROM run WHERE key = ?1 AND state NOT IN ('failed', 'stopped') AND (NOT ?2 OR "
                  "json_type(about, '$.plain') = 'object' OR about ->> '$.job.check_output') ORDER BY repeat "
                  "DESC LIMIT 1",
                  wish->key, wish->check_output);
    if (!wish->repeat_given)
        wish->repeat = wish->next_repeat;
}

/* An estimate of the run's time. The estimate is the time of the latest run of the program with these
   tools. */
static double estimate_duration(sqlite3 *database, const struct wish *wish) {
    static const char sql[] =
        "SELECT seconds + ifnull(instrument_seconds, 0) FROM run JOIN program ON program.id = run.program "
        "WHERE state = 'finished' AND program.digest = ?1 ->> '$.program.sha256' AND "
        "(SELECT json_group_array(name) FROM (SELECT tool.name FROM run_tool JOIN tool ON tool.id = tool "
        "WHERE run = run.id ORDER BY number)) = "
        "(SELECT json_group_array(value ->> '$.name') FROM json_each(?1, '$.tools')) ORDER BY run.id DESC "
        "LIMIT 1";
    char *text = json_dumps(wish->canonical, JSON_COMPACT | JSON_ENCODE_ANY);
    sqlite3_stmt *ask = NULL;
    double seconds = -1;
    if (text && sqlite3_prepare_v2(database, sql, -1, &ask, NULL) == SQLITE_OK) {
        sqlite3_bind_text(ask, 1, text, -1, SQLITE_STATIC);
        if (next_row(ask) && sqlite3_column_type(ask, 0) != SQLITE_NULL)
            seconds = sqlite3_column_double(ask, 0);
    }
    sqlite3_finalize(ask);
    free(text);
    return seconds;
}

static bool look_up(struct request *request, struct answer *answer, struct wish *wish, json_t **document) {
    json_t *repeat = json_object_get(request->body, "repeat");
    wish->repeat_given = json_is_integer(repeat);
    wish->repeat = json_integer_value(repeat);
    wish->check_output = json_is_true(json_object_get(request->body, "check_output"));
    *document = NULL;
    if (!settle_paths(request, answer) || !tools_are_right(request, answer) ||
        !ask_key(request, answer, wish, document))
        return false;
    find_existing(request->database, wish);
    wish->seconds = estimate_duration(request->database, wish);
    return true;
}

/* "ATOMC_PACKAGES=... " if a tool belongs to a package in the project; else "". */
static const char *uses_own_packages(struct request *request, const json_t *tools) {
    const json_t *tool;
    size_t i;
    json_array_foreach(tools, i, tool) {
        const char *name = json_string_value(json_object_get(tool, "name")),
                   *package = json_string_value(json_object_get(tool, "package"));
        const char *slash = name ? strchr(name, '/') : NULL;
        if (!package && slash)
            package = arena_string(request->arena, name, (size_t)(slash - name));
        if (!package || !is_package_name(package))
            continue;
        if (access(arena_format(request->arena, "%s/tools/%s/package.json", project_folder(request->project),
                                package),
                   F_OK) == 0) {
            char *words = project_packages_words(request->project);
            const char *before = arena_format(request->arena, "%s ", words);
            free(words);
            return before;
        }
    }
    return "";
}

/* POST /runs/look */
static void answer_look(struct request *request, struct answer *answer) {
    struct wish wish = {0};
    json_t *document;
    if (look_up(request, answer, &wish, &document)) {
        char *folder = run_folder(wish.key, wish.repeat);
        char *project = shell_word(project_folder(request->project));
        char *command = format_string("%satomc run --job=%s/%s.job --into=results",
                                      uses_own_packages(request, json_object_get(request->body, "tools")),
                                      project, folder);
        answer_json(answer, json_pack("{s:s, s:o, s:I, s:o, s:s, s:O}", "key", wish.key, "existing",
                                      wish.existing ? json_integer(wish.existing) : json_null(), "next",
                                      wish.next_repeat, "seconds",
                                      wish.seconds >= 0 ? json_real(wish.seconds) : json_null(), "command",
                                      command, "job", request->body));
        free(project);
        free(folder);
        free(command);
    }
    json_decref(document);
}

/* Adds the row of a queued run. If it exists meanwhile, that is the existing run. */
static bool insert_run(sqlite3 *database, void *argument) {
    static const char *const steps[] = {
        "INSERT OR IGNORE INTO program(name, digest, path) VALUES(ifnull(?3 ->> '$.program.name', ''), "
        "ifnull(?3 ->> '$.program.sha256', ''), "
        "ifnull(?4 ->> '$.program.path', ''))",
        "INSERT INTO run(key, repeat, state, program, request, input, arguments, objects, folder, about) "
        "VALUES(?1, ?2, 'queued', "
        "(SELECT id FROM program WHERE name = ifnull(?3 ->> '$.program.name', '') AND digest = ifnull(?3 ->> "
        "'$.program.sha256', '')), ?3, "
        "ifnull(?4 ->> '$.input.path', ''), ifnull(?4 -> '$.arguments', '[]'), ifnull(?4 ->> '$.objects', "
        "(SELECT group_concat(value) FROM json_each(?3, '$.objects'))), ?5, json_object('job', json(?4)))"};
    struct wish *wish = argument;
    char *canonical = json_dumps(wish->canonical, JSON_COMPACT | JSON_ENCODE_ANY),
         *folder = run_folder(wish->key, wish->repeat);
    bool good = canonical != NULL;
    for (size_t i = 0; i < sizeof steps / sizeof steps[0] && good; i++) {
        sqlite3_stmt *insert = NULL;
        good = sqlite3_prepare_v2(database, steps[i], -1, &insert, NULL) == SQLITE_OK;
        const char *const values[] = {wish->key, NULL, canonical, wish->job, folder};
        for (int k = 0; good && k < sqlite3_bind_parameter_count(insert); k++)
            if (values[k])
                sqlite3_bind_text(insert, k + 1, values[k], -1, SQLITE_STATIC);
        if (good && sqlite3_bind_parameter_count(insert) > 1)
            sqlite3_bind_int64(insert, 2, wish->repeat);
        good = good && sqlite3_step(insert) == SQLITE_DONE;
        sqlite3_finalize(insert);
    }
    wish->run = good ? sqlite3_last_insert_rowid(database) : 0;
    free(canonical);
    free(folder);
    return good;
}

/* POST /runs */
static void post_run(struct request *request, struct answer *answer) {
    struct wish wish = {0};
    json_t *document;
    bool good = look_up(request, answer, &wish, &document);
    if (good && !wish.existing) {
        json_object_set_new(request->body, "repeat", json_integer(wish.repeat));
        char *job = json_dumps(request->body, JSON_INDENT(1));
        wish.job = job;
        int code = project_write(request->project, insert_run, &wish);
        if ((code & 0xff) == SQLITE_CONSTRAINT)
            answer_error(answer, MHD_HTTP_CONFLICT, "ask again",
                         "another page asked for the same run just now");
        else
            answer_database(answer, code);
        if (code == SQLITE_OK)
            runs_add(wish.run, wish.key, wish.repeat, job);
        free(job);
        good = code == SQLITE_OK;
    }
    if (good) {
        answer_status(answer, wish.existing ? MHD_HTTP_OK : MHD_HTTP_CREATED);
        answer_json(answer, json_pack("{s:I, s:s, s:b, s:I, s:I}", "id",
                                      wish.existing ? wish.existing : wish.run, "key", wish.key, "existing",
                                      wish.existing != 0, "repeat", wish.repeat, "next", wish.next_repeat));
    }
    json_decref(document);
}

/* ---- what is there ------------------------------------------------------------------------------------ */

/* In the list, tools and arguments are texts. */
static const char list_columns[] =
    "json_object('id', run.id, 'key', key, 'repeat', repeat, 'name', run.name, 'program', program, "
    "'program_name', program.name, "
    "'tools', (SELECT group_concat(name, ', ') FROM (SELECT tool.name FROM run_tool JOIN tool ON tool.id = "
    "run_tool.tool WHERE run_tool.run = run.id "
    "ORDER BY number)), 'asked', (SELECT group_concat(ifnull(value ->> '$.name', value ->> '$.path'), ', ') "
    "FROM json_each(request, '$.tools')), "
    "'given', (SELECT group_concat(name || '=' || value, ' ') FROM run_parameter WHERE run_parameter.run = "
    "run.id AND "
    "given), 'arguments', ifnull((SELECT group_concat(value, ' ') FROM json_each(arguments)), ''), 'input', "
    "input, "
    "'objects', objects, 'state', state, "
    "'reason', reason, 'exit_status', exit_status, 'signal', signal, 'started', started, 'ended', ended, "
    "'seconds', seconds, "
    "'instrument_seconds', instrument_seconds, 'cpu_seconds', cpu_seconds, 'peak_kb', peak_kb, 'isolation', "
    "isolation, 'campaign', campaign, "
    "'note', note, 'same', json(about -> '$.plain.same'), 'rows', (SELECT sum(rows) FROM report WHERE "
    "report.run = run.id))";

struct filter {
    const char *query, *sql;
    bool number;
};
static const struct filter filters[] = {
    {"program", "program = ?%d", true},
    {"tool",
     "EXISTS(SELECT 1 FROM run_tool JOIN tool ON tool.id = run_tool.tool WHERE run_tool.run = run.id AND "
     "tool.name = ?%d)",
     false},
    {"state", "state = ?%d", false},
    {"campaign", "campaign = ?%d", true},
    {"key", "key = ?%d", false},
};
enum { FILTERS = sizeof filters / sizeof filters[0] };

/* WHERE ..., in the request's arena. */
static const char *where_clause(const struct request *request) {
    const char *text = "";
    for (int i = 0; i < FILTERS; i++)
        if (request_query(request, filters[i].query)) {
            const char *one = arena_format(request->arena, "?%d", i + 1), *at = strstr(filters[i].sql, "?%d");
            text = arena_format(request->arena, "%s%s%.*s%s%s", text, *text ? " AND " : " WHERE ",
                                (int)(at - filters[i].sql), filters[i].sql, one, at + 3);
        }
    return text;
}

static void bind_conditions(const struct request *request, sqlite3_stmt *statement) {
    for (int i = 0; i < FILTERS; i++) {
        const char *value = request_query(request, filters[i].query);
        if (value && filters[i].number)
            sqlite3_bind_int64(statement, i + 1, strtoll(value, NULL, 10));
        else if (value)
            sqlite3_bind_text(statement, i + 1, value, -1, SQLITE_TRANSIENT);
    }
}

static const char *order_clause(const struct request *request) {
    static const char *const columns[] = {
        "id", "state", "seconds", "started", "ended", "peak_kb", "instrument_seconds", "cpu_seconds", "name"};
    const char *sort = request_query(request, "sort");
    bool down = sort && sort[0] == '-';
    for (size_t i = 0; sort && i < sizeof columns / sizeof columns[0]; i++)
        if (strcmp(sort + down, columns[i]) == 0)
            return arena_format(request->arena, "run.%s%s, run.id DESC", columns[i], down ? " DESC" : "");
    return "run.id DESC";
}

/* The text in a statement's first row; NULL: there is none, or an error, and the request has been
   answered. */
static char *query_text(struct request *request, struct answer *answer, sqlite3_stmt *statement) {
    char *text = NULL;
    int code = statement ? sqlite3_step(statement) : sqlite3_errcode(request->database);
    if (code == SQLITE_ROW && sqlite3_column_type(statement, 0) != SQLITE_NULL)
        text = duplicate_string((const char *)sqlite3_column_text(statement, 0));
    else if (code != SQLITE_ROW && code != SQLITE_DONE)
        answer_database(answer, code);
    sqlite3_finalize(statement);
    return text;
}

static sqlite3_stmt *prepare_query(struct request *request, const char *sql) {
    sqlite3_stmt *statement = NULL;
    sqlite3_prepare_v2(request->database, sql, -1, &statement, NULL);
    return statement;
}

/* GET /runs */
static void get_runs(struct request *request, struct answer *answer) {
    const char *where = where_clause(request);
    char *sql = arena_format(request->arena,
                             "SELECT json_object('total', (SELECT count(*) FROM run%s), 'runs', (SELECT "
                             "json_group_array(json(line)) FROM "
                             "(SELECT %s AS line FROM run LEFT JOIN program ON program.id = run.program%s "
                             "ORDER BY %s LIMIT %ld OFFSET %ld)))",
                             where, list_columns, where, order_clause(request),
                             request_number(request, "limit", 100, 0, 10000),
                             request_number(request, "offset", 0, 0, 1L << 40));
    sqlite3_stmt *ask = prepare_query(request, sql);
    if (ask)
        bind_conditions(request, ask);
    char *text = query_text(request, answer, ask);
    if (text)
        answer_text(answer, text, strlen(text));
}

/* GET /runs/N: with its tools, parameters, files, diagnostics, and the commands that made it. */
static const char run_sql[] = "SELECT json_object('id', run.id, 'key', key, 'repeat', repeat, 'name', "
                              "run.name, 'note', note, 'folder', folder, 'program', program, "
                              "'program_name', program.name, 'program_path', program.path, 'state', state, "
                              "'reason', reason, 'exit_status', exit_status, 'signal', signal, 'ending', ?2, "
                              "'missing', about ->> '$.missing', "
                              "'started', started, 'ended', ended, 'instrument_seconds', instrument_seconds, "
                              "'seconds', seconds, 'cpu_seconds', cpu_seconds, "
                              "'peak_kb', peak_kb, 'host', host, 'atomc', atomc, 'emulator', emulator, "
                              "'isolation', isolation, 'repeatable', json(CASE repeatable WHEN 1 THEN "
                              "'true' WHEN 0 THEN 'false' ELSE 'null' END), 'input', input, 'arguments', "
                              "json(arguments), 'objects', objects, 'campaign', campaign, "
                              "'job', json(about -> '$.job'), 'commands', json(ifnull(about -> "
                              "'$.commands', '[]')), 'notes', json(ifnull(about -> '$.notes', '[]')), "
                              "'plain', json(about -> '$.plain'), "
                              "'stdout', json(about -> '$.stdout'), 'stderr', json(about -> "
                              "'$.stderr'), 'differs', json(about -> '$.differs'), 'statistics', "
                              "json(statistics), 'request', json(request), "
                              "'tools', (SELECT json_group_array(json(line)) FROM (SELECT "
                              "json_object('package', package, 'name', name, 'description', description, "
                              "'digest', digest, 'parameters', (SELECT json_group_array(json_object('name', "
                              "p.name, 'value', p.value, 'given', p.given)) FROM run_parameter AS "
                              "p WHERE p.run = run.id AND p.tool = tool.id)) AS line FROM run_tool JOIN tool "
                              "ON tool.id = run_tool.tool WHERE run_tool.run = run.id ORDER BY "
                              "number)), "
                              "'artifacts', (SELECT json_group_array(json_object('process', process, 'name', "
                              "name, 'path', path, 'bytes', bytes, 'format', format)) FROM "
                              "artifact WHERE run = run.id), "
                              "'diagnostics', (SELECT json_group_array(json_object('severity', severity, "
                              "'id', id, 'message', message, 'hint', hint, 'file', file, 'line', line, "
                              "'column', \"column\")) FROM diagnostic WHERE run = run.id)) FROM run LEFT "
                              "JOIN program ON program.id = run.program WHERE run.id = ?1";

static char *read_run(struct request *request, struct answer *answer) {
    const int64_t run = (int64_t)request->number[0];
    sqlite3_stmt *ask = prepare_query(request, run_sql),
                 *signal = statement(request->database, "SELECT signal FROM run WHERE id = ?1", "i", run);
    const char *ending = ending_words(request->arena, signal ? statement_number(signal, 0) : 0);
    if (ask) {
        sqlite3_bind_int64(ask, 1, run);
        sqlite3_bind_text(ask, 2, ending, -1, SQLITE_STATIC);
    }
    char *text = query_text(request, answer, ask);
    if (!text && !answer_failed(answer))
        answer_error(answer, MHD_HTTP_NOT_FOUND, NULL, "there is no run %s", request->name[0]);
    return text;
}

/* The command that repeats it, for a shell in any folder. Null: it was not made here. */
static json_t *command_of(struct request *request, const json_t *run) {
    const char *folder = json_string_value(json_object_get(run, "folder"));
    const char *job = folder && *folder ? arena_format(request->arena, "%s/%s.job",
                                                       project_folder(request->project), folder)
                                        : NULL;
    if (!job || access(job, F_OK) != 0)
        return json_null();
    char *word = shell_word(job);
    json_t *command = json_sprintf("%satomc run --job=%s --into=run-%" JSON_INTEGER_FORMAT,
                                   uses_own_packages(request, json_object_get(run, "tools")), word,
                                   json_integer_value(json_object_get(run, "id")));
    free(word);
    return command;
}

static void get_run(struct request *request, struct answer *answer) {
    char *text = read_run(request, answer);
    json_t *run = text ? json_loads(text, 0, NULL) : NULL;
    if (run) {
        json_object_set_new(run, "command", command_of(request, run));
        answer_json(answer, run);
    } else if (text) {
        answer_error(answer, MHD_HTTP_INTERNAL_SERVER_ERROR, NULL, "run %s cannot be read", request->name[0]);
    }
    free(text);
}

/* The row's column as a text; NULL: there is no such run, and the request has been answered. */
static char *run_column(struct request *request, struct answer *answer, const char *column) {
    sqlite3_stmt *ask =
        prepare_query(request, arena_format(request->arena, "SELECT %s FROM run WHERE id = ?1", column));
    if (ask)
        sqlite3_bind_int64(ask, 1, (int64_t)request->number[0]);
    char *text = query_text(request, answer, ask);
    if (!text && !answer_failed(answer))
        answer_error(answer, MHD_HTTP_NOT_FOUND, NULL, "there is no run %s", request->name[0]);
    return text;
}

/* ---- what is done with one ---------------------------------------------------------------------------- */

static bool is_run_over(const char *state) {
    return strcmp(state, "finished") == 0 || strcmp(state, "failed") == 0 || strcmp(state, "stopped") == 0;
}

/* POST /runs/N/stop */
static void stop_run(struct request *request, struct answer *answer) {
    char *state = request_fields(request, answer, NULL, 0) ? run_column(request, answer, "state") : NULL;
    if (state && !runs_cancel((int64_t)request->number[0]))
        answer_error(answer, MHD_HTTP_CONFLICT, NULL, "run %s is %s", request->name[0],
                     is_run_over(state) ? state : "not this workbench's");
    free(state);
}

struct change {
    int64_t run;
    const char *name, *note;
    int changed;
};

static bool change_run(sqlite3 *database, void *argument) {
    struct change *change = argument;
    sqlite3_stmt *update = NULL;
    if (sqlite3_prepare_v2(database,
                           "UPDATE run SET name = ifnull(?2, name), note = ifnull(?3, note) WHERE id = ?1",
                           -1, &update, NULL) != SQLITE_OK)
        return false;
    sqlite3_bind_int64(update, 1, change->run);
    sqlite3_bind_text(update, 2, change->name, -1, SQLITE_STATIC);
    sqlite3_bind_text(update, 3, change->note, -1, SQLITE_STATIC);
    bool good = sqlite3_step(update) == SQLITE_DONE;
    sqlite3_finalize(update);
    change->changed = sqlite3_changes(database);
    return good;
}

/* PATCH /runs/N */
static void patch_run(struct request *request, struct answer *answer) {
    static const struct field fields[] = {{"name", FIELD_TEXT, false}, {"note", FIELD_TEXT, false}};
    if (!request_fields(request, answer, fields, 2))
        return;
    struct change change = {(int64_t)request->number[0], request_text(request, "name"),
                            request_text(request, "note"), 0};
    int code = project_write(request->project, change_run, &change);
    answer_database(answer, code);
    if (code == SQLITE_OK && change.changed == 0)
        answer_error(answer, MHD_HTTP_NOT_FOUND, NULL, "there is no run %s", request->name[0]);
}

static bool delete_run_row(sqlite3 *database, void *argument) {
    sqlite3_stmt *statement = NULL;
    if (sqlite3_prepare_v2(database,
                           "DELETE FROM run WHERE id = ?1 AND state IN ('finished', 'failed', 'stopped')", -1,
                           &statement, NULL) != SQLITE_OK)
        return false;
    sqlite3_bind_int64(statement, 1, *(int64_t *)argument);
    bool good = sqlite3_step(statement) == SQLITE_DONE && sqlite3_changes(database) == 1;
    sqlite3_finalize(statement);
    return good;
}

/* runs/KEY.REPEAT, or runs/imported-NUMBER. */
static bool is_own_run_folder(const char *folder) {
    static const char runs[] = "runs/", imported[] = "imported-";
    if (strncmp(folder, runs, strlen(runs)) != 0 || strstr(folder, ".."))
        return false;
    folder += strlen(runs);
    bool is_imported = strncmp(folder, imported, strlen(imported)) == 0;
    folder += is_imported ? strlen(imported) : 0;
    size_t digits = strspn(folder, is_imported ? "0123456789abcdef" : "0123456789abcdef.");
    return !folder[digits] && digits >= (is_imported ? 8 : 64);
}

/* Removes only folders that the workbench itself has made. */
static void remove_run_folder(const struct project *project, const char *folder) {
    if (!is_own_run_folder(folder))
        return;
    char *path = format_string("%s/%s", project_folder(project), folder),
         *job = format_string("%s.job", path);
    remove_tree(path);
    unlink(job);
    free(path);
    free(job);
}

/* DELETE /runs/N */
static void delete_run(struct request *request, struct answer *answer) {
    int64_t run = (int64_t)request->number[0];
    char *state = run_column(request, answer, "state"),
         *folder = state ? run_column(request, answer, "folder") : NULL;
    if (state && !is_run_over(state))
        answer_error(answer, MHD_HTTP_CONFLICT, "stop it first", "run %s is %s", request->name[0], state);
    if (state && folder && is_run_over(state)) {
        int code = project_write(request->project, delete_run_row, &run);
        if (code == SQLITE_OK)
            remove_run_folder(request->project, folder);
        else if (code == SQLITE_ABORT)
            answer_error(answer, MHD_HTTP_CONFLICT, NULL, "run %s is under way", request->name[0]);
        else
            answer_database(answer, code);
    }
    free(state);
    free(folder);
}

/* GET /runs/N/events */
static void get_run_events(struct request *request, struct answer *answer) {
    char *state = run_column(request, answer, "state");
    int64_t run = (int64_t)request->number[0];
    if (state && !events_known(run)) {
        char *text = is_run_over(state) ? read_run(request, answer) : NULL;
        if (text)
            events_add(run, "finished", text);
        free(text);
        events_finish(run);
    }
    if (state)
        answer_events(request, answer, run);
    free(state);
}

/* The run's folder in the project, or elsewhere, from malloc; NULL: the run has none, and the request has
   been answered. */
static char *stored_run_folder(struct request *request, struct answer *answer) {
    char *folder = run_column(request, answer, "folder"), *path = NULL;
    if (folder && *folder)
        path = folder[0] == '/' ? duplicate_string(folder)
                                : format_string("%s/%s", project_folder(request->project), folder);
    else if (folder)
        answer_error(answer, MHD_HTTP_NOT_FOUND, NULL, "the run has no folder");
    free(folder);
    return path;
}

/* True if a run has written that file. Only such files are sent. */
static bool is_artifact(struct request *request, const char *path) {
    sqlite3_stmt *ask = prepare_query(request, "SELECT 1 FROM artifact WHERE run = ?1 AND path = ?2");
    if (ask) {
        sqlite3_bind_int64(ask, 1, (int64_t)request->number[0]);
        sqlite3_bind_text(ask, 2, path, -1, SQLITE_STATIC);
    }
    bool found = next_row(ask);
    sqlite3_finalize(ask);
    return found;
}

/* GET /runs/N/files/PATH: sends the file as a download. It is never displayed, because a page written by a
   tool is not trusted. The program's output is unchanged. */
static void get_file(struct request *request, struct answer *answer) {
    const char *name = request->name[1], *suffix = strrchr(name, '.'), *base = strrchr(name, '/');
    if (!is_artifact(request, name)) {
        answer_error(answer, MHD_HTTP_NOT_FOUND, NULL, "run %s has left no file '%s'", request->name[0],
                     name);
        return;
    }
    char *folder = stored_run_folder(request, answer),
         *path = folder ? format_string("%s/%s", folder, name) : NULL;
    int file = path ? path_open(request->project, path, 0) : -1;
    bool output = file >= 0 && !base && suffix && strcmp(suffix, ".zst") == 0;
    if (output)
        file = archive_open(file, project_folder(request->project));
    if (file >= 0)
        answer_file(answer, "application/octet-stream",
                    output ? arena_string(request->arena, name, (size_t)(suffix - name))
                    : base ? base + 1
                           : name,
                    file);
    else if (path)
        answer_error(answer, MHD_HTTP_NOT_FOUND, NULL, "%s: %s", path, strerror(errno));
    free(folder);
    free(path);
}

/* The output of `atomc export` for a run's folder. A page is saved, never shown from this server. */
static const struct {
    const char *end, *format, *type;
} run_forms[] = {{".callgrind", "callgrind", "text/plain; charset=utf-8"},
                 {".info", "lcov", "text/plain; charset=utf-8"},
                 {".folded", "folded", "text/plain; charset=utf-8"},
                 {".speedscope.json", "speedscope", "application/json"},
                 {".trace.json", "trace", "application/json"},
                 {".pb.gz", "pprof", "application/gzip"},
                 {".gmon.out", "gmon", "application/octet-stream"},
                 {".html", "html", "application/octet-stream"}};
enum { RUN_FORMS = sizeof run_forms / sizeof run_forms[0], EXPORT_SECONDS = 60 };

/* Only sources that this server would show are in the page. */
static const char **export_words(struct request *request, const char *path, unsigned form) {
    const char *const *allowed = paths_allowed(request->project);
    size_t count = 0, at = 0;
    while (allowed[count])
        count++;
    const char **words = arena_allocate(request->arena, (count + 6) * sizeof *words);
    words[at++] = "atomc";
    words[at++] = "export";
    words[at++] = arena_format(request->arena, "--format=%s", run_forms[form].format);
    words[at++] = arena_format(request->arena, "--allow=%s", project_folder(request->project));
    for (size_t i = 0; i < count; i++)
        words[at++] = arena_format(request->arena, "--allow=%s", allowed[i]);
    words[at++] = path;
    words[at] = NULL;
    return words;
}

static void export_as(struct request *request, struct answer *answer, unsigned form) {
    char *path = stored_run_folder(request, answer);
    struct command command = {.words = path ? export_words(request, path, form) : NULL,
                              .seconds = EXPORT_SECONDS};
    struct command_result result = {0};
    int directory = path ? path_open(request->project, path, O_DIRECTORY) : -1, file = -1;
    if (directory >= 0 && (!command_run(request->project, &command, &result) || result.status != 0))
        answer_command(answer, &command, &result);
    else if (directory >= 0)
        file = memfd_create("export", MFD_CLOEXEC);
    if (file >= 0 && write(file, result.output, result.output_length) == (ssize_t)result.output_length &&
        lseek(file, 0, SEEK_SET) == 0)
        answer_file(answer, run_forms[form].type, arena_format(request->arena, "run-%s", request->name[0]),
                    file);
    else if (path && !answer_failed(answer))
        answer_error(answer, MHD_HTTP_INTERNAL_SERVER_ERROR, NULL, "%s: %s", path, strerror(errno));
    if (directory >= 0)
        close(directory);
    command_free(&result);
    free(path);
}

/* GET /export/runs/N.tar.zst, and the formats of export_as(). */
static void export_run(struct request *request, struct answer *answer) {
    char *end;
    const char *name = request->name[0];
    request->number[0] = strtoull(name, &end, 10);
    for (unsigned i = 0; end != name && i < RUN_FORMS; i++)
        if (strcmp(end, run_forms[i].end) == 0) {
            export_as(request, answer, i);
            return;
        }
    if (end == name || strcmp(end, ".tar.zst") != 0) {
        answer_error(
            answer, MHD_HTTP_NOT_FOUND, NULL,
            "a run is exported as NUMBER.tar.zst, .html, .callgrind, .info, .folded, .speedscope.json, "
            ".trace.json, .pb.gz or .gmon.out");
        return;
    }
    char *path = stored_run_folder(request, answer),
         *root = format_string("run-%.*s", (int)(end - name), name);
    /* The folder of an added run must be below a folder that may be read. */
    int directory = path ? path_open(request->project, path, O_DIRECTORY) : -1;
    int file = directory >= 0 ? archive_make(path, root, project_folder(request->project)) : -1;
    if (file >= 0)
        answer_file(answer, "application/zstd", name, file);
    else if (path)
        answer_error(answer, MHD_HTTP_INTERNAL_SERVER_ERROR, NULL, "%s: %s", path, strerror(errno));
    if (directory >= 0)
        close(directory);
    free(path);
    free(root);
}

const struct route runs_routes[] = {
    {"GET", "/runs", get_runs},
    {"POST", "/runs", post_run},
    {"POST", "/runs/look", answer_look},
    {"GET", "/runs/#", get_run},
    {"PATCH", "/runs/#", patch_run},
    {"DELETE", "/runs/#", delete_run},
    {"POST", "/runs/#/stop", stop_run},
    {"GET", "/runs/#/events", get_run_events},
    {"GET", "/runs/#/files/*", get_file},
    {"GET", "/export/runs/*", export_run},
    {NULL, NULL, NULL},
};
