/* api_tools.c: tools as atomc describes them, and what it says of texts of tools: diagnostics and places. All
   of it are commands with --json. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/json.h"
#include "workbench/project.h"

enum { MOST_WORDS = 256, MOST_SITES = 16 << 20, CHECK_SECONDS = 30 };

/* A name of a tool, a package or a file: no option, no path. */
static bool is_name(const char *text) {
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_+-.";
    size_t length = strlen(text);
    return length > 0 && length < 200 && strspn(text, letters) == length && text[0] != '-' &&
           text[0] != '.' && text[0] != '+';
}

/* NAME or PACKAGE/NAME */
static bool is_tool_name(const char *text) {
    const char *slash = strchr(text, '/');
    char *package = slash ? strndup(text, (size_t)(slash - text)) : NULL;
    bool good = (!slash || is_name(package)) && is_name(slash ? slash + 1 : text);
    free(package);
    return good;
}

/* The command's document is the answer. */
static void answer_document(struct request *request, struct answer *answer, const char *const *words) {
    struct command command = {.words = words};
    struct command_result result;
    if (command_run(request->project, &command, &result) && result.status == 0) {
        answer_text(answer, result.output, result.output_length);
        result.output = NULL;
    } else {
        answer_command(answer, &command, &result);
    }
    command_free(&result);
}

static void get_tools(struct request *request, struct answer *answer) {
    answer_document(request, answer, (const char *const[]){"atomc", "--list", "--json", NULL});
}

static void get_help(struct request *request, struct answer *answer, const char *name) {
    if (!is_tool_name(name))
        answer_error(answer, MHD_HTTP_NOT_FOUND, NULL, "there is no tool '%s'", name);
    else
        answer_document(request, answer,
                        (const char *const[]){"atomc", "--help", "--json", "-t", name, NULL});
    if (answer_failed(answer) && answer->status == MHD_HTTP_BAD_REQUEST)
        answer_status(answer, MHD_HTTP_NOT_FOUND);
}

/* GET /tools/NAME */
static void get_tool(struct request *request, struct answer *answer) {
    get_help(request, answer, request->name[0]);
}

/* GET /tools/PACKAGE/NAME */
static void get_package_tool(struct request *request, struct answer *answer) {
    get_help(request, answer, arena_format(request->arena, "%s/%s", request->name[0], request->name[1]));
}

/* ---- what is to be checked ---------------------------------------------------------------------------- */

/* The words of an atomc command, in the request's arena. */
struct words {
    const char *list[MOST_WORDS + 1];
    size_t count;
    char *folder; /* with the C files of the request, to be removed; NULL: there are none */
};

static bool add_word(struct words *words, struct answer *answer, const char *word) {
    if (words->count == MOST_WORDS) {
        answer_error(answer, MHD_HTTP_BAD_REQUEST, NULL, "that is more than %d words of a command",
                     MOST_WORDS);
        return false;
    }
    words->list[words->count++] = word;
    return true;
}

static bool is_identifier(const char *text) {
    return *text && !strchr("0123456789", *text) &&
           strlen(text) == strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");
}

/* -D NAME=VALUE for each: of the tool before them. */
static bool add_parameters(struct request *request, struct answer *answer, struct words *words,
                           json_t *parameters) {
    const char *name;
    json_t *value;
    json_object_foreach(parameters, name, value) {
        char *text = json_is_string(value) ? arena_format(request->arena, "%s", json_string_value(value))
                     : json_is_integer(value)
                         ? arena_format(request->arena, "%lld", (long long)json_integer_value(value))
                     : json_is_boolean(value)
                         ? arena_format(request->arena, "%s", json_is_true(value) ? "true" : "false")
                         : NULL;
        if (!text || !is_identifier(name)) {
            answer_error(answer, MHD_HTTP_BAD_REQUEST, NULL,
                         text ? "'%s' is no parameter's name"
                              : "the value of '%s' is no text, number or true or false",
                         name);
            answer_where(answer, json_pack("{s:s}", "parameter", name));
            return false;
        }
        if (!add_word(words, answer, "-D") ||
            !add_word(words, answer, arena_format(request->arena, "%s=%s", name, text)))
            return false;
    }
    return true;
}

