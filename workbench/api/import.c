/* import.c: makes runs of existing results: folders of rows, and other programs' files, which `atomc
   import` converts to rows. It uses the same commands as a user in a shell. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/json.h"
#include "workbench/project/programs.h"
#include "workbench/server/server.h"

enum { IMPORT_SECONDS = 600 };

/* Runs the command; with `answered`, parses its output as JSON. False: the request is answered. */
static bool execute_command_for(struct request *request, struct answer *answer, const char *const *words,
                                json_t **answered) {
    struct command command = {.words = words, .seconds = IMPORT_SECONDS};
    struct command_result result;
    bool good = command_run(request->project, &command, &result) && result.status == 0;
    if (good && answered)
        good = (*answered = json_loadb(result.output, result.output_length, 0, NULL)) != NULL;
    if (!good)
        answer_command(answer, &command, &result);
    command_free(&result);
    return good;
}

struct naming {
    int64_t run;
    const char *name;
};

static bool name_run(sqlite3 *database, void *argument) {
    const struct naming *naming = argument;
    return statement_run(
        statement(database, "UPDATE run SET name = ?2 WHERE id = ?1", "is", naming->run, naming->name));
}

/* Adds the folder, or the file of rows, as a run with this name. Returns true if it is new. */
static bool collect_and_name(struct request *request, struct answer *answer, const char *path,
                             const char *name) {
    const char *database =
        arena_format(request->arena, "%s/project.sqlite", project_folder(request->project));
    const char *words[] = {"atomc", "collect", "--json", "-o", database, path, NULL};
    json_t *collected = NULL;
    if (!execute_command_for(request, answer, words, &collected))
        return false;
    json_t *run = json_array_get(json_object_get(collected, "runs"), 0);
    bool is_new = json_is_true(json_object_get(run, "new"));
    struct naming naming = {json_integer_value(json_object_get(run, "run")), name};
    if (is_new)
        answer_database(answer, project_write(request->project, name_run, &naming));
    if (!answer_failed(answer)) {
        answer_status(answer, is_new ? MHD_HTTP_CREATED : MHD_HTTP_OK);
        answer_json(answer, json_pack("{s:I, s:b}", "id", (json_int_t)naming.run, "existing", !is_new));
    }
    json_decref(collected);
    return is_new && !answer_failed(answer);
}

static bool is_rows(const char *path) {
    const char *end = strstr(path, ".rows");
    return end && end[5 + strspn(end + 5, ".0123456789")] == '\0';
}

/* Another program's file: its rows are written to a folder of the project's runs. */
static void import_file(struct request *request, struct answer *answer, const char *path, const char *name) {
    uint32_t number;
    if (getrandom(&number, sizeof number, 0) != sizeof number) {
        answer_error(answer, MHD_HTTP_INTERNAL_SERVER_ERROR, NULL, "there are no random numbers");
        return;
    }
    const char *folder =
        arena_format(request->arena, "%s/runs/imported-%08x", project_folder(request->project), number);
    const char *form = request_text(request, "format"), *program = request_text(request, "program");
    const char *words[10] = {"atomc", "import", "-o", folder};
    size_t count = 4;
    if (form)
        words[count++] = arena_format(request->arena, "--format=%s", form);
    if (program)
        words[count++] = arena_format(request->arena, "--program=%s", program);
    words[count++] = path;
    if (!execute_command_for(request, answer, words, NULL))
        return;
    if (!collect_and_name(request, answer, folder, name))
        remove_tree(folder);
}

/* POST /import {path, name, format, program} */
static void post_import(struct request *request, struct answer *answer) {
    static const struct field fields[] = {{"path", FIELD_TEXT, true},
                                          {"name", FIELD_TEXT, false},
                                          {"format", FIELD_TEXT, false},
                                          {"program", FIELD_TEXT, false}};
    struct stat status;
    if (!request_fields(request, answer, fields, 4))
        return;
    if (project_is_read_only(request->project)) {
        answer_database(answer, SQLITE_READONLY);
        return;
    }
    const char *path = request_text(request, "path"), *name = request_text(request, "name");
    int file = path_open(request->project, path, O_RDONLY);
    if (file < 0 || fstat(file, &status) != 0) {
        bool outside = errno == EXDEV;
        answer_error(answer, outside ? MHD_HTTP_FORBIDDEN : MHD_HTTP_BAD_REQUEST,
                     outside ? "allow the folder first" : NULL, "%s: %s", path,
                     outside ? "it is outside of the folders that may be read" : strerror(errno));
        answer_where(answer, json_pack("{s:s}", "field", "path"));
        if (file >= 0)
            close(file);
        return;
    }
    close(file);
    char *full = path[0] == '/' ? realpath(path, NULL)
                                : format_string("%s/%s", project_folder(request->project), path);
    const char *slash = strrchr(path, '/');
    if (!name || !*name)
        name = slash && slash[1] ? slash + 1 : path;
    if (!full)
        answer_error(answer, MHD_HTTP_BAD_REQUEST, NULL, "%s: %s", path, strerror(errno));
    else if (S_ISDIR(status.st_mode) || is_rows(full))
        collect_and_name(request, answer, full, name);
    else
        import_file(request, answer, full, name);
    if (answer_failed(answer))
        answer_where(answer, json_pack("{s:s}", "field", "path"));
    free(full);
}

const struct route import_routes[] = {
    {"POST", "/import", post_import},
    {NULL, NULL, NULL},
};
