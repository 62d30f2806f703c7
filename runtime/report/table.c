/* table.c: tables and files that analysis routines write. The interface is stdtools/table.h. Requires that
   tables are nested: the table that was begun last ends first. A tool's file may be open from the program's
   start to its end, while other tools write their files. */
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "stdtools/table.h"
#include "runtime/counts/counts.h"
#include "runtime/report/report.h"
#include "runtime/kernel/kernel.h"

/* A column as described by the tool; for a ratio, the columns that it is computed from. */
struct table_column {
    const struct mark *mark;
    uint64_t part, whole;
};
static struct {
    const struct atomc_format *format; /* NULL: no table is open */
    struct table_column *shown;
    uint64_t *ratios, ratio_count, *given, given_count; /* computed columns, and the remaining columns */
    char *header;
    struct atomc_report report;
    struct atomc_table table;
    char *titles, *name;
    int64_t *values;
} open_table;
static struct atomc_output outputs[8]; /* the open ones, the last begun at the end */
static unsigned open_outputs;
static unsigned refused; /* tables begun before the open one ended: their rows are dropped */

/* The meaning of a column's mark (stdtools/table.h). */
struct mark {
    char sign;
    enum atomc_report_format format;
    const char *type, *role, *merge; /* the format of files of rows */
};
static const struct mark marks[] = {
    {'\'', ATOMC_REPORT_TEXT, "text", "label", "same"},
    {'*', ATOMC_REPORT_TEXT, "text", "label", "same"},
    {'@', ATOMC_REPORT_HEXADECIMAL, "address", "key", "same"},
    {'=', ATOMC_REPORT_DECIMAL, "integer", "label", "same"},
    {'#', ATOMC_REPORT_DECIMAL, "integer", "measure", "sum"},
    {'+', ATOMC_REPORT_DECIMAL, "integer", "measure", "sum"},
    {'~', ATOMC_REPORT_DECIMAL, "integer", "measure", "none"},
    {'^', ATOMC_REPORT_DECIMAL, "integer", "measure", "greatest"},
    {'_', ATOMC_REPORT_DECIMAL, "integer", "measure", "least"},
    {'.', ATOMC_REPORT_HUNDREDTHS, "real", "measure", "none"},
    {'%', ATOMC_REPORT_HUNDREDTHS, "real", "measure", "ratio"},
    {'&', ATOMC_REPORT_DECIMAL, "integer", "node", "same"},
    {'<', ATOMC_REPORT_DECIMAL, "integer", "parent", "same"},
};
/* `!ATTRIBUTE`: a column that only files of rows have. Its type is that of the attribute. */
static const char hidden_sign = '!';
static const struct mark hidden_marks[] = {
    {'!', ATOMC_REPORT_TEXT, "text", "label", "same"},
    {'!', ATOMC_REPORT_DECIMAL, "integer", "label", "same"},
    {'!', ATOMC_REPORT_HEXADECIMAL, "address", "label", "same"},
};

static const struct mark *hidden_mark(const char *attribute) {
    const char *name = strrchr(attribute, '.');
    return &hidden_marks[!name ? 0 : strcmp(name, ".line") == 0 ? 1 : strcmp(name, ".pc") == 0 ? 2 : 0];
}

/* NULL: it is not a mark. */
static const struct mark *mark_of(const char *part) {
    const char sign = part[0];
    if (sign == hidden_sign)
        return hidden_mark(part + 1);
    for (size_t i = 0; i < sizeof marks / sizeof marks[0]; i++)
        if (marks[i].sign == sign)
            return &marks[i];
    return NULL;
}

static void say_column(const char *tool, const char *columns, uint64_t number, const char *part) {
    const char *error = !part[0]         ? "is empty"
                        : !mark_of(part) ? "must begin with one of '*@=#+~^_.%&<!, which says what it has"
                        : !part[1]       ? "has no title"
                                         : "must not follow a column that is not shown";
    fprintf(stderr, "atomc: %s: the columns of the table are \"%s\": column %lu, \"%s\", %s\n", tool, columns,
            number, part, error);
}

/* Columns that are not shown follow the others. */
static uint64_t table_columns(void) {
    return open_table.report.column_count + open_table.report.hidden_count;
}

static int is_hidden(uint64_t column) {
    return column >= open_table.report.column_count;
}

static const char *title_of(uint64_t column) {
    return (const char *)(uintptr_t)((const struct atomc_report_column *)(uintptr_t)
                                         open_table.report.columns)[column]
        .title;
}

