/* report_format.c: a report's table as text or CSV, and reports that are texts.
   Requires an open stream. Write errors show when it is closed. */
#define _GNU_SOURCE
#include "runtime/report/internal.h"
#include "stdtools/table.h"
#include "support/controls.h"

/* ---- text ---------------------------------------------------------------------------------------------- */

/* The character, or, if a terminal would interpret it, its form \xNN. */
static void put_character(FILE *stream, const char *character, size_t length) {
    static const char digits[] = "0123456789abcdef";
    if (!is_control((const unsigned char *)character, length)) {
        atomc_put_bytes(stream, character, length);
        return;
    }
    for (size_t i = 0; i < length; i++) {
        const unsigned char byte = (unsigned char)character[i];
        atomc_put_bytes(stream, (const char[]){'\\', 'x', digits[byte >> 4], digits[byte & 15]}, 4);
    }
}

/* Characters that would break the line or the columns become blanks. */
static void write_plain_piece(FILE *stream, struct piece piece) {
    if (!(piece.breaks & BREAKS_TEXT)) {
        atomc_put_bytes(stream, piece.text, piece.length);
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
        write_plain_piece(table->stream, atomc_look_at(AT(char, report_column(table, i)->title)));
    }
    put_byte(table->stream, '\n');
    end_line(table);
}

/* ---- rows of text and CSV ----
   Most of what is written are rows. So a loop that makes no calls collects characters in a word before it
   stores them: an unaligned store takes many instructions. At a value that the loop cannot write, it stops,
   and continues after other code has written the value. */

/* atomc_pending_count is out of date while a writer exists. */
struct writer {
    text_word *to;    /* the address for the word */
    uint64_t carried; /* the characters of the word so far; the other bytes are 0 */
    uint64_t bits;    /* the bits that they take, less than a word's */
};

WHERE_USED struct writer begin_writing(void) {
    struct writer writer = {.bits = 8 * (atomc_pending_count % WORD)};
    writer.to = (text_word *)(void *)(atomc_pending + (atomc_pending_count & ~(size_t)(WORD - 1)));
    writer.carried = *writer.to & ((UINT64_C(1) << writer.bits) - 1);
    return writer;
}

WHERE_USED void end_writing(const struct writer *writer) {
    *writer->to = writer->carried;
    atomc_pending_count = (size_t)((char *)writer->to - atomc_pending) + writer->bits / 8;
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

WHERE_USED struct characters and_after(struct characters characters, uint64_t after) {
    return (struct characters){characters.word | after << characters.bits, characters.bits + 8};
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
        uint64_t after;        /* the character after its values */
        /* If rows are sorted by a number, consecutive rows often have the same number. Only few columns have
           digits that take so long. No bits: there was no number, or it is longer than a word. */
        int64_t last_value;
        struct characters last;
    } columns[MOST_COLUMNS];
    uint64_t row, row_count;         /* the next of the rows to be written */
    struct separated_column *column; /* its next one */
} separated;

uint64_t atomc_table_number(void) {
    static uint64_t last;
    if ((++last << ADDRESS_BITS) ==
        0) { /* otherwise texts of the first tables would be mistaken for known texts */
        memset(atomc_texts_of_table, 0, sizeof atomc_texts_of_table);
        memset(texts_of_words, 0, sizeof texts_of_words);
        last++;
    }
    return last;
}

/* The last four hexadecimal digits. */
static inline struct characters lower_digits(uint64_t value) {
    return (struct characters){
        (uint64_t)byte_digits[value >> 8 & 255] | (uint64_t)byte_digits[value & 255] << 16, 32};
}

