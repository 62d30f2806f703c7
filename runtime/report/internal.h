/* internal.h: shared by the formats: the buffer of output characters, texts in the tables, numbers of
   tables. */
#ifndef ATOMC_RUNTIME_REPORT_INTERNAL_H
#define ATOMC_RUNTIME_REPORT_INTERNAL_H

#include <string.h>

#include "runtime/report/numbers.h"
#include "runtime/report/report.h"

/* ---- pieces.c ---- */

static inline const struct atomc_report_column *report_column(const struct atomc_table *table,
                                                              uint64_t column) {
    return AT(struct atomc_report_column, table->report->columns) + column;
}

/* Output is collected here: library functions would take most of the time at a run's end.
 */
enum { PENDING = 32768 };
extern char atomc_pending[PENDING + 2 * WORD];
extern size_t atomc_pending_count;
extern FILE *atomc_pending_stream; /* characters of the pending lines */
void atomc_flush_pending(FILE *stream);

static inline void end_line(struct atomc_table *table) {
    if (table->is_shared)
        atomc_flush_pending(table->stream);
    else
        atomc_pending_stream = table->stream;
}

static inline void need_stream_room(FILE *stream, size_t bytes) {
    if (bytes > PENDING - atomc_pending_count)
        atomc_flush_pending(stream);
}

/* Loads WORD characters of a text: bytes after the text's end are included. */
typedef uint64_t __attribute__((may_alias)) text_word;
static inline __attribute__((no_sanitize_address)) uint64_t load_word(const text_word *text) {
    return *text;
}
static inline int is_aligned(const char *text) {
    return (uintptr_t)text % WORD == 0;
}

/* Texts of the tables are aligned to words. There must be room for the text and a word. */
static inline char *store_text(char *at, const char *text, size_t length) {
    if (!is_aligned(text)) {
        memcpy(at, text, length);
        return at + length;
    }
    unsigned before = 8 * ((uintptr_t)at % WORD); /* bits of the first word that are kept */
    text_word *to = (text_word *)((uintptr_t)at - before / 8);
    uint64_t carried = *to & ((UINT64_C(1) << before) - 1);
    const text_word *from = (const text_word *)(const void *)text, *end = from + (length + WORD - 1) / WORD;
    for (; from < end; from++) {
        *to++ = carried | load_word(from) << before;
        carried = load_word(from) >> 1 >> (63 - before);
    }
    *to = carried;
    return at + length;
}

void atomc_put_bytes(FILE *stream, const char *bytes, size_t count);
void atomc_put_text(FILE *stream, const char *text);

static inline void put_byte(FILE *stream, char byte) {
    need_stream_room(stream, 1);
    atomc_pending[atomc_pending_count++] = byte;
}

/* Characters that a format cannot write unchanged. */
enum { BREAKS_TEXT = 1, BREAKS_CSV = 2, BREAKS_JSON = 4 };
struct piece {
    const char *text;
    size_t length;
    unsigned breaks; /* BREAKS_... of its characters */
};

/* The bits of a word that belong to characters before the first 0. If no character is 0, the result has more
   bits than seven characters have.
 */
static inline uint64_t before_zero(uint64_t word) {
    const uint64_t ones = UINT64_MAX / 255, zero = (word - ones) & ~word & ones << 7;
    return ((zero - 1) & ~zero) >> 7;
}

struct piece atomc_look_at(const char *text);

/* Facts about a text that does not change while a table is written: names of files and procedures are
   repeated often. */
struct known_text {
    uintptr_t name; /* the address of the text, and the table's number in the bits above; 0: empty */
    struct piece piece;
};
enum { TABLE_TEXTS = 256, ADDRESS_BITS = 48 };
extern struct known_text atomc_texts_of_table[TABLE_TEXTS];

static inline uintptr_t cached_name(uint64_t number, const char *text) {
    return (uintptr_t)text ^ number << ADDRESS_BITS;
}

WHERE_USED struct piece piece_of(const struct atomc_table *table, const char *text) {
    struct known_text *known = &atomc_texts_of_table[(uintptr_t)text / WORD % TABLE_TEXTS];
    if (table->changes)
        return atomc_look_at(text);
    if (known->name != cached_name(table->number, text))
        *known = (struct known_text){cached_name(table->number, text), atomc_look_at(text)};
    return known->piece;
}

static inline int is_text(const struct atomc_table *table, uint64_t column) {
    return report_column(table, column)->format == ATOMC_REPORT_TEXT;
}

WHERE_USED char *store_number(char *at, const struct atomc_table *table,
                              const struct atomc_report_column *column, int64_t value) {
    switch (column->format) {
    case ATOMC_REPORT_HEXADECIMAL:
        if (value == 0 && column->is_address == ATOMC_REPORT_OR_NONE)
            return at;
        return store_hexadecimal(store_word(at, '0' | 'x' << 8, 2), (uint64_t)value);
    case ATOMC_REPORT_PERCENT: {
        double whole = (double)table->sums[column - report_column(table, 0)];
        return store_two_decimals(at, value != 0 && whole != 0 ? 100.0 * (double)value / whole : 0.0);
    }
    case ATOMC_REPORT_HUNDREDTHS:
        return store_hundredths(at, value);
    case ATOMC_REPORT_REAL: {
        double number;
        memcpy(&number, &value, sizeof number);
        return store_two_decimals(at, number);
    }
    default:
        if (value < 0)
            at = store_byte(at, '-');
        return store_decimal(at, magnitude_of(value));
    }
}

/* True for a number computed from keys that do not exist. */
int atomc_is_absent(const struct atomc_table *table, const struct atomc_report_column *here);
/* A value that is not a text. */
void atomc_put_number(const struct atomc_table *table, uint64_t column, int64_t value);
static inline struct piece piece_of_value(const struct atomc_table *table, int64_t value) {
    return value ? piece_of(table, AT(char, value)) : (struct piece){.text = ""};
}

/* A cell of the total line; it is empty for a column without a sum. The first one begins with "total". */
void atomc_put_total(const struct atomc_table *table, uint64_t column, const int64_t *sums);
/* For formats without a total. */
void atomc_write_no_row(struct atomc_table *table, const int64_t *values);

/* ---- names.c ---- */

/* The C++ name of the symbol; NULL: the symbol is no C++ name. */
const struct atomc_shown_name *atomc_name_of(const char *symbol, size_t length);
/* In formats for programs, columns of procedures have the symbol, and the C++ name is in a column beside
   them. */
#define DEMANGLED " demangled" /* after the title */
int atomc_has_demangled(const struct atomc_table *table, uint64_t column);
/* NULL: the text is not a C++ symbol. */
const char *atomc_demangled_of(int64_t value);

#endif
