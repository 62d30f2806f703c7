/* series.c: reports that are also written while the program runs. Each report writes its rows each time, with
   a first column for the time. Inserted code calls atomc_report_is_due when a cell has reached the value in
   another. Requires that routines run one at a time. Lines are written whole; the file grows in place. */
#define _GNU_SOURCE
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "runtime/report/report.h"

enum { MOST_EVENTS = 4096 }; /* between two readings of the clock */

static const struct atomc_image *counted;
static uint64_t reported_signals; /* bit 0: signal 1 */
static int64_t began;             /* microseconds */
static uint64_t shown;            /* the series written last to a shared stream; 0: none, 1: the first */
static struct series {
    struct atomc_output output;
    struct atomc_part part;
    const struct atomc_format *format;
    char *name;
    int open, failed, is_due;
    int is_lost;          /* a possible last part cannot be undone */
    int64_t next;         /* when the next rows are due: a count, or microseconds since the program's start */
    int64_t last, stride; /* the last reading of the clock; events up to the next */
} * series;               /* one entry for each report; NULL: the tool has no such report */

static const struct atomc_report *reports_of_image(void) {
    return (const struct atomc_report *)(uintptr_t)counted->reports;
}

static int64_t *cells_of_image(void) {
    return (int64_t *)(uintptr_t)counted->cells;
}

static int64_t microseconds_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

static void start_series(uint64_t number) {
    const struct atomc_report *report = &reports_of_image()[number];
    int64_t period = (int64_t)report->every_count;
    series[number] = (struct series){.stride = 1};
    if (report->every == ATOMC_EVERY_EVENTS) {
        series[number].next = period;
        return;
    }
    if (report->every == ATOMC_EVERY_SIGNAL) {
        reported_signals |= UINT64_C(1) << (period - 1);
        return;
    }
    series[number].last = microseconds_now() - began;
    series[number].next = (series[number].last / (1000 * period) + 1) * 1000 * period;
}

void atomc_prepare_series(const struct atomc_image *all) {
    counted = all;
    for (uint64_t i = 0; i < counted->report_count; i++) {
        if (!reports_of_image()[i].every)
            continue;
        if (!series) {
            series = calloc(counted->report_count, sizeof *series);
            began = microseconds_now();
        }
        if (!series)
            abort();
        start_series(i);
    }
}

/* ---- rows ---------------------------------------------------------------------------------------------- */

/* A write error (a closed pipe, a file that has grown too long) must not end the program. */
static void hold_signals(sigset_t *before, sigset_t *waiting) {
    sigset_t held;
    sigemptyset(&held);
    sigaddset(&held, SIGPIPE);
    sigaddset(&held, SIGXFSZ);
    sigpending(waiting);
    sigprocmask(SIG_BLOCK, &held, before);
}

static void release_signals(const sigset_t *before, const sigset_t *waiting) {
    static const int held[] = {SIGPIPE, SIGXFSZ};
    static const struct timespec now = {0, 0};
    for (int i = 0; i < 2; i++) {
        sigset_t one;
        sigemptyset(&one);
        sigaddset(&one, held[i]);
        if (!sigismember(waiting, held[i]))
            sigtimedwait(&one, NULL, &now);
    }
    sigprocmask(SIG_SETMASK, before, NULL);
}

/* TOOL.series.NUMBER.rows. Standard output has the rows of the end only: the program may write there. */
static char *series_rows_name(const struct atomc_report *report) {
    const char *tool = (const char *)(uintptr_t)report->tool;
    char *name;
    if (asprintf(&name, "%s.series.%d.rows", *tool ? tool : "tool", (int)(report - reports_of_image()) + 1) <
        0)
        return NULL;
    char *whole = atomc_standard_stream(name) ? NULL : atomc_report_name(name); /* a child's has its number */
    free(name);
    return whole;
}

/* The name of the table of the rows of all times: another one than that of the rows of the end. */
static char *series_title(const struct atomc_report *report) {
    char *title;
    return asprintf(&title, "%s by %s", (const char *)(uintptr_t)report->path,
                    (const char *)(uintptr_t)report->every_title) < 0
               ? NULL
               : title;
}

static void open_series(struct series *here, const struct atomc_report *report) {
    here->name = atomc_chosen_format()->is_rows ? series_rows_name(report)
                                                : atomc_report_name((const char *)(uintptr_t)report->path);
    here->open = here->name && atomc_open_output(&here->output, here->name, ATOMC_GROWS);
    here->failed = !here->open;
    here->format = atomc_chosen_format() == &atomc_table_format ? &atomc_text_format : atomc_chosen_format();
}