/* Writes rows up to an unknown value. Returns false if there is no more room. */
static __attribute__((noinline)) int write_known(void) {
    const text_word *const limit =
        (const text_word *)(const void *)(atomc_pending + PENDING - MOST_COLUMNS * NUMBER);
    const uint64_t mark = separated.number << ADDRESS_BITS, row_count = separated.row_count;
    struct separated_column *const columns = separated.columns, *const end = columns + separated.column_count;
    struct separated_column *column = separated.column;
    uint64_t row = separated.row;
    struct writer writer = begin_writing();
    while (row < row_count && writer.to <= limit) {
        for (; column < end; column++) {
            const int64_t value = column->values[row];
            const uint64_t kind = column->kind, after = column->after;
            if (kind == COLUMN_DECIMAL) {
                uint64_t here = (uint64_t)value;
                if (__builtin_expect(here < IN_WORD / 10, 1)) {
                    append_characters(&writer, short_decimal(here, after));
                } else if (here - IN_WORD < IN_TWO_WORDS - IN_WORD) {
                    append_characters(&writer, short_decimal(here / IN_WORD, 0));
                    append_characters(&writer, eight_digits(here % IN_WORD));
                    append_characters(&writer, (struct characters){after, 8});
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
                append_characters(&writer, and_after(text->tail, after));
            } else if (kind == COLUMN_HEXADECIMAL) {
                const uint64_t upper = (uint64_t)value >> LOWER_BITS;
                const struct upper_digits *digits = upper_digits_of(upper);
                if (digits->upper != upper || upper == 0)
                    goto stop;
                append_characters(&writer, digits->characters);
                append_characters(&writer, and_after(lower_digits((uint64_t)value), after));
            } else if (kind == COLUMN_NUMBER) {
                if (column->last_value != value || !column->last.bits)
                    goto stop;
                append_characters(&writer, column->last);
            } else {
                if ((uint64_t)value >= IN_WORD / 100)
                    goto stop;
                append_characters(&writer, and_after(short_hundredths((uint64_t)value), after));
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
    struct piece piece = value ? atomc_look_at(text) : (struct piece){.text = NULL};
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
    end = store_byte(end, (char)column->after);
    const uint64_t bits = end - begin < WORD ? 8 * (uint64_t)(end - begin) : 0;
    column->last_value = value;
    column->last = (struct characters){words[0] & ((UINT64_C(1) << bits) - 1), bits};
    return bits != 0;
}

/* True if write_known can write this value from now on. */
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

static void put_column_value(const struct atomc_table *table, uint64_t column, int64_t value, char after) {
    if (is_text(table, column))
        separated.put(table->stream, piece_of_value(table, value));
    else
        atomc_put_number(table, column, value);
    put_byte(table->stream, after);
}

/* Writes `count` rows of the values in separated.columns. */
static void write_values(const struct atomc_table *table, uint64_t count) {
    separated.row = 0;
    separated.row_count = count;
    separated.column = separated.columns;
    while (!write_known()) {
        struct separated_column *column = separated.column;
        if (PENDING - atomc_pending_count < MOST_COLUMNS * NUMBER)
            atomc_flush_pending(table->stream);
        else if (!know_value(table, column, column->values[separated.row])) {
            put_column_value(table, (uint64_t)(column - separated.columns), column->values[separated.row],
                             (char)column->after);
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
            (struct separated_column){.after = (unsigned char)(i + 1 < count ? separator : '\n'),
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
   Their values are not known: write_known would stop at most of them. */

/* True if the word contains a control character or a character that is not ASCII. The character 0 and line
   feeds are control characters. */
static inline int has_control(uint64_t word) {
    const uint64_t ones = UINT64_MAX / 255;
    return (((word - ones * ' ') | word | (word + ones)) & ones << 7) != 0;
}

/* Returns false, without appending text, unless the text can be written by words, unchanged. */
WHERE_USED int append_text(struct writer *writer, const char *text, uint64_t after) {
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
    append_characters(&at, and_after((struct characters){word & there, bits}, after));
    *writer = at;
    return 1;
}

/* The writer continues at the end of `pending`. */
static __attribute__((noinline)) void write_other_cell(const struct atomc_table *table, uint64_t column,
                                                       int64_t value, char after) {
    if (!is_text(table, column)) {
        atomc_pending_count = (size_t)(store_number(atomc_pending + atomc_pending_count, table,
                                                    report_column(table, column), value) -
                                       atomc_pending);
    } else if (value) {
        struct piece piece = atomc_look_at(AT(char, value));
        if (piece.breaks & BREAKS_TEXT || piece.length > NUMBER - WORD) {
            write_plain_piece(table->stream, piece);
            need_stream_room(table->stream, MOST_COLUMNS * NUMBER);
        } else {
            atomc_pending_count =
                (size_t)(store_text(atomc_pending + atomc_pending_count, piece.text, piece.length) -
                         atomc_pending);
        }
    }
    atomc_pending[atomc_pending_count++] = after;
}

static void write_changing_row(struct atomc_table *table, const int64_t *values) {
    const uint64_t count = table->report->column_count;
    need_stream_room(table->stream, MOST_COLUMNS * NUMBER);
    struct writer writer = begin_writing();
    for (uint64_t i = 0; i < count; i++) {
        const uint64_t format = report_column(table, i)->format, after = i + 1 < count ? '\t' : '\n';
        const int64_t value = values[i];
        if (format == ATOMC_REPORT_DECIMAL && (uint64_t)value < IN_WORD / 10) { /* most columns */
            append_characters(&writer, short_decimal((uint64_t)value, after));
        } else if (format == ATOMC_REPORT_HUNDREDTHS && (uint64_t)value < IN_WORD / 100) {
            append_characters(&writer, and_after(short_hundredths((uint64_t)value), after));
        } else if (format != ATOMC_REPORT_TEXT || !value || !append_text(&writer, AT(char, value), after)) {
            end_writing(&writer);
            write_other_cell(table, i, value, (char)after);
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

/* Without the empty columns at the end of the row. */
static void write_text_total(struct atomc_table *table, const int64_t *sums) {
    uint64_t count = table->report->column_count;
    while (count > 1 && !atomc_is_summed(report_column(table, count - 1)))
        count--;
    for (uint64_t i = 0; i < count; i++) {
        if (i > 0)
            put_byte(table->stream, '\t');
        atomc_put_total(table, i, sums);
    }
    put_byte(table->stream, '\n');
    end_line(table);
}

static void write_nothing(struct atomc_table *table) {
    (void)table;
}

static void write_rest(struct atomc_table *table) {
    atomc_flush_pending(table->stream);
}

/* ---- CSV: RFC 4180, with line feeds -------------------------------------------------------------------- */

static void put_csv_text(FILE *stream, struct piece piece) {
    if (!(piece.breaks & BREAKS_CSV)) {
        atomc_put_bytes(stream, piece.text, piece.length);
        return;
    }
    put_byte(stream, '"');
    if (is_formula(piece.text)) /* a spreadsheet then treats the value as text */
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

static uint64_t demangled_count(const struct atomc_table *table) {
    uint64_t count = 0;
    for (uint64_t i = 0; i < table->report->column_count; i++)
        count += atomc_has_demangled(table, i) != 0;
    return count;
}

static void end_csv_line(struct atomc_table *table) {
    put_byte(table->stream, '\n');
    end_line(table);
}

/* The columns after the table's own columns, if there are any: their titles (values NULL), or their values in
   a row. */
static void write_csv_demangled(struct atomc_table *table, const int64_t *values) {
    for (uint64_t i = 0; i < table->report->column_count; i++) {
        if (!atomc_has_demangled(table, i))
            continue;
        const char *name = values ? atomc_demangled_of(values[i]) : AT(char, report_column(table, i)->title);
        put_byte(table->stream, ',');
        if (name)
            put_csv_text(table->stream, atomc_look_at(name));
        if (!values)
            atomc_put_text(table->stream, DEMANGLED);
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
        put_csv_text(table->stream, atomc_look_at(AT(char, report_column(table, i)->title)));
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
                atomc_put_number(table, i, values[i]);
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
        atomc_put_total(table, i, sums);
        end_csv_field(table, i);
    }
    for (uint64_t i = demangled_count(table); i > 0; i--) {
        put_byte(table->stream, ',');
        if (i == 1)
            end_csv_line(table);
    }
}

/* ---- reports of text ----------------------------------------------------------------------------------- */

static void write_pieces(struct atomc_table *table, const int64_t *values) {
    for (uint64_t i = 0; i < table->report->column_count; i++) {
        if (is_text(table, i)) {
            struct piece piece = piece_of_value(table, values[i]);
            atomc_put_bytes(table->stream, piece.text, piece.length);
        } else {
            atomc_put_number(table, i, values[i]);
        }
    }
    put_byte(table->stream, '\n');
    end_line(table);
}

const struct atomc_format atomc_text_rows = {"", write_nothing, write_pieces, atomc_write_no_row, write_rest,
                                             0,  NULL};

const struct atomc_format atomc_text_format = {
    "\n", write_text_head, write_text_row, write_text_total, write_rest, 0, write_text_rows};
const struct atomc_format atomc_csv_format = {
    "\n", write_csv_head, write_csv_row, write_csv_total, write_rest, 0, write_csv_rows};
