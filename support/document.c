/* document.c: functions of document.h. jansson does not record positions, so they are found again by counting
   members and elements in the text, which is known to be valid JSON. */
#include "support/document.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- reading ------------------------------------------------------------------------------------------ */

/* jansson's message ends with the text that it has just read: "unexpected token near 'x'". */
static void report_syntax(const struct document *document, const json_error_t *error) {
    static const char marker[] = " near '";
    const char *near = strstr(error->text, marker);
    size_t length = document->source.length, end = (size_t)(error->position < 0 ? 0 : error->position),
           width = near && strlen(near) > sizeof marker ? strlen(near) - sizeof marker : 0;
    end = end > length ? length : end;
    size_t begin = end > width ? end - width : 0;
    struct source_span where = {&document->source, (uint32_t)begin,
                                (uint32_t)(end > begin ? end : begin + 1)};
    const char *text = document->source.text;
    const char *slash = begin < length && text[begin] == '/' ? text + begin
                        : end < length && text[end] == '/'   ? text + end
                                                             : NULL;
    if (slash) {
        where.begin = (uint32_t)(slash - text);
        where.end = where.begin + 1 + (slash[1] == '/' || slash[1] == '*');
        diagnose(document->diagnostics, &where, MESSAGE_JSON_COMMENT);
        diagnose_hint(document->diagnostics, "a member \"note\": \"...\" is for people, and not looked at");
        return;
    }
    char *message =
        near ? format_string("%.*s", (int)(near - error->text), error->text) : duplicate_string(error->text);
    diagnose(document->diagnostics, &where, MESSAGE_JSON_SYNTAX, message);
    free(message);
}

/* Takes ownership of the text. */
static bool read_text(struct document *document, const char *name, const char *text, size_t length) {
    json_error_t error;
    document->source = (struct source){duplicate_string(name), text, length};
    size_t begin = source_begin(&document->source);
    document->root = json_loadb(text + begin, length - begin, JSON_REJECT_DUPLICATES, &error);
    if (!document->root) {
        error.position += (int)begin;
        report_syntax(document, &error);
    }
    return document->root != NULL;
}

bool document_open(struct document *document, const char *path, struct diagnostics *diagnostics) {
    size_t length;
    *document = (struct document){.diagnostics = diagnostics};
    char *text = read_file(path, &length);
    if (!text) {
        diagnose(diagnostics, NULL, MESSAGE_CANNOT_READ, path, strerror(errno));
        return false;
    }
    return read_text(document, path, text, length);
}

bool document_read(struct document *document, const char *name, const char *text, size_t length,
                   struct diagnostics *diagnostics) {
    *document = (struct document){.diagnostics = diagnostics};
    return read_text(document, name, format_string("%.*s", (int)length, text), length);
}

void document_close(struct document *document) {
    json_decref(document->root);
    free((char *)(uintptr_t)document->source.path);
    free((char *)(uintptr_t)document->source.text);
}

/* ---- places ------------------------------------------------------------------------------------------- */

static size_t skip_space(const char *text, size_t at) {
    return at + strspn(text + at, " \t\r\n");
}

static size_t skip_string(const char *text, size_t at) {
    for (at++; text[at] != '"'; at++)
        at += text[at] == '\\';
    return at + 1;
}

static size_t skip_value(const char *text, size_t at) {
    size_t depth = 0;
    do {
        at = skip_space(text, at);
        if (text[at] == '"') {
            at = skip_string(text, at);
        } else if (strchr("{[", text[at])) {
            depth++;
            at++;
        } else if (strchr("}]", text[at])) {
            depth--;
            at++;
        } else if (strchr(",:", text[at])) {
            at++;
        } else {
            at += strcspn(text + at, " \t\r\n,:]}");
        }
    } while (depth);
    return at;
}

/* Objects keep the order of their members. */
static size_t number_of(const struct node *node) {
    size_t number = 0;
    for (void *at = json_object_iter(node->up->value); at; at = json_object_iter_next(node->up->value, at)) {
        if (strcmp(json_object_iter_key(at), node->key) == 0)
            return number;
        number++;
    }
    return number;
}

