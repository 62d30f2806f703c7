/* screen.c: see results.h. The layout is that of reports on a terminal (runtime/report/report_table.c). */
#include <stdlib.h>
#include <string.h>

#include "runs/results/export.h"

enum { BETWEEN = 2, LEAST_TEXT = 16, DOTS = 3, MOST_NUMBER = 64 };

struct screen_table {
    const struct request *request;
    char **lines; /* the titles, then rows; their cells are cut at tabs */
    uint32_t line_count, line_capacity, column_count;
    bool *is_number, *left_out;
    size_t *widths;
    bool brief; /* names and paths are short, titles of several words take two lines */
};

static bool is_number_text(const char *text) {
    if (strncmp(text, "0x", 2) == 0)
        return text[2 + strspn(text + 2, "0123456789abcdef")] == '\0';
    text += *text == '-';
    return text[strspn(text, "0123456789.")] == '\0';
}

/* Thousands of whole numbers are separated. */
static const char *grouped_text(struct arena *arena, const char *text) {
    const char *digits = text + (*text == '-');
    size_t count = strspn(digits, "0123456789"), at = 0;
    char *made = arena_allocate(arena, MOST_NUMBER);
    if (strncmp(text, "0x", 2) == 0 || count <= 3 || strlen(text) > MOST_NUMBER / 2)
        return text;
    if (digits > text)
        made[at++] = '-';
    for (size_t i = 0; i < count; i++) {
        if (i > 0 && (count - i) % 3 == 0)
            made[at++] = ',';
        made[at++] = digits[i];
    }
    memcpy(made + at, digits + count, strlen(digits + count) + 1);
    return made;
}

/* Readable C++ names: for one symbol, with a distance after it; or for a path of several symbols with `;`
   between them.
 */
static const char *readable_symbol(const struct screen_table *table, const char *text) {
    const struct request *request = table->request;
    const char *shown = "";
    if (!strstr(text, "_Z"))
        return text;
    for (const char *from = text;; from++) {
        size_t length = strcspn(from, ";+ "), symbol = length;
        const char *name = arena_string(request->arena, from, symbol);
        name = table->brief ? shown_label(request, name, 0) : shown_symbol(request, name);
        from += length;
        shown = arena_format(request->arena, "%s%s%.1s", shown, name, from);
        if (!*from)
            return shown;
    }
}

static const char *raw_cell(const struct screen_table *table, uint32_t line, uint32_t column) {
    const char *at = table->lines[line];
    for (uint32_t i = 0; i < column && *at; i++) {
        at += strcspn(at, "\t");
        at += *at == '\t';
    }
    return arena_string(table->request->arena, at, strcspn(at, "\t"));
}

static bool has_screen_title(const struct screen_table *table, uint32_t column, const char *title) {
    return strcmp(raw_cell(table, 0, column), title) == 0;
}

/* The text of the column in a line, as shown. */
static const char *readable_cell(const struct screen_table *table, uint32_t line, uint32_t column) {
    struct arena *arena = table->request->arena;
    const char *text = raw_cell(table, line, column);
    if (line == 0)
        return text;
    if (table->is_number[column] && has_screen_title(table, column, "Line"))
        return strcmp(text, "0") == 0 ? "" : text; /* no count, and no line is 0 */
    if (table->is_number[column])
        return grouped_text(arena, text);
    const char *slash = table->brief ? strrchr(text, '/') : NULL;
    return slash ? slash + 1 : readable_symbol(table, text);
}

/* The blank at which a title is broken into two lines; NULL: the title has one line. */
static const char *title_end(const struct screen_table *table, uint32_t line, const char *title) {
    return line == 0 && table->brief ? strrchr(title, ' ') : NULL;
}

static void measure_columns(struct screen_table *table) {
    for (uint32_t i = 0; i < table->column_count; i++) {
        table->widths[i] = 0;
        for (uint32_t line = 0; line < table->line_count; line++) {
            const char *text = readable_cell(table, line, i), *blank = title_end(table, line, text);
            size_t width = text_width(text);
            if (blank) { /* the width of the wider line */
                size_t second = text_width(blank + 1);
                width -= second + 1;
                width = width > second ? width : second;
            }
            if (width > table->widths[i])
                table->widths[i] = width;
        }
    }
}

static size_t total_width(const struct screen_table *table) {
    size_t total = 0;
    for (uint32_t i = 0; i < table->column_count; i++)
        total += table->left_out[i] ? 0 : table->widths[i] + BETWEEN;
    return total > 0 ? total - BETWEEN : 0;
}

static void leave_out_column(struct screen_table *table, const char *title) {
    for (uint32_t i = 0; i < table->column_count && total_width(table) > table->request->width; i++)
        table->left_out[i] |= has_screen_title(table, i, title);
}

/* The address is the first column that is omitted, as in reports. Then the widest texts are shortened, and
   columns are omitted, starting with the last, except for the column that names the row. */
static void fit_columns(struct screen_table *table) {
    const size_t most = table->request->width;
    uint32_t subject = 0;
    for (uint32_t i = table->column_count; i-- > 0;)
        if (!table->is_number[i] && !has_screen_title(table, i, "State"))
            subject = has_screen_title(table, subject, "Procedure") ? subject : i;
    leave_out_column(table, "PC");
    while (total_width(table) > most) {
        uint32_t widest = table->column_count;
        for (uint32_t i = 0; i < table->column_count; i++)
            if (!table->is_number[i] && table->widths[i] > LEAST_TEXT &&
                (widest == table->column_count || table->widths[i] > table->widths[widest]))
                widest = i;
        if (widest == table->column_count)
            break;
        table->widths[widest]--;
    }
    if (!has_screen_title(table, subject, "File"))
        leave_out_column(table, "File");
    for (uint32_t i = table->column_count; i-- > 0 && total_width(table) > most;)
        table->left_out[i] = i != subject;
}