/* A file that may be read, by its absolute path. NULL: answered. */
static const char *readable(struct request *request, struct answer *answer, const char *path) {
    int file = path_open(request->project, path, 0);
    if (file < 0) {
        answer_error(answer, errno == EXDEV ? MHD_HTTP_FORBIDDEN : MHD_HTTP_BAD_REQUEST, NULL, "%s: %s", path,
                     errno == EXDEV ? "it is not below a folder that the workbench may read"
                                    : strerror(errno));
        return NULL;
    }
    close(file);
    return path[0] == '/' ? path
                          : arena_format(request->arena, "%s/%s", project_folder(request->project), path);
}

/* {"name" or "path", "parameters"} */
static bool add_tool(struct request *request, struct answer *answer, struct words *words, json_t *tool) {
    const char *name = json_string_value(json_object_get(tool, "name")),
               *path = json_string_value(json_object_get(tool, "path"));
    if (path && !(path = readable(request, answer, path)))
        return false;
    if (!path && (!name || !is_tool_name(name))) {
        answer_error(answer, MHD_HTTP_BAD_REQUEST, NULL,
                     name ? "there is no tool '%s'" : "a tool has a name or a path%s", name ? name : "");
        return false;
    }
    bool good =
        path ? add_word(words, answer, path) : add_word(words, answer, "-t") && add_word(words, answer, name);
    return good && add_parameters(request, answer, words, json_object_get(tool, "parameters"));
}

/* The C files of the request are written into a folder of the project, from which the command is run. */
static bool write_code(struct request *request, struct answer *answer, struct words *words, json_t *code) {
    const char *name;
    json_t *text;
    if (json_object_size(code) == 0)
        return true;
    words->folder = arena_format(request->arena, "%s/.check-XXXXXX", project_folder(request->project));
    if (!mkdtemp(words->folder)) {
        words->folder = NULL;
        answer_error(answer, MHD_HTTP_INTERNAL_SERVER_ERROR, NULL, "%s: %s", project_folder(request->project),
                     strerror(errno));
        return false;
    }
    json_object_foreach(code, name, text) {
        size_t length = strlen(name);
        /* C that atomc would load and run is not made here: nobody has accepted it. */
        bool good = is_name(name) && length > 2 && strcmp(name + length - 2, ".c") == 0 &&
                    !strstr(name, ".inst.") && json_is_string(text);
        if (!good) {
            answer_error(answer, MHD_HTTP_BAD_REQUEST, NULL, "'%s' is no name of a C file", name);
            return false;
        }
        char *path = arena_format(request->arena, "%s/%s", words->folder, name);
        int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
        good = file >= 0 && write(file, json_string_value(text), json_string_length(text)) ==
                                (ssize_t)json_string_length(text);
        if (file >= 0)
            close(file);
        if (!good) {
            answer_error(answer, MHD_HTTP_INTERNAL_SERVER_ERROR, NULL, "%s: %s", path, strerror(errno));
            return false;
        }
        if (!add_word(words, answer, arena_format(request->arena, "%s", name)))
            return false;
    }
    return true;
}

static bool add_program(struct request *request, struct answer *answer, struct words *words, json_t *program,
                        bool required) {
    sqlite3_stmt *ask = NULL;
    const char *path = NULL;
    if (!json_is_integer(program))
        return !required;
    if (sqlite3_prepare_v2(request->database, "SELECT path FROM program WHERE id = ?1", -1, &ask, NULL) ==
        SQLITE_OK) {
        sqlite3_bind_int64(ask, 1, json_integer_value(program));
        if (sqlite3_step(ask) == SQLITE_ROW)
            path = arena_format(request->arena, "%s", (const char *)sqlite3_column_text(ask, 0));
    }
    sqlite3_finalize(ask);
    if (!path) {
        answer_error(answer, MHD_HTTP_NOT_FOUND, NULL, "there is no program %lld",
                     (long long)json_integer_value(program));
        return false;
    }
    path = readable(request, answer, path);
    return path && add_word(words, answer, path);
}

