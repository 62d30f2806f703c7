/* report_table.c: a report's table for people: columns are aligned, thousands of numbers separated, and C++
   names readable. On a terminal at most as many rows are shown as fit, and lines are no wider than it:
   titles take two lines, names and paths are shortened, texts are cut (marked by "..."), and finally
   columns are omitted, which a line reports. Requires the text format, whose output in memory is laid out
   at the end. If memory is exhausted, the table is not shown. */
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "runtime/report/internal.h"
#include "stdtools/table.h"
#include "support/search.h"

struct atomc_layout {
    FILE *screen; /* the stream for the table */
    char *text;   /* columns separated by tabs */
    size_t size;
    FILE *lines;      /* writes into .text */
    uint64_t own;     /* rows that are not folded */
    int64_t *folded;  /* the sums of folded rows; NULL: no row is folded */
    FILE *sourceless; /* writes into .whole the lines of folded rows, which are used if there are no others */
    char *whole;
    size_t whole_size;
    uint64_t kept_whole, sourceless_count;
    int is_folded;      /* one row represents these rows */
    uint64_t rows;      /* the most rows that fit; UINT64_MAX: any number */
    uint64_t kept;      /* written as text */
    size_t width;       /* lines of the screen; SIZE_MAX: any number */
    const size_t *room; /* for each column: C++ names wider than this are shortened; NULL: no name is
                           shortened */
    int in_two_lines;   /* titles that are wider than their columns have a second line */
    char *left_out;     /* for each column: true if there is no room for it */
    uint64_t first;     /* the column that is shown first; columns before it are shown after all others */
};

static const struct atomc_report_column *shown_column(const struct atomc_table *table, uint64_t column) {
    return (const struct atomc_report_column *)(uintptr_t)table->report->columns + column;
}

/* ---- cells --------------------------------------------------------------------------------------------- */

struct cell {
    const char *text;
    size_t length; /* bytes */
    size_t digits; /* numbers in which thousands are separated: this many bytes from .first on */
    size_t first;
    size_t width; /* characters, including the separators */
};

static size_t is_digit(char byte) {
    return byte >= '0' && byte <= '9';
}

static size_t width_of_text(const char *text, size_t length) {
    size_t width = 0;
    for (size_t i = 0; i < length; i++)
        width += ((unsigned char)text[i] & 0xc0) != 0x80;
    return width;
}

static const uint32_t *sourceless;
static uint64_t sourceless_count;
static uint64_t text_address, stack_address; /* of the program; 0: unknown */
static int without_libraries; /* the program has libraries that are not instrumented, which has not been
                                 reported yet */

void atomc_prepare_tables(const struct atomc_image *image) {
    sourceless = (const uint32_t *)(uintptr_t)image->sourceless;
    sourceless_count = image->sourceless_count;
    without_libraries = image->interpreter && !image->library_count;
    text_address = image->text_address;
    stack_address = atomc_program_stack();
}

/* The part of a short name after the class or namespace. */
static const char *name_after_scope(const char *name) {
    const char *last = name;
    int depth = 0; /* end of template arguments: there are none after operator< */
    for (const char *at = name; *at; at++) {
        depth += *at == '<' && at[1] == '.';
        depth -= *at == '>' && depth > 0;
        if (depth == 0 && at[0] == ':' && at[1] == ':' && at[2])
            last = at + 2;
    }
    return last;
}

