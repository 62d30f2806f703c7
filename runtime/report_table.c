/* report_table.c: a report's table for people: columns are aligned, thousands of numbers separated, and on a
   terminal no more rows are shown than fit on it.
   Requires the text format: what that writes into memory is laid out at the end. Without memory nothing is
   shown. */
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "report.h"

struct atomc_layout {
    FILE *screen; /* where the table goes */
    char *text;   /* columns separated by tabs */
    size_t size;
    uint64_t room; /* for so many rows; UINT64_MAX: any number */
    uint64_t kept; /* written as text */
};

static const struct atomc_report_column *shown_column(const struct atomc_table *table, uint64_t column) {
    return (const struct atomc_report_column *)(uintptr_t)table->report->columns + column;
}

/* ---- cells --------------------------------------------------------------------------------------------- */

struct cell {
    const char *text;
    size_t length; /* bytes */
    size_t digits; /* in which thousands are separated: so many bytes from .first on */
    size_t first;
    size_t width; /* characters, with the separators */
};

static size_t is_digit(char byte) {
    return byte >= '0' && byte <= '9';
}

/* Numbers, also those of the total behind their word. */
static struct cell cell_of(const char *text, size_t length, uint64_t format) {
    struct cell cell = {.text = text, .length = length};
    for (size_t i = 0; i < length; i++)
        cell.width += ((unsigned char)text[i] & 0xc0) != 0x80;
    if (format == ATOMC_REPORT_TEXT || format == ATOMC_REPORT_HEXADECIMAL || length == 0)
        return cell;
    for (size_t i = length; i > 0 && text[i - 1] != ' '; i--)
        cell.first = i - 1;
    cell.first += text[cell.first] == '-';
    while (cell.first + cell.digits < length && is_digit(text[cell.first + cell.digits]))
        cell.digits++;
    if (cell.digits > 0)
        cell.width += (cell.digits - 1) / 3;
    return cell;
}

static void write_cell(FILE *stream, const struct cell *cell) {
    for (size_t i = 0; i < cell->length; i++) {
        size_t left = cell->first + cell->digits - i; /* digits from here on */
        if (i > cell->first && i < cell->first + cell->digits && left % 3 == 0)
            putc(',', stream);
        putc(cell->text[i], stream);
    }
}

static void write_blanks(FILE *stream, size_t count) {
    for (; count > 0; count--)
        putc(' ', stream);
}

/* ---- the layout ---------------------------------------------------------------------------------------- */

/* The next cell of the line; `*line` moves behind it. */
static struct cell cut_cell(const struct atomc_table *table, const char **line, const char *end,
                            uint64_t column, int is_title) {
    const char *begin = *line, *tab = memchr(begin, '\t', (size_t)(end - begin));
    size_t length = (size_t)((tab ? tab : end) - begin);
    *line = tab ? tab + 1 : end;
    return cell_of(begin, length, is_title ? ATOMC_REPORT_TEXT : shown_column(table, column)->format);
}

static void measure(const struct atomc_table *table, const char *line, const char *end, int is_title,
                    size_t *widths) {
    for (uint64_t i = 0; i < table->report->column_count; i++) {
        struct cell cell = cut_cell(table, &line, end, i, is_title);
        if (cell.width > widths[i])
            widths[i] = cell.width;
    }
}

/* Texts to the left, numbers to the right; without blanks at the end. */
static void write_line(const struct atomc_table *table, const char *line, const char *end, int is_title,
                       const size_t *widths) {
    FILE *stream = table->layout->screen;
    size_t blanks = 0;
    for (uint64_t i = 0; i < table->report->column_count; i++) {
        struct cell cell = cut_cell(table, &line, end, i, is_title);
        size_t left = widths[i] - cell.width;
        int is_text = shown_column(table, i)->format == ATOMC_REPORT_TEXT;
        if (cell.length > 0) {
            write_blanks(stream, blanks + (is_text ? 0 : left));
            write_cell(stream, &cell);
            blanks = is_text ? left : 0;
        } else {
            blanks += widths[i];
        }
        blanks += 2;
    }
    putc('\n', stream);
}