static const struct field check_fields[] = {
    {"text", FIELD_TEXT, false},    {"c", FIELD_OBJECT, false},          {"tool", FIELD_TEXT, false},
    {"tools", FIELD_ARRAY, false},  {"parameters", FIELD_OBJECT, false}, {"program", FIELD_INTEGER, false},
    {"objects", FIELD_TEXT, false}, {"document", FIELD_TEXT, false},     {"procedures", FIELD_TEXTS, false},
};
enum { CHECK_FIELDS = sizeof check_fields / sizeof check_fields[0] };

/* The tools, from a text or by name, and the program. */
static bool add_request(struct request *request, struct answer *answer, struct words *words,
                        bool with_program) {
    json_t *body = request->body, *tool;
    const char *name = request_text(request, "tool"), *objects = request_text(request, "objects");
    size_t i;
    if (request_text(request, "text")) {
        if (!add_word(words, answer, "-") ||
            !write_code(request, answer, words, json_object_get(body, "c")) ||
            !add_parameters(request, answer, words, json_object_get(body, "parameters")))
            return false;
    } else if (name) {
        json_t *one =
            json_pack("{s:s, s:O?}", "name", name, "parameters", json_object_get(body, "parameters"));
        bool good = add_tool(request, answer, words, one);
        for (size_t k = 0; k < words->count; k++) /* the name is the document's */
            words->list[k] = arena_format(request->arena, "%s", words->list[k]);
        json_decref(one);
        if (!good)
            return false;
    } else {
        json_array_foreach(json_object_get(body, "tools"), i, tool) {
            if (!add_tool(request, answer, words, tool))
                return false;
        }
        if (i == 0) {
            answer_error(answer, MHD_HTTP_BAD_REQUEST, NULL, "there is no tool: text, tool or tools");
            return false;
        }
    }
    if (objects && !add_word(words, answer, arena_format(request->arena, "--objects=%s", objects)))
        return false;
    return add_program(request, answer, words, json_object_get(body, "program"), with_program);
}

static void run_check(struct request *request, struct answer *answer, struct words *words,
                      struct command_result *result, const char *what) {
    const char *document = request_text(request, "document"), *text = request_text(request, "text");
    struct command command = {
        .words = words->list, .seconds = CHECK_SECONDS, .most = MOST_SITES, .folder = words->folder};
    command.topic = arena_format(request->arena, "%s %s", what, document ? document : "");
    command.input = text;
    command.input_length = text ? strlen(text) : 0;
    if (!command_run(request->project, &command, result) || result->status > 1 || result->output_length == 0)
        answer_command(answer, &command, result);
}

/* POST /check: the answer are diagnostics, so it is 200 for wrong tools, too. */
static void check(struct request *request, struct answer *answer) {
    struct words words = {.list = {"atomc", "--check", "--json"}, .count = 3};
    struct command_result result = {0};
    if (request_fields(request, answer, check_fields, CHECK_FIELDS) &&
        add_request(request, answer, &words, false))
        run_check(request, answer, &words, &result, "check");
    if (!answer_failed(answer)) {
        answer_text(answer, result.output, result.output_length);
        result.output = NULL;
    }
    command_free(&result);
    if (words.folder)
        remove_tree(words.folder);
}

