/* text.c: see lsp.h. */
#include "editors/lsp/lsp.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/support.h"

struct document *documents;
bool counts_bytes;

struct document *document_find(const char *uri) {
    for (struct document *document = documents; document; document = document->next)
        if (strcmp(document->uri, uri) == 0)
            return document;
    return NULL;
}

struct document *document_of_path(const char *path) {
    for (struct document *document = documents; document; document = document->next)
        if (strcmp(document->path, path) == 0)
            return document;
    return NULL;
}

void document_change(struct document *document, const char *text, json_int_t version) {
    free(document->text);
    document->text = format_string("%s", text);
    document->length = strlen(text);
    document->version = version;
}

struct document *document_open(const char *uri, const char *text, json_int_t version) {
    struct document *document = document_find(uri);
    if (!document) {
        document = allocate(sizeof *document);
        *document =
            (struct document){.next = documents, .uri = format_string("%s", uri), .path = path_of_uri(uri)};
        documents = document;
    }
    document_change(document, text, version);
    return document;
}

void document_close(struct document *document) {
    struct document **at = &documents;
    while (*at != document)
        at = &(*at)->next;
    *at = document->next;
    free(document->uri);
    free(document->path);
    free(document->text);
    json_decref(document->diagnostics);
    json_decref(document->elsewhere);
    free(document);
}

static int hexadecimal(char digit) {
    return isdigit((unsigned char)digit)    ? digit - '0'
           : isxdigit((unsigned char)digit) ? (digit | 32) - 'a' + 10
                                            : -1;
}

char *path_of_uri(const char *uri) {
    const char *from = strncmp(uri, "file://", 7) == 0 ? uri + 7
                       : strchr(uri, ':')              ? strchr(uri, ':') + 1
                                                       : uri;
    char *path = allocate(strlen(from) + 1), *to = path;
    while (*from)
        if (*from == '%' && hexadecimal(from[1]) >= 0 && hexadecimal(from[2]) >= 0 &&
            (from[1] != '0' || from[2] != '0')) {
            *to++ = (char)(hexadecimal(from[1]) * 16 + hexadecimal(from[2]));
            from += 3;
        } else {
            *to++ = *from++;
        }
    *to = '\0';
    return path;
}

char *uri_of_path(const char *path) {
    char *real = realpath(path, NULL);
    const char *from = real ? real : path;
    char *uri = allocate(3 * strlen(from) + 8), *to = uri + sprintf(uri, "file://");
    for (; *from; from++)
        if (isalnum((unsigned char)*from) || strchr("/-._~", *from))
            *to++ = *from;
        else
            to += sprintf(to, "%%%02X", (unsigned char)*from);
    *to = '\0';
    free(real);
    return uri;
}

/* The length of the character at text in bytes, and in the units of columns. */
static size_t character(const char *text, size_t left, unsigned *units) {
    unsigned char first = (unsigned char)*text;
    size_t length = first < 0xc0 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
    if (length > left)
        length = left;
    *units = counts_bytes ? (unsigned)length : first >= 0xf0 ? 2 : 1;
    return length;
}

static size_t number_in(const json_t *position, const char *key) {
    json_int_t number = json_integer_value(json_object_get(position, key));
    return number > 0 ? (size_t)number : 0;
}

size_t offset_of(const char *text, size_t length, const json_t *position) {
    size_t offset = 0, column = number_in(position, "character");
    for (size_t line = number_in(position, "line"); line > 0; line--) {
        const char *end = memchr(text + offset, '\n', length - offset);
        if (!end)
            return length;
        offset = (size_t)(end + 1 - text);
    }
    for (size_t at = 0; at < column && offset < length && text[offset] != '\n';) {
        unsigned units;
        offset += character(text + offset, length - offset, &units);
        at += units;
    }
    return offset;
}

json_t *position_of(const char *text, size_t offset) {
    json_int_t line = 0, column = 0;
    size_t at = 0;
    for (size_t i = 0; i < offset; i++)
        if (text[i] == '\n') {
            line++;
            at = i + 1;
        }
    while (at < offset) {
        unsigned units;
        at += character(text + at, offset - at, &units);
        column += units;
    }
    return json_pack("{s: I, s: I}", "line", line, "character", column);
}

json_t *range_of(const char *text, size_t begin, size_t end) {
    return json_pack("{s: o, s: o}", "start", position_of(text, begin), "end", position_of(text, end));
}
