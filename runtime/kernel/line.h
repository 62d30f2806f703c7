/* line.h: static functions that build a line of text for standard error without the C library. */
#ifndef ATOMC_RUNTIME_LINE_H
#define ATOMC_RUNTIME_LINE_H

#include "runtime/kernel/kernel.h"

struct line {
    char text[400];
    unsigned length;
};

static inline void add_text(struct line *line, const char *text) {
    while (*text && line->length < sizeof line->text)
        line->text[line->length++] = *text++;
}

static inline void add_number(struct line *line, unsigned long number, unsigned base) {
    char digits[20];
    unsigned count = 0;
    do
        digits[count++] = "0123456789abcdef"[number % base];
    while ((number /= base) > 0 && count < sizeof digits);
    while (count > 0 && line->length < sizeof line->text)
        line->text[line->length++] = digits[--count];
}

static inline void write_line(const struct line *line) {
    RAW(CALL_write, 2, line->text, line->length, 0, 0, 0);
}

#endif
