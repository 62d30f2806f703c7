/* author.c: texts of tools in the editor: their diagnostics, the places that they select in a program, and
   the language server's answers about their words. All of these are commands. */
#include <stdlib.h>
#include <string.h>

#include "support/json.h"
#include "workbench/project/drafts.h"
#include "workbench/server/server.h"
#include "workbench/project/tool_words.h"

enum { MOST_SITES = 16 << 20, CHECK_SECONDS = 30, SKIPPED_EXAMPLES = 20 };

static const struct field check_fields[] = {
    {"text", FIELD_TEXT, false},         {"name", FIELD_TEXT, false},        {"count", FIELD_BOOLEAN, false},
    {"c", FIELD_OBJECT, false},          {"tool", FIELD_TEXT, false},        {"tools", FIELD_ARRAY, false},
    {"parameters", FIELD_OBJECT, false}, {"program", FIELD_INTEGER, false},  {"objects", FIELD_TEXT, false},
    {"document", FIELD_TEXT, false},     {"procedures", FIELD_TEXTS, false},
};
enum { CHECK_FIELDS = sizeof check_fields / sizeof check_fields[0] };

/* The text is on standard input. If the text has a name, it is the file of that name beside the other files.
   Without a name, the command line names the other files as C. */
static bool add_tool_text(struct request *request, struct answer *answer, struct words *words,
                          const char *text) {
    json_t *files = json_object_get(request->body, "c"), *file;
    const char *name, *page = request_text(request, "name");
    if ((page && !is_page_name(answer, page)) ||
        !draft_is_allowed(request, answer, page ? page : "page.atd", text, files))
        return false;
    if (json_object_size(files) > 0 && !(words->folder = draft_folder(request, answer, NULL, NULL, files)))
        return false;
    if (page && !add_word(words, answer, arena_format(request->arena, "--as=%s", page)))
        return false;
    bool good = add_word(words, answer, "-");
    json_object_foreach(files, name, file) {
        good = good && (page || add_word(words, answer, arena_format(request->arena, "%s", name)));
    }
    return good && add_parameters(request, answer, words, json_object_get(request->body, "parameters"));
}

