/* request.c: parses addresses and bodies of requests, which may have any content. See api.h and server.h. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "workbench/server/server.h"

/* ---- the address -------------------------------------------------------------------------------------- */

static int hexadecimal_digit(char text) {
    return text >= '0' && text <= '9'   ? text - '0'
           : text >= 'a' && text <= 'f' ? text - 'a' + 10
           : text >= 'A' && text <= 'F' ? text - 'A' + 10
                                        : -1;
}

/* In place. Returns false if an escape is incomplete, or is a NUL. */
static bool decode_percent(char *text, bool plus) {
    char *to = text;
    for (; *text; text++) {
        int high, low;
        if (*text == '+' && plus) {
            *to++ = ' ';
        } else if (*text != '%') {
            *to++ = *text;
        } else if ((high = hexadecimal_digit(text[1])) >= 0 && (low = hexadecimal_digit(text[2])) >= 0 &&
                   high * 16 + low > 0) {
            *to++ = (char)(high * 16 + low);
            text += 2;
        } else {
            return false;
        }
    }
    *to = '\0';
    return true;
}

void request_split(struct exchange *exchange) {
    char *address = exchange->address;
    for (const char *at = address; *at; at++)
        if ((unsigned char)*at <= ' ' || *at == 0x7f) {
            exchange->refusal = "the address has a control character";
            return;
        }
    if (address[0] != '/') {
        exchange->refusal = "the address is no path";
        return;
    }
    exchange->query = strchr(address, '?');
    if (exchange->query)
        *exchange->query++ = '\0';
    size_t capacity = 0;
    char *path = address + 1;
    for (bool last = false; !last;) {
        size_t length = strcspn(path, "/");
        last = path[length] == '\0';
        VECTOR_RESERVE(exchange->parts, exchange->part_count + 1, capacity);
        char *part = strndup(path, length);
        exchange->parts[exchange->part_count++] = part;
        exchange->parts[exchange->part_count] = NULL;
        if (!part || !decode_percent(part, false)) {
            exchange->refusal = "the address has a wrong % escape";
            return;
        }
        path += length + 1;
    }
}

const char *request_query(const struct request *request, const char *name) {
    const char *at = request->exchange->query;
    size_t length = strlen(name);
    for (; at && *at; at += strcspn(at, "&"), at += *at == '&')
        if (strncmp(at, name, length) == 0 && (at[length] == '=' || at[length] == '&' || !at[length])) {
            const char *value = at + length + (at[length] == '=');
            char *copy = arena_string(request->arena, value, strcspn(value, "&"));
            return decode_percent(copy, true) ? copy : NULL;
        }
    return NULL;
}

long request_number(const struct request *request, const char *name, long otherwise, long least,
                    long greatest) {
    const char *text = request_query(request, name);
    char *end;
    errno = 0;
    long value = text && *text ? strtol(text, &end, strncmp(text, "0x", 2) == 0 ? 16 : 10) : otherwise;
    if (text && *text && (*end || (errno && errno != ERANGE)))
        value = otherwise;
    return value < least ? least : value > greatest ? greatest : value;
}

const char *request_header(const struct request *request, const char *name) {
    return MHD_lookup_connection_value(request->exchange->connection, MHD_HEADER_KIND, name);
}

/* ---- the body ----------------------------------------------------------------------------------------- */

static int json_depth(const char *text, size_t length) {
    int depth = 0, deepest = 0;
    bool quoted = false;
    for (size_t i = 0; i < length; i++) {
        if (quoted && text[i] == '\\')
            i++;
        else if (text[i] == '"')
            quoted = !quoted;
        else if (!quoted && (text[i] == '{' || text[i] == '['))
            deepest = ++depth > deepest ? depth : deepest;
        else if (!quoted && (text[i] == '}' || text[i] == ']'))
            depth--;
    }
    return deepest;
}

