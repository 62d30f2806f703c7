/* controls.h: control characters in UTF-8, which a terminal interprets instead of showing them; and texts
   that a spreadsheet would compute. For programs on the host and for the runtime. */
#ifndef ATOMC_SUPPORT_CONTROLS_H
#define ATOMC_SUPPORT_CONTROLS_H

#include <stddef.h>

/* Bytes of the character at text, which is not at its end; 1 for a byte that is no UTF-8. */
static inline size_t shown_character(const unsigned char *text) {
    size_t length = text[0] < 0xc2 ? 1 : text[0] < 0xe0 ? 2 : text[0] < 0xf0 ? 3 : text[0] < 0xf5 ? 4 : 1;
    for (size_t i = 1; i < length; i++)
        if ((text[i] & 0xc0) != 0x80)
            return 1;
    return length;
}

/* Control characters of ASCII; those of C1, as bytes and in UTF-8; and characters that change the direction
   of writing, which can make a name look like another. */
static inline int is_control(const unsigned char *character, size_t length) {
    const unsigned char *c = character;
    switch (length) {
    case 1:
        return c[0] < 0x20 || (c[0] >= 0x7f && c[0] < 0xa0);
    case 2:
        return c[0] == 0xc2 && c[1] < 0xa0;
    case 3:
        return c[0] == 0xe2 &&
               ((c[1] == 0x80 && (c[2] == 0x8e || c[2] == 0x8f || (c[2] >= 0xaa && c[2] <= 0xae))) ||
                (c[1] == 0x81 && c[2] >= 0xa6 && c[2] <= 0xa9));
    default:
        return 0;
    }
}

/* True if a spreadsheet would compute a cell with this text. Numbers with a sign are allowed. */
static inline int is_formula(const char *text) {
    size_t digits = 1;
    if (!text[0] || !text[1] ||
        (text[0] != '=' && text[0] != '@' && text[0] != '+' && text[0] != '-' && text[0] != '\t' &&
         text[0] != '\r'))
        return 0;
    if (text[0] != '+' && text[0] != '-')
        return 1;
    while ((text[digits] >= '0' && text[digits] <= '9') || text[digits] == '.')
        digits++;
    if (digits > 1 && text[digits] == 'e' && (text[digits + 1] == '-' || text[digits + 1] == '+') &&
        text[digits + 2])
        for (digits += 2; text[digits] >= '0' && text[digits] <= '9';)
            digits++;
    return text[digits] != '\0';
}

#endif
