/* report.h: counters' cells at the start of the program, and the reports after it. Requires the tables
   described in interface.h; does not depend on Alpha, so that it is tested on the host. */
#ifndef ATOMC_RUNTIME_REPORT_H
#define ATOMC_RUNTIME_REPORT_H

#include <stdio.h>

#include "runtime/interface.h"
#include "runtime/kernel/queries.h"
#include "runtime/threads/moments.h"

/* The data at an address in the image's tables. */
#define AT(type, address) ((const type *)(uintptr_t)(address))

/* ---- report.c: which rows, in which order ---- */

/* Amounts computed from counters have sums, and averages are quotients of sums. Lines, sizes, addresses and
   texts have no total. */
static inline int atomc_is_summed(const struct atomc_report_column *column) {
    const int is_number = column->format == ATOMC_REPORT_DECIMAL || column->format == ATOMC_REPORT_PERCENT ||
                          column->format == ATOMC_REPORT_REAL ||
                          (column->format == ATOMC_REPORT_HEXADECIMAL && !column->is_address);
    return is_number && (column->merge == ATOMC_REPORT_SUM || column->merge == ATOMC_REPORT_GREATEST);
}

static inline uint64_t magnitude_of(int64_t value) {
    return value < 0 ? -(uint64_t)value : (uint64_t)value;
}

struct atomc_table;
typedef void atomc_table_head(struct atomc_table *table);
typedef void atomc_table_row(struct atomc_table *table, const int64_t *values);
typedef void atomc_table_rows(struct atomc_table *table, const int64_t *const *columns, uint64_t count);
typedef void atomc_table_end(struct atomc_table *table);
struct atomc_format {
    const char *separator; /* between tables in one file */
    atomc_table_head *head;
    atomc_table_row *row;
    atomc_table_row *total; /* called with the sums */
    atomc_table_end *end;
    int is_rows; /* each table in its own file, with hidden columns and all rows */
    atomc_table_rows
        *rows; /* several rows, with `count` values of each column; NULL: each call writes one row */
};
/* A report that is being written. */
struct atomc_table {
    FILE *stream;
    const struct atomc_report *report;
    const char *name;            /* of its file */
    const int64_t *sums;         /* sum of each column, over the rows that the filter keeps */
    uint64_t rows;               /* written so far */
    int is_other;                /* the row is for all keys beyond the counter's limit */
    char *has_nothing;           /* columns in which the row has no value, not even 0; NULL: none */
    uint64_t number;             /* atomc_table_number() */
    int changes;                 /* its texts may change after each row */
    int is_shared;               /* other processes may write to the stream after each row */
    struct atomc_layout *layout; /* report_table.c's */
};
/* Written in place of their keys. */
#define ATOMC_OTHER_KEYS "(other)"

/* A part of a table that is written in several. */
struct atomc_part {
    int ends;      /* this is the last part */
    int has_begun; /* this is not the first part */
    uint64_t rows; /* written so far */
};
void atomc_write_part(const struct atomc_image *image, const struct atomc_report *report,
                      const struct atomc_format *format, const char *name, FILE *stream,
                      struct atomc_part *part);

/* ---- pieces.c: texts and numbers as characters ---- */

/* Rows are collected. Writes the rows of an unfinished table now, because other output follows. */
void atomc_write_pending(void);

/* ---- report_format.c: text and CSV; rows without a table ---- */

extern const struct atomc_format atomc_text_format, atomc_csv_format;
/* For rows that are written as text. */
extern const struct atomc_format atomc_text_rows;
/* Each call returns a new number. */
uint64_t atomc_table_number(void);

/* ---- report_json.c: JSON, and rows ---- */

extern const struct atomc_format atomc_json_format, atomc_rows_format;
/* Writes the text as a JSON string, with its quotes. */
void atomc_write_json_text(FILE *stream, const char *text);

/* ---- names.c: names of C++ ---- */

void atomc_prepare_names(const struct atomc_image *image);
/* The format that ATOMC_FORMAT specifies. */
int atomc_has_names(void);

/* ---- formats.c: the form in which a report is written ---- */

/* The format of ATOMC_FORMAT. */
const struct atomc_format *atomc_chosen_format(void);
/* On a terminal text becomes a table, unless ATOMC_FORMAT requests text. */
const struct atomc_format *atomc_format_on(const struct atomc_format *format, FILE *stream);

/* ---- table.c: tables of analysis routines; its interface is stdtools/table.h ---- */
/* ---- series.c: reports that are written while the program runs, too ---- */

void atomc_prepare_series(const struct atomc_image *image);
/* Inserted code has found that this cell has been reached. */
void atomc_report_is_due(long *due);
/* The signals that reports are written on, as a mask (signal 1 is bit 0). */
uint64_t atomc_report_signals(void);
/* Such a signal has arrived. No other thread counts, and the position of each has been recorded. */
void atomc_report_on_signal(long signal);
/* The same for rows that became due while other threads counted, if no thread has written them. */
int atomc_rows_are_due(void);
void atomc_write_due_rows(long unused);
/* ---- series.c ---- */
/* Another process writes the last parts on behalf of this one. The program may still continue. `can_return`:
   true if the program may continue, which undoes output to the descriptor. In other descriptors a new table
   begins. */