/* Lines: the titles, `kept` rows, and maybe a total. */
static void lay_out(const struct atomc_table *table, size_t *widths) {
    const struct atomc_layout *layout = table->layout;
    uint64_t hidden = table->rows - layout->kept, last = layout->kept;
    if (hidden > 0) { /* one line less, for the one that tells */
        last--;
        hidden++;
    }
    for (int writes = 0; writes < 2; writes++) {
        uint64_t number = 0;
        const char *end;
        for (const char *line = layout->text; (end = strchr(line, '\n')); line = end + 1, number++) {
            if (number > last && number <= layout->kept)
                continue;
            if (writes && number > layout->kept && hidden > 0) {
                fprintf(layout->screen, "... %" PRIu64 " more rows: ATOMC_FORMAT=text writes all\n", hidden);
                hidden = 0;
            }
            if (writes)
                write_line(table, line, end, number == 0, widths);
            else
                measure(table, line, end, number == 0, widths);
        }
    }
    if (hidden > 0)
        fprintf(layout->screen, "... %" PRIu64 " more rows: ATOMC_FORMAT=text writes all\n", hidden);
}

/* ---- the format ---------------------------------------------------------------------------------------- */

static int is_standard(FILE *stream) {
    return stream == stdout || stream == stderr;
}

/* For the rows of a table on the terminal, with its titles, its total, and the line of the prompt. */
static uint64_t rows_on(FILE *stream, int has_total) {
    struct winsize size = {0};
    if (!is_standard(stream) || ioctl(fileno(stream), TIOCGWINSZ, &size) != 0 || size.ws_row == 0)
        return UINT64_MAX;
    return size.ws_row > 6 ? size.ws_row - 2u - (has_total ? 1 : 0) : 3;
}

static void begin(struct atomc_table *table) {
    static FILE *last; /* an empty line parts tables on it, if no heading does; reports that share a file have
                          one already */
    struct atomc_layout *layout = calloc(1, sizeof *layout);
    FILE *memory = layout ? open_memstream(&layout->text, &layout->size) : NULL;
    if (!memory)
        abort();
    layout->screen = table->stream;
    if (last == table->stream && is_standard(last) && !atomc_is_shown() &&
        !(table->report->flags & ATOMC_REPORT_JOINS))
        putc('\n', last);
    last = table->stream;
    layout->room = rows_on(table->stream, (table->report->flags & ATOMC_REPORT_TOTAL) != 0);
    table->layout = layout;
    table->stream = memory;
    atomc_text_format->head(table);
}

static void add_row(struct atomc_table *table, const int64_t *values) {
    if (table->layout->kept == table->layout->room)
        return;
    table->layout->kept++;
    atomc_text_format->row(table, values);
}

static void add_total(struct atomc_table *table, const int64_t *sums) {
    atomc_text_format->total(table, sums);
}

static void end(struct atomc_table *table) {
    struct atomc_layout *layout = table->layout;
    size_t *widths = calloc(table->report->column_count + 1, sizeof *widths);
    atomc_text_format->end(table);
    if (fclose(table->stream) != 0 || !widths)
        abort();
    table->stream = layout->screen;
    lay_out(table, widths);
    free(widths);
    free(layout->text);
    free(layout);
    table->layout = NULL;
}

const struct atomc_format atomc_table_format = {"table", "\n", begin, add_row, add_total, end, 0, NULL};

const struct atomc_format *atomc_format_on(const struct atomc_format *format, FILE *stream) {
    const char *word = getenv("ATOMC_FORMAT");
    if (format == atomc_text_format && !(word && *word) && is_standard(stream) && isatty(fileno(stream)))
        return &atomc_table_format;
    return format;
}
