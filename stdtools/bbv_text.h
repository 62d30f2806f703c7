/* bbv_text.h: a line of bbv.c is collected in registers, and stored in whole words. */
#ifndef ATOMC_BBV_TEXT_H
#define ATOMC_BBV_TEXT_H

#include <stdio.h>

/* At most seven characters, the first in the lowest byte. */
struct text {
    unsigned long bytes;
    long bits; /* 0: not made yet */
};
enum { SHORT = 1000000 }; /* numbers below have one */

/* A line that is being written: whole words of it are after each other up to `to`. */
struct writing {
    unsigned long *to;
    struct text rest;
};

static struct text text_of(unsigned long number, const char *after) {
    struct text text = {0};
    if (*after)
        text = (struct text){*after, 8};
    do {
        unsigned long tenth = number * 0xcccccccdul >> 35; /* number / 10, below 1 << 32 */
        text.bytes = text.bytes << 8 | ('0' + number - 10 * tenth);
        text.bits += 8;
        number = tenth;
    } while (number);
    return (struct text){text.bytes << 8 | ':', text.bits + 8};
}

static inline void add_text(struct writing *at, struct text text) {
    unsigned long bytes = at->rest.bytes | text.bytes << at->rest.bits;
    long bits = at->rest.bits + text.bits;
    if (bits >= 64) {
        *at->to++ = bytes;
        bits -= 64;
        bytes = text.bytes >> (text.bits - bits);
    }
    at->rest = (struct text){bytes, bits};
}

static __attribute__((noinline)) struct writing add_long(struct writing at, long number, const char *after) {
    char digits[24];
    snprintf(digits, sizeof digits, ":%lu%s", number, after);
    for (const char *digit = digits; *digit; digit++)
        add_text(&at, (struct text){(unsigned char)*digit, 8});
    return at;
}

static __attribute__((noinline)) struct text make_text(struct text *text, long number, const char *after) {
    return *text = text_of(number, after);
}

#endif
