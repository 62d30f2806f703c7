/* select.h: the rows of several reports put together, as a query. Requires a store. */
#ifndef ATOMC_RESULTS_SELECT_H
#define ATOMC_RESULTS_SELECT_H

#include "runs/results/store.h"

/* Reports with equal columns, and the columns by which their rows are combined. */
struct selection {
    const struct shape *shape; /* of the first */
    const int64_t *reports;
    const uint32_t *shapes; /* of each */
    uint32_t report_count;
    bool *by;            /* indexed by column: rows are combined if these are equal */
    bool *shown;         /* columns that have a value then */
    const char **values; /* indexed by column: an expression that replaces it; NULL: the column itself */
    bool as_written;     /* a single report, whose rows are not combined: set before selection_choose() */
};

/* Reports of equal columns become one selection. */
struct selections {
    struct selection *list;
    uint32_t count, capacity;
};
/* Adds a report of a run to the list, or to the selection with its columns. Shapes are copied, because the
   store's list may move. */
void selections_add(struct store *store, struct selections *selections, int64_t report, uint32_t shape);

/* Combines rows by the columns of those titles (of all kinds, separated by commas), or by the keys if NULL.
   Returns false after an error: the table has no such column. */
bool selection_choose(struct store *store, struct selection *selection, const char *titles);
/* A title by which rows can be combined: the title of the procedures, if there are any, else the first key;
   NULL: there are no keys. */
const char *selection_title(struct store *store, const struct shape *shape);
/* The value of a column as an expression of the table's columns. */
void column_write(const struct selection *selection, uint32_t number, FILE *stream);
/* SELECT: a column c0, c1 ... for each of the shape's, NULL where it is not shown. Texts are numbers. */
void selection_write(const struct selection *selection, FILE *stream);
/* The same, in the order of a column's values; NULL after an error, which is reported. */
sqlite3_stmt *selection_prepare(struct store *store, const struct selection *selection, uint32_t order);
/* The column that measures how busy a row is: the first column whose values can be added. column_count if
   there is none. */
uint32_t selection_measure(const struct selection *selection);
/* The sums of columns, by column; missing where rows may not be added, such as levels of caches and inclusive
   counts, or if there are no rows. Returns false after an error. */
bool selection_totals(struct store *store, const struct selection *selection, const bool *wanted,
                      struct cell *totals);
/* The header for rows that are combined by those titles, or NULL. */
json_t *selection_header(struct store *store, const struct selection *selection, const char *by);
/* True if they belong to one program, and, as the keys require, to one file of it. */
bool is_one_program(struct store *store, const struct selection *selection);
bool has_one_parameters(struct store *store, const struct selection *selection);
/* The name of the first report's program, and its digest; the digest is "" if there are several programs.
   Allocated in the store's arena. */
const char *program_of(struct store *store, const struct selection *selection);
const char *digest_of(struct store *store, const struct selection *selection);
/* For the first report's tool. */
json_t *parameters_of(struct store *store, const struct selection *selection);
/* The expression of a column over several rows, but for shares, which need a whole. */
void merged_write(const struct row_column *column, uint32_t number, FILE *stream);
bool same_columns(const struct shape *left, const struct shape *right);

#endif