/* The columns that the description specifies. Returns false, after a report, if the description has an
   error. */
static int read_table_columns(const char *tool, const char *text) {
    uint64_t number = 1;
    for (const char *at = text; (at = strchr(at, '|')); at++)
        number++;
    struct atomc_report_column *columns = calloc(number, sizeof *columns);
    char *rest = open_table.titles = strdup(text);
    open_table.report.columns = (uintptr_t)columns;
    open_table.report.column_count = number;
    open_table.report.hidden_count = 0;
    open_table.shown = malloc(number * sizeof *open_table.shown);
    open_table.ratios = malloc(number * sizeof *open_table.ratios);
    open_table.given = malloc(number * sizeof *open_table.given);
    open_table.ratio_count = 0;
    if (!columns || !rest || !open_table.shown || !open_table.ratios || !open_table.given)
        abort();
    for (uint64_t i = 0; i < number; i++) {
        const char *part = strsep(&rest, "|");
        const struct mark *mark = mark_of(part);
        const int hidden = part[0] == hidden_sign;
        if (!mark || !part[1] || (!hidden && open_table.report.hidden_count > 0)) {
            say_column(tool, text, i + 1, part);
            return 0;
        }
        open_table.shown[i].mark = mark;
        if (mark->sign == '%')
            open_table.ratios[open_table.ratio_count++] = i;
        columns[i].title = (uintptr_t)(part + 1);
        columns[i].format = mark->format;
        columns[i].is_address = strcmp(mark->type, "address") == 0 ? ATOMC_REPORT_OR_NONE : 0;
        open_table.report.hidden_count += hidden;
        open_table.report.column_count -= hidden;
        columns[i].is_inclusive = part[0] == '+';
    }
    return 1;
}

/* A column of that title that is not a ratio; the count of columns if there is no such column. */
static uint64_t find_table_column(const char *title, size_t length) {
    uint64_t i = 0;
    while (i < open_table.report.column_count &&
           (open_table.shown[i].mark->sign == '%' || strlen(title_of(i)) != length ||
            strncmp(title_of(i), title, length) != 0))
        i++;
    return i;
}

/* `%Title:Part/Whole`: the columns from which a ratio is computed. Returns false if there are no such
   columns. */
static int find_ratio(uint64_t column, char *title) {
    char *parts = strchr(title, ':'), *whole = parts ? strchr(parts, '/') : NULL;
    if (!whole)
        return 0;
    struct table_column *shown = &open_table.shown[column];
    shown->part = find_table_column(parts + 1, (size_t)(whole - parts - 1));
    shown->whole = find_table_column(whole + 1, strlen(whole + 1));
    *parts = '\0';
    return shown->part < open_table.report.column_count && shown->whole < open_table.report.column_count;
}

/* Determines which columns are computed, and which are given. */
static void find_ratios(const char *tool) {
    uint64_t good = 0;
    for (uint64_t i = 0; i < open_table.ratio_count; i++) {
        uint64_t column = open_table.ratios[i];
        char *title = (char *)(uintptr_t)title_of(column);
        if (find_ratio(column, title)) {
            open_table.ratios[good++] = column;
            continue;
        }
        fprintf(stderr,
                "atomc: %s: '%%%s' is no ratio: it must be %%TITLE:PART/WHOLE, with titles of columns\n",
                tool, title);
        open_table.shown[column].mark = mark_of(".");
    }
    open_table.ratio_count = good;
    open_table.given_count = 0;
    for (uint64_t i = 0; i < table_columns(); i++)
        if (open_table.shown[i].mark->sign != '%')
            open_table.given[open_table.given_count++] = i;
}

/* The header of the tool. If there is only one tool, its header, under any name. NULL if there is no
   header. */
static const char *header_of(const char *tool) {
    const struct atomc_tool_header *tools = (const void *)(uintptr_t)atomc_image.tools;
    for (uint64_t i = 0; i < atomc_image.tool_count; i++)
        if (atomc_image.tool_count == 1 || strcmp((const char *)(uintptr_t)tools[i].tool, tool) == 0)
            return (const char *)(uintptr_t)tools[i].header;
    return NULL;
}

