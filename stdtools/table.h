/* table.h: for analysis routines: results as tables, in the format of `report`. ATOMC_FORMAT and ATOMC_OUT
   choose format and directory. The functions are in the runtime (runtime/report/table.c): no file has to be
   linked.
 */
#ifndef ATOMC_TABLE_H
#define ATOMC_TABLE_H

#include <stdio.h>

/* Begins the table in FILE ("-" is standard output, "stderr" standard error). `|` separates the titles of
   the columns. Before each title is its mark:
     '  a text                               @  an address of the program; 0: none, an empty cell
     #  a number; values of runs are added   =  a number that is not a measurement: a line, a size
     +  the same, but never added over rows: ~  a number that cannot be added: a mean
        it includes values of other rows
     *  a text, the kind of a row: rows of different kinds are not added
     ^  runs are merged by the greatest      _  ... by the least
     .  hundredths, shown with a point       %  TITLE:PART/WHOLE: a ratio of two other columns, in per cent
     &  the number of a tree's node, which   <  that of its parent, whose row comes before; 0: none
        is the number of its row, from 1
     !  ATTRIBUTE, such as inst.file, inst.line or inst.pc: a column that only files of rows have, after all
        others: programs that show the row beside its source find the place there
   A table with & and < is a tree: a row is a node, and its measures do not include those of the nodes
   below. Siblings differ in a label. Only one table can be open. An error, including one in the columns, is
   reported on standard error, and the table is not written. */
void atomc_begin_table(const char *tool, const char *file, const char *columns);
/* The values, one for each column that is not computed, each a long or a const char *. */
void atomc_add_row(long first, ...);
/* Several rows, with fewer instructions for each: for each such column an array of its values. */
void atomc_add_rows(long count, const long *const *columns);
void atomc_end_table(void);

/* A counter with keys, whose name is passed by a call after the program. Updates it like `counter[keys...]
   += amount`; each key is a long or a const char *, by the counter's declaration. */
struct atomc_keyed;
void atomc_update_counter(struct atomc_keyed *counter, long amount, ...);

/* A file without a table, in the same directory; NULL after an error, which has been reported. Other files,
   and a table, may be begun before it ends: the file or table begun last ends first. */
FILE *atomc_begin_file(const char *file);
/* The same for a text for readers: `atomc run` shows it, as it shows tables. */
FILE *atomc_begin_text(const char *file);
/* True if results are for programs (ATOMC_FORMAT=csv, json or rows): then a tool that usually prints text
   writes tables. */
int atomc_for_programs(void);
/* True if a table begun now in this file would be on a terminal: more text may be written then. */
int atomc_for_terminal(const char *file);
void atomc_end_file(void);

/* The C++ name for a procedure's symbol, for texts that people read: tables have symbols, and a terminal
   shows their names. The symbol itself if it is not a C++ symbol, or with --no-demangle. */
const char *atomc_shown_name(const char *symbol);
/* Writes the name in a line of text with `used` other characters: on a terminal it is shortened to fit. */
void atomc_write_name(FILE *file, const char *symbol, long used);

/* Writes a line on standard error, after `atomc: `, if written files are announced on standard error: on a
   terminal, or with ATOMC_QUIET=0. */
void atomc_announce(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* True if such a line is written. */
int atomc_announces(void);

/* For a tool with its own output buffer: `write` is called before the process forks; otherwise both parent
   and child would write the buffer. */
void atomc_before_fork(void (*write)(void));

#endif