bool request_parse_body(struct exchange *exchange) {
    struct answer *answer = &exchange->answer;
    json_error_t error;
    if (!writes(exchange->request.method) || exchange->upload)
        return true;
    if (exchange->body_length == 0 && strcmp(exchange->request.method, "DELETE") == 0)
        return true;
    if (exchange->body_length == 0) {
        exchange->request.body = json_object();
        return true;
    }
    if (json_depth(exchange->body, exchange->body_length) > DEEPEST_JSON) {
        answer_error(answer, MHD_HTTP_BAD_REQUEST, NULL, "the JSON is nested deeper than %d levels",
                     DEEPEST_JSON);
        return false;
    }
    exchange->request.body =
        json_loadb(exchange->body, exchange->body_length, JSON_REJECT_DUPLICATES, &error);
    if (!exchange->request.body) {
        answer_error(answer, MHD_HTTP_BAD_REQUEST, NULL, "the body is no JSON: %s", error.text);
        answer_where(answer, json_pack("{s:i, s:i}", "line", error.line, "column", error.column));
        return false;
    }
    if (!json_is_object(exchange->request.body)) {
        answer_error(answer, MHD_HTTP_BAD_REQUEST, NULL, "the body is no JSON object");
        return false;
    }
    return true;
}

/* The first position of the key, as jansson does not record positions. */
static void say_where(struct request *request, struct answer *answer, const char *key) {
    const char *text = request->exchange->body, *end = text + request->exchange->body_length;
    char *quoted = arena_format(request->arena, "\"%s\"", key);
    const char *found = memmem(text, request->exchange->body_length, quoted, strlen(quoted));
    int line = 1, column = 1;
    for (const char *at = text; found && at < found && at < end; at++) {
        bool first_byte = ((unsigned char)*at & 0xc0) != 0x80;
        column = *at == '\n' ? 1 : column + first_byte;
        line += *at == '\n';
    }
    json_t *where = json_pack("{s:s}", "key", key);
    if (found)
        json_object_update_new(where, json_pack("{s:i, s:i}", "line", line, "column", column));
    answer_where(answer, where);
}

static bool has_type(const json_t *value, enum field_type type) {
    size_t i;
    json_t *element;
    switch (type) {
    case FIELD_TEXT:
        return json_is_string(value);
    case FIELD_INTEGER:
        return json_is_integer(value);
    case FIELD_BOOLEAN:
        return json_is_boolean(value);
    case FIELD_OBJECT:
        return json_is_object(value);
    case FIELD_ARRAY:
        return json_is_array(value);
    case FIELD_TEXTS:
        json_array_foreach(value, i, element) {
            if (!json_is_string(element))
                return false;
        }
        return json_is_array(value);
    case FIELD_ANY:
        break;
    }
    return true;
}

bool request_fields(struct request *request, struct answer *answer, const struct field *fields,
                    size_t count) {
    static const char *const types[] = {"a text",   "an integer",        "true or false", "an object",
                                        "an array", "an array of texts", "anything"};
    const char *key, **keys = arena_allocate(request->arena, (count + 1) * sizeof *keys);
    json_t *value;
    for (size_t i = 0; i < count; i++)
        keys[i] = fields[i].key;
    json_object_foreach(request->body, key, value) {
        size_t at = 0;
        while (at < count && strcmp(fields[at].key, key) != 0)
            at++;
        if (at == count) {
            const char *nearest = nearest_name(key, keys, count);
            char *hint = nearest ? arena_format(request->arena, "did you mean '%s'?", nearest) : NULL;
            answer_error(answer, MHD_HTTP_BAD_REQUEST, hint, "unknown key '%s'", key);
        } else if (has_type(value, fields[at].type) || (!fields[at].required && json_is_null(value))) {
            continue;
        } else {
            answer_error(answer, MHD_HTTP_BAD_REQUEST, NULL, "'%s' is not %s", key, types[fields[at].type]);
        }
        say_where(request, answer, key);
        return false;
    }
    for (size_t i = 0; i < count; i++)
        if (fields[i].required && !json_object_get(request->body, fields[i].key)) {
            answer_error(answer, MHD_HTTP_BAD_REQUEST, NULL, "the key '%s' is missing", fields[i].key);
            answer_where(answer, json_pack("{s:s}", "key", fields[i].key));
            return false;
        }
    return true;
}

const char *request_text(const struct request *request, const char *key) {
    return json_string_value(json_object_get(request->body, key));
}