/* The header of a file of rows for the table, from JSON's `"tool"` on; NULL if memory is exhausted. */
static char *row_header(const char *tool) {
    char *text = NULL;
    size_t size;
    FILE *stream = open_memstream(&text, &size);
    if (!stream)
        return NULL;
    fputs("{\"tool\":", stream);
    atomc_write_json_text(stream, tool);
    fputs(",\"places\":[],\"columns\":[", stream);
    for (uint64_t i = 0; i < table_columns(); i++) {
        const struct table_column *shown = &open_table.shown[i];
        fputs(i > 0 ? ",{\"title\":" : "{\"title\":", stream);
        atomc_write_json_text(stream, title_of(i));
        fprintf(stream, ",\"type\":\"%s\",\"role\":\"%s\",\"merge\":\"%s\"", shown->mark->type,
                shown->mark->role, shown->mark->merge);
        if (shown->mark->sign == '%')
            fprintf(stream, ",\"unit\":\"percent\",\"of\":[%lu,%lu]", shown->part, shown->whole);
        else if (shown->mark->sign == '#' || shown->mark->sign == '+')
            fputs(",\"unit\":\"count\"", stream);
        else if (shown->mark->sign == '*')
            fputs(",\"unit\":\"kind\"", stream);
        if (shown->mark->sign == '+')
            fputs(",\"attribute\":\"$inclusive\"", stream);
        if (is_hidden(i)) {
            fputs(",\"attribute\":", stream);
            atomc_write_json_text(stream, title_of(i));
            fputs(",\"hidden\":true", stream);
        }
        fputc('}', stream);
    }
    fputs("],\"where\":null,\"sorted\":null,\"descending\":false,\"top\":null", stream);
    const char *more = header_of(tool);
    if (more) /* an object, whose members these are */
        fprintf(stream, ",%s", more + 1);
    else
        fputc('}', stream);
    return fclose(stream) == 0 ? text : NULL;
}

static FILE *open_table_output(const char *file, enum atomc_audience audience) {
    char *name = atomc_report_name(strcmp(file, "stderr") == 0 ? "!" : file);
    int room = open_outputs < sizeof outputs / sizeof outputs[0];
    int good = name && room && atomc_open_output(&outputs[open_outputs], name, audience);
    if (name && !room) {
        errno = EMFILE;
        atomc_cannot_write(name);
    }
    free(name);
    return good ? outputs[open_outputs++].stream : NULL;
}

FILE *atomc_begin_file(const char *file) {
    return open_table_output(file, ATOMC_FOR_PROGRAMS);
}

int atomc_for_programs(void) {
    const struct atomc_format *format = atomc_chosen_format();
    return format != &atomc_text_format && format != &atomc_table_format;
}

FILE *atomc_begin_text(const char *file) {
    return open_table_output(file, ATOMC_FOR_PEOPLE);
}

static void end_file(uint64_t rows) {
    if (open_outputs > 0)
        atomc_close_output(&outputs[--open_outputs], rows);
}

void atomc_end_file(void) {
    end_file(NO_ROWS);
}

/* The file of the table: by its name, or, for rows, by its number. */
static FILE *begin_file(const char *tool, const char *file) {
    if (!atomc_chosen_format()->is_rows)
        return open_table_output(file, ATOMC_FOR_PEOPLE);
    char *name = atomc_rows_name(tool);
    FILE *stream = name ? atomc_begin_file(name) : NULL;
    free(name);
    return stream;
}

static void free_table(void) {
    free((void *)(uintptr_t)open_table.report.columns);
    free(open_table.titles);
    free(open_table.name);
    free(open_table.values);
    free(open_table.header);
    free(open_table.shown);
    free(open_table.ratios);
    free(open_table.given);
    open_table.name = open_table.header = NULL;
    open_table.values = NULL;
}

void atomc_begin_table(const char *tool, const char *file, const char *columns) {
    if (open_table.format) {
        fprintf(stderr, "atomc: %s: a table is begun before the one in %s has ended\n", tool,
                open_table.name);
        refused++;
        return;
    }
    open_table.report = (struct atomc_report){.tool = (uintptr_t)tool, .path = (uintptr_t)file};
    FILE *stream = read_table_columns(tool, columns) ? begin_file(tool, file) : NULL;
    if (!stream) {
        free_table();
        return;
    }
    open_table.name = atomc_report_name(file);
    if (!open_table.name)
        abort();
    find_ratios(tool);
    open_table.values = calloc(table_columns(), sizeof *open_table.values);
    if (!open_table.values)
        abort();
    open_table.format = atomc_format_on(atomc_chosen_format(), stream);
    open_table.header = open_table.format->is_rows ? row_header(tool) : NULL;
    open_table.report.header = (uintptr_t)open_table.header;
    open_table.table = (struct atomc_table){.stream = stream,
                                            .report = &open_table.report,
                                            .name = open_table.name,
                                            .sums = open_table.values,
                                            .number = atomc_table_number(),
                                            .changes = 1,
                                            .is_shared = stream == stdout || stream == stderr};
    open_table.format->head(&open_table.table);
}

