/* decimal.h: writes decimal numbers with ':' before them; each number is made in a register. */
#ifndef ATOMC_DECIMAL_H
#define ATOMC_DECIMAL_H

#include <stdio.h>
#include <string.h>

enum { DECIMAL_SHORT = 10000000 }; /* numbers below fit */
struct decimal {
    unsigned long bytes; /* the first one is the lowest */
    int length;
};

static inline struct decimal decimal_of(unsigned long number) {
    struct decimal text = {.length = 1};
    do {
        unsigned long rest = number * 0xcccccccdul >> 35; /* number / 10, below 1 << 32 */
        text.bytes = text.bytes << 8 | ('0' + number - 10 * rest);
        text.length++;
        number = rest;
    } while (number);
    text.bytes = text.bytes << 8 | ':';
    return text;
}

/* Always writes eight bytes; the bytes after the text have no meaning. */
static inline char *write_decimal(char *to, struct decimal text) {
    memcpy(to, &text.bytes, sizeof text.bytes);
    return to + text.length;
}

static inline char *write_number(char *to, unsigned long number) {
    return number < DECIMAL_SHORT ? write_decimal(to, decimal_of(number)) : to + sprintf(to, ":%lu", number);
}

#endif