/* If a name has no room: the part after the class or namespace. */
static const char *name_without_scope(const char *text) {
    const char *found = text;
    for (const char *at = strpbrk(text, "<( ;") ? NULL : text; at && (at = strstr(at, "::"));)
        found = at += 2;
    return found;
}

static void write_screen_cell(FILE *stream, const char *text, size_t most) {
    size_t width = text_width(text);
    for (size_t left = width > most ? most - DOTS : width; *text && left > 0; left--)
        do
            fputc(*text++, stream);
        while (((unsigned char)*text & 0xc0) == 0x80);
    if (width > most)
        fputs("...", stream);
}

enum part { WHOLE, FIRST, SECOND };

static const char *part_of_cell(const struct screen_table *table, uint32_t line, uint32_t column,
                                enum part part) {
    const char *text = readable_cell(table, line, column), *blank = title_end(table, line, text);
    if (part == FIRST)
        return blank ? arena_string(table->request->arena, text, (size_t)(blank - text)) : "";
    return part == SECOND && blank ? blank + 1 : text;
}

static bool has_two_lines(const struct screen_table *table) {
    for (uint32_t i = 0; i < table->column_count; i++)
        if (!table->left_out[i] && title_end(table, 0, raw_cell(table, 0, i)))
            return true;
    return false;
}

static void write_screen_table(struct screen_table *table, FILE *stream) {
    uint32_t left_out = 0;
    const bool in_two = has_two_lines(table);
    for (uint32_t at = 0; at < table->line_count + (in_two ? 1 : 0); at++) {
        const uint32_t line = at > 0 && in_two ? at - 1 : at;
        const enum part part = in_two && at == 0 ? FIRST : in_two && at == 1 ? SECOND : WHOLE;
        size_t blanks = 0;
        bool any = false;
        for (uint32_t i = 0; i < table->column_count; i++) {
            if (table->left_out[i])
                continue;
            const char *text = part_of_cell(table, line, i, part);
            size_t width = text_width(text), room = table->widths[i];
            if (width > room)
                width = text_width(text = name_without_scope(text));
            size_t rest = width < room ? room - width : 0;
            blanks += any ? BETWEEN : 0;
            blanks += table->is_number[i] ? rest : 0;
            any = true;
            if (*text) {
                fprintf(stream, "%*s", (int)blanks, "");
                write_screen_cell(stream, text, room);
                blanks = 0;
            }
            blanks += table->is_number[i] ? (*text ? 0 : width) : rest;
        }
        fputc('\n', stream);
    }
    for (uint32_t i = 0; i < table->column_count; i++)
        left_out += table->left_out[i];
    if (left_out > 0)
        fprintf(stream, "... %u more column%s: -o FILE writes all\n", left_out, left_out > 1 ? "s" : "");
}

static void end_table(struct screen_table *table, FILE *stream) {
    if (table->line_count == 0)
        return;
    struct arena *arena = table->request->arena;
    table->column_count = 1;
    for (const char *at = table->lines[0]; (at = strchr(at, '\t')); at++)
        table->column_count++;
    table->is_number = arena_allocate(arena, table->column_count * sizeof *table->is_number);
    table->left_out = arena_allocate(arena, table->column_count * sizeof *table->left_out);
    table->widths = arena_allocate(arena, table->column_count * sizeof *table->widths);
    for (uint32_t i = 0; i < table->column_count; i++) {
        table->is_number[i] = false;
        bool numbers = table->line_count > 1;
        for (uint32_t line = 1; line < table->line_count; line++)
            numbers = numbers && is_number_text(readable_cell(table, line, i));
        table->is_number[i] = numbers;
    }
    measure_columns(table);
    if (total_width(table) > table->request->width) {
        table->brief = true;
        measure_columns(table);
        fit_columns(table);
    }
    write_screen_table(table, stream);
    if (table->line_count == 1)
        fputs("none\n", stream);
    table->line_count = 0;
    table->brief = false;
}

/* A line of words that is too long continues on the next line. */
static void write_words(const struct request *request, char *line, FILE *stream) {
    size_t at = 0;
    for (char *rest = NULL, *word = strtok_r(line, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
        size_t width = text_width(word);
        if (at > 0 && at + 1 + width > request->width) {
            fputs("\n  ", stream);
            at = 2;
        } else if (at > 0) {
            fputc(' ', stream);
            at++;
        }
        fputs(word, stream);
        at += width;
    }
    fputc('\n', stream);
}

void show_on_screen(const struct request *request, char *text, FILE *stream) {
    struct screen_table table = {.request = request};
    for (char *line = text, *end; *line && (end = strchr(line, '\n')); line = end + 1) {
        *end = '\0';
        if (strchr(line, '\t')) {
            ARENA_RESERVE(request->arena, table.lines, table.line_count, table.line_capacity);
            table.lines[table.line_count++] = line;
        } else {
            end_table(&table, stream);
            write_words(request, line, stream);
        }
    }
    end_table(&table, stream);
}
