/* report_format.c: a report's table as text, CSV or JSON.
   Requires an open stream. Write errors show when it is closed. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "report.h"

#define AT(type, address) ((const type *)(uintptr_t)(address))

static const struct atomc_report_column *column_at(const struct atomc_table *table, uint64_t column) {
    return AT(struct atomc_report_column, table->report->columns) + column;
}

/* Numbers made of counters have sums. Lines, sizes, addresses and texts have none. */
static int is_summed(const struct atomc_report_column *column) {
    return (column->format == ATOMC_REPORT_DECIMAL || column->format == ATOMC_REPORT_PERCENT) &&
           column->merge != ATOMC_REPORT_FIRST;
}

/* Writes the digits before `end`, and a 0 there; returns the first digit. Fast: there are many numbers. */
static char *digits(uint64_t value, unsigned base, char *end) {
    *end = 0;
    do {
        *--end = "0123456789abcdef"[base == 16 ? value & 15 : value % 10];
        value = base == 16 ? value >> 4 : value / 10;
    } while (value);
    return end;
}

/* The value as printed: a text, or written into the buffer. */
static const char *printed(const struct atomc_table *table, uint64_t column, int64_t value, char buffer[32]) {
    double whole = table->sums[column];
    switch (column_at(table, column)->format) {
    case ATOMC_REPORT_TEXT:
        return value ? AT(char, value) : "";
    case ATOMC_REPORT_HEXADECIMAL: {
        char *first = digits((uint64_t)value, 16, buffer + 31);
        *--first = 'x';
        *--first = '0';
        return first;
    }
    case ATOMC_REPORT_PERCENT:
        snprintf(buffer, 32, "%.2f", value != 0 && whole != 0 ? 100.0 * value / whole : 0.0);
        break;
    case ATOMC_REPORT_HUNDREDTHS:
        snprintf(buffer, 32, "%.2f", value / 100.0);
        break;
    default: {
        char *first = digits(value < 0 ? -(uint64_t)value : (uint64_t)value, 10, buffer + 31);
        if (value < 0)
            *--first = '-';
        return first;
    }
    }
    return buffer;
}

/* A cell of the total line: empty without a sum. The first one begins with "total". */
static const char *printed_total(const struct atomc_table *table, uint64_t column, const int64_t *sums,
                                 char buffer[32]) {
    char number[32];
    const char *sum = is_summed(column_at(table, column)) ? printed(table, column, sums[column], number) : "";
    snprintf(buffer, 32, "%s%s%s", column == 0 ? "total" : "", column == 0 && *sum ? " " : "", sum);
    return buffer;
}

/* ---- text ---------------------------------------------------------------------------------------------- */

/* Characters that would break the line or the columns are written as blanks. */
static void write_plain(FILE *stream, const char *text) {
    for (size_t length = 0;; text += length, length = 0) {
        while (text[length] && text[length] != '\t' && text[length] != '\n' && text[length] != '\r')
            length++;
        fwrite(text, 1, length, stream);
        if (!text[length])
            return;
        putc(' ', stream);
        length++;
    }
}

static void write_text_head(struct atomc_table *table) {
    for (uint64_t i = 0; i < table->report->column_count; i++) {
        if (i > 0)
            putc('\t', table->stream);
        write_plain(table->stream, AT(char, column_at(table, i)->title));
    }
    putc('\n', table->stream);
}

static void write_text_row(struct atomc_table *table, const int64_t *values) {
    char buffer[32];
    for (uint64_t i = 0; i < table->report->column_count; i++) {
        if (i > 0)
            putc('\t', table->stream);
        write_plain(table->stream, printed(table, i, values[i], buffer));
    }
    putc('\n', table->stream);
}

/* Without the empty columns at its end. */
static void write_text_total(struct atomc_table *table, const int64_t *sums) {
    char buffer[32];
    uint64_t count = table->report->column_count;
    while (count > 1 && !is_summed(column_at(table, count - 1)))
        count--;
    for (uint64_t i = 0; i < count; i++)
        fprintf(table->stream, "%s%s", i > 0 ? "\t" : "", printed_total(table, i, sums, buffer));
    putc('\n', table->stream);
}

static void write_nothing(struct atomc_table *table) {
    (void)table;
}

/* ---- CSV: RFC 4180, with line feeds -------------------------------------------------------------------- */

static void write_csv_field(struct atomc_table *table, uint64_t column, const char *text) {
    if (column > 0)
        putc(',', table->stream);
    if (!text[strcspn(text, ",\"\r\n")]) {
        fputs(text, table->stream);
    } else {
        putc('"', table->stream);
        for (; *text; text++) {
            if (*text == '"')
                putc('"', table->stream);
            putc(*text, table->stream);
        }
        putc('"', table->stream);
    }
    if (column + 1 == table->report->column_count)
        putc('\n', table->stream);
}

