/* table.h: for analysis routines: results as tables, in the form and place that ATOMC_FORMAT and ATOMC_OUT
   ask for, as `report` writes them. The runtime has them (runtime/table.c): there is nothing to link. */
#ifndef ATOMC_TABLE_H
#define ATOMC_TABLE_H

#include <stdio.h>

/* Begins the table in FILE ("-" is standard output, "stderr" standard error). Titles of columns are separated
   by `|`; before each stands what it holds: `'` a text, `#` a number, `@` an address, `.` hundredths, shown
   with a point. One table at a time; an error is said on standard error, and the table is written nowhere. */
void atomc_begin_table(const char *tool, const char *file, const char *columns);
/* The values, as many as there are columns, each a long or a const char *. */
void atomc_add_row(long first, ...);
void atomc_end_table(void);

/* A file that is no table, in the same place; NULL after an error, which has been said. Others, and a table,
   may be begun before it ends: what was begun last ends first. */
FILE *atomc_begin_file(const char *file);
void atomc_end_file(void);

#endif
