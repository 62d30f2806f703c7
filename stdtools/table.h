/* table.h: for analysis routines: results as tables, as `report` writes them. ATOMC_FORMAT and ATOMC_OUT
   choose form and place. The functions are in the runtime (runtime/report/table.c): there is nothing to link.
 */
#ifndef ATOMC_TABLE_H
#define ATOMC_TABLE_H

#include <stdio.h>

/* Begins the table in FILE ("-" is standard output, "stderr" standard error). `|` separates the titles of the
   columns. Before each title is its mark:
     '  a text                               @  an address of the program; 0: none, an empty cell
     #  a number; those of runs are added    =  a number that is none of a measurement: a line, a size
     +  the same, but never added over rows: ~  a number that is no sum: a mean
        it has something of other rows' in it
     *  a text that says which kind a row is of: rows of two kinds are not added
     ^  the greatest of runs counts          _  the least
     .  hundredths, shown with a point       %  TITLE:PART/WHOLE: a ratio of two other columns, in per cent
     &  the number of a tree's node, which   <  that of its parent, whose row comes before; 0: it has none
        is its row's, from 1
   A table with the last two is a tree: a row is a node, and its measures are the node's own, without those of
   the nodes below. Siblings differ in a label.
   Only one table can be open. An error, in the columns too, is reported on standard error, and of that table
   nothing is written. */
void atomc_begin_table(const char *tool, const char *file, const char *columns);
/* The values, as many as there are columns that are not computed, each a long or a const char *. */
void atomc_add_row(long first, ...);
/* Several rows, at fewer instructions for each: of each such column its values, after each other. */
void atomc_add_rows(long count, const long *const *columns);
void atomc_end_table(void);

/* A counter with keys, whose name a call after the program passes. Updates it as `counter[keys...] += amount`
   does; each key is a long or a const char *, as the counter says. */
struct atomc_keyed;
void atomc_update_counter(struct atomc_keyed *counter, long amount, ...);

/* A file without a table, in the same place; NULL after an error, which has been reported. Other files, and a
   table, may be begun before it ends: the one begun last ends first. */
FILE *atomc_begin_file(const char *file);
/* The same for a text that people read: `atomc run` shows it, as it shows tables. */
FILE *atomc_begin_text(const char *file);
/* Whether results are for programs (ATOMC_FORMAT=csv, json or rows): a tool whose text for people is no table
   writes its tables then. */
int atomc_for_programs(void);
/* Whether a table that is begun now in this file would be seen on a terminal: there, a text may say more. */
int atomc_for_terminal(const char *file);
void atomc_end_file(void);

/* What C++ writes for a procedure's symbol, for texts that people read: tables have symbols, for which a
   terminal shows the same. The symbol itself if it is none of C++, or if --no-demangle asks for it. */
const char *atomc_shown_name(const char *symbol);
/* Writes it, in a line of a text in which so many characters stand beside it: on a terminal it is as short as
   that needs. */
void atomc_write_name(FILE *file, const char *symbol, long used);

/* A line on standard error, with `atomc: ` before it, if it is also said which files are written there: on a
   terminal, or with ATOMC_QUIET=0. */
void atomc_announce(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Whether such a line is written. */
int atomc_announces(void);

/* A tool that keeps what it writes in a buffer of its own has it written before the process forks: otherwise
   parent and child both would write it. */
void atomc_before_fork(void (*write)(void));

#endif
