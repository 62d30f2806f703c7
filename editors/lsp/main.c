/* main.c: atomc lsp: answers an editor until the editor sends `exit`. Usage: atomc-lsp, with messages on
   standard input. Exit status 0 after `shutdown` and `exit`, 1 if the editor ends without them. */
#include "editors/lsp/lsp.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/options.h"

/* JSON-RPC and LSP 3.17. */
enum {
    METHOD_NOT_FOUND = -32601,
    INVALID_PARAMS = -32602,
    NOT_INITIALIZED = -32002,
    INVALID_REQUEST = -32600
};

static bool initialized, shut_down, ended;

static json_t *server_capabilities(const json_t *parameters) {
    const json_t *encodings = json_object_get(
        json_object_get(json_object_get(parameters, "capabilities"), "general"), "positionEncodings");
    const json_t *encoding;
    size_t i;
    json_array_foreach(encodings, i, encoding) {
        const char *text = json_string_value(encoding);
        counts_bytes |= text && strcmp(text, "utf-8") == 0;
    }
    initialized = true;
    return json_pack(
        "{s: {s: s, s: {s: b, s: i, s: {s: b}}, s: {s: [s, s]}, s: b, s: b, s: b, s: {s: [s]}}, s: {s: s}}",
        "capabilities", "positionEncoding", counts_bytes ? "utf-8" : "utf-16", "textDocumentSync",
        "openClose", 1, "change", 1, "save", "includeText", 0, "completionProvider", "triggerCharacters", ".",
        "$", "hoverProvider", 1, "definitionProvider", 1, "documentSymbolProvider", 1, "codeActionProvider",
        "codeActionKinds", "quickfix", "serverInfo", "name", "atomc");
}

/* ---- requests ------------------------------------------------------------------------------------------- */

static const char *uri_in(const json_t *parameters) {
    const char *uri = json_string_value(json_object_get(json_object_get(parameters, "textDocument"), "uri"));
    return uri ? uri : "";
}

static size_t offset_in(const struct document *document, const json_t *parameters) {
    return offset_of(document->text, document->length, json_object_get(parameters, "position"));
}

static json_t *handle_completion(const struct document *document, const json_t *parameters) {
    return answer_completion(document, offset_in(document, parameters));
}
static json_t *handle_hover(const struct document *document, const json_t *parameters) {
    return answer_hover(document, offset_in(document, parameters));
}
static json_t *handle_definition(const struct document *document, const json_t *parameters) {
    return answer_definition(document, offset_in(document, parameters));
}
static json_t *handle_symbols(const struct document *document, const json_t *parameters) {
    (void)parameters;
    return answer_symbols(document);
}
static json_t *handle_actions(const struct document *document, const json_t *parameters) {
    return answer_actions(document, json_object_get(parameters, "range"));
}

static const struct {
    const char *method;
    json_t *(*answer)(const struct document *document, const json_t *parameters);
} requests[] = {
    {"textDocument/completion", handle_completion}, {"textDocument/hover", handle_hover},
    {"textDocument/definition", handle_definition}, {"textDocument/documentSymbol", handle_symbols},
    {"textDocument/codeAction", handle_actions},
};

static void answer_request(const json_t *id, const char *method, const json_t *parameters) {
    if (strcmp(method, "initialize") == 0) {
        send_result(id, server_capabilities(parameters));
        return;
    }
    if (!initialized || shut_down) {
        send_error(id, initialized ? INVALID_REQUEST : NOT_INITIALIZED,
                   initialized ? "it is shut down" : "initialize comes first");
        return;
    }
    if (strcmp(method, "shutdown") == 0) {
        shut_down = true;
        send_result(id, NULL);
        return;
    }
    for (size_t i = 0; i < sizeof requests / sizeof *requests; i++)
        if (strcmp(method, requests[i].method) == 0) {
            const struct document *document = document_find(uri_in(parameters));
            if (document)
                send_result(id, requests[i].answer(document, parameters));
            else
                send_error(id, INVALID_PARAMS, "the document is not open");
            return;
        }
    send_error(id, METHOD_NOT_FOUND, "there is no such request");
}

