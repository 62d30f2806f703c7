/* table.c: tables and files that analysis routines write themselves. The interface is stdtools/table.h.
   Requires that what is begun last ends first: a tool's file may be open from the program's start to its end,
   while others write theirs. */
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "../stdtools/table.h"
#include "report.h"

static struct {
    const struct atomc_format *format; /* NULL: no table is open */
    struct atomc_report report;
    struct atomc_table table;
    char *titles, *name;
    int64_t *values;
} open_table;
static struct atomc_output outputs[8]; /* those that are open, the last begun behind */
static unsigned open_outputs;

static enum atomc_report_format format_of(char mark) {
    return mark == '#'   ? ATOMC_REPORT_DECIMAL
           : mark == '@' ? ATOMC_REPORT_HEXADECIMAL
           : mark == '.' ? ATOMC_REPORT_HUNDREDTHS
                         : ATOMC_REPORT_TEXT;
}

/* The columns that the text describes. Cuts the text into pieces. */
static struct atomc_report_column *read_columns(char *text, uint64_t *count) {
    struct atomc_report_column *columns = NULL;
    *count = 0;
    for (char *part; (part = strsep(&text, "|"));) {
        struct atomc_report_column *more = realloc(columns, (*count + 1) * sizeof *more);
        if (!more)
            abort();
        columns = more;
        columns[(*count)++] =
            (struct atomc_report_column){.title = (uintptr_t)(part + 1), .format = format_of(part[0])};
    }
    return columns;
}

FILE *atomc_begin_file(const char *file) {
    char *name = atomc_report_name(strcmp(file, "stderr") == 0 ? "!" : file);
    int room = open_outputs < sizeof outputs / sizeof outputs[0];
    int good = name && room && atomc_open_output(&outputs[open_outputs], name);
    if (name && !room) {
        errno = EMFILE;
        atomc_cannot_write(name);
    }
    free(name);
    return good ? outputs[open_outputs++].stream : NULL;
}

void atomc_end_file(void) {
    if (open_outputs > 0)
        atomc_close_output(&outputs[--open_outputs]);
}

void atomc_begin_table(const char *tool, const char *file, const char *columns) {
    FILE *stream = atomc_begin_file(file);
    if (!stream)
        return;
    open_table.titles = strdup(columns);
    open_table.name = atomc_report_name(file);
    if (!open_table.titles || !open_table.name)
        abort();
    open_table.report = (struct atomc_report){.tool = (uintptr_t)tool, .path = (uintptr_t)file};
    open_table.report.columns = (uintptr_t)read_columns(open_table.titles, &open_table.report.column_count);
    open_table.values = calloc(open_table.report.column_count, sizeof *open_table.values);
    if (!open_table.values)
        abort();
    open_table.format = atomc_chosen_format();
    open_table.table = (struct atomc_table){
        .stream = stream, .report = &open_table.report, .name = open_table.name, .sums = open_table.values};
    open_table.format->head(&open_table.table);
}

void atomc_add_row(long first, ...) {
    va_list rest;
    if (!open_table.format)
        return;
    open_table.values[0] = first;
    va_start(rest, first);
    for (uint64_t i = 1; i < open_table.report.column_count; i++)
        open_table.values[i] = va_arg(rest, long);
    va_end(rest);
    open_table.format->row(&open_table.table, open_table.values);
    open_table.table.rows++;
}

void atomc_end_table(void) {
    if (!open_table.format)
        return;
    open_table.format->end(&open_table.table);
    open_table.format = NULL;
    free((void *)(uintptr_t)open_table.report.columns);
    free(open_table.titles);
    free(open_table.name);
    free(open_table.values);
    atomc_end_file();
}
