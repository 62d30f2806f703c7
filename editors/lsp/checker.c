/* checker.c: see lsp.h. Code that may crash runs in a child. */
#define _GNU_SOURCE
#include "editors/lsp/lsp.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/process.h"

const char *atomc;

static struct {
    pid_t process; /* 0: none */
    int output;    /* -1: none */
    const struct document *document;
    json_int_t version;
    char *text;
    size_t length, capacity;
} check = {.output = -1};

/* Its standard input is a file without a name, so that it never waits for us. */
static int file_of(const char *text, size_t length) {
    FILE *file = tmpfile();
    if (!file)
        return -1;
    bool good =
        fwrite(text, 1, length, file) == length && fflush(file) == 0 && lseek(fileno(file), 0, SEEK_SET) == 0;
    int descriptor = good ? dup(fileno(file)) : -1;
    fclose(file);
    return descriptor;
}

static pid_t start_check(char *const *words, int input, int *output) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
        return -1;
    pid_t process = process_start(&(struct process){.path = atomc,
                                                    .words = (const char *const *)words,
                                                    .files = (const int[]){input, ends[1], PROCESS_NOTHING},
                                                    .file_count = 3,
                                                    .group = PROCESS_OWN_GROUP});
    close(ends[1]);
    if (process < 0)
        close(ends[0]);
    *output = ends[0];
    return process;
}

static bool add_output(int descriptor, char **text, size_t *length, size_t *capacity) {
    if (*capacity - *length < 65536) {
        *capacity = 2 * *capacity + 65536;
        *text = reallocate(*text, *capacity);
    }
    ssize_t count = read(descriptor, *text + *length, *capacity - *length - 1);
    if (count > 0)
        *length += (size_t)count;
    (*text)[*length] = '\0';
    return count > 0 || (count < 0 && errno == EINTR);
}

char *command_output(char *const *words) {
    int status = 0;
    char *text = process_read(
        &(struct process){.path = atomc, .words = (const char *const *)words, .group = PROCESS_OWN_GROUP},
        PROCESS_OUTPUT, &status);
    if (status == 0)
        return text;
    free(text);
    return NULL;
}

static void stop_check(void) {
    if (check.process) {
        process_end_group(check.process, 0);
        close(check.output);
    }
    check.process = 0;
    check.output = -1;
}

/* ---- what it says ------------------------------------------------------------------------------------- */