/* Columns of numbers, including the numbers of the total after its word. */
static struct cell table_cell(const char *text, size_t length, uint64_t format) {
    struct cell cell = {.text = text, .length = length, .width = width_of_text(text, length)};
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

static void write_whole(FILE *stream, const struct cell *cell) {
    for (size_t i = 0; i < cell->length; i++) {
        size_t left = cell->first + cell->digits - i; /* digits from here on */
        if (i > cell->first && i < cell->first + cell->digits && left % 3 == 0)
            putc(',', stream);
        putc(cell->text[i], stream);
    }
}

/* A file's name followed by a line. */
static int is_source(const struct cell *cell) {
    size_t from = cell->length;
    while (from > 0 && is_digit(cell->text[from - 1]))
        from--;
    return from < cell->length && from > 1 && cell->text[from - 1] == ':' && cell->text[from - 2] != ':';
}

/* The end of a file's name is most informative, and the beginning of any other text. */
static int is_path(const struct cell *cell) {
    return memchr(cell->text, '/', cell->length) && !memchr(cell->text, '(', cell->length) &&
           !memchr(cell->text, '<', cell->length) && !memchr(cell->text, ' ', cell->length);
}

/* The name of the file. */
static struct cell base_of(const struct cell *path) {
    size_t from = path->length;
    while (from > 0 && path->text[from - 1] != '/')
        from--;
    struct cell base = *path;
    base.text += from;
    base.length -= from;
    base.width = width_of_text(base.text, base.length);
    return from < path->length ? base : *path;
}

static size_t behind_characters(const struct cell *cell, size_t count) {
    size_t at = 0;
    while (at < cell->length) {
        if (((unsigned char)cell->text[at] & 0xc0) != 0x80 && count-- == 0)
            break;
        at++;
    }
    return at;
}

/* No wider than `most` characters, which is more than three. */
static void write_table_cell(FILE *stream, const struct cell *cell, size_t most) {
    if (cell->width <= most) {
        write_whole(stream, cell);
    } else if (is_path(cell) || is_source(cell)) {
        size_t from = behind_characters(cell, cell->width - (most - 3));
        fprintf(stream, "...%.*s", (int)(cell->length - from), cell->text + from);
    } else {
        fprintf(stream, "%.*s...", (int)behind_characters(cell, most - 3), cell->text);
    }
}

static void write_blanks(FILE *stream, size_t count) {
    for (; count > 0; count--)
        putc(' ', stream);
}

/* ---- the layout ---------------------------------------------------------------------------------------- */

/* No line has the number 0. */
static int is_line(const struct atomc_report_column *column) {
    return column->format == ATOMC_REPORT_DECIMAL && !atomc_is_summed(column) &&
           strcmp((const char *)(uintptr_t)column->title, "Line") == 0;
}

/* The next cell of the line; `*line` moves past it. */
static struct cell cut_cell(const struct atomc_table *table, const char **line, const char *end,
                            uint64_t column, int is_title) {
    const char *begin = *line, *tab = memchr(begin, '\t', (size_t)(end - begin));
    size_t length = (size_t)((tab ? tab : end) - begin);
    *line = tab ? tab + 1 : end;
    uint64_t format = is_title ? ATOMC_REPORT_TEXT : shown_column(table, column)->format;
    if (!is_title && length == 1 && *begin == '0' && is_line(shown_column(table, column)))
        length = 0;
    const struct atomc_shown_name *name =
        format == ATOMC_REPORT_TEXT && !is_title ? atomc_name_of(begin, length) : NULL;
    if (name) {
        const size_t *room = table->layout->room;
        begin = (const char *)(uintptr_t)name->whole;
        if (room && width_of_text(begin, strlen(begin)) > room[column])
            begin = (const char *)(uintptr_t)name->brief;
        if (room && width_of_text(begin, strlen(begin)) > room[column])
            begin = name_after_scope(begin);
        length = strlen(begin);
    }
    /* Thousands of its number are not separated, as it is not a count. */
    struct cell cell = table_cell(
        begin, length, is_line(shown_column(table, column)) ? (uint64_t)ATOMC_REPORT_HEXADECIMAL : format);
    const size_t *room = table->layout->room;
    return room && format == ATOMC_REPORT_TEXT && !is_title && cell.width > room[column] && is_path(&cell)
               ? base_of(&cell)
               : cell;
}

/* ---- the order of columns ------------------------------------------------------------------------------ */

static int is_text_column(const struct atomc_table *table, uint64_t column) {
    return shown_column(table, column)->format == ATOMC_REPORT_TEXT;
}

static int column_has_title(const struct atomc_table *table, uint64_t column, const char *title) {
    return strcmp((const char *)(uintptr_t)shown_column(table, column)->title, title) == 0;
}

/* For tables that C writes, the title determines it. */
static int is_procedure_column(const struct atomc_table *table, uint64_t column) {
    return is_text_column(table, column) &&
           (shown_column(table, column)->is_procedure || column_has_title(table, column, "Procedure"));
}

/* The column with the subject of a row: the procedure, or else the last text. column_count if no column is a
   text. */
static uint64_t subject_of(const struct atomc_table *table) {
    const uint64_t count = table->report->column_count;
    uint64_t subject = count;
    for (uint64_t i = 0; i < count; i++)
        if (is_text_column(table, i) && (subject == count || !is_procedure_column(table, subject)))
            subject = i;
    return subject;
}

/* On a terminal, if a text column names the subject, the address is the last column. */
static uint64_t first_shown(const struct atomc_table *table) {
    const struct atomc_report_column *column = shown_column(table, 0);
    return table->layout->width != SIZE_MAX && column->format == ATOMC_REPORT_HEXADECIMAL &&
                   strcmp((const char *)(uintptr_t)column->title, "PC") == 0 &&
                   subject_of(table) < table->report->column_count
               ? 1
               : 0;
}

static uint64_t column_shown_at(const struct atomc_table *table, uint64_t place) {
    return (place + table->layout->first) % table->report->column_count;
}

/* ---- titles -------------------------------------------------------------------------------------------- */

/* The first line of a title that is wider than `most`, chosen so that the wider of both lines is as narrow as
   possible. *second is the rest. A title that has no blank, or that fits, is in the second line as a
   whole. */
static struct cell first_line(const struct cell *title, size_t most, struct cell *second) {
    struct cell none = {.text = title->text}, first = none;
    *second = *title;
    for (size_t i = 1; i + 1 < title->length && title->width > most; i++)
        if (title->text[i] == ' ') {
            struct cell left = table_cell(title->text, i, ATOMC_REPORT_TEXT);
            struct cell right = table_cell(title->text + i + 1, title->length - i - 1, ATOMC_REPORT_TEXT);
            size_t width = left.width > right.width ? left.width : right.width;
            if (width < (first.width > second->width ? first.width : second->width)) {
                first = left;
                *second = right;
            }
        }
    return first;
}

static size_t title_width(const struct atomc_table *table, const struct cell *title) {
    struct cell second, first = first_line(title, table->layout->in_two_lines ? 0 : SIZE_MAX, &second);
    return first.width > second.width ? first.width : second.width;
}

static void measure_table(const struct atomc_table *table, const char *line, const char *end, int is_title,
                          size_t *widths) {
    for (uint64_t i = 0; i < table->report->column_count; i++) {
        struct cell cell = cut_cell(table, &line, end, i, is_title);
        size_t width = is_title ? title_width(table, &cell) : cell.width;
        if (width > widths[i])
            widths[i] = width;
    }
}

static void write_line_of(const struct atomc_table *table, const struct cell *cells, const size_t *widths);

/* In one line, if there is room for all of them. */
static void write_titles(const struct atomc_table *table, const char *line, const char *end,
                         const size_t *widths) {
    const uint64_t count = table->report->column_count;
    struct cell *first = calloc(count + 1, sizeof *first), *second = calloc(count + 1, sizeof *second);
    size_t in_first = 0;
    if (!first || !second)
        abort();
    for (uint64_t i = 0; i < count; i++) {
        struct cell title = cut_cell(table, &line, end, i, 1);
        first[i] = first_line(&title, table->layout->in_two_lines ? widths[i] : SIZE_MAX, &second[i]);
        in_first += table->layout->left_out[i] ? 0 : first[i].length;
    }
    if (in_first > 0)
        write_line_of(table, first, widths);
    write_line_of(table, second, widths);
    free(first);
    free(second);
}

/* The word of a total is in the subject's column, if the address, where it is in the text, is shown
   last. */
static void write_table_line(const struct atomc_table *table, const char *line, const char *end, int is_total,
                             const size_t *widths) {
    const uint64_t count = table->report->column_count;
    struct cell *cells = calloc(count + 1, sizeof *cells);
    if (!cells)
        abort();
    for (uint64_t i = 0; i < count; i++)
        cells[i] = cut_cell(table, &line, end, i, 0);
    if (is_total && table->layout->first > 0 && cells[subject_of(table)].length == 0) {
        cells[subject_of(table)] = cells[0];
        cells[0].length = cells[0].width = 0;
    }
    write_line_of(table, cells, widths);
    free(cells);
}

/* Texts are left-aligned, numbers right-aligned; without trailing blanks. */
static void write_line_of(const struct atomc_table *table, const struct cell *cells, const size_t *widths) {
    FILE *stream = table->layout->screen;
    size_t blanks = 0;
    for (uint64_t place = 0; place < table->report->column_count; place++) {
        uint64_t i = column_shown_at(table, place);
        const struct cell *cell = &cells[i];
        size_t left = widths[i] > cell->width ? widths[i] - cell->width : 0;
        if (table->layout->left_out[i])
            continue;
        if (cell->length > 0) {
            write_blanks(stream, blanks + (is_text_column(table, i) ? 0 : left));
            write_table_cell(stream, cell, widths[i]);
            blanks = is_text_column(table, i) ? left : 0;
        } else {
            blanks += widths[i];
        }
        blanks += 2;
    }
    putc('\n', stream);
}

/* The width of the whole table. */
static size_t table_width(const struct atomc_table *table, const size_t *widths) {
    size_t width = 0;
    for (uint64_t i = 0; i < table->report->column_count; i++)
        width += table->layout->left_out[i] ? 0 : widths[i] + (width > 0 ? 2 : 0);
    return width;
}

enum { LEAST_TEXT = 12 }; /* the least width of a text that is cut */

/* Cuts the widest texts, each as little as possible. */
static void cut_texts(const struct atomc_table *table, size_t *widths) {
    for (size_t whole; (whole = table_width(table, widths)) > table->layout->width;) {
        uint64_t widest = UINT64_MAX;
        for (uint64_t i = 0; i < table->report->column_count; i++)
            if (shown_column(table, i)->format == ATOMC_REPORT_TEXT && !table->layout->left_out[i] &&
                widths[i] > LEAST_TEXT && (widest == UINT64_MAX || widths[i] > widths[widest]))
                widest = i;
        if (widest == UINT64_MAX)
            return;
        widths[widest]--;
    }
}

enum { LAST_TURN = 2 };

/* The order in which columns are omitted: first the address and the file of rows with a procedure, and
   numbers that several rows share; then the last columns. The source line, which distinguishes rows of one
   procedure, is omitted last. */
static int turn_of(const struct atomc_table *table, uint64_t column) {
    const uint64_t subject = subject_of(table), count = table->report->column_count;
    int has_procedure = subject < count && is_procedure_column(table, subject);
    if (is_line(shown_column(table, column)) || column_has_title(table, column, "Source"))
        return LAST_TURN;
    return (has_procedure &&
            (column_has_title(table, column, "File") || column_has_title(table, column, "Site"))) ||
                   shown_column(table, column)->is_inclusive
               ? 0
               : 1;
}

/* The subject stays. */
static void leave_out_columns(const struct atomc_table *table, const size_t *widths) {
    for (int turn = 0; turn <= LAST_TURN; turn++)
        for (uint64_t place = table->report->column_count; place-- > 1;) {
            uint64_t i = column_shown_at(table, place);
            if (i != subject_of(table) && turn_of(table, i) == turn &&
                table_width(table, widths) > table->layout->width)
                table->layout->left_out[i] = 1;
        }
}

/* Printed one time: tables about procedures contain only procedures of the program's file. */
static void tell_libraries(const struct atomc_table *table) {
    for (uint64_t i = 0; i < table->report->column_count; i++)
        if (without_libraries && table->layout->width != SIZE_MAX && shown_column(table, i)->is_procedure) {
            fputs("... libraries are not counted: --objects=all counts them\n", table->layout->screen);
            without_libraries = 0;
        }
}

static void tell_left_out(const struct atomc_table *table) {
    FILE *stream = table->layout->screen;
    uint64_t count = 0;
    for (uint64_t i = 0; i < table->report->column_count; i++)
        count += table->layout->left_out[i] != 0;
    if (count > 0)
        fprintf(stream, "... %" PRIu64 " more column%s: ATOMC_FORMAT=text writes all\n", count,
                count > 1 ? "s" : "");
}

/* In a table with a total, it is the last line. */
static int is_total(const struct atomc_table *table, const char *end) {
    return table->report->flags & ATOMC_REPORT_TOTAL && !end[1];
}

static void walk_lines(const struct atomc_table *table, size_t *widths, int writes) {
    const struct atomc_layout *layout = table->layout;
    uint64_t hidden = layout->own - layout->kept, last = layout->kept;
    if (hidden > 0) { /* one row less, because a line reports it */
        last--;
        hidden++;
    }
    uint64_t number = 0;
    const char *end;
    for (const char *line = layout->text; (end = strchr(line, '\n')); line = end + 1, number++) {
        if (number > last && number <= layout->kept)
            continue;
        if (writes && number > layout->kept && hidden > 0) {
            fprintf(layout->screen, "... %" PRIu64 " more rows: ATOMC_FORMAT=text writes all\n", hidden);
            hidden = 0;
        }
        if (writes && number == 0)
            write_titles(table, line, end, widths);
        else if (writes)
            write_table_line(table, line, end, is_total(table, end), widths);
        else
            measure_table(table, line, end, number == 0, widths);
    }
    if (writes && hidden > 0)
        fprintf(layout->screen, "... %" PRIu64 " more rows: ATOMC_FORMAT=text writes all\n", hidden);
}

/* The rest of the line's width is given to names that are wider, so that more of them fit. */
static void give_rest(const struct atomc_table *table, const size_t *whole, size_t *widths) {
    size_t used = table_width(table, widths);
    for (uint64_t i = 0; i < table->report->column_count && used < table->layout->width; i++) {
        size_t more = whole[i] > widths[i] ? whole[i] - widths[i] : 0, rest = table->layout->width - used;
        more = table->layout->left_out[i] ? 0 : more < rest ? more : rest;
        widths[i] += more;
        used += more;
    }
}

/* `whole`: the widths that the columns would take. */
static void fit_widths(struct atomc_table *table, const size_t *whole, size_t *widths) {
    const uint64_t count = table->report->column_count;
    table->layout->in_two_lines = 1;
    table->layout->room = widths; /* 0: all are short */
    walk_lines(table, widths, 0);
    if (table->layout->first > 0 && table_width(table, widths) > table->layout->width)
        table->layout->left_out[0] = 1; /* the address, before a text is cut */
    cut_texts(table, widths);
    leave_out_columns(table, widths);
    give_rest(table, whole, widths);
    size_t *needed = calloc(count + 1, sizeof *needed);
    if (!needed)
        abort();
    walk_lines(table, needed, 0); /* the column is as wide as its visible contents */
    for (uint64_t i = 0; i < count; i++)
        if (needed[i] < widths[i])
            widths[i] = needed[i];
    free(needed);
}

/* Lines: the titles, `kept` rows, and perhaps a total. */
static void lay_out_table(struct atomc_table *table) {
    struct atomc_layout *layout = table->layout;
    const uint64_t count = table->report->column_count;
    size_t *whole = calloc(count + 1, sizeof *whole), *widths = calloc(count + 1, sizeof *widths);
    layout->left_out = calloc(count + 1, 1);
    layout->first = first_shown(table);
    if (!whole || !widths || !layout->left_out)
        abort();
    walk_lines(table, whole, 0);
    if (table_width(table, whole) > layout->width)
        fit_widths(table, whole, widths);
    else
        memcpy(widths, whole, count * sizeof *widths);
    walk_lines(table, widths, 1);
    if (table->rows == 0 && layout->width != SIZE_MAX && !(table->report->flags & ATOMC_REPORT_TOTAL))
        fputs("none\n", layout->screen);
    if (layout->is_folded)
        fputs("... code without source is one row: ATOMC_FORMAT=text writes all\n", layout->screen);
    tell_left_out(table);
    tell_libraries(table);
    free(layout->left_out);
    free(whole);
    free(widths);
}

static size_t width_on(FILE *stream);

void atomc_write_name(FILE *file, const char *symbol, long used) {
    enum { SHORTEST = 8 };
    const struct atomc_shown_name *name = atomc_name_of(symbol, strlen(symbol));
    const char *text = name ? (const char *)(uintptr_t)name->whole : symbol;
    size_t width = width_on(file), room = (size_t)used + SHORTEST < width ? width - (size_t)used : SHORTEST;
    if (name && width_of_text(text, strlen(text)) > room)
        text = (const char *)(uintptr_t)name->brief;
    if (name && width_of_text(text, strlen(text)) > room)
        text = name_after_scope(text);
    struct cell cell = table_cell(text, strlen(text), ATOMC_REPORT_TEXT);
    write_table_cell(file, &cell, room);
}

/* ---- what has no source -------------------------------------------------------------------------------- */

static int is_folded_column(const struct atomc_report_column *column) {
    return column->adds_up && atomc_is_summed(column) && column->merge == ATOMC_REPORT_SUM &&
           column->divisor.count == 0;
}

/* The column of procedures by which rows may be folded; column_count: rows are not folded. Rows beyond a
   limit are unknown; rows of groups and keys belong to several procedures. */
static uint64_t folding_column(const struct atomc_report *report) {
    const struct atomc_report_column *columns =
        (const struct atomc_report_column *)(uintptr_t)report->columns;
    uint64_t procedures = 0, summed = 0, found = report->column_count;
    for (uint64_t i = 0; i < report->column_count; i++) {
        summed += is_folded_column(&columns[i]);
        if (!columns[i].is_procedure)
            continue;
        procedures++;
        found = i;
    }
    return procedures == 1 && summed > 0 && !report->limit && !report->group_count && !report->keyed &&
                   !(report->flags & (ATOMC_REPORT_IN_ORDER | ATOMC_REPORT_AS_TEXT))
               ? found
               : report->column_count;
}

static int is_sourceless(const struct atomc_table *table, const int64_t *values) {
    const uint64_t column = table->layout->folded ? folding_column(table->report) : 0;
    const uint64_t count = table->layout->folded ? sourceless_count : 0;
    const uint64_t value = (uint64_t)values[column], low = FIRST_NOT(0, count, at, sourceless[at] < value);
    return low < count && sourceless[low] == value;
}

/* The text format collects its output. */
static void change_stream(struct atomc_table *table, FILE *stream) {
    atomc_write_pending();
    table->stream = stream;
}

/* Adds the row's sums to the row that represents all folded rows. */
static void fold_row(struct atomc_table *table, const int64_t *values) {
    struct atomc_layout *layout = table->layout;
    for (uint64_t i = 0; i < table->report->column_count; i++)
        layout->folded[i] = (int64_t)((uint64_t)layout->folded[i] + (uint64_t)values[i]);
    layout->sourceless_count++;
    if (layout->kept_whole == layout->rows)
        return;
    layout->kept_whole++;
    change_stream(table, layout->sourceless);
    atomc_text_format.row(table, values);
    change_stream(table, layout->lines);
}

/* Cells that cannot be added are empty. The text format makes its line from the sums, and it is cut. */
static void write_folded_rows(struct atomc_table *table) {
    const struct atomc_report *report = table->report;
    struct atomc_layout *layout = table->layout;
    const uint64_t names = folding_column(report);
    char *line = NULL;
    size_t size = 0;
    for (uint64_t i = 0; i < report->column_count; i++)
        if (shown_column(table, i)->format == ATOMC_REPORT_TEXT)
            layout->folded[i] = (intptr_t) "";
    FILE *memory = open_memstream(&line, &size);
    if (!memory)
        abort();
    change_stream(table, memory);
    atomc_text_format.row(table, layout->folded);
    change_stream(table, layout->lines);
    if (fclose(memory) != 0)
        abort();
    const char *at = line;
    for (uint64_t i = 0; i < report->column_count; i++) {
        size_t length = strcspn(at, "\t\n");
        if (i > 0)
            putc('\t', layout->lines);
        if (i == names)
            fprintf(layout->lines, "(%" PRIu64 " without source)", layout->sourceless_count);
        else if (is_folded_column(shown_column(table, i)))
            fwrite(at, 1, length, layout->lines);
        at += length + (at[length] != 0);
    }
    putc('\n', layout->lines);
    free(line);
}

/* At the end of the rows: if there is no other row, rows without source are shown unfolded. */
static void unite_rows(struct atomc_table *table) {
    struct atomc_layout *layout = table->layout;
    atomc_write_pending();
    if (layout->sourceless && fclose(layout->sourceless) != 0)
        abort();
    layout->sourceless = NULL;
    if (layout->own == 0) {
        fwrite(layout->whole, 1, layout->whole_size, layout->lines);
        layout->own = layout->sourceless_count;
        layout->kept = layout->kept_whole;
    } else if (layout->sourceless_count == 1) { /* the total takes no additional room */
        fwrite(layout->whole, 1, layout->whole_size, layout->lines);
        layout->own++;
        layout->kept++;
    } else if (layout->sourceless_count > 1) {
        write_folded_rows(table); /* last, like a total */
        layout->is_folded = 1;
    }
    free(layout->whole);
    layout->whole = NULL;
}

/* ---- addresses ------------------------------------------------------------------------------------------ */

enum { LEAST_ADDRESS_BITS = 32 }; /* no text, data or stack that a linker or kernel has placed is below */

/* True if memory of the program is at the address. The test is needed because bounds of buckets by powers of
   two may look like addresses. */
static int is_program_address(uint64_t value) {
    if (value >> LEAST_ADDRESS_BITS == 0 || (value >= ATOMC_PRIVATE_HEAP && value < ATOMC_THREAD_COUNTS_END))
        return 0;
    if ((value & (value - 1)) == 0 || (value & (value + 1)) == 0) {
        const int zeros = __builtin_clzll(value);
        return (text_address && __builtin_clzll(text_address) == zeros) ||
               (stack_address && __builtin_clzll(stack_address) == zeros);
    }
    return atomc_is_readable((long)(value & ~UINT64_C(7)));
}

/* Counts are not addresses. */
static int may_have_addresses(const struct atomc_table *table, uint64_t column) {
    return shown_column(table, column)->format == ATOMC_REPORT_DECIMAL &&
           !atomc_is_summed(shown_column(table, column));
}

/* Addresses in visible rows are written with hexadecimal digits, as in debuggers. */
static void show_addresses(const struct atomc_table *table) {
    struct atomc_layout *layout = table->layout;
    const uint64_t count = table->report->column_count;
    uint64_t columns = 0;
    for (uint64_t i = 0; i < count; i++)
        columns += may_have_addresses(table, i) != 0;
    char *text = NULL;
    size_t size = 0;
    FILE *memory = columns > 0 ? open_memstream(&text, &size) : NULL;
    if (!memory)
        return;
    const char *end = strchr(layout->text, '\n'), *at = end ? end + 1 : layout->text;
    fwrite(layout->text, 1, (size_t)(at - layout->text), memory); /* the titles */
    for (uint64_t i = 0; *at; i = at[-1] == '\n' ? 0 : i + 1) {
        size_t length = strcspn(at, "\t\n"), digits = strspn(at, "0123456789");
        uint64_t value = i < count && digits > 0 && digits == length && may_have_addresses(table, i)
                             ? strtoull(at, NULL, 10)
                             : 0;
        if (is_program_address(value))
            fprintf(memory, "0x%" PRIx64, value);
        else
            fwrite(at, 1, length, memory);
        at += length;
        if (*at)
            putc(*at++, memory);
    }
    if (fclose(memory) != 0)
        abort();
    free(layout->text);
    layout->text = text;
}

/* ---- the format ---------------------------------------------------------------------------------------- */

/* The rows of a table that fit on the terminal, together with its titles, its total, and the prompt's
   line. */
static uint64_t rows_on(FILE *stream, int has_total) {
    struct winsize size = {0};
    if (!atomc_is_standard(stream) || ioctl(fileno(stream), TIOCGWINSZ, &size) != 0 || size.ws_row == 0)
        return UINT64_MAX;
    return size.ws_row > 6 ? size.ws_row - 2u - (has_total ? 1 : 0) : 3;
}

/* The width of the terminal, or the value of COLUMNS. */
static size_t width_on(FILE *stream) {
    struct winsize size = {0};
    if (!atomc_is_standard(stream) || !isatty(fileno(stream)))
        return SIZE_MAX;
    if (ioctl(fileno(stream), TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
        return size.ws_col;
    const char *word = getenv("COLUMNS");
    long columns = word ? strtol(word, NULL, 10) : 0;
    return columns > 0 ? (size_t)columns : SIZE_MAX;
}

static void start_table(struct atomc_table *table) {
    static FILE *last; /* an empty line separates tables on a terminal, unless there is a heading; reports
       that share a file have such a line already */
    struct atomc_layout *layout = calloc(1, sizeof *layout);
    FILE *memory = layout ? open_memstream(&layout->text, &layout->size) : NULL;
    if (!memory)
        abort();
    layout->screen = table->stream;
    if (last == table->stream && atomc_is_standard(last) && !atomc_is_shown() &&
        !(table->report->flags & ATOMC_REPORT_JOINS))
        putc('\n', last);
    last = table->stream;
    layout->width = width_on(table->stream);
    layout->rows = rows_on(table->stream, (table->report->flags & ATOMC_REPORT_TOTAL) != 0);
    layout->lines = memory;
    table->layout = layout;
    table->stream = memory;
    if (sourceless_count > 0 && atomc_is_standard(layout->screen) && isatty(fileno(layout->screen)) &&
        folding_column(table->report) < table->report->column_count) {
        layout->folded = calloc(table->report->column_count, sizeof *layout->folded);
        layout->sourceless = open_memstream(&layout->whole, &layout->whole_size);
        if (layout->rows != UINT64_MAX && layout->rows > 4) /* room for its row, and for the line that reports
                                                               it */
            layout->rows -= 2;
        if (!layout->folded || !layout->sourceless)
            abort();
    }
    atomc_text_format.head(table);
}

static void add_table_row(struct atomc_table *table, const int64_t *values) {
    if (is_sourceless(table, values)) {
        fold_row(table, values);
        return;
    }
    table->layout->own++;
    if (table->layout->kept == table->layout->rows)
        return;
    table->layout->kept++;
    atomc_text_format.row(table, values);
}

static void add_total(struct atomc_table *table, const int64_t *sums) {
    unite_rows(table);
    atomc_text_format.total(table, sums);
}

static void finish_table(struct atomc_table *table) {
    struct atomc_layout *layout = table->layout;
    if (!(table->report->flags & ATOMC_REPORT_TOTAL))
        unite_rows(table);
    atomc_text_format.end(table);
    if (fclose(table->stream) != 0)
        abort();
    table->stream = layout->screen;
    show_addresses(table);
    lay_out_table(table);
    free(layout->text);
    free(layout->folded);
    free(layout);
    table->layout = NULL;
}

const struct atomc_format atomc_table_format = {"\n",         start_table, add_table_row, add_total,
                                                finish_table, 0,           NULL};
