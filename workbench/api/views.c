/* views.c: saved screens: named addresses of pages. */
#include <stdlib.h>
#include <string.h>

#include "support/json.h"
#include "workbench/project/programs.h"
#include "workbench/server/server.h"

enum { LONGEST_NAME = 200, LONGEST_STATE = 64 * 1024 };

/* GET /views */
static void get_views(struct request *request, struct answer *answer) {
    sqlite3_stmt *row = statement(request->database,
                                  "SELECT id, name, kind, iif(json_valid(state), state, '{}'), created FROM "
                                  "view ORDER BY created DESC, id DESC",
                                  "");
    json_t *list = json_array();
    while (next_row(row)) {
        json_t *state = json_loads((const char *)sqlite3_column_text(row, 3), JSON_REJECT_DUPLICATES, NULL);
        json_array_append_new(list,
                              json_pack("{s:o, s:o, s:o, s:o, s:o}", "id", column_integer(row, 0), "name",
                                        column_text(row, 1), "screen", column_text(row, 2), "state",
                                        json_is_object(state) ? json_incref(state) : json_object(), "created",
                                        column_text(row, 4)));
        json_decref(state);
    }
    sqlite3_finalize(row);
    answer_json(answer, json_pack("{s:o}", "views", list));
}

struct saving {
    const char *name, *screen, *state;
    int64_t id;
};

static bool save_view(sqlite3 *database, void *argument) {
    static const char sql[] = "INSERT INTO view(name, kind, state, created) VALUES(?1, ?2, ?3, "
                              "strftime('%Y-%m-%dT%H:%M:%SZ')) ON CONFLICT DO "
                              "UPDATE SET kind = ?2, state = ?3, created = excluded.created RETURNING id";
    struct saving *saving = argument;
    saving->id =
        statement_number(statement(database, sql, "sss", saving->name, saving->screen, saving->state), 0);
    return saving->id != 0;
}

/* Texts by key, as an address has them. */
static bool is_state(const json_t *state) {
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)(uintptr_t)state, key, value) {
        if (!json_is_string(value))
            return false;
    }
    return true;
}

/* POST /views {name, screen, state}: one of that name is replaced. */
static void post_view(struct request *request, struct answer *answer) {
    static const struct field fields[] = {
        {"name", FIELD_TEXT, true}, {"screen", FIELD_TEXT, true}, {"state", FIELD_OBJECT, true}};
    if (!request_fields(request, answer, fields, 3))
        return;
    const json_t *given = json_object_get(request->body, "state");
    char *state = json_dumps(given, JSON_COMPACT | JSON_SORT_KEYS);
    struct saving saving = {request_text(request, "name"), request_text(request, "screen"), state, 0};
    size_t length = strlen(saving.name), letters = strspn(saving.screen, "abcdefghijklmnopqrstuvwxyz");
    if (length == 0 || length > LONGEST_NAME)
        answer_error(answer, MHD_HTTP_BAD_REQUEST, NULL, "a name has 1 to %d bytes", LONGEST_NAME);
    else if (letters == 0 || letters > 20 || saving.screen[letters])
        answer_error(answer, MHD_HTTP_BAD_REQUEST, NULL, "'%s' is no name of a screen", saving.screen);
    else if (!is_state(given) || !state || strlen(state) > LONGEST_STATE)
        answer_error(answer, MHD_HTTP_BAD_REQUEST, NULL, "a state has texts only, 64 kB at most");
    else
        answer_database(answer, project_write(request->project, save_view, &saving));
    if (!answer_failed(answer)) {
        answer_status(answer, MHD_HTTP_CREATED);
        answer_json(answer, json_pack("{s:I}", "id", (json_int_t)saving.id));
    }
    free(state);
}

static bool delete_view_row(sqlite3 *database, void *argument) {
    return statement_run(statement(database, "DELETE FROM view WHERE id = ?1", "i", *(int64_t *)argument)) &&
           sqlite3_changes(database) == 1;
}

/* DELETE /views/N */
static void delete_view(struct request *request, struct answer *answer) {
    int64_t id = (int64_t)request->number[0];
    int code = project_write(request->project, delete_view_row, &id);
    if (code == SQLITE_ABORT)
        answer_error(answer, MHD_HTTP_NOT_FOUND, NULL, "there is no saved screen %s", request->name[0]);
    else
        answer_database(answer, code);
}

const struct route views_routes[] = {
    {"GET", "/views", get_views},
    {"POST", "/views", post_view},
    {"DELETE", "/views/#", delete_view},
    {NULL, NULL, NULL},
};