void atomc_series_may_end(int (*can_return)(long descriptor));
void atomc_series_go_on(void);
/* The last part of the report; false if the report has no parts, or its rows of the end are also a file. */
int atomc_end_series(const struct atomc_report *report);
void atomc_begin_child_series(void); /* the child's have not begun */

/* ---- report_table.c: tables for people ---- */

extern const struct atomc_format atomc_table_format;
void atomc_prepare_tables(const struct atomc_image *image);

/* ---- children.c: processes that come out of a fork ---- */

/* Suffix of the names of a process's files: "" for the first process, ".1" for its first child, ".1.2" for
   the second child of that. */
const char *atomc_child_number(void);
/* Called in the parent, after each fork. 0: the child has another number in its own namespace. */
void atomc_have_child(long process);
int atomc_has_children(void);
/* Children's processes whose numbers are known; returns how many. */
unsigned long atomc_children(const long **processes);
/* Called in the child, before it continues: its counts start here. */
void atomc_begin_child(const struct atomc_image *image);
/* The cells' values for this process, in memory from malloc. Requires that the cells that are read are not
   derived. */
uint64_t *atomc_cells_since_fork(const struct atomc_image *image);
/* The same, with all counts derived. Requires that the position of each thread has been recorded
   (counting.h). */
uint64_t *atomc_settled_since_fork(const struct atomc_image *image);
int64_t atomc_count_at_fork(const struct atomc_image *image, uint64_t cell);
/* At the end, when counts are settled. */
void atomc_subtract_before_fork(const struct atomc_image *image);

/* ---- report_file.c: the reports of a tool ---- */

/* Called before the program starts: sets the cells' initial values, and stores the directory for report
   files. */
void atomc_prepare_reports(const struct atomc_image *image);
/* After the program, in each process that ends. Errors are lines on standard error; some reports may still be
 * written. */
void atomc_write_reports(const struct atomc_image *image);

/* ---- output.c: where reports go ---- */

/* The format that ATOMC_FORMAT specifies; reports a wrong value. */
enum atomc_form { ATOMC_AS_TEXT, ATOMC_AS_CSV, ATOMC_AS_JSON, ATOMC_AS_ROWS, ATOMC_AS_TABLE };
enum atomc_form atomc_asked_form(void);
/* The output of a report of that name: standard output or error; NULL: a file. */
FILE *atomc_standard_stream(const char *file);
static inline int atomc_is_standard(FILE *stream) {
    return stream == stdout || stream == stderr;
}

/* If results are shown instead of written to files: on standard output, which `atomc run` has chosen. */
extern const char *atomc_shown_program;           /* its name in the heading; "": there is only one tool */
void atomc_begin_shown(void (*when_whole)(void)); /* see atomc_name_shown */
int atomc_is_shown(void);
int atomc_is_first_shown(void); /* this process is the first that shows the results */
void atomc_name_shown(void);    /* the results are complete: calls `when_whole` if they are shown */
/* The purpose of an output. */
enum atomc_audience {
    ATOMC_FOR_PEOPLE,   /* a table, or a text: it may be shown */
    ATOMC_FOR_PROGRAMS, /* in a format of its own */
    ATOMC_GROWS         /* a table that is written while the program runs: its file grows */
};
struct atomc_output {
    FILE *stream;
    char *path;      /* descriptor of the file; NULL for standard output and error */
    char *temporary; /* under which it is written; NULL if it is written in place */
    char *shown;     /* its name for the user */
    long process;    /* the process that created the file, and renames it: a child may have it open, too */
};
extern long atomc_named_process, atomc_named_parent; /* whose results are written; 0: this process's */
/* The number of the process whose results are written, and its parent's. */
long atomc_process(void);
long atomc_parent(void);
void atomc_remember_directory(void);
/* The directory in which the process began; NULL: unknown, or stored already. Its descriptor is stored
   before the program changes its root; when the program has ended, it is the directory again. */
const char *atomc_start_directory(void);
void atomc_keep_directory(int descriptor);
void atomc_return_to_directory(void);
/* The name under which a report is written, with `%p` replaced; the caller frees it. NULL if there is no
   memory. */
char *atomc_report_name(const char *path);
/* For outputs: the name of the next file of rows with a table of that tool, TOOL.NUMBER.rows. Likewise. */
char *atomc_rows_name(const char *tool);
/* A descriptor for lines that are appended to the file while the program runs; -1 after an error, which has
   been reported. */
int atomc_open_lines(const char *path);
/* Returns false after an error, which has been reported. */
int atomc_open_output(struct atomc_output *output, const char *name, enum atomc_audience audience);
/* Announces the file on standard error, with its number of rows unless that is NO_ROWS, if standard error
   is a terminal, or by ATOMC_QUIET. */
#define NO_ROWS UINT64_MAX
void atomc_close_output(struct atomc_output *output, uint64_t rows);
extern uint64_t atomc_quiet; /* set when the program was instrumented */
/* Prints on standard error: atomc: cannot write NAME: REASON (from errno). */
void atomc_cannot_write(const char *name);

#endif
