/* api_author.c: texts of tools as they are written: what atomc says of them, and their places in a program.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/json.h"
#include "workbench/project.h"
#include "workbench/tool_words.h"

enum { MOST_SITES = 16 << 20, CHECK_SECONDS = 30 };

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

const struct route author_routes[] = {
    {"POST", "/check", check},
    {"POST", "/sites", sites},
    {NULL, NULL, NULL},
};
