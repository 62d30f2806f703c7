/* literals.c: numbers, character constants and strings, from their spelling to their value.
   Requires the scanner to have found where each ends; reports bad digits, escapes and ranges. */
#include "compiler/internal.h"

#include <ctype.h>
#include <string.h>

static void report_literal(struct parse *parse, size_t begin, size_t end, enum message id, const char *text) {
    struct source_span span = parse_span(parse, (struct text_range){(uint32_t)begin, (uint32_t)end});
    diagnose(parse->diagnostics, &span, id, text);
}

static int digit_value(char digit) {
    if (digit >= '0' && digit <= '9')
        return digit - '0';
    digit = (char)tolower((unsigned char)digit);
    return digit >= 'a' && digit <= 'f' ? digit - 'a' + 10 : 99;
}

/* Decimal, 0x hexadecimal, 0 octal and 0b binary. Hexadecimal and binary may use all 64 bits. */
enum number_error read_number(const char *text, const char *end, int64_t *value) {
    unsigned base = 10;
    if (text[0] == '0' && end - text > 1) {
        char prefix = (char)tolower((unsigned char)text[1]);
        base = prefix == 'x' ? 16 : prefix == 'b' ? 2 : 8;
        text += base == 8 ? 1 : 2;
    }
    uint64_t number = 0;
    bool too_large = false, wrong = text == end;
    for (const char *at = text; at < end; at++) {
        unsigned digit = (unsigned)digit_value(*at);
        wrong |= digit >= base;
        too_large |= number > (UINT64_MAX - digit) / base;
        number = number * base + digit;
    }
    *value = (int64_t)number;
    if (wrong || too_large)
        return wrong ? NUMBER_BAD : NUMBER_LARGE;
    if (base == 16 || base == 2 || number <= INT64_MAX)
        return NUMBER_GOOD;
    return *value == INT64_MIN ? NUMBER_IF_NEGATED : NUMBER_LARGE;
}

static bool is_negated(const char *begin, const char *at) {
    while (at > begin && (at[-1] == ' ' || at[-1] == '\t'))
        at--;
    return at > begin && at[-1] == '-';
}

int64_t integer_literal(struct parse *parse, struct text_range range) {
    const char *text = parse->source->text + range.begin, *end = parse->source->text + range.end;
    int64_t value;
    switch (read_number(text, end, &value)) {
    case NUMBER_GOOD:
        return value;
    case NUMBER_IF_NEGATED:
        if (is_negated(parse->source->text, text))
            return value;
        __attribute__((fallthrough));
    case NUMBER_LARGE:
        report_literal(parse, range.begin, range.end, MESSAGE_NUMBER_TOO_LARGE,
                       parse_name(parse, range).text);
        break;
    case NUMBER_BAD:
        report_literal(parse, range.begin, range.end, MESSAGE_BAD_NUMBER, parse_name(parse, range).text);
        if (end[-1] == 's')
            note_misuse(parse, parse_name(parse, range).text);
        diagnose_hint(parse->diagnostics, end[-1] == 's' ? "a unit stands apart: every 1 s, every 10 ms"
                                          : memchr(text, '.', (size_t)(end - text))
                                              ? "numbers are integers"
                                              : "numbers are written 123, 0x7b, 0173 or 0b1111011");
        break;
    }
    return 1;
}

/* Reads the escape whose backslash is at `at`; moves `at` past it. */
static unsigned char read_escape(struct parse *parse, size_t *at, size_t end) {
    static const char letters[] = "abefnrtv\\\"'?", values[] = "\a\b\033\f\n\r\t\v\\\"'?";
    const char *text = parse->source->text;
    size_t begin = *at;
    char letter = text[begin + 1];
    *at += 2;
    const char *known = letter ? strchr(letters, letter) : NULL;
    if (known)
        return (unsigned char)values[known - letters];
    unsigned value = 0, digits = 0;
    if (letter == 'x') {
        for (; digits < 2 && *at < end && isxdigit((unsigned char)text[*at]); digits++)
            value = value * 16 + (unsigned)digit_value(text[(*at)++]);
    } else if (letter >= '0' && letter <= '7') {
        for (*at -= 1; digits < 3 && *at < end && text[*at] >= '0' && text[*at] <= '7'; digits++)
            value = value * 8 + (unsigned)digit_value(text[(*at)++]);
    }
    if (digits == 0 || value > 255) {
        char spelled[2] = {(unsigned char)letter >= ' ' && (unsigned char)letter < 0x7f ? letter : '?', 0};
        report_literal(parse, begin, *at, MESSAGE_BAD_ESCAPE, spelled);
        diagnose_hint(parse->diagnostics, "a backslash itself is written \\\\");
        return '?';
    }
    return (unsigned char)value;
}

int64_t character_literal(struct parse *parse, struct text_range range, bool terminated) {
    size_t at = range.begin + 1, end = terminated ? range.end - 1 : range.end;
    int64_t value = 0;
    unsigned characters = 0;
    if (!terminated) {
        report_literal(parse, range.begin, range.end, MESSAGE_OPEN_CHARACTER, "");
        parse->open_literal = range.end;
        return 0;
    }
    while (at < end) {
        unsigned char byte = (unsigned char)parse->source->text[at];
        value = byte == '\\' ? read_escape(parse, &at, end) : (at++, byte);
        characters++;
    }
    if (characters != 1) {
        report_literal(parse, range.begin, range.end, MESSAGE_BAD_CHARACTER, "");
        diagnose_hint(parse->diagnostics, "strings are written between double quotes");
    }
    return value;
}

const char *string_literal(struct parse *parse, struct text_range range, bool terminated) {
    size_t at = range.begin + 1, end = terminated ? range.end - 1 : range.end;
    char *value = arena_allocate(parse->arena, end - at + 1);
    size_t length = 0;
    if (!terminated) {
        report_literal(parse, range.begin, range.end, MESSAGE_OPEN_STRING, "");
        diagnose_hint(parse->diagnostics,
                      "a string ends with \" on the line on which it begins; \\n in it is a line end");
        parse->open_literal = range.end;
        return value;
    }
    while (at < end) {
        size_t begin = at;
        unsigned char byte = (unsigned char)parse->source->text[at];
        byte = byte == '\\' ? read_escape(parse, &at, end) : (at++, byte);
        if (byte == 0) {
            report_literal(parse, begin, at, MESSAGE_NUL_IN_STRING, "");
            byte = '?';
        }
        value[length++] = (char)byte;
    }
    return value;
}