/* JSON Lines as two arrays: sites and diagnostics. Moves the diagnostics' lines behind the others. */
static char *sites_of(const char *lines, size_t *length) {
    static const char diagnostic[] = "{\"diagnostic\":";
    char *text = NULL;
    FILE *stream = open_memstream(&text, length);
    for (int pass = 0; pass < 2; pass++) {
        bool first = true;
        fputs(pass == 0 ? "{\"sites\":[" : "],\"diagnostics\":[", stream);
        for (const char *line = lines; *line; line += strcspn(line, "\n"), line += *line == '\n') {
            size_t end = strcspn(line, "\n"), skipped = strlen(diagnostic);
            bool is_diagnostic = strncmp(line, diagnostic, skipped) == 0;
            if (is_diagnostic != (pass == 1) || end == 0)
                continue;
            fputs(first ? "" : ",", stream);
            if (is_diagnostic)
                fwrite(line + skipped, 1, end - skipped - 1, stream);
            else
                fwrite(line, 1, end, stream);
            first = false;
        }
    }
    fputs("]}", stream);
    fclose(stream);
    return text;
}

/* POST /sites */
static void sites(struct request *request, struct answer *answer) {
    struct words words = {.list = {"atomc", "--dump=sites", "--json"}, .count = 3};
    struct command_result result = {0};
    json_t *name;
    size_t i, length;
    bool good = request_fields(request, answer, check_fields, CHECK_FIELDS);
    json_array_foreach(json_object_get(request->body, "procedures"), i, name) {
        if (good && (strchr(json_string_value(name), ',') || !*json_string_value(name))) {
            answer_error(answer, MHD_HTTP_BAD_REQUEST, "name it by its address: 0x...",
                         "'%s' is no name of one procedure", json_string_value(name));
            good = false;
        }
        good = good &&
               add_word(&words, answer, arena_format(request->arena, "--only=%s", json_string_value(name)));
    }
    if (good && !json_is_integer(json_object_get(request->body, "program"))) {
        answer_error(answer, MHD_HTTP_BAD_REQUEST, NULL, "the key 'program' is missing");
        good = false;
    }
    if (good && add_request(request, answer, &words, true))
        run_check(request, answer, &words, &result, "sites");
    if (!answer_failed(answer)) {
        char *text = sites_of(result.output, &length);
        answer_text(answer, text, length);
    }
    command_free(&result);
    if (words.folder)
        remove_tree(words.folder);
}

/* The name behind `parameter '` in a message. */
static char *parameter_named(struct request *request, const char *message) {
    static const char mark[] = "parameter '";
    const char *found = strstr(message, mark);
    return found ? arena_string(request->arena, found + strlen(mark), strcspn(found + strlen(mark), "'"))
                 : NULL;
}

bool tool_is_right(struct request *request, struct answer *answer, json_t *tool) {
    struct words words = {.list = {"atomc", "--header"}, .count = 2};
    struct command command = {.words = words.list};
    struct command_result result;
    if (!json_is_object(tool) || (!json_object_get(tool, "name") && !json_object_get(tool, "path")))
        return true; /* atomc says what is wrong with the job */
    if (!add_tool(request, answer, &words, tool))
        return false;
    if (!command_run(request->project, &command, &result) || result.status != 0) {
        answer_command(answer, &command, &result);
        const char *error = json_string_value(json_object_get(answer->error, "error"));
        const char *parameter = parameter_named(request, error ? error : "");
        if (parameter)
            answer_where(answer,
                         json_pack("{s:O?, s:s}", "tool",
                                   json_object_get(tool, json_object_get(tool, "name") ? "name" : "path"),
                                   "parameter", parameter));
    }
    command_free(&result);
    return !answer_failed(answer);
}

/* ---- presets: parameters with a name ------------------------------------------------------------------ */

static void get_presets(struct request *request, struct answer *answer) {
    static const char sql[] = "SELECT json_object('presets', json_group_array(json_object('id', id, "
                              "'package', package, 'tool', tool, 'name', name, "
                              "'parameters', json(parameters)))) FROM (SELECT * FROM preset WHERE ?1 IS NULL "
                              "OR tool = ?1 ORDER BY tool, name)";
    sqlite3_stmt *ask = NULL;
    const char *tool = request_query(request, "tool");
    int code = sqlite3_prepare_v2(request->database, sql, -1, &ask, NULL);
    if (code == SQLITE_OK && tool)
        sqlite3_bind_text(ask, 1, tool, -1, SQLITE_STATIC);
    if (code == SQLITE_OK && (code = sqlite3_step(ask)) == SQLITE_ROW)
        answer_text(answer, duplicate_string((const char *)sqlite3_column_text(ask, 0)),
                    (size_t)sqlite3_column_bytes(ask, 0));
    else
        answer_database(answer, code);
    sqlite3_finalize(ask);
}

