/* report_format.c: a report's table as text, CSV or JSON. Requires an open stream. Write errors are
   reported when it is closed. */
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runtime/report/numbers.h"
#include "runtime/report/report.h"
#include "stdtools/table.h"
#include "support/controls.h"

static const struct atomc_report_column *report_column(const struct atomc_table *table, uint64_t column) {
    return AT(struct atomc_report_column, table->report->columns) + column;
}

/* ---- pieces ---------------------------------------------------------------------------------------------- */

/* Output is collected here: library functions would take most of the time at a run's end.
 */
enum { PENDING = 32768 };
static char pending[PENDING + 2 * WORD] __attribute__((aligned(8)));
static size_t pending_count;
static FILE *pending_stream; /* of the pending lines */

static void flush_stream(FILE *stream) {
    if (pending_count > 0)
        fwrite(pending, 1, pending_count, stream);
    pending_count = 0;
    pending_stream = NULL;
}

void atomc_write_pending(void) {
    if (pending_stream)
        flush_stream(pending_stream);
}

static void end_line(struct atomc_table *table) {
    if (table->is_shared)
        flush_stream(table->stream);
    else
        pending_stream = table->stream;
}

static void need_stream_room(FILE *stream, size_t bytes) {
    if (bytes > PENDING - pending_count)
        flush_stream(stream);
}

/* Loads WORD characters of a text: bytes after the text's end are included. */
typedef uint64_t __attribute__((may_alias)) text_word;
static inline __attribute__((no_sanitize_address)) uint64_t load_word(const text_word *text) {
    return *text;
}
static inline int is_aligned(const char *text) {
    return (uintptr_t)text % WORD == 0;
}