static void write_csv_head(struct atomc_table *table) {
    for (uint64_t i = 0; i < table->report->column_count; i++)
        write_csv_field(table, i, AT(char, column_at(table, i)->title));
}

static void write_csv_row(struct atomc_table *table, const int64_t *values) {
    char buffer[32];
    for (uint64_t i = 0; i < table->report->column_count; i++)
        write_csv_field(table, i, printed(table, i, values[i], buffer));
}

static void write_csv_total(struct atomc_table *table, const int64_t *sums) {
    char buffer[32];
    for (uint64_t i = 0; i < table->report->column_count; i++)
        write_csv_field(table, i, printed_total(table, i, sums, buffer));
}

/* ---- JSON ---------------------------------------------------------------------------------------------- */

/* Bytes of the UTF-8 character at the start of the text, 0 if it is invalid (RFC 3629: overlong, surrogate).
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

static void write_json_string(FILE *stream, const char *string) {
    const unsigned char *text = (const unsigned char *)string;
    putc('"', stream);
    while (*text) {
        unsigned length = character_length(text);
        if (length == 0) {
            fputs("\\ufffd", stream);
            length = 1;
        } else if (*text == '"' || *text == '\\') {
            fprintf(stream, "\\%c", *text);
        } else if (*text < 0x20) {
            fprintf(stream, "\\u%04x", *text);
        } else {
            fwrite(text, 1, length, stream);
        }
        text += length;
    }
    putc('"', stream);
}

static int is_number(const struct atomc_report_column *column) {
    return is_summed(column) || column->format == ATOMC_REPORT_HUNDREDTHS;
}

/* Numbers are numbers. Addresses are strings, which every reader keeps exact. */
static void write_json_member(struct atomc_table *table, uint64_t column, int64_t value, int first) {
    char buffer[32];
    const char *text = printed(table, column, value, buffer);
    fputs(first ? "" : ", ", table->stream);
    write_json_string(table->stream, AT(char, column_at(table, column)->title));
    fputs(": ", table->stream);
    if (is_number(column_at(table, column)))
        fputs(text, table->stream);
    else
        write_json_string(table->stream, text);
}

static void write_json_head(struct atomc_table *table) {
    fputs("{\"tool\": ", table->stream);
    write_json_string(table->stream, AT(char, table->report->tool));
    fputs(", \"report\": ", table->stream);
    write_json_string(table->stream, table->name);
    fputs(", \"rows\": [", table->stream);
}

static void write_json_row(struct atomc_table *table, const int64_t *values) {
    fputs(table->rows > 0 ? ",\n{" : "\n{", table->stream);
    for (uint64_t i = 0; i < table->report->column_count; i++)
        write_json_member(table, i, values[i], i == 0);
    putc('}', table->stream);
}

static void write_json_total(struct atomc_table *table, const int64_t *sums) {
    int first = 1;
    fputs("], \"total\": {", table->stream);
    for (uint64_t i = 0; i < table->report->column_count; i++)
        if (is_summed(column_at(table, i))) {
            write_json_member(table, i, sums[i], first);
            first = 0;
        }
    putc('}', table->stream);
}

static void write_json_end(struct atomc_table *table) {
    fputs(table->report->flags & ATOMC_REPORT_TOTAL ? "}\n" : "]}\n", table->stream);
}

/* ---- reports of text ----------------------------------------------------------------------------------- */

static void write_pieces(struct atomc_table *table, const int64_t *values) {
    char buffer[32];
    for (uint64_t i = 0; i < table->report->column_count; i++)
        fputs(printed(table, i, values[i], buffer), table->stream);
    putc('\n', table->stream);
}

static void write_no_row(struct atomc_table *table, const int64_t *values) {
    (void)table, (void)values;
}

const struct atomc_format atomc_text_rows = {"", write_nothing, write_pieces, write_no_row, write_nothing};

/* ---- the choice ---------------------------------------------------------------------------------------- */

static const struct atomc_format formats[] = {
    {"text", write_text_head, write_text_row, write_text_total, write_nothing},
    {"csv", write_csv_head, write_csv_row, write_csv_total, write_nothing},
    {"json", write_json_head, write_json_row, write_json_total, write_json_end},
};

const struct atomc_format *atomc_chosen_format(void) {
    const char *word = getenv("ATOMC_FORMAT");
    if (!word || !*word)
        return &formats[0];
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++)
        if (strcmp(word, formats[i].word) == 0)
            return &formats[i];
    fprintf(stderr, "atomc: ATOMC_FORMAT is '%s', not text, csv or json: reports are written as text\n",
            word);
    return &formats[0];
}