struct preset {
    int64_t id;
    const char *package, *tool, *name;
    char *parameters;
};

static bool keep_preset(sqlite3 *database, void *argument) {
    struct preset *preset = argument;
    sqlite3_stmt *insert = NULL;
    if (sqlite3_prepare_v2(database,
                           "INSERT INTO preset(package, tool, name, parameters) VALUES(?1, ?2, ?3, ?4) ON "
                           "CONFLICT DO UPDATE SET parameters = ?4 RETURNING id",
                           -1, &insert, NULL) != SQLITE_OK)
        return false;
    sqlite3_bind_text(insert, 1, preset->package, -1, SQLITE_STATIC);
    sqlite3_bind_text(insert, 2, preset->tool, -1, SQLITE_STATIC);
    sqlite3_bind_text(insert, 3, preset->name, -1, SQLITE_STATIC);
    sqlite3_bind_text(insert, 4, preset->parameters, -1, SQLITE_STATIC);
    bool good = sqlite3_step(insert) == SQLITE_ROW;
    preset->id = good ? sqlite3_column_int64(insert, 0) : 0;
    sqlite3_finalize(insert);
    return good;
}

/* POST /presets: one of that name is replaced. */
static void post_preset(struct request *request, struct answer *answer) {
    static const struct field fields[] = {{"package", FIELD_TEXT, false},
                                          {"tool", FIELD_TEXT, true},
                                          {"name", FIELD_TEXT, true},
                                          {"parameters", FIELD_OBJECT, true}};
    if (!request_fields(request, answer, fields, 4))
        return;
    struct preset preset = {0, request_text(request, "package"), request_text(request, "tool"),
                            request_text(request, "name"), NULL};
    if (!*preset.name || !is_name(preset.tool)) {
        answer_error(answer, MHD_HTTP_BAD_REQUEST, NULL, "a preset has a name, and a tool");
        return;
    }
    preset.package = preset.package ? preset.package : "";
    preset.parameters = json_dumps(json_object_get(request->body, "parameters"), JSON_COMPACT);
    int code = project_write(request->project, keep_preset, &preset);
    free(preset.parameters);
    answer_database(answer, code);
    if (code == SQLITE_OK) {
        answer_status(answer, MHD_HTTP_CREATED);
        answer_json(answer, json_pack("{s:I}", "id", preset.id));
    }
}

static bool drop_preset(sqlite3 *database, void *argument) {
    sqlite3_stmt *statement = NULL;
    if (sqlite3_prepare_v2(database, "DELETE FROM preset WHERE id = ?1", -1, &statement, NULL) != SQLITE_OK)
        return false;
    sqlite3_bind_int64(statement, 1, *(int64_t *)argument);
    bool good = sqlite3_step(statement) == SQLITE_DONE && sqlite3_changes(database) == 1;
    sqlite3_finalize(statement);
    return good;
}

/* DELETE /presets/N */
static void delete_preset(struct request *request, struct answer *answer) {
    int64_t id = (int64_t)request->number[0];
    int code = project_write(request->project, drop_preset, &id);
    if (code == SQLITE_ABORT)
        answer_error(answer, MHD_HTTP_NOT_FOUND, NULL, "there is no preset %s", request->name[0]);
    else
        answer_database(answer, code);
}

const struct route tools_routes[] = {
    {"GET", "/tools", get_tools},
    {"GET", "/tools/*", get_tool},
    {"GET", "/tools/*/*", get_package_tool},
    {"POST", "/check", check},
    {"POST", "/sites", sites},
    {"GET", "/presets", get_presets},
    {"POST", "/presets", post_preset},
    {"DELETE", "/presets/#", delete_preset},
    {NULL, NULL, NULL},
};