/* On standard output and standard error, rows of reports with other columns may have been written since: then
   a new header is written. A reader of JSON reads consecutive values: each set of rows is a complete one. */
static void begin_again(uint64_t number, struct atomc_report *timed) {
    struct series *here = &series[number];
    const int is_whole = here->format == &atomc_json_format;
    if (here->output.stream != stdout && here->output.stream != stderr)
        return;
    if (is_whole || shown != number + 1)
        here->part = (struct atomc_part){.ends = here->part.ends};
    if (is_whole && !here->part.ends) {
        timed->flags &= ~(uint64_t)ATOMC_REPORT_TOTAL;
        here->part.ends = 1;
    }
    shown = number + 1;
}

/* The report of these cells, with the additional column in front. */
static void write_cells(uint64_t number, uint64_t cells, int ends) {
    const struct atomc_report *report = &reports_of_image()[number];
    struct series *here = &series[number];
    const int is_rows = atomc_chosen_format()->is_rows;
    if (is_rows && !report->series_header)
        return; /* these rows are the rows of the end */
    struct atomc_image now = *counted;
    now.cells = cells;
    int is_timed = report->every != ATOMC_EVERY_EVENTS;
    int64_t when = is_timed ? (microseconds_now() - began) / 10000
                            : ((const int64_t *)(uintptr_t)now.cells)[report->every_counter];
    if (!here->open && !here->failed)
        open_series(here, report);
    struct atomc_report timed = *report;
    uint64_t count = report->column_count + report->hidden_count;
    struct atomc_report_column *columns = malloc((count + 1) * sizeof *columns);
    struct atomc_report_instruction code = {.op = ATOMC_REPORT_CONSTANT, .operand = (uint64_t)when};
    char *title = is_rows && here->open ? series_title(report) : NULL;
    if (columns && here->open && (title || !is_rows)) {
        columns[0] =
            (struct atomc_report_column){.title = report->every_title,
                                         .format = is_timed ? ATOMC_REPORT_HUNDREDTHS : ATOMC_REPORT_DECIMAL,
                                         .merge = ATOMC_REPORT_FIRST,
                                         .value = {(uintptr_t)&code, 1}};
        memcpy(columns + 1, (const void *)(uintptr_t)report->columns, count * sizeof *columns);
        timed.columns = (uintptr_t)columns;
        timed.column_count++;
        timed.depth++;
        timed.header = report->series_header;
        here->part.ends = ends;
        begin_again(number, &timed);
        atomc_write_part(&now, &timed, here->format, title ? title : here->name, here->output.stream,
                         &here->part);
        fflush(here->output.stream);
        if (here->output.stream == stdout)
            atomc_name_shown(); /* other processes may read the file in the meantime */
    }
    free(title);
    free(columns);
}

/* Writes rows with the present counts. */
static void write_part(uint64_t number, int ends) {
    uint64_t *own = *atomc_child_number() ? atomc_cells_since_fork(counted) : NULL;
    write_cells(number, own ? (uintptr_t)own : counted->cells, ends);
    free(own);
}

/* ---- when ---------------------------------------------------------------------------------------------- */

/* Returns false if other threads count; then rows are written when these threads have stopped. Until then
   each thread that reaches this point stops, too, because the cell stays at its limit. */
static int write_series_rows(uint64_t number) {
    if (!atomc_others_count()) {
        write_part(number, 0);
        return 1;
    }
    series[number].is_due |= atomc_write_rows_later();
    return 0;
}

/* `now`: the reading of the clock. Sets the next reading. */
static void set_clock(uint64_t number, int64_t now) {
    struct series *here = &series[number];
    const struct atomc_report *report = &reports_of_image()[number];
    int64_t period = 1000 * (int64_t)report->every_count;
    if (now >= here->next)
        here->next = (now / period + 1) * period;
    if (now - here->last < period / 64 && here->stride < MOST_EVENTS)
        here->stride *= 2;
    else if (now - here->last > period / 16 && here->stride > 1)
        here->stride = here->stride > 16 ? here->stride / 16 : 1;
    here->last = now;
    cells_of_image()[report->every_due] = cells_of_image()[report->every_counter] + here->stride;
}

static void look_at_clock(uint64_t number) {
    int64_t now = microseconds_now() - began;
    if (now < series[number].next || write_series_rows(number))
        set_clock(number, now);
}

