/* tools.c: tools as atomc describes them, by commands with --json, and presets of their parameters. */
#include <stdlib.h>
#include <string.h>

#include "support/json.h"
#include "workbench/project/project.h"
#include "workbench/project/tool_words.h"

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

/* The name after `parameter '` in a message. */
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
        return true; /* atomc reports the error in the job */
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
    {"GET", "/presets", get_presets},
    {"POST", "/presets", post_preset},
    {"DELETE", "/presets/#", delete_preset},
    {NULL, NULL, NULL},
};
