/* tool_words.c: see tool_words.h. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "workbench/server/server.h"
#include "workbench/project/tool_words.h"

/* A name of a tool, a package or a file; options and paths are refused. */
bool is_name(const char *text) {
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_+-.";
    size_t length = strlen(text);
    return length > 0 && length < 200 && strspn(text, letters) == length && text[0] != '-' &&
           text[0] != '.' && text[0] != '+';
}

/* NAME or PACKAGE/NAME */
bool is_tool_name(const char *text) {
    const char *slash = strchr(text, '/');
    char *package = slash ? strndup(text, (size_t)(slash - text)) : NULL;
    bool good = (!slash || is_name(package)) && is_name(slash ? slash + 1 : text);
    free(package);
    return good;
}

bool add_word(struct words *words, struct answer *answer, const char *word) {
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

/* -D NAME=VALUE for each parameter of the preceding tool. */
bool add_parameters(struct request *request, struct answer *answer, struct words *words, json_t *parameters) {
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
const char *readable(struct request *request, struct answer *answer, const char *path) {
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
bool add_tool(struct request *request, struct answer *answer, struct words *words, json_t *tool) {
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

bool add_program(struct request *request, struct answer *answer, struct words *words, json_t *program,
                 bool required) {
    sqlite3_stmt *ask = NULL;
    const char *path = NULL;
    if (!json_is_integer(program))
        return !required;
    if (sqlite3_prepare_v2(request->database, "SELECT path FROM program WHERE id = ?1", -1, &ask, NULL) ==
        SQLITE_OK) {
        sqlite3_bind_int64(ask, 1, json_integer_value(program));
        if (next_row(ask))
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
