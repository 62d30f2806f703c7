/* page.h: for analysis routines: results as one page of HTML that needs no other files: tables that the
 * reader sorts and filters, procedures with their callers and callees, source lines with counts. */
#ifndef ATOMC_PAGE_H
#define ATOMC_PAGE_H

#include <stdio.h>

struct page_procedure {
    const char *name, *file; /* "" and line 0 without debug information */
    int line;
    int shown; /* the procedure has its own section; calls set this, too */
};
struct page_call {
    int caller, callee; /* numbers of procedures; caller -1: none */
    long calls, total;  /* total: the cost of the calls */
};
/* A source line that is shown, and the counts beside it. */
struct page_line {
    const char *file;
    int line;
    char counts[48]; /* the same width in all lines */
    char shade;      /* a class of the style: x executed, u not executed, p partly, h often; or 0 */
};

/* ---- page.c: the page and its tables ---- */

/* Begins a page and opens its file; false after an error, which has been reported. The arrays of procedures
   and source lines belong to the caller, and are sorted. */
struct page {
    const char *out, *tool, *program, *about;
    struct page_procedure *procedures;
    int procedure_count;
    struct page_call *calls;
    int call_count;
    struct page_line *lines;
    int line_count, around; /* lines shown before and after the given ones */
    const char *total_title, *line_titles;
};
int page_begin(const struct page *page);
/* Ends it, with the procedures' sections and the source. */
void page_end(void);
extern struct page page_now;

/* A table that the reader can sort. `|` separates the titles of the columns. Before each title is its type:
 * # a number, ' a text. */
void page_table(const char *id, const char *heading, const char *columns);
void page_row(void);
void page_table_end(void);
/* Cells. */
void page_number(long number);
void page_ratio(long part, long whole); /* per cent; a bar as long */
void page_procedure(int number);
void page_place(const char *file, int line);
void page_cell_text(const char *text);

/* ---- what they are made of ---- */

void page_text(const char *text); /* without escaping */
void page_format(const char *format, ...) __attribute__((format(printf, 1, 2)));
void page_decimal(long number);
void page_escaped(const char *text);
void page_escaped_bytes(const char *text, size_t count);
#define PAGE_DIGITS 32
const char *page_digits(long number, char buffer[PAGE_DIGITS]); /* digits in groups of three */
void page_procedure_link(int number);
void page_place_link(const char *file, int line);
void *page_memory(long count, long size); /* zeroed; without memory, the process ends */

/* ---- page_calls.c and page_source.c ---- */

void page_prepare_calls(void);
void page_write_calls(void);
void page_prepare_source(void);
void page_write_source(void);
/* The number of the file among the files whose source is in the page, from 1; 0: its source is not in the
   page. */
int page_source_number(const char *file);
/* The line's number in the file if the page has that line, else 0. */
int page_source_line(int source, int line);

extern const char page_style[], page_script[];

#endif
