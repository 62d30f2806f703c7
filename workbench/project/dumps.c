/* dumps.c: atomc's dumps of a program as JSON Lines (docs/json.md). */
#include <stdlib.h>
#include <string.h>

#include "support/json.h"
#include "workbench/project/programs.h"

const char *dump_text(const json_t *line, const char *key) {
    const char *text = json_string_value(json_object_get(line, key));
    return text ? text : "";
}

/* The message with the original's path in place of the copy's path. */
static const char *shown_message(struct request *request, const struct known_program *program,
                                 const char *message) {
    const char *at = strstr(message, program->kept);
    return at ? arena_format(request->arena, "%.*s%s%s", (int)(at - message), message, program->path,
                             at + strlen(program->kept))
              : message;
}

/* A diagnostic. False: the dump cannot be had. */
static bool take_diagnostic(struct request *request, struct answer *answer,
                            const struct known_program *program, const json_t *diagnostic,
                            const char **missing) {
    const char *severity = dump_text(diagnostic, "severity"), *hint = dump_text(diagnostic, "hint");
    const char *message = shown_message(request, program, dump_text(diagnostic, "message"));
    if (strcmp(severity, "warning") == 0 || strcmp(severity, "note") == 0)
        return true;
    if (missing && strcmp(dump_text(diagnostic, "id"), "NO_LIBRARY") == 0)
        *missing = arena_string(request->arena, message, strlen(message));
    else
        answer_error(answer, strcmp(severity, "error") == 0 ? 400 : 500, *hint ? hint : NULL, "%s", message);
    return false;
}

static json_t *parse_lines(struct request *request, struct answer *answer,
                           const struct known_program *program, const char *text, const char **missing) {
    json_t *lines = json_array();
    while (*text && lines) {
        size_t length = strcspn(text, "\n");
        json_t *line = json_loadb(text, length, 0, NULL), *diagnostic = json_object_get(line, "diagnostic");
        bool good = line && (!diagnostic || take_diagnostic(request, answer, program, diagnostic, missing));
        if (!line)
            answer_error(answer, 500, NULL, "atomc printed what is no JSON");
        if (good && !diagnostic)
            json_array_append(lines, line);
        json_decref(line);
        if (!good) {
            json_decref(lines);
            lines = NULL;
        }
        text += length + (text[length] == '\n');
    }
    return lines;
}

static json_t *dump_json(struct request *request, struct answer *answer, const struct known_program *program,
                         const char *what, const char *only, bool all, const char **missing) {
    const char *words[10] = {"atomc", "--json", what};
    size_t count = 3;
    if (only)
        words[count++] = only;
    if (all) {
        words[count++] = "--objects=all";
        words[count++] = "-L";
        words[count++] = program->folder;
    }
    words[count++] = program->kept;
    struct command command = {.words = words};
    struct command_result result;
    json_t *lines = NULL;
    bool ended = command_run(request->project, &command, &result);
    if (ended && (*result.output == '{' || result.status == 0))
        lines = parse_lines(request, answer, program, result.output, missing);
    else
        answer_command(answer, &command, &result);
    command_free(&result);
    return lines;
}

bool program_dump_lines(struct request *request, struct answer *answer, const struct known_program *program,
                        const char *what, double seconds,
                        void (*take_line)(void *context, const char *line, size_t length), void *context) {
    const char *missing = NULL;
    /* With the objects in the list of procedures. */
    json_t *objects = program_dump(request, answer, program, "program", NULL, &missing);
    if (!objects)
        return false;
    json_decref(objects);
    const char *words[8] = {"atomc", "--json", arena_format(request->arena, "--dump=%s", what)};
    size_t count = 3;
    if (!missing) {
        words[count++] = "--objects=all";
        words[count++] = "-L";
        words[count++] = program->folder;
    }
    words[count++] = program->kept;
    struct command command = {.words = words, .seconds = seconds, .take_line = take_line, .context = context};
    struct command_result result;
    bool good = command_run(request->project, &command, &result) && result.status == 0;
    if (!good)
        answer_command(answer, &command, &result);
    command_free(&result);
    return good;
}

json_t *program_dump(struct request *request, struct answer *answer, const struct known_program *program,
                     const char *what, const char *only, const char **missing) {
    const char *without = NULL;
    what = arena_format(request->arena, "--dump=%s", what);
    only = only ? arena_format(request->arena, "--only=%s", only) : NULL;
    json_t *lines = dump_json(request, answer, program, what, only, true, &without);
    if (without)
        lines = dump_json(request, answer, program, what, only, false, NULL);
    if (missing)
        *missing = without;
    return lines;
}

json_t *program_dump_command(const struct known_program *program, const char *what, const char *only) {
    json_t *words = json_array();
    json_array_append_new(words, json_text("atomc"));
    json_array_append_new(words, json_sprintf("--dump=%s", what));
    if (only)
        json_array_append_new(words, json_sprintf("--only=%s", only));
    json_array_append_new(words, json_text(program->path));
    return words;
}
