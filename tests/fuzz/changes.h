/* changes.h: one of many things that people, programs and disks get wrong, in a text. The same ones for the
 * same seed. */
#ifndef ATOMC_TESTS_CHANGES_H
#define ATOMC_TESTS_CHANGES_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_LINES = 512, ROOM = 1 << 17 };

static char *lines[MOST_LINES];
static size_t line_count;
static unsigned long long state;

static unsigned draw(unsigned below) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return below ? (unsigned)(state >> 20) % below : 0;
}

static void insert(char *text, size_t *length, size_t at, const char *bytes, size_t count) {
    if (*length + count >= ROOM / 2)
        return;
    memmove(text + at + count, text + at, *length - at);
    memcpy(text + at, bytes, count);
    *length += count;
}

static void take_out(char *text, size_t *length, size_t at, size_t count) {
    if (at + count > *length)
        count = *length - at;
    memmove(text + at, text + at + count, *length - at - count);
    *length -= count;
}

static const char *const pieces[] = {"\"",
                                     "'",
                                     "{",
                                     "}",
                                     "[",
                                     "]",
                                     ",",
                                     ":",
                                     "0",
                                     "-1",
                                     "18446744073709551616",
                                     "1e999",
                                     "null",
                                     "true",
                                     "\\u0000",
                                     "\\ud800",
                                     "%00",
                                     "%",
                                     "%2e%2e%2f",
                                     "../",
                                     "//",
                                     "?",
                                     "&",
                                     "=",
                                     "#",
                                     "\r\n",
                                     "\n",
                                     "\t",
                                     ";",
                                     "<b>",
                                     "0x",
                                     "~",
                                     "--",
                                     "--output=x",
                                     "$(x)",
                                     "`x`",
                                     "\xff\xfe",
                                     "\xc3\x28",
                                     "\xf0\x9f\x92\xa9",
                                     "{\"a\":{\"a\":{\"a\":",
                                     "limit=-1",
                                     "sort=-99",
                                     "where=2>=1;4~x",
                                     "SELECT",
                                     "' OR 1=1 --",
                                     "/etc/passwd",
                                     "/proc/self/mem",
                                     "/dev/zero",
                                     "prof"};

/* One of many things that people and programs get wrong. */
static void change(char *text, size_t *length) {
    size_t at = draw((unsigned)*length + 1), count = draw(12) + 1;
    const char *piece = pieces[draw(sizeof pieces / sizeof pieces[0])];
    char bytes[64];
    switch (draw(8)) {
    case 0:
        if (at < *length)
            text[at] = (char)(text[at] ^ (1 << draw(8)));
        break;
    case 1:
        if (at < *length)
            text[at] = (char)draw(256);
        break;
    case 2:
        take_out(text, length, at, count);
        break;
    case 3:
        insert(text, length, at, piece, strlen(piece));
        break;
    case 4: /* a part twice */
        count = at + count > *length ? *length - at : count;
        memcpy(bytes, text + at, count);
        insert(text, length, at, bytes, count);
        break;
    case 5: { /* a part of another */
        const char *other = lines[draw((unsigned)line_count)];
        size_t from = draw((unsigned)strlen(other) + 1), rest = strlen(other) - from;
        insert(text, length, at, other + from, rest < 60 ? rest : 60);
        break;
    }
    case 6: /* a number becomes another */
        for (size_t i = at; i < *length; i++)
            if (text[i] >= '0' && text[i] <= '9') {
                size_t digits = 1;
                while (i + digits < *length && text[i + digits] >= '0' && text[i + digits] <= '9')
                    digits++;
                take_out(text, length, i, digits);
                insert(text, length, i, piece, strlen(piece));
                break;
            }
        break;
    default: /* very long */
        for (unsigned i = draw(400); i > 0; i--)
            insert(text, length, at, piece, strlen(piece));
    }
}

#endif