/* Hundredths of a per cent, rounded to the nearest. Numbers from 2^48 on lose their lowest bits. */
static int64_t hundredths_of_percent(int64_t part, int64_t whole) {
    uint64_t parts = magnitude_of(part), wholes = magnitude_of(whole);
    if (whole == 0)
        return 0;
    for (; parts >> 48 || wholes >> 62; wholes >>= 1)
        parts >>= 1;
    wholes |= wholes == 0;
    const int64_t result = (int64_t)((20000 * parts + wholes) / (2 * wholes));
    return (part < 0) == (whole < 0) ? result : -result;
}

void atomc_add_row(long first, ...) {
    int64_t *values = open_table.values;
    va_list rest;
    if (!open_table.format || refused > 0)
        return;
    va_start(rest, first);
    values[open_table.given[0]] = first;
    for (uint64_t i = 1; i < open_table.given_count; i++)
        values[open_table.given[i]] = va_arg(rest, long);
    va_end(rest);
    for (uint64_t i = 0; i < open_table.ratio_count; i++) {
        const struct table_column *shown = &open_table.shown[open_table.ratios[i]];
        values[open_table.ratios[i]] = hundredths_of_percent(values[shown->part], values[shown->whole]);
    }
    open_table.format->row(&open_table.table, values);
    open_table.table.rows++;
}

/* Columns of all rows: the given columns, and columns of ratios at `ratios`. */
static void set_columns(const int64_t **columns, const long *const *given, int64_t *ratios, uint64_t count) {
    for (uint64_t i = 0; i < open_table.given_count; i++)
        columns[open_table.given[i]] = (const int64_t *)given[i];
    for (uint64_t i = 0; i < open_table.ratio_count; i++, ratios += count) {
        const struct table_column *shown = &open_table.shown[open_table.ratios[i]];
        const int64_t *part = columns[shown->part], *whole = columns[shown->whole];
        columns[open_table.ratios[i]] = ratios;
        for (uint64_t row = 0; row < count; row++)
            ratios[row] = hundredths_of_percent(part[row], whole[row]);
    }
}

static void write_one_by_one(const int64_t *const *columns, uint64_t count) {
    for (uint64_t row = 0; row < count; row++, open_table.table.rows++) {
        for (uint64_t i = 0; i < table_columns(); i++)
            open_table.values[i] = columns[i][row];
        open_table.format->row(&open_table.table, open_table.values);
    }
}

/* Their texts do not change until they are written. */
void atomc_add_rows(long count, const long *const *given) {
    if (!open_table.format || refused > 0 || count <= 0)
        return;
    const uint64_t rows = (uint64_t)count;
    const int64_t **columns = malloc(table_columns() * sizeof *columns);
    int64_t *ratios = malloc((rows * open_table.ratio_count + 1) * sizeof *ratios);
    if (!columns || !ratios)
        abort();
    set_columns(columns, given, ratios, rows);
    open_table.table.changes = 0;
    open_table.table.number = atomc_table_number();
    if (open_table.format->rows) {
        open_table.format->rows(&open_table.table, columns, rows);
        open_table.table.rows += rows;
    } else {
        write_one_by_one(columns, rows);
    }
    open_table.table.changes = 1;
    free(columns);
    free(ratios);
}

void atomc_end_table(void) {
    if (refused > 0) {
        refused--;
        return;
    }
    if (!open_table.format)
        return;
    open_table.format->end(&open_table.table);
    open_table.format = NULL;
    free_table();
    end_file(open_table.table.rows);
}

void atomc_update_counter(struct atomc_keyed *counter, long amount, ...) {
    struct keyed_table *table = (struct keyed_table *)(void *)counter;
    int64_t keys[COMMAND_MOST_KEYS];
    va_list rest;
    va_start(rest, amount);
    for (uint64_t i = 0; i < table->key_count; i++)
        keys[i] = va_arg(rest, long);
    va_end(rest);
    atomc_update_keyed(table, keys, amount, amount);
}