/* The tools, from a text or by name, and the program. */
static bool add_request(struct request *request, struct answer *answer, struct words *words,
                        bool with_program) {
    json_t *body = request->body, *tool;
    const char *name = request_text(request, "tool"), *objects = request_text(request, "objects");
    size_t i;
    if (request_text(request, "text")) {
        if (!add_tool_text(request, answer, words, request_text(request, "text")))
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

/* A handler may receive the output of a command a line at a time. */
struct taker {
    void (*take)(void *context, const char *line, size_t length);
    void *context;
};

static void run_check(struct request *request, struct answer *answer, struct words *words,
                      struct command_result *result, const char *what, const struct taker *taker) {
    const char *document = request_text(request, "document"), *text = request_text(request, "text");
    struct command command = {
        .words = words->list, .seconds = CHECK_SECONDS, .most = MOST_SITES, .folder = words->folder};
    command.topic = arena_format(request->arena, "%s %s", what, document ? document : "");
    command.input = text;
    command.input_length = text ? strlen(text) : 0;
    if (taker) {
        command.take_line = taker->take;
        command.context = taker->context;
    }
    /* No output and no error: the procedures have no places. */
    if (!command_run(request->project, &command, result) || result->status > 1 ||
        (!taker && result->output_length == 0 && result->status != 0))
        answer_command(answer, &command, result);
}

/* POST /check: diagnostics are a regular response, so the status is 200 for tools with errors, too. */
static void answer_check(struct request *request, struct answer *answer) {
    struct words words = {.list = {"atomc", "--check", "--json"}, .count = 3};
    struct command_result result = {0};
    if (request_fields(request, answer, check_fields, CHECK_FIELDS) &&
        add_request(request, answer, &words, false))
        run_check(request, answer, &words, &result, "check", NULL);
    if (!answer_failed(answer)) {
        answer_text(answer, result.output, result.output_length);
        result.output = NULL;
    }
    command_free(&result);
}

/* Turns JSON Lines into two arrays: sites and diagnostics. Moves the diagnostics' lines after the
   others. */
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

/* ---- the numbers of places of each procedure and statement, and the skipped ones with reasons ------------- */

struct tally {
    json_t *procedures, *statements, *skipped, *diagnostics;
    json_int_t sites;
};

static json_t *entry_with_key(json_t *table, const char *key) {
    json_t *entry = json_object_get(table, key);
    if (!entry)
        json_object_set_new_nocheck(table, key, entry = json_object());
    return entry;
}

static void add_to(json_t *entry, const char *key, json_int_t count) {
    json_object_set_new(entry, key, json_integer(json_integer_value(json_object_get(entry, key)) + count));
}

static void tally_skipped(struct tally *tally, const json_t *line, json_t *statement) {
    json_int_t count = json_integer_value(json_object_get(line, "count"));
    json_t *entry = entry_with_key(tally->skipped, json_string_value(json_object_get(line, "skipped")));
    json_t *examples = json_object_get(entry, "examples");
    if (!examples)
        json_object_set_new(entry, "examples", examples = json_array());
    add_to(entry, "count", count);
    add_to(statement, "skipped", count);
    if (json_array_size(examples) < SKIPPED_EXAMPLES)
        json_array_append_new(examples, json_pack("{s:O?, s:O?, s:O?}", "pc", json_object_get(line, "pc"),
                                                  "procedure", json_object_get(line, "procedure"),
                                                  "statement", json_object_get(line, "statement")));
}

static void tally_line(void *context, const char *text, size_t length) {
    struct tally *tally = context;
    json_t *line = json_loadb(text, length, 0, NULL), *diagnostic = json_object_get(line, "diagnostic");
    json_t *where = json_object_get(line, "statement");
    const char *procedure = json_string_value(json_object_get(line, "procedure"));
    char *key = format_string("%s:%lld:%lld", where ? json_string_value(json_object_get(where, "file")) : "",
                              (long long)json_integer_value(json_object_get(where, "begin")),
                              (long long)json_integer_value(json_object_get(where, "end")));
    if (diagnostic) {
        json_array_append(tally->diagnostics, diagnostic);
    } else if (line) {
        json_t *statement = entry_with_key(tally->statements, key);
        if (where)
            json_object_set(statement, "statement", where);
        if (json_object_get(line, "skipped")) {
            tally_skipped(tally, line, statement);
        } else {
            tally->sites++;
            add_to(statement, "sites", 1);
            if (procedure)
                add_to(tally->procedures, procedure, 1);
        }
    }
    free(key);
    json_decref(line);
}

/* {"KEY": {...}} as [{"name": KEY, ...}] */
static json_t *as_list(json_t *table, const char *name) {
    json_t *list = json_array(), *entry;
    const char *key;
    json_object_foreach(table, key, entry) {
        if (name)
            json_object_set_new(entry, name, json_text(key));
        json_array_append(list, entry);
    }
    json_decref(table);
    return list;
}

static void count_sites(struct request *request, struct answer *answer, struct words *words) {
    struct tally tally = {json_object(), json_object(), json_object(), json_array(), 0};
    struct taker taker = {tally_line, &tally};
    struct command_result result = {0};
    run_check(request, answer, words, &result, "count", &taker);
    json_t *value = json_pack("{s:I, s:o, s:o, s:o, s:o}", "sites", tally.sites, "procedures",
                              tally.procedures, "statements", as_list(tally.statements, NULL), "skipped",
                              as_list(tally.skipped, "reason"), "diagnostics", tally.diagnostics);
    if (answer_failed(answer))
        json_decref(value);
    else
        answer_json(answer, value);
    command_free(&result);
}

static void list_sites(struct request *request, struct answer *answer, struct words *words) {
    struct command_result result = {0};
    size_t length;
    run_check(request, answer, words, &result, "sites", NULL);
    if (!answer_failed(answer)) {
        char *text = sites_of(result.output, &length);
        answer_text(answer, text, length);
    }
    command_free(&result);
}

/* POST /sites */
static void answer_sites(struct request *request, struct answer *answer) {
    struct words words = {.list = {"atomc", "--dump=sites", "--json"}, .count = 3};
    json_t *name;
    size_t i;
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
    if (!good || !add_request(request, answer, &words, true))
        return;
    if (json_is_true(json_object_get(request->body, "count")))
        count_sites(request, answer, &words);
    else
        list_sites(request, answer, &words);
}

/* ---- words of a page: atomc lsp --------------------------------------------------------------------------- */

static void put_message(FILE *stream, int id, const char *method, json_t *parameters) {
    json_t *message = json_pack("{s:s, s:s, s:o}", "jsonrpc", "2.0", "method", method, "params", parameters);
    if (id)
        json_object_set_new(message, "id", json_integer(id));
    char *text = json_dumps(message, JSON_COMPACT);
    fprintf(stream, "Content-Length: %zu\r\n\r\n%s", strlen(text), text);
    free(text);
    json_decref(message);
}

enum { ASKED = 2 };

/* One question of a text that is in no file. */
static char *ask_question(struct request *request, const char *method, size_t *length) {
    static const char uri[] = "untitled:page";
    json_t *body = request->body;
    char *text = NULL;
    FILE *stream = open_memstream(&text, length);
    put_message(stream, 1, "initialize", json_object());
    put_message(stream, 0, "textDocument/didOpen",
                json_pack("{s:{s:s, s:s, s:i, s:O}}", "textDocument", "uri", uri, "languageId", "atd",
                          "version", 1, "text", json_object_get(body, "text")));
    put_message(stream, ASKED, method,
                json_pack("{s:{s:s}, s:{s:I, s:I}}", "textDocument", "uri", uri, "position", "line",
                          json_integer_value(json_object_get(body, "line")), "character",
                          json_integer_value(json_object_get(body, "character"))));
    put_message(stream, 3, "shutdown", json_null());
    put_message(stream, 0, "exit", json_null());
    fclose(stream);
    return text;
}

/* The result in the response to the request; NULL: there is none. */
static json_t *answer_in(const char *messages, size_t length) {
    static const char key[] = "Content-Length: ";
    json_t *result = NULL;
    for (const char *at = messages; !result && strncmp(at, key, strlen(key)) == 0;) {
        char *after;
        size_t size = strtoul(at + strlen(key), &after, 10);
        after += strncmp(after, "\r\n\r\n", 4) == 0 ? 4 : 0;
        if (size > length - (size_t)(after - messages))
            break;
        json_t *message = json_loadb(after, size, 0, NULL);
        if (json_integer_value(json_object_get(message, "id")) == ASKED)
            result = json_incref(json_object_get(message, "result"));
        json_decref(message);
        at = after + size;
    }
    return result;
}

/* GET /language: the tables of all words. */
static void language_tables(struct request *request, struct answer *answer) {
    static const char *const words[] = {"atomc", "info", "--json", NULL};
    answer_document(request, answer, words);
}

/* POST /language */
static void answer_language(struct request *request, struct answer *answer) {
    static const struct field fields[] = {{"text", FIELD_TEXT, true},
                                          {"ask", FIELD_TEXT, true},
                                          {"line", FIELD_INTEGER, false},
                                          {"character", FIELD_INTEGER, false},
                                          {"document", FIELD_TEXT, false}};
    static const char *const asks[][2] = {{"completion", "textDocument/completion"},
                                          {"hover", "textDocument/hover"},
                                          {"definition", "textDocument/definition"},
                                          {"symbols", "textDocument/documentSymbol"}};
    static const char *const words[] = {"atomc", "lsp", NULL};
    if (!request_fields(request, answer, fields, sizeof fields / sizeof fields[0]))
        return;
    const char *method = NULL, *ask = request_text(request, "ask"),
               *document = request_text(request, "document");
    for (size_t i = 0; i < sizeof asks / sizeof asks[0]; i++)
        if (strcmp(asks[i][0], ask) == 0)
            method = asks[i][1];
    if (!method) {
        answer_error(answer, MHD_HTTP_BAD_REQUEST, "completion, hover, definition or symbols",
                     "nothing is called '%s'", ask);
        return;
    }
    struct command command = {.words = words};
    struct command_result result;
    char *input = ask_question(request, method, &command.input_length);
    command.input = input;
    command.topic = arena_format(request->arena, "%s %s", ask, document ? document : "");
    if (command_run(request->project, &command, &result) && result.status == 0)
        answer_json(answer, json_pack("{s:o?}", "result", answer_in(result.output, result.output_length)));
    else
        answer_command(answer, &command, &result);
    free(input);
    command_free(&result);
}

const struct route author_routes[] = {
    {"POST", "/check", answer_check},
    {"POST", "/sites", answer_sites},
    {"GET", "/language", language_tables},
    {"POST", "/language", answer_language},
    {NULL, NULL, NULL},
};
