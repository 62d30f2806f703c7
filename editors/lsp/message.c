/* message.c: see lsp.h. A message is a heading, `Content-Length: N`, an empty line, and N bytes of JSON. */
#define _GNU_SOURCE
#include "editors/lsp/lsp.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/support.h"

enum { LONGEST_MESSAGE = 64 << 20 };

bool input_read(struct input *input) {
    if (input->capacity - input->length < 65536) {
        input->capacity = 2 * input->capacity + 65536;
        input->bytes = reallocate(input->bytes, input->capacity);
    }
    ssize_t count = read(STDIN_FILENO, input->bytes + input->length, input->capacity - input->length);
    if (count > 0)
        input->length += (size_t)count;
    return count > 0 || (count < 0 && errno == EINTR);
}

/* The length in a heading; -1: there is none. */
static long heading_length(const char *heading, size_t length) {
    static const char key[] = "content-length:";
    for (const char *line = heading; line < heading + length;) {
        const char *end = memchr(line, '\n', (size_t)(heading + length - line));
        if (strncasecmp(line, key, sizeof key - 1) == 0)
            return strtol(line + sizeof key - 1, NULL, 10);
        line = end ? end + 1 : heading + length;
    }
    return -1;
}

static void drop(struct input *input, size_t count) {
    memmove(input->bytes, input->bytes + count, input->length - count);
    input->length -= count;
}

json_t *input_next(struct input *input) {
    for (;;) {
        char *body = input->length ? memmem(input->bytes, input->length, "\r\n\r\n", 4) : NULL;
        if (!body)
            return NULL;
        size_t heading = (size_t)(body + 4 - input->bytes);
        long length = heading_length(input->bytes, heading);
        if (length < 0 || length > LONGEST_MESSAGE) {
            send_error(NULL, -32700, "a message needs a heading Content-Length of at most 64 MB");
            drop(input, heading);
            continue;
        }
        if (input->length - heading < (size_t)length)
            return NULL;
        json_error_t error;
        json_t *message = json_loadb(input->bytes + heading, (size_t)length, 0, &error);
        drop(input, heading + (size_t)length);
        if (json_is_object(message))
            return message;
        json_decref(message);
        send_error(NULL, -32700, "the message is not a JSON object");
    }
}

void send_message(json_t *message) {
    json_object_set_new(message, "jsonrpc", json_string("2.0"));
    char *text = json_dumps(message, JSON_COMPACT);
    json_decref(message);
    if (!text)
        return;
    printf("Content-Length: %zu\r\n\r\n%s", strlen(text), text);
    fflush(stdout);
    free(text);
}

void send_result(const json_t *id, json_t *result) {
    send_message(json_pack("{s: O, s: o}", "id", id, "result", result ? result : json_null()));
}

void send_error(const json_t *id, int code, const char *text) {
    send_message(json_pack("{s: O, s: {s: i, s: s}}", "id", id ? id : json_null(), "error", "code", code,
                           "message", text));
}

void send_notification(const char *method, json_t *parameters) {
    send_message(json_pack("{s: s, s: o}", "method", method, "params", parameters));
}