/* ---- notifications --------------------------------------------------------------------------------------- */

static void check_all(void) {
    for (struct document *document = documents; document; document = document->next)
        checker_want(document);
}

static void take_notification(const char *method, const json_t *parameters) {
    const json_t *item = json_object_get(parameters, "textDocument");
    const char *uri = uri_in(parameters);
    json_int_t version = json_integer_value(json_object_get(item, "version"));
    struct document *document = document_find(uri);
    if (strcmp(method, "textDocument/didOpen") == 0) {
        const char *text = json_string_value(json_object_get(item, "text"));
        if (*uri && text)
            checker_want(document_open(uri, text, version));
    } else if (strcmp(method, "textDocument/didChange") == 0 && document) {
        const json_t *changes = json_object_get(parameters, "contentChanges");
        const char *text =
            json_string_value(json_object_get(json_array_get(changes, json_array_size(changes) - 1), "text"));
        if (text) {
            document_change(document, text, version);
            checker_want(document);
        }
    } else if (strcmp(method, "textDocument/didSave") == 0) {
        check_all(); /* other documents may include it */
    } else if (strcmp(method, "textDocument/didClose") == 0 && document) {
        checker_forget(document);
        document_close(document);
    } else if (strcmp(method, "exit") == 0) {
        ended = true;
    }
}

static void take_message(const json_t *message) {
    const char *method = json_string_value(json_object_get(message, "method"));
    const json_t *id = json_object_get(message, "id"), *parameters = json_object_get(message, "params");
    if (!method)
        return; /* a response: it is not a request */
    if (id)
        answer_request(id, method, parameters);
    else if (initialized || strcmp(method, "exit") == 0)
        take_notification(method, parameters);
}

/* ---- the program ------------------------------------------------------------------------------------------ */

/* Clients add --stdio, which is the only mode. Returns false with the exit status set. */
static bool read_words(int count, char **words, int *status) {
    struct diagnostics *diagnostics = diagnostics_create();
    struct option_reader reader = {.command = COMMAND_LSP,
                                   .words = words,
                                   .count = count,
                                   .at = count > 1 && strcmp(words[1], "lsp") == 0 ? 2 : 1,
                                   .diagnostics = diagnostics};
    enum option_id option;
    while ((option = next_option(&reader)) == OPTION_STDIO)
        continue;
    if (option == OPTION_HELP)
        print_help(COMMAND_LSP, stdout);
    if (option == OPTION_WORD)
        usage_error(diagnostics, COMMAND_LSP, "it takes no words but --stdio; editors start it");
    diagnostics_print(diagnostics, stderr);
    diagnostics_destroy(diagnostics);
    *status = option != OPTION_HELP;
    return option == OPTION_END;
}

int main(int count, char **words) {
    int status;
    if (!read_words(count, words, &status))
        return status;
    signal(SIGPIPE, SIG_IGN);
    atomc = atomc_beside();
    if (!language_read()) {
        fprintf(stderr, "atomc lsp: error: %s does not tell the language's tables\n", atomc);
        return 2;
    }
    struct input input = {0};
    while (!ended) {
        struct pollfd waits[2] = {{.fd = STDIN_FILENO, .events = POLLIN},
                                  {.fd = checker_descriptor(), .events = POLLIN}};
        if (poll(waits, 2, -1) < 0 && errno != EINTR)
            break;
        if (waits[1].revents)
            checker_continue();
        if (!waits[0].revents)
            continue;
        if (!input_read(&input))
            break;
        for (json_t *message; !ended && (message = input_next(&input));) {
            take_message(message);
            json_decref(message);
        }
    }
    while (documents) {
        checker_forget(documents);
        document_close(documents);
    }
    free(input.bytes);
    return shut_down ? 0 : 1;
}