/* Texts of the tables begin at a word. There is room for the text and a word. */
static inline char *store_text(char *at, const char *text, size_t length) {
    if (!is_aligned(text)) {
        memcpy(at, text, length);
        return at + length;
    }
    unsigned before = 8 * ((uintptr_t)at % WORD); /* bits of the first word that stay */
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

static void put_bytes(FILE *stream, const char *bytes, size_t count) {
    need_stream_room(stream, count);
    if (count > PENDING) {
        fwrite(bytes, 1, count, stream);
        return;
    }
    pending_count = (size_t)(store_text(pending + pending_count, bytes, count) - pending);
}

static inline void put_byte(FILE *stream, char byte) {
    need_stream_room(stream, 1);
    pending[pending_count++] = byte;
}

static void put_stream_text(FILE *stream, const char *text) {
    put_bytes(stream, text, strlen(text));
}

/* Characters that a format cannot write unchanged. */
enum { BREAKS_TEXT = 1, BREAKS_CSV = 2, BREAKS_JSON = 4 };
struct piece {
    const char *text;
    size_t length;
    unsigned breaks; /* BREAKS_... of its characters */
};

static unsigned breaks_of(unsigned char byte) {
    unsigned json = byte < 0x20 || byte >= 0x80 || byte == '"' || byte == '\\' ? BREAKS_JSON : 0;
    return json | (byte < 0x20 || byte == 0x7f ? BREAKS_TEXT | BREAKS_CSV : 0) |
           (byte == ',' || byte == '"' ? BREAKS_CSV : 0);
}

/* True if all characters of the word are letters, digits, or signs that need no treatment: ASCII from '-'
   on, except for the backslash. */
static int is_harmless_word(uint64_t word) {
    const uint64_t ones = UINT64_MAX / 255, highest = ones << 7;
    uint64_t less = (word - ones * '-') & ~word, other = word ^ ones * '\\';
    return !((word | less | (word + ones) | ((other - ones) & ~other)) & highest);
}

/* True if one of the word's characters is a control character, or not ASCII. That includes 0 and line
   feeds. */
static inline int has_control(uint64_t word) {
    const uint64_t ones = UINT64_MAX / 255;
    return (((word - ones * ' ') | word | (word + ones)) & ones << 7) != 0;
}

/* The bits of a word that belong to characters before the first 0; if none is 0, more than those of seven.
 */
static inline uint64_t before_zero(uint64_t word) {
    const uint64_t ones = UINT64_MAX / 255, zero = (word - ones) & ~word & ones << 7;
    return ((zero - 1) & ~zero) >> 7;
}

static struct piece examine_text(const char *text) {
    struct piece piece = {.text = text, .breaks = is_formula(text) ? BREAKS_CSV : 0};
    if (is_aligned(text)) {
        const uint64_t ones = UINT64_MAX / 255;
        const text_word *words = (const text_word *)(const void *)text;
        uint64_t word, there;
        while (is_harmless_word(word = load_word(words + piece.length / WORD)))
            piece.length += WORD;
        there = before_zero(word); /* its last characters, in one step */
        if (there >> (8 * WORD - 8) == 0 && is_harmless_word((word & there) | (ones * '0' & ~there))) {
            piece.length += (there & ones) * ones >> (8 * WORD - 8);
            return piece;
        }
    }
    for (unsigned char byte; (byte = (unsigned char)text[piece.length]) != 0; piece.length++)
        if ((unsigned)(byte - '-') >= 'z' - '-' ||
            byte == '\\') { /* the others are letters, digits, and signs that need no treatment */
            const unsigned char *at = (const unsigned char *)text + piece.length;
            size_t length = shown_character(at);
            piece.breaks |= breaks_of(byte) | (is_control(at, length) ? BREAKS_TEXT | BREAKS_CSV : 0);
            piece.length += length - 1;
        }
    return piece;
}

/* Facts about a text that does not change while a table is written: names of files and procedures are
   repeated often. */
struct known_text {
    uintptr_t name; /* its address, and the table's number in the bits above; 0: empty */
    struct piece piece;
};
enum { TABLE_TEXTS = 256, ADDRESS_BITS = 48 };
static struct known_text texts_of_table[TABLE_TEXTS];

static inline uintptr_t cached_name(uint64_t number, const char *text) {
    return (uintptr_t)text ^ number << ADDRESS_BITS;
}

WHERE_USED struct piece piece_of(const struct atomc_table *table, const char *text) {
    struct known_text *known = &texts_of_table[(uintptr_t)text / WORD % TABLE_TEXTS];
    if (table->changes)
        return examine_text(text);
    if (known->name != cached_name(table->number, text))
        *known = (struct known_text){cached_name(table->number, text), examine_text(text)};
    return known->piece;
}

/* ---- values ---------------------------------------------------------------------------------------------- */

static int is_text(const struct atomc_table *table, uint64_t column) {
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
static int is_absent(const struct atomc_table *table, const struct atomc_report_column *here) {
    const struct atomc_report_instruction *code =
        AT(struct atomc_report_instruction, here->value.instructions);
    for (uint64_t i = 0; table->is_other && i < here->value.count; i++)
        if (code[i].op == ATOMC_REPORT_KEY)
            return 1;
    return 0;
}

/* A value that is not a text. */
static void put_number(const struct atomc_table *table, uint64_t column, int64_t value) {
    if (is_absent(table, report_column(table, column))) {
        put_stream_text(table->stream, ATOMC_OTHER_KEYS);
        return;
    }
    need_stream_room(table->stream, NUMBER);
    pending_count =
        (size_t)(store_number(pending + pending_count, table, report_column(table, column), value) - pending);
}

static inline struct piece piece_of_value(const struct atomc_table *table, int64_t value) {
    return value ? piece_of(table, AT(char, value)) : (struct piece){.text = ""};
}

/* A cell of the total line: empty without a sum. The first one begins with "total". */
static void put_total(const struct atomc_table *table, uint64_t column, const int64_t *sums) {
    int has_sum = atomc_is_summed(report_column(table, column));
    if (column == 0)
        put_stream_text(table->stream, has_sum ? "total " : "total");
    if (has_sum)
        put_number(table, column, sums[column]);
}

/* ---- text ---------------------------------------------------------------------------------------------- */

/* The character, or, if a terminal would interpret it, its form \xNN. */
static void put_character(FILE *stream, const char *character, size_t length) {
    static const char digits[] = "0123456789abcdef";
    if (!is_control((const unsigned char *)character, length)) {
        put_bytes(stream, character, length);
        return;
    }
    for (size_t i = 0; i < length; i++) {
        const unsigned char byte = (unsigned char)character[i];
        put_bytes(stream, (const char[]){'\\', 'x', digits[byte >> 4], digits[byte & 15]}, 4);
    }
}

/* Characters that would break the line or the columns become blanks. */
static void write_plain_piece(FILE *stream, struct piece piece) {
    if (!(piece.breaks & BREAKS_TEXT)) {
        put_bytes(stream, piece.text, piece.length);
        return;
    }
    for (size_t i = 0, length; i < piece.length; i += length) {
        const char *at = piece.text + i;
        length = shown_character((const unsigned char *)at);
        if (*at == '\t' || *at == '\n' || *at == '\r')
            put_byte(stream, ' ');
        else
            put_character(stream, at, length);
    }
}

static void write_text_head(struct atomc_table *table) {
    for (uint64_t i = 0; i < table->report->column_count; i++) {
        if (i > 0)
            put_byte(table->stream, '\t');
        write_plain_piece(table->stream, examine_text(AT(char, report_column(table, i)->title)));
    }
    put_byte(table->stream, '\n');
    end_line(table);
}

/* ---- rows of text and CSV ----
   Most of what is written are rows. So they have a loop that makes no calls, and collects characters in a
   word before it stores them: a store anywhere takes many instructions. Where it does not know what to do, it
   stops, and goes on when that has been done. */

/* While a writer is active, pending_count is out of date. */
struct writer {
    text_word *to;    /* the address for the word */
    uint64_t carried; /* its characters so far; the others are 0 */
    uint64_t bits;    /* the bits that they take, less than a word's */
};

WHERE_USED struct writer begin_writing(void) {
    struct writer writer = {.bits = 8 * (pending_count % WORD)};
    writer.to = (text_word *)(void *)(pending + (pending_count & ~(size_t)(WORD - 1)));
    writer.carried = *writer.to & ((UINT64_C(1) << writer.bits) - 1);
    return writer;
}

WHERE_USED void end_writing(const struct writer *writer) {
    *writer->to = writer->carried;
    pending_count = (size_t)((char *)writer->to - pending) + writer->bits / 8;
}

WHERE_USED void append_word(struct writer *writer, uint64_t word) {
    *writer->to++ = writer->carried | word << writer->bits;
    writer->carried = word >> 1 >> (63 - writer->bits);
}

WHERE_USED void append_characters(struct writer *writer, struct characters characters) {
    const uint64_t before = writer->bits;
    writer->carried |= characters.word << before;
    writer->bits = before + characters.bits;
    if (writer->bits >= 8 * WORD) {
        *writer->to++ = writer->carried;
        writer->bits -= 8 * WORD;
        writer->carried = characters.word >> 1 >> (63 - before);
    }
}

WHERE_USED struct characters and_behind(struct characters characters, uint64_t behind) {
    return (struct characters){characters.word | behind << characters.bits, characters.bits + 8};
}

/* A text that can be written by words, unchanged. */
struct text_of_words {
    uintptr_t name; /* like that of a known text */
    uintptr_t end;  /* after its whole words */
    struct characters tail;
};
static struct text_of_words texts_of_words[TABLE_TEXTS];

WHERE_USED struct text_of_words *text_of_words(int64_t value) {
    return &texts_of_words[(uintptr_t)value / WORD % TABLE_TEXTS];
}

/* Addresses without their last 16 bits, which are repeated often. */
static struct upper_digits {
    uint64_t upper; /* 0: none */
    struct characters characters;
} upper_digits[16];
enum { LOWER_BITS = 16, MOST_UPPER = (1 << 24) - 1 /* six digits, and two characters before them */ };

WHERE_USED struct upper_digits *upper_digits_of(uint64_t upper) {
    return &upper_digits[upper % (sizeof upper_digits / sizeof upper_digits[0])];
}

enum column_kind { COLUMN_DECIMAL, COLUMN_TEXT, COLUMN_HEXADECIMAL, COLUMN_HUNDREDTHS, COLUMN_NUMBER };
enum { MOST_COLUMNS = 16 };
/* The table whose rows are written. */
static struct separated {
    uint64_t number;                              /* of the table */
    unsigned breaks;                              /* characters that its texts must not have */
    void (*put)(FILE *stream, struct piece text); /* writes texts that have them */
    uint64_t column_count;
    struct separated_column {
        const int64_t *values; /* in the rows to be written */
        uint64_t kind;         /* enum column_kind */
        uint64_t behind;       /* the character after its values */
        /* Consecutive rows often have the same number, if they are sorted by it. Only few kinds have digits
           that take so long. No bits: there was none, or it is longer than a word. */
        int64_t last_value;
        struct characters last;
    } columns[MOST_COLUMNS];
    uint64_t row, row_count;         /* of those to be written: the next one */
    struct separated_column *column; /* its next one */
} separated;

uint64_t atomc_table_number(void) {
    static uint64_t last;
    /* otherwise texts of the first tables would be taken for known ones */
    if ((++last << ADDRESS_BITS) == 0) {
        memset(texts_of_table, 0, sizeof texts_of_table);
        memset(texts_of_words, 0, sizeof texts_of_words);
        last++;
    }
    return last;
}

/* Writes rows up to an unknown value, or until there is no room: then it returns false. */
static __attribute__((noinline)) int write_known(void) {
    const text_word *const limit =
        (const text_word *)(const void *)(pending + PENDING - MOST_COLUMNS * NUMBER);
    const uint64_t mark = separated.number << ADDRESS_BITS, row_count = separated.row_count;
    struct separated_column *const columns = separated.columns, *const end = columns + separated.column_count;
    struct separated_column *column = separated.column;
    uint64_t row = separated.row;
    struct writer writer = begin_writing();
    while (row < row_count && writer.to <= limit) {
        for (; column < end; column++) {
            const int64_t value = column->values[row];
            const uint64_t kind = column->kind, behind = column->behind;
            if (kind == COLUMN_DECIMAL) {
                uint64_t here = (uint64_t)value;
                if (__builtin_expect(here < IN_WORD / 10, 1)) {
                    append_characters(&writer, short_decimal(here, behind));
                } else if (here - IN_WORD < IN_TWO_WORDS - IN_WORD) {
                    append_characters(&writer, short_decimal(here / IN_WORD, 0));
                    append_characters(&writer, eight_digits(here % IN_WORD));
                    append_characters(&writer, (struct characters){behind, 8});
                } else {
                    goto stop;
                }
            } else if (kind == COLUMN_TEXT) {
                const struct text_of_words *text = text_of_words(value);
                if (text->name != ((uintptr_t)value ^ mark))
                    goto stop;
                const text_word *words = AT(text_word, value), *words_end = AT(text_word, text->end);
                for (; words < words_end; words++)
                    append_word(&writer, load_word(words));
                append_characters(&writer, and_behind(text->tail, behind));
            } else if (kind == COLUMN_HEXADECIMAL) {
                const uint64_t upper = (uint64_t)value >> LOWER_BITS;
                const struct upper_digits *digits = upper_digits_of(upper);
                if (digits->upper != upper || upper == 0)
                    goto stop;
                append_characters(&writer, digits->characters);
                append_characters(&writer,
                                  and_behind((struct characters){(uint64_t)byte_digits[value >> 8 & 255] |
                                                                     (uint64_t)byte_digits[value & 255] << 16,
                                                                 32},
                                             behind));
            } else if (kind == COLUMN_NUMBER) {
                if (column->last_value != value || !column->last.bits)
                    goto stop;
                append_characters(&writer, column->last);
            } else {
                if ((uint64_t)value >= IN_WORD / 100)
                    goto stop;
                append_characters(&writer, and_behind(short_hundredths((uint64_t)value), behind));
            }
        }
        column = columns;
        row++;
    }
stop:
    end_writing(&writer);
    separated.row = row;
    separated.column = column;
    return row == row_count;
}

/* True if the text can be written by words from now on. */
static int know_text(int64_t value) {
    const char *text = AT(char, value);
    struct piece piece = value ? examine_text(text) : (struct piece){.text = NULL};
    if (!is_aligned(text) || piece.breaks & separated.breaks || piece.length > NUMBER - 2 * WORD)
        return 0;
    const size_t whole = piece.length / WORD * WORD;
    const uint64_t bits = 8 * (piece.length % WORD);
    struct text_of_words *known = text_of_words(value);
    *known = (struct text_of_words){cached_name(separated.number, text), (uintptr_t)value + whole, {0, bits}};
    if (bits)
        known->tail.word = load_word(AT(text_word, known->end)) & ((UINT64_C(1) << bits) - 1);
    return 1;
}

static int know_upper(uint64_t value) {
    const uint64_t upper = value >> LOWER_BITS;
    struct characters characters = {0, 16};
    if (upper == 0 || upper > MOST_UPPER)
        return 0;
    for (uint64_t rest = upper; rest; rest >>= 4, characters.bits += 8)
        characters.word = characters.word << 8 | (uint64_t)(byte_digits[rest & 15] >> 8);
    characters.word = characters.word << 16 | '0' | 'x' << 8;
    *upper_digits_of(upper) = (struct upper_digits){upper, characters};
    return 1;
}

static int know_number(const struct atomc_table *table, struct separated_column *column, int64_t value) {
    text_word words[NUMBER / WORD + 1];
    const struct atomc_report_column *described =
        report_column(table, (uint64_t)(column - separated.columns));
    words[0] = 0;
    char *begin = (char *)words, *end = store_number(begin, table, described, value);
    end = store_byte(end, (char)column->behind);
    const uint64_t bits = end - begin < WORD ? 8 * (uint64_t)(end - begin) : 0;
    column->last_value = value;
    column->last = (struct characters){words[0] & ((UINT64_C(1) << bits) - 1), bits};
    return bits != 0;
}

/* True if write_known knows this value from now on. */
static int know_value(const struct atomc_table *table, struct separated_column *column, int64_t value) {
    switch (column->kind) {
    case COLUMN_DECIMAL:
    case COLUMN_HUNDREDTHS:
        return 0;
    case COLUMN_TEXT:
        return know_text(value);
    case COLUMN_HEXADECIMAL:
        return know_upper((uint64_t)value);
    default:
        return know_number(table, column, value);
    }
}

static void put_column_value(const struct atomc_table *table, uint64_t column, int64_t value, char behind) {
    if (is_text(table, column))
        separated.put(table->stream, piece_of_value(table, value));
    else
        put_number(table, column, value);
    put_byte(table->stream, behind);
}

/* Writes `count` rows of the values in separated.columns. */
static void write_values(const struct atomc_table *table, uint64_t count) {
    separated.row = 0;
    separated.row_count = count;
    separated.column = separated.columns;
    while (!write_known()) {
        struct separated_column *column = separated.column;
        if (PENDING - pending_count < MOST_COLUMNS * NUMBER)
            flush_stream(table->stream);
        else if (!know_value(table, column, column->values[separated.row])) {
            put_column_value(table, (uint64_t)(column - separated.columns), column->values[separated.row],
                             (char)column->behind);
            separated.column++;
        }
    }
}

/* Returns false if its rows should be written value by value. */
static inline int begin_rows(const struct atomc_table *table, char separator, unsigned breaks,
                             void (*put)(FILE *stream, struct piece text)) {
    const uint64_t count = table->report->column_count;
    separated.put = put;
    if (table->changes || !table->number || table->is_other || count > MOST_COLUMNS)
        return 0;
    if (separated.number == table->number)
        return 1;
    separated.number = table->number;
    separated.breaks = breaks;
    separated.column_count = count;
    for (uint64_t i = 0; i < count; i++) {
        const uint64_t format = report_column(table, i)->format;
        separated.columns[i] =
            (struct separated_column){.behind = (unsigned char)(i + 1 < count ? separator : '\n'),
                                      .kind = format == ATOMC_REPORT_DECIMAL       ? COLUMN_DECIMAL
                                              : format == ATOMC_REPORT_TEXT        ? COLUMN_TEXT
                                              : format == ATOMC_REPORT_HEXADECIMAL ? COLUMN_HEXADECIMAL
                                              : format == ATOMC_REPORT_HUNDREDTHS  ? COLUMN_HUNDREDTHS
                                                                                   : COLUMN_NUMBER};
    }
    return 1;
}

static void write_row(struct atomc_table *table, const int64_t *values, char separator, unsigned breaks,
                      void (*put)(FILE *stream, struct piece text)) {
    const uint64_t count = table->report->column_count;
    if (begin_rows(table, separator, breaks, put)) {
        for (uint64_t i = 0; i < count; i++)
            separated.columns[i].values = values + i;
        write_values(table, 1);
    } else {
        for (uint64_t i = 0; i < count; i++)
            put_column_value(table, i, values[i], i + 1 < count ? separator : '\n');
    }
    end_line(table);
}

static void write_columns(struct atomc_table *table, const int64_t *const *columns, uint64_t rows,
                          char separator, unsigned breaks, void (*put)(FILE *stream, struct piece text)) {
    const uint64_t count = table->report->column_count;
    if (begin_rows(table, separator, breaks, put)) {
        for (uint64_t i = 0; i < count; i++)
            separated.columns[i].values = columns[i];
        write_values(table, rows);
    } else {
        for (uint64_t row = 0; row < rows; row++)
            for (uint64_t i = 0; i < count; i++)
                put_column_value(table, i, columns[i][row], i + 1 < count ? separator : '\n');
    }
    end_line(table);
}

/* ---- rows whose texts may change ----
   Nothing is known of them: what write_known stops at would be most of it. */

/* Returns false, and appends nothing, unless the text can be written by words, unchanged. */
WHERE_USED int append_text(struct writer *writer, const char *text, uint64_t behind) {
    const text_word *from = (const text_word *)(const void *)text, *limit = from + NUMBER / WORD - 2;
    struct writer at = *writer;
    uint64_t word;
    if (!is_aligned(text))
        return 0;
    for (; !has_control(word = load_word(from)); from++) {
        if (from == limit)
            return 0;
        append_word(&at, word);
    }
    const uint64_t there = before_zero(word), ones = UINT64_MAX / 255;
    if (there >> (8 * WORD - 8) != 0 || has_control((word & there) | (ones * ' ' & ~there)))
        return 0;
    const uint64_t bits = 8 * ((there & ones) * ones >> (8 * WORD - 8));
    append_characters(&at, and_behind((struct characters){word & there, bits}, behind));
    *writer = at;
    return 1;
}

/* The writer's position is that of `pending`. */
static __attribute__((noinline)) void write_other_cell(const struct atomc_table *table, uint64_t column,
                                                       int64_t value, char behind) {
    if (!is_text(table, column)) {
        pending_count =
            (size_t)(store_number(pending + pending_count, table, report_column(table, column), value) -
                     pending);
    } else if (value) {
        struct piece piece = examine_text(AT(char, value));
        if (piece.breaks & BREAKS_TEXT || piece.length > NUMBER - WORD) {
            write_plain_piece(table->stream, piece);
            need_stream_room(table->stream, MOST_COLUMNS * NUMBER);
        } else {
            pending_count = (size_t)(store_text(pending + pending_count, piece.text, piece.length) - pending);
        }
    }
    pending[pending_count++] = behind;
}

static void write_changing_row(struct atomc_table *table, const int64_t *values) {
    const uint64_t count = table->report->column_count;
    need_stream_room(table->stream, MOST_COLUMNS * NUMBER);
    struct writer writer = begin_writing();
    for (uint64_t i = 0; i < count; i++) {
        const uint64_t format = report_column(table, i)->format, behind = i + 1 < count ? '\t' : '\n';
        const int64_t value = values[i];
        if (format == ATOMC_REPORT_DECIMAL && (uint64_t)value < IN_WORD / 10) { /* most columns */
            append_characters(&writer, short_decimal((uint64_t)value, behind));
        } else if (format == ATOMC_REPORT_HUNDREDTHS && (uint64_t)value < IN_WORD / 100) {
            append_characters(&writer, and_behind(short_hundredths((uint64_t)value), behind));
        } else if (format != ATOMC_REPORT_TEXT || !value || !append_text(&writer, AT(char, value), behind)) {
            end_writing(&writer);
            write_other_cell(table, i, value, (char)behind);
            writer = begin_writing();
        }
    }
    end_writing(&writer);
    end_line(table);
}

static void write_text_row(struct atomc_table *table, const int64_t *values) {
    if (table->changes && !table->is_other && table->report->column_count <= MOST_COLUMNS)
        write_changing_row(table, values);
    else
        write_row(table, values, '\t', BREAKS_TEXT, write_plain_piece);
}

static void write_text_rows(struct atomc_table *table, const int64_t *const *columns, uint64_t rows) {
    write_columns(table, columns, rows, '\t', BREAKS_TEXT, write_plain_piece);
}

/* Without the empty columns at its end. */
static void write_text_total(struct atomc_table *table, const int64_t *sums) {
    uint64_t count = table->report->column_count;
    while (count > 1 && !atomc_is_summed(report_column(table, count - 1)))
        count--;
    for (uint64_t i = 0; i < count; i++) {
        if (i > 0)
            put_byte(table->stream, '\t');
        put_total(table, i, sums);
    }
    put_byte(table->stream, '\n');
    end_line(table);
}

static void write_nothing(struct atomc_table *table) {
    (void)table;
}

static void write_no_row(struct atomc_table *table, const int64_t *values) {
    (void)table, (void)values;
}

static void write_rest(struct atomc_table *table) {
    flush_stream(table->stream);
}

/* ---- CSV: RFC 4180, with line feeds -------------------------------------------------------------------- */

static void put_csv_text(FILE *stream, struct piece piece) {
    if (!(piece.breaks & BREAKS_CSV)) {
        put_bytes(stream, piece.text, piece.length);
        return;
    }
    put_byte(stream, '"');
    if (is_formula(piece.text)) /* then a spreadsheet treats it as text */
        put_byte(stream, '\'');
    for (size_t i = 0, length; i < piece.length; i += length) {
        const char *at = piece.text + i;
        length = shown_character((const unsigned char *)at);
        if (*at == '"')
            put_byte(stream, '"');
        if (*at == '\t' || *at == '\n' || *at == '\r')
            put_byte(stream, *at);
        else
            put_character(stream, at, length);
    }
    put_byte(stream, '"');
}

/* ---- C++ names in forms for programs ----
   They have the symbol in the column itself, and what C++ writes for it beside the columns. */

#define DEMANGLED " demangled" /* after the title */

static int has_demangled(const struct atomc_table *table, uint64_t column) {
    static const char *const titles[] = {"Procedure", "Caller", "Callee"};
    const char *title = AT(char, report_column(table, column)->title);
    if (!atomc_has_names() || !is_text(table, column))
        return 0;
    for (size_t i = 0; i < sizeof titles / sizeof titles[0]; i++)
        if (strcmp(title, titles[i]) == 0)
            return 1;
    return report_column(table, column)->is_procedure != 0;
}

static uint64_t demangled_count(const struct atomc_table *table) {
    uint64_t count = 0;
    for (uint64_t i = 0; i < table->report->column_count; i++)
        count += has_demangled(table, i) != 0;
    return count;
}

/* NULL: the text is not a C++ symbol. */
static const char *demangled_of(int64_t value) {
    const char *text = value ? AT(char, value) : "", *shown = atomc_shown_name(text);
    return shown != text ? shown : NULL;
}

static void end_csv_line(struct atomc_table *table) {
    put_byte(table->stream, '\n');
    end_line(table);
}

/* The columns after the table's own, if there are any: of the titles (values NULL), or of a row. */
static void write_csv_demangled(struct atomc_table *table, const int64_t *values) {
    for (uint64_t i = 0; i < table->report->column_count; i++) {
        if (!has_demangled(table, i))
            continue;
        const char *name = values ? demangled_of(values[i]) : AT(char, report_column(table, i)->title);
        put_byte(table->stream, ',');
        if (name)
            put_csv_text(table->stream, examine_text(name));
        if (!values)
            put_stream_text(table->stream, DEMANGLED);
    }
    end_csv_line(table);
}

static void end_csv_field(struct atomc_table *table, uint64_t column) {
    int is_last = column + 1 == table->report->column_count;
    if (is_last && demangled_count(table) > 0)
        return;
    put_byte(table->stream, is_last ? '\n' : ',');
    if (is_last)
        end_line(table);
}

static void write_csv_head(struct atomc_table *table) {
    for (uint64_t i = 0; i < table->report->column_count; i++) {
        put_csv_text(table->stream, examine_text(AT(char, report_column(table, i)->title)));
        end_csv_field(table, i);
    }
    if (demangled_count(table) > 0)
        write_csv_demangled(table, NULL);
}

static void write_csv_row(struct atomc_table *table, const int64_t *values) {
    const uint64_t count = table->report->column_count;
    if (demangled_count(table) > 0) {
        for (uint64_t i = 0; i < count; i++) {
            if (i > 0)
                put_byte(table->stream, ',');
            if (is_text(table, i))
                put_csv_text(table->stream, piece_of_value(table, values[i]));
            else
                put_number(table, i, values[i]);
        }
        write_csv_demangled(table, values);
        return;
    }
    write_row(table, values, ',', BREAKS_CSV, put_csv_text);
}

static void write_csv_rows(struct atomc_table *table, const int64_t *const *columns, uint64_t rows) {
    int64_t values[MOST_COLUMNS];
    const uint64_t count = table->report->column_count;
    if (count <= MOST_COLUMNS && demangled_count(table) > 0) {
        for (uint64_t row = 0; row < rows; row++) {
            for (uint64_t i = 0; i < count; i++)
                values[i] = columns[i][row];
            write_csv_row(table, values);
        }
        return;
    }
    write_columns(table, columns, rows, ',', BREAKS_CSV, put_csv_text);
}

static void write_csv_total(struct atomc_table *table, const int64_t *sums) {
    for (uint64_t i = 0; i < table->report->column_count; i++) {
        put_total(table, i, sums);
        end_csv_field(table, i);
    }
    for (uint64_t i = demangled_count(table); i > 0; i--) {
        put_byte(table->stream, ',');
        if (i == 1)
            end_csv_line(table);
    }
}

/* ---- JSON ---------------------------------------------------------------------------------------------- */

/* The length of the UTF-8 character at the start of the text; 0 if it is invalid (RFC 3629: overlong,
   surrogate).
 */
static unsigned character_length(const unsigned char *text) {
    static const unsigned char lead[3][2] = {{0xc2, 0xdf}, {0xe0, 0xef}, {0xf0, 0xf4}};
    if (text[0] < 0x80)
        return 1;
    for (unsigned length = 2; length <= 4; length++) {
        if (text[0] < lead[length - 2][0] || text[0] > lead[length - 2][1])
            continue;
        for (unsigned i = 1; i < length; i++)
            if ((text[i] & 0xc0) != 0x80)
                return 0;
        int wrong = (text[0] == 0xe0 && text[1] < 0xa0) || (text[0] == 0xed && text[1] > 0x9f) ||
                    (text[0] == 0xf0 && text[1] < 0x90) || (text[0] == 0xf4 && text[1] > 0x8f);
        return wrong ? 0 : length;
    }
    return 0;
}

static void write_json_character(FILE *stream, const unsigned char *character, unsigned length) {
    char escaped[16];
    if (length == 0)
        put_stream_text(stream, "\\ufffd");
    else if (*character == '"' || *character == '\\')
        put_bytes(stream, (const char[]){'\\', (char)*character}, 2);
    else if (*character < 0x20)
        put_bytes(stream, escaped, (size_t)snprintf(escaped, sizeof escaped, "\\u%04x", *character));
    else
        put_bytes(stream, (const char *)character, length);
}

static void write_json_string(FILE *stream, struct piece piece) {
    const unsigned char *text = (const unsigned char *)piece.text;
    put_byte(stream, '"');
    if (!(piece.breaks & BREAKS_JSON))
        put_bytes(stream, piece.text, piece.length);
    else
        for (size_t at = 0, length; at<piece.length; at += length> 0 ? length : 1) {
            length = character_length(text + at);
            write_json_character(stream, text + at, (unsigned)length);
        }
    put_byte(stream, '"');
}

void atomc_write_json_text(FILE *stream, const char *text) {
    atomc_write_pending();
    write_json_string(stream, examine_text(text));
    flush_stream(stream);
}

static int is_number_column(const struct atomc_report_column *column) {
    return column->format != ATOMC_REPORT_TEXT && column->format != ATOMC_REPORT_HEXADECIMAL;
}

/* Names of the columns, because a reader drops one of two members with the same name. */
static struct {
    uint64_t number;    /* the number of the table */
    const char **names; /* followed by the text of names that are not titles */
} named;

static int is_json_name(const char *name, uint64_t count) {
    while (count > 0 && strcmp(named.names[count - 1], name) != 0)
        count--;
    return count > 0;
}

/* From the second one on, equal titles are followed by a number. */
static void find_json_names(const struct atomc_table *table) {
    const uint64_t count = table->report->column_count;
    size_t size = (count + 1) * sizeof *named.names;
    for (uint64_t i = 0; i < count; i++)
        size += strlen(AT(char, report_column(table, i)->title)) + NUMBER;
    const char **names = realloc(named.names, size);
    if (!names)
        abort();
    char *text = (char *)(names + count + 1);
    named.number = table->number;
    named.names = names;
    for (uint64_t i = 0; i < count; i++)
        names[i] = AT(char, report_column(table, i)->title);
    for (uint64_t i = 1; i < count; i++) {
        unsigned number = 2;
        if (!is_json_name(names[i], i))
            continue;
        do
            sprintf(text, "%s %u", names[i], number++);
        while (is_json_name(text, count));
        names[i] = text;
        text += strlen(text) + 1;
    }
}

/* Numbers are numbers. Addresses are strings, which every reader preserves exactly. */
static void write_json_member(struct atomc_table *table, uint64_t column, int64_t value, int first) {
    const struct atomc_report_column *here = report_column(table, column);
    put_stream_text(table->stream, first ? "" : ", ");
    if (named.number != table->number)
        find_json_names(table);
    write_json_string(table->stream, piece_of(table, named.names[column]));
    put_stream_text(table->stream, ": ");
    if (is_text(table, column)) {
        write_json_string(table->stream, piece_of_value(table, value));
        return;
    }
    int quoted = !is_number_column(here) || is_absent(table, here);
    if (quoted)
        put_byte(table->stream, '"');
    put_number(table, column, value);
    if (quoted)
        put_byte(table->stream, '"');
}

static void write_json_head(struct atomc_table *table) {
    put_stream_text(table->stream, "{\"tool\": ");
    write_json_string(table->stream, examine_text(AT(char, table->report->tool)));
    put_stream_text(table->stream, ", \"report\": ");
    write_json_string(table->stream, examine_text(table->name));
    put_stream_text(table->stream, ", \"rows\": [");
    end_line(table);
}

static void write_json_row(struct atomc_table *table, const int64_t *values) {
    put_stream_text(table->stream, table->rows > 0 ? ",\n{" : "\n{");
    for (uint64_t i = 0; i < table->report->column_count; i++)
        write_json_member(table, i, values[i], i == 0);
    for (uint64_t i = 0; i < table->report->column_count; i++) {
        const char *name = has_demangled(table, i) ? demangled_of(values[i]) : NULL;
        if (!name)
            continue;
        char *key = NULL;
        if (asprintf(&key, "%s%s", named.names[i], DEMANGLED) < 0)
            abort();
        put_stream_text(table->stream, ", ");
        write_json_string(table->stream, examine_text(key));
        put_stream_text(table->stream, ": ");
        write_json_string(table->stream, examine_text(name));
        free(key);
    }
    put_byte(table->stream, '}');
    end_line(table);
}

static void write_json_total(struct atomc_table *table, const int64_t *sums) {
    int first = 1;
    put_stream_text(table->stream, "], \"total\": {");
    for (uint64_t i = 0; i < table->report->column_count; i++)
        if (atomc_is_summed(report_column(table, i))) {
            write_json_member(table, i, sums[i], first);
            first = 0;
        }
    put_byte(table->stream, '}');
    end_line(table);
}

static void write_json_end(struct atomc_table *table) {
    put_stream_text(table->stream, table->report->flags & ATOMC_REPORT_TOTAL ? "}\n" : "]}\n");
    flush_stream(table->stream);
}

/* ---- rows: JSON Lines -------------------------------------------------------------------------------------
   A header that says what the columns are, an array for each row, a last line: without it the file is not
   whole (docs/json.md). Values can be added up: there are hidden columns, and no row is left out. */

enum { ROWS_VERSION = 1 };

static uint64_t all_columns(const struct atomc_table *table) {
    return table->report->column_count + table->report->hidden_count;
}

static void put_named_number(FILE *stream, const char *name, uint64_t number) {
    put_stream_text(stream, name);
    need_stream_room(stream, NUMBER);
    pending_count = (size_t)(store_decimal(pending + pending_count, number) - pending);
}

static void write_rows_head(struct atomc_table *table) {
    FILE *stream = table->stream;
    const char *header = AT(char, table->report->header);
    put_named_number(stream, "{\"rows\":", ROWS_VERSION);
    put_stream_text(stream, ",\"report\":");
    write_json_string(stream, examine_text(table->name));
    put_named_number(stream, ",\"process\":", (uint64_t)atomc_process());
    put_named_number(stream, ",\"parent\":", (uint64_t)getppid());
    put_byte(stream, ',');
    put_stream_text(stream, header + 1); /* without its opening brace */
    put_byte(stream, '\n');
    end_line(table);
}

static void write_rows_value(struct atomc_table *table, uint64_t column, int64_t value) {
    const struct atomc_report_column *here = report_column(table, column);
    if (is_text(table, column)) {
        write_json_string(table->stream, piece_of_value(table, value));
    } else if (is_absent(table, here) || (table->has_nothing && table->has_nothing[column])) {
        put_stream_text(table->stream, "null");
    } else if (here->is_address) {
        put_bytes(table->stream, "\"0x", 3);
        need_stream_room(table->stream, NUMBER);
        pending_count = (size_t)(store_hexadecimal(pending + pending_count, (uint64_t)value) - pending);
        put_byte(table->stream, '"');
    } else if (here->format == ATOMC_REPORT_HEXADECIMAL) {
        need_stream_room(table->stream, NUMBER);
        if (value < 0)
            pending[pending_count++] = '-';
        pending_count = (size_t)(store_decimal(pending + pending_count, magnitude_of(value)) - pending);
    } else {
        put_number(table, column, value);
    }
}

static void write_rows_row(struct atomc_table *table, const int64_t *values) {
    for (uint64_t i = 0; i < all_columns(table); i++) {
        put_byte(table->stream, i > 0 ? ',' : '[');
        write_rows_value(table, i, values[i]);
    }
    put_bytes(table->stream, "]\n", 2);
    end_line(table);
}

static void write_rows_end(struct atomc_table *table) {
    put_named_number(table->stream, "{\"end\":true,\"rows\":", table->rows);
    put_bytes(table->stream, "}\n", 2);
    flush_stream(table->stream);
}

/* ---- reports of text ----------------------------------------------------------------------------------- */

static void write_pieces(struct atomc_table *table, const int64_t *values) {
    for (uint64_t i = 0; i < table->report->column_count; i++) {
        if (is_text(table, i)) {
            struct piece piece = piece_of_value(table, values[i]);
            put_bytes(table->stream, piece.text, piece.length);
        } else {
            put_number(table, i, values[i]);
        }
    }
    put_byte(table->stream, '\n');
    end_line(table);
}

const struct atomc_format atomc_text_rows = {"",         "", write_nothing, write_pieces, write_no_row,
                                             write_rest, 0,  NULL};

/* ---- the choice ---------------------------------------------------------------------------------------- */

static const struct atomc_format formats[] = {
    {"text", "\n", write_text_head, write_text_row, write_text_total, write_rest, 0, write_text_rows},
    {"csv", "\n", write_csv_head, write_csv_row, write_csv_total, write_rest, 0, write_csv_rows},
    {"json", "", write_json_head, write_json_row, write_json_total, write_json_end, 0, NULL},
    {"rows", "", write_rows_head, write_rows_row, write_no_row, write_rows_end, 1, NULL},
};

const struct atomc_format *const atomc_text_format = &formats[0];
const struct atomc_format *const atomc_json_format = &formats[2];

const struct atomc_format *atomc_chosen_format(void) {
    const char *word = getenv("ATOMC_FORMAT");
    if (!word || !*word)
        return &formats[0];
    if (strcmp(word, atomc_table_format.word) == 0)
        return &atomc_table_format;
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++)
        if (strcmp(word, formats[i].word) == 0)
            return &formats[i];
    fprintf(stderr,
            "atomc: ATOMC_FORMAT is '%s', not text, table, csv, json or rows: reports are written as text\n",
            word);
    return &formats[0];
}