/* `reached`: the counter's value, since the fork. */
static void set_counter(uint64_t number, int64_t reached) {
    struct series *here = &series[number];
    const struct atomc_report *report = &reports_of_image()[number];
    int64_t period = (int64_t)report->every_count;
    if (reached >= here->next)
        here->next = (reached / period + 1) * period;
    cells_of_image()[report->every_due] = here->next + atomc_count_at_fork(counted, report->every_counter);
}

static void look_at_counter(uint64_t number) {
    uint32_t counter = (uint32_t)reports_of_image()[number].every_counter;
    int64_t reached = cells_of_image()[counter] - atomc_count_at_fork(counted, counter);
    if (reached < series[number].next || write_series_rows(number))
        set_counter(number, reached);
}

void atomc_report_is_due(long *due) {
    const struct atomc_report *reports = reports_of_image();
    sigset_t before, waiting;
    for (uint64_t i = 0; i < counted->report_count; i++) {
        if (!reports[i].every || reports[i].every == ATOMC_EVERY_SIGNAL ||
            (long *)&cells_of_image()[reports[i].every_due] != due ||
            *due > cells_of_image()[reports[i].every_counter]) /* another thread was faster */
            continue;
        hold_signals(&before, &waiting);
        if (reports[i].every == ATOMC_EVERY_EVENTS)
            look_at_counter(i);
        else
            look_at_clock(i);
        release_signals(&before, &waiting);
    }
}

int atomc_rows_are_due(void) {
    for (uint64_t i = 0; i < counted->report_count; i++)
        if (series[i].is_due)
            return 1;
    return 0;
}

/* Copies all cells at a moment at which other threads do not count. */
static uint64_t *copy_cells(uint64_t *copy(const struct atomc_image *)) {
    for (;;) {
        atomc_watch();
        uint64_t *cells = copy(counted);
        if (atomc_was_moment())
            return cells;
        free(cells);
    }
}

void atomc_write_due_rows(long unused) {
    (void)unused;
    sigset_t before, waiting;
    uint64_t *cells = copy_cells(atomc_cells_since_fork);
    hold_signals(&before, &waiting);
    for (uint64_t i = 0; i < counted->report_count; i++) {
        const struct atomc_report *report = &reports_of_image()[i];
        if (!series[i].is_due)
            continue;
        series[i].is_due = 0;
        if (cells)
            write_cells(i, (uintptr_t)cells, 0);
        if (report->every != ATOMC_EVERY_EVENTS)
            set_clock(i, microseconds_now() - began);
        else if (cells)
            set_counter(i, (int64_t)cells[report->every_counter]);
    }
    release_signals(&before, &waiting);
    free(cells);
}

uint64_t atomc_report_signals(void) {
    return reported_signals;
}

void atomc_report_on_signal(long signal) {
    sigset_t before, waiting;
    uint64_t *cells = copy_cells(atomc_settled_since_fork);
    hold_signals(&before, &waiting);
    for (uint64_t i = 0; cells && i < counted->report_count; i++) {
        const struct atomc_report *report = &reports_of_image()[i];
        if (report->every == ATOMC_EVERY_SIGNAL && (long)report->every_count == signal)
            write_cells(i, (uintptr_t)cells, 0);
    }
    release_signals(&before, &waiting);
    free(cells);
}

/* ---- another process ends it ------------------------------------------------------------------------------ */

void atomc_series_may_end(int (*can_return)(long descriptor)) {
    for (uint64_t i = 0; series && i < counted->report_count; i++)
        series[i].is_lost = series[i].open && !can_return(fileno(series[i].output.stream));
}

void atomc_series_go_on(void) {
    for (uint64_t i = 0; series && i < counted->report_count; i++)
        if (series[i].is_lost)
            series[i].part = (struct atomc_part){0};
}

/* ---- ends ---------------------------------------------------------------------------------------------- */

int atomc_end_series(const struct atomc_report *report) {
    if (!report->every || !series)
        return 0;
    uint64_t number = (uint64_t)(report - reports_of_image());
    write_part(number, 1);
    if (series[number].open)
        atomc_close_output(&series[number].output, series[number].part.rows);
    return !atomc_chosen_format()->is_rows; /* the rows of the end have a file of their own, too */
}

void atomc_begin_child_series(void) {
    for (uint64_t i = 0; series && i < counted->report_count; i++) {
        const struct atomc_report *report = &reports_of_image()[i];
        FILE *stream = series[i].open ? series[i].output.stream : NULL;
        if (!report->every)
            continue;
        if (stream && stream != stdout && stream != stderr)
            fclose(stream); /* the output has left its buffer */
        start_series(i);
        if (report->every != ATOMC_EVERY_SIGNAL)
            cells_of_image()[report->every_due] = INT64_MIN;
    }
}