/* The offset at which the value begins; `*key`: the offset of its key. */
static size_t begin_of(const struct node *node, size_t *key) {
    const char *text = node->document->source.text;
    if (!node->up)
        return *key = skip_space(text, source_begin(&node->document->source));
    size_t at = begin_of(node->up, key);
    if (!node->value)
        return *key = at;
    at = skip_space(text, at + 1);
    for (size_t left = node->key ? number_of(node) : node->index;; left--) {
        *key = at;
        if (node->key)
            at = skip_space(text, skip_space(text, skip_string(text, at)) + 1);
        if (left == 0)
            return at;
        at = skip_space(text, skip_space(text, skip_value(text, at)) + 1);
    }
}

struct source_span node_span(const struct node *node) {
    size_t key, begin = begin_of(node, &key);
    const struct source *source = &node->document->source;
    size_t end = node->value ? skip_value(source->text, begin) : begin + 1;
    const char *line = memchr(source->text + begin, '\n', end - begin); /* an object: its first line */
    return (struct source_span){source, (uint32_t)begin,
                                (uint32_t)(line ? (size_t)(line - source->text) : end)};
}

struct source_span node_key_span(const struct node *node) {
    size_t key;
    const struct source *source = &node->document->source;
    begin_of(node, &key);
    return (struct source_span){source, (uint32_t)key, (uint32_t)skip_string(source->text, key)};
}

struct node document_root(const struct document *document) {
    return (struct node){document, NULL, NULL, 0, document->root};
}

struct node node_member(const struct node *object, const char *key) {
    return (struct node){object->document, object, key, 0, json_object_get(object->value, key)};
}

struct node node_element(const struct node *array, size_t index) {
    return (struct node){array->document, array, NULL, index, json_array_get(array->value, index)};
}

const char *node_name(const struct node *node) {
    while (node->up && !node->key)
        node = node->up;
    return node->key ? node->key : "the document";
}

/* ---- checks ------------------------------------------------------------------------------------------- */

bool node_refuse(const struct node *node, const char *needed) {
    struct source_span where = node_span(node);
    diagnose(node->document->diagnostics, &where, MESSAGE_JSON_TYPE, node_name(node), needed);
    return false;
}

bool node_is_object(const struct node *node, const char *const *keys, size_t key_count) {
    bool good = true;
    if (!json_is_object(node->value))
        return node_refuse(node, "an object, {...}");
    for (void *at = json_object_iter(node->value); at; at = json_object_iter_next(node->value, at)) {
        const char *key = json_object_iter_key(at);
        size_t i = 0;
        while (i < key_count && strcmp(keys[i], key) != 0)
            i++;
        if (i < key_count || strcmp(key, "note") == 0)
            continue;
        struct node member = node_member(node, key);
        struct source_span where = node_key_span(&member);
        const char *nearest = nearest_name(key, keys, key_count);
        diagnose(node->document->diagnostics, &where, MESSAGE_JSON_UNKNOWN_KEY, key);
        if (nearest)
            diagnose_hint(node->document->diagnostics, "did you mean '%s'?", nearest);
        good = false;
    }
    return good;
}

bool node_is_array(const struct node *node) {
    return json_array_size(node->value) > 0 || node_refuse(node, "a list, [...], with at least one element");
}

bool node_text(const struct node *node, const char **text) {
    *text = json_string_value(node->value);
    return (*text && **text) || node_refuse(node, "a text");
}

bool node_integer(const struct node *node, int64_t least, int64_t greatest, int64_t *value) {
    *value = json_integer_value(node->value);
    if (json_is_integer(node->value) && *value >= least && *value <= greatest)
        return true;
    char *needed = format_string("a whole number from %" PRId64 " to %" PRId64, least, greatest);
    node_refuse(node, needed);
    free(needed);
    return false;
}

bool node_needs(const struct node *object, const char *key) {
    if (json_object_get(object->value, key))
        return true;
    struct source_span where = node_span(object);
    diagnose(object->document->diagnostics, &where, MESSAGE_JSON_MISSING, key);
    return false;
}
