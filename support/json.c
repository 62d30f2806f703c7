/* json.c: values of JSON documents, from any text. Requires jansson, which takes UTF-8 only. */
#include "support/json.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The length of the UTF-8 character at text, as jansson defines it; 0: invalid. */
static size_t character_bytes(const char *text) {
    for (size_t bytes = 1; bytes <= 4; bytes++) {
        if (memchr(text, '\0', bytes))
            return 0;
        json_t *string = json_stringn(text, bytes);
        json_decref(string);
        if (string)
            return bytes;
    }
    return 0;
}

json_t *json_text(const char *text) {
    static const char replacement[] = "\xef\xbf\xbd";
    if (!text)
        return json_null();
    json_t *string = json_string(text);
    if (string)
        return string;
    char *good = allocate(strlen(text) * (sizeof replacement - 1) + 1);
    size_t length = 0;
    while (*text) {
        size_t bytes = character_bytes(text);
        const char *from = bytes ? text : replacement;
        size_t size = bytes ? bytes : sizeof replacement - 1;
        memcpy(good + length, from, size);
        length += size;
        text += bytes ? bytes : 1;
    }
    string = json_stringn(good, length);
    free(good);
    return string;
}

json_t *json_address(uint64_t address) {
    return json_sprintf("0x%" PRIx64, address);
}

void json_print(json_t *value, bool document, FILE *stream) {
    json_dumpf(value, stream, document ? JSON_INDENT(2) : JSON_COMPACT);
    fputc('\n', stream);
    json_decref(value);
}
