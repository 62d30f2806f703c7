/* shown.c: prints foreign texts, such as names in a program, on a terminal: control characters are shown, not
   sent. */
#include <string.h>

#include "support/controls.h"
#include "support/support.h"

static bool is_hidden(const char *text, size_t length, const char *kept) {
    return is_control((const unsigned char *)text, length) && !(length == 1 && strchr(kept, *text));
}

bool is_plain_text(const char *text, const char *kept) {
    for (size_t length; *text; text += length) {
        length = shown_character((const unsigned char *)text);
        if (is_hidden(text, length, kept))
            return false;
    }
    return true;
}

static void put_part(const char *text, const char *end, const char *kept, FILE *stream) {
    for (size_t length; text < end; text += length) {
        length = shown_character((const unsigned char *)text);
        if (!is_hidden(text, length, kept))
            fwrite(text, 1, length, stream);
        else
            for (size_t i = 0; i < length; i++)
                fprintf(stream, "\\x%02x", (unsigned char)text[i]);
    }
}

void put_shown(const char *text, const char *kept, FILE *stream) {
    put_part(text, text + strlen(text), kept, stream);
}

void put_line_part(const char *text, size_t length, FILE *stream) {
    for (const char *at = text, *end = text + length, *next; at < end; at = next + (next < end)) {
        next = at;
        while (next < end && !strchr("\t\r\n", *next))
            next++;
        put_part(at, next, "", stream);
        if (next < end)
            fputc(' ', stream);
    }
}

void put_line_text(const char *text, FILE *stream) {
    put_line_part(text, strlen(text), stream);
}

const char *shown_text(struct arena *arena, const char *text) {
    if (is_plain_text(text, ""))
        return text;
    char *shown = arena_allocate(arena, 4 * strlen(text) + 1), *to = shown;
    for (size_t length; *text; text += length) {
        length = shown_character((const unsigned char *)text);
        if (!is_hidden(text, length, ""))
            to = (char *)memcpy(to, text, length) + length;
        else
            for (size_t i = 0; i < length; i++)
                to += sprintf(to, "\\x%02x", (unsigned char)text[i]);
    }
    return shown;
}

void put_csv_field(const char *text, FILE *stream) {
    bool formula = is_formula(text), quoted = formula || text[strcspn(text, ",\"\n\r")] != '\0';
    fputs(formula ? "\"'" : quoted ? "\"" : "", stream);
    for (const char *end; *text; text = end) {
        end = text + strcspn(text, "\"");
        put_part(text, end, "\t\n\r", stream);
        if (*end == '"') {
            fputs("\"\"", stream);
            end++;
        }
    }
    fputs(quoted ? "\"" : "", stream);
}

void put_row_field(unsigned number, const char *text, bool is_csv, FILE *stream) {
    fputs(number == 0 ? "" : is_csv ? "," : "\t", stream);
    if (is_csv)
        put_csv_field(text, stream);
    else
        put_line_text(text, stream);
}

uint32_t text_width(const char *text) {
    uint32_t width = 0;
    for (; *text; text++)
        width += ((unsigned char)*text & 0xc0) != 0x80;
    return width;
}