static const char *text_of(const json_t *object, const char *key) {
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

/* For other files only lines and columns are available. */
static json_t *range_elsewhere(const json_t *found) {
    json_int_t line = json_integer_value(json_object_get(found, "line"));
    json_int_t column = json_integer_value(json_object_get(found, "column"));
    json_int_t last = json_integer_value(json_object_get(found, "end_column"));
    return json_pack("{s: {s: I, s: I}, s: {s: I, s: I}}", "start", "line", line - 1, "character", column - 1,
                     "end", "line", line - 1, "character", last > 0 ? last - 1 : column);
}

static json_t *diagnostic_of(const json_t *found, const struct document *document) {
    static const char *const severities[] = {"error", "warning", "note"};
    json_int_t severity = 1;
    while (severity < 3 && strcmp(text_of(found, "severity"), severities[severity - 1]) != 0)
        severity++;
    json_int_t begin = json_integer_value(json_object_get(found, "begin"));
    json_int_t end = json_integer_value(json_object_get(found, "end"));
    bool inside = json_is_integer(json_object_get(found, "begin")) && begin >= 0 && end >= begin &&
                  (size_t)end <= document->length;
    bool here = strcmp(text_of(found, "file"), document->path) == 0;
    bool placed = json_integer_value(json_object_get(found, "line")) > 0;
    json_t *range = here && inside ? range_of(document->text, (size_t)begin, (size_t)end)
                    : placed       ? range_elsewhere(found)
                                   : range_of("", 0, 0);
    const char *hint = text_of(found, "hint");
    json_t *message = json_sprintf("%s%s%s", text_of(found, "message"), *hint ? "\nhint: " : "", hint);
    return json_pack("{s: o, s: I, s: s, s: s, s: o, s: O*}", "range", range, "severity", severity, "source",
                     "atomc", "code", text_of(found, "id"), "message", message, "data",
                     json_object_get(found, "replacement"));
}

static void publish_diagnostics(const char *uri, const struct document *document, json_t *list) {
    json_t *parameters = json_pack("{s: s, s: O}", "uri", uri, "diagnostics", list);
    if (document)
        json_object_set_new(parameters, "version", json_integer(document->version));
    send_notification("textDocument/publishDiagnostics", parameters);
}

/* Diagnostics in an included file are published there, and also mentioned at the document's beginning. */
static void publish_all(struct document *document, const json_t *answer) {
    json_t *own = json_array(), *others = json_object(), *found, *list;
    size_t i;
    const char *path;
    json_array_foreach(json_object_get(answer, "diagnostics"), i, found) {
        const char *file = text_of(found, "file");
        if (!*file || strcmp(file, document->path) == 0) {
            json_array_append_new(own, diagnostic_of(found, document));
            continue;
        }
        if (!json_object_get(others, file))
            json_object_set_new(others, file, json_array());
        json_array_append_new(json_object_get(others, file), diagnostic_of(found, document));
        json_t *here = diagnostic_of(found, document);
        json_object_set_new(here, "range", range_of("", 0, 0));
        json_object_set_new(here, "message",
                            json_sprintf("%s:%d: %s", file,
                                         (int)json_integer_value(json_object_get(found, "line")),
                                         text_of(found, "message")));
        json_array_append_new(own, here);
    }
    publish_diagnostics(document->uri, document, own);
    json_decref(document->diagnostics);
    document->diagnostics = own;
    /* Files that no longer have diagnostics get an empty list. */
    json_object_foreach(document->elsewhere, path, list) if (!json_object_get(others, path))
        json_object_set_new(others, path, json_array());
    json_object_foreach(others, path, list) {
        char *uri = uri_of_path(path);
        if (!document_find(uri))
            publish_diagnostics(uri, NULL, list);
        free(uri);
    }
    json_decref(document->elsewhere);
    document->elsewhere = others;
}

/* ---- one after another -------------------------------------------------------------------------------- */

/* Parts of pages (.inc) cannot be checked alone. */
static bool is_page(const struct document *document) {
    size_t length = strlen(document->path);
    return length > 4 && strcmp(document->path + length - 4, ".atd") == 0;
}

static void begin_check(void) {
    struct document *document = documents;
    while (document && !document->to_check)
        document = document->next;
    if (!document || check.process)
        return;
    document->to_check = false;
    char *as = format_string("--as=%s", document->path);
    char *const words[] = {"atomc", "--check", "--json", as, "-", NULL};
    int input = file_of(document->text, document->length);
    pid_t process = input >= 0 ? start_check(words, input, &check.output) : -1;
    free(as);
    close(input);
    if (process < 0) {
        check.output = -1;
        return;
    }
    check.process = process;
    check.document = document;
    check.version = document->version;
    check.length = 0;
}

void checker_want(struct document *document) {
    if (!is_page(document))
        return;
    document->to_check = true;
    if (check.document == document)
        stop_check();
    begin_check();
}

int checker_descriptor(void) {
    return check.output;
}

void checker_continue(void) {
    if (add_output(check.output, &check.text, &check.length, &check.capacity))
        return;
    struct document *document = NULL;
    for (struct document *at = documents; at; at = at->next)
        if (at == check.document && at->version == check.version)
            document = at;
    stop_check();
    json_t *answer = json_loads(check.length ? check.text : "", 0, NULL);
    if (document && json_is_array(json_object_get(answer, "diagnostics")))
        publish_all(document, answer);
    json_decref(answer);
    begin_check();
}

void checker_forget(const struct document *document) {
    if (check.document == document)
        stop_check();
    json_t *none = json_array();
    publish_diagnostics(document->uri, NULL, none);
    json_decref(none);
}
