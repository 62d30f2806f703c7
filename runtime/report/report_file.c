/* report_file.c: the reports of a tool: prepared before the program, and written after it to the output of
   each report. */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>

#include "runtime/report/report.h"

void atomc_prepare_reports(const struct atomc_image *image) {
    const struct atomc_cell_range *ranges = AT(struct atomc_cell_range, image->cell_ranges);
    uint64_t *cells = (uint64_t *)(uintptr_t)image->cells;
    for (uint64_t i = 0; i < image->cell_range_count; i++)
        for (uint64_t k = 0; k < ranges[i].count; k++)
            cells[ranges[i].first + k] = ranges[i].initial;
    atomc_quiet = image->quiet;
    atomc_prepare_names(image);
    atomc_prepare_tables(image);
    atomc_prepare_series(image);
    atomc_remember_directory();
}

static int is_without_columns(const struct atomc_report *report) {
    return report->flags & ATOMC_REPORT_AS_TEXT;
}

/* A report with columns is for people; a text has the format of some program. */
static enum atomc_audience audience_of(const struct atomc_report *report) {
    return is_without_columns(report) ? ATOMC_FOR_PROGRAMS : ATOMC_FOR_PEOPLE;
}

/* The output stays open for `count` reports: the first report, and the reports that share its file. Tables of
   rows do not share files.
 */
static void write_reports(const struct atomc_image *image, const struct atomc_report *report, uint64_t count,
                          const struct atomc_format *format) {
    struct atomc_output output;
    int is_rows = format->is_rows && !is_without_columns(report);
    char *rows = is_rows ? atomc_rows_name(AT(char, report->tool)) : NULL;
    char *name = is_rows && !rows ? NULL : atomc_report_name(is_rows ? rows : AT(char, report->path));
    if (!name) {
        errno = ENOMEM;
        atomc_cannot_write(AT(char, report->path));
    } else if (atomc_open_output(&output, name, audience_of(report))) {
        uint64_t written = 0;
        format = atomc_format_on(format, output.stream);
        for (uint64_t i = 0; i < count; i++) {
            if (i > 0 && format->is_rows && !is_without_columns(&report[i]))
                continue;
            if (i > 0 && !is_without_columns(&report[i]))
                fputs(format->separator, output.stream);
            struct atomc_part whole = {.ends = 1};
            atomc_write_part(image, &report[i], format, is_rows ? AT(char, report->path) : name,
                             output.stream, &whole);
            written += whole.rows;
        }
        atomc_close_output(&output, written);
    }
    free(rows);
    free(name);
}

/* Reports of one file. Tables of rows have separate files. */
static void write_file(const struct atomc_image *image, const struct atomc_report *report, uint64_t count,
                       const struct atomc_format *format) {
    int has_texts = 0;
    if (!format->is_rows) {
        write_reports(image, report, count, format);
        return;
    }
    for (uint64_t i = 0; i < count; i++)
        if (!is_without_columns(&report[i]))
            write_reports(image, &report[i], 1, format);
        else if (!has_texts++)
            write_reports(image, &report[i], count - i, format);
}

/* The program's exit status must not change: a closed pipe or a full disk must not end the process. */
void atomc_write_reports(const struct atomc_image *image) {
    const struct atomc_report *reports = AT(struct atomc_report, image->reports);
    if (image->report_count == 0)
        return;
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
    const struct atomc_format *format = atomc_chosen_format();
    for (uint64_t i = 0, count; i < image->report_count; i += count) {
        for (count = 1; i + count < image->report_count && reports[i + count].flags & ATOMC_REPORT_JOINS;)
            count++;
        if (!atomc_end_series(&reports[i]))
            write_file(image, &reports[i], count, format);
    }
}
