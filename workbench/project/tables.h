/* tables.h: a table that a tool reported, as a query: the table of one process, or of all processes of the
   run combined (runs/results/select.h). For the functions that answer requests about tables. */
#ifndef ATOMC_WORKBENCH_TABLES_H
#define ATOMC_WORKBENCH_TABLES_H

#include "runs/results/select.h"
#include "workbench/api/api.h"

struct table {
    struct store store;
    struct diagnostics *diagnostics;
    struct selection selection;
    const struct shape *shape;
    int64_t run;
    uint64_t rows;
    bool merged;    /* of several processes */
    bool disk_full; /* the error that was met */
};

/* The table of that number; with merged=1 in the request, the tables of all processes. False: the request has
   been answered with an error. The caller must close it in either case. */
bool table_open(struct request *request, struct answer *answer, struct table *table);
void table_close(struct table *table);
/* The error that was met on the way: SQLite's, or a diagnostic. */
void table_answer_error(struct table *table, struct answer *answer);
json_t *table_column_json(const struct row_column *column);

/* The parts of a request about rows: where, find, sort. */
enum comparison { AT_LEAST, AT_MOST, DIFFERENT, MORE, LESS, EQUAL, LIKE, UNLIKE };
struct condition {
    uint32_t column;
    enum comparison comparison;
    const char *value;
};
struct rows_wanted {
    struct condition *conditions;
    uint32_t condition_count;
    const char *find; /* "": anything */
    uint32_t sort;    /* number of a column; column_count: the order in which the tool wrote them */
    bool descending;
};
/* False: answered. */
bool rows_wanted_read(struct request *request, struct answer *answer, const struct table *table,
                      struct rows_wanted *wanted);
/* SQL: the row of data_SHAPE is not a total row (shape_write_parts()). */
const char *table_parts(struct request *request, int64_t shape);
/* SQL: the rows of the table may be added in this column (shape_write_addable()). */
const char *table_addable(struct request *request, int64_t shape, uint32_t column);
/* " FROM (...) AS t": columns c0, c1 ...; row only for a table that is not merged. */
void table_write_from(const struct table *table, FILE *stream);
/* " WHERE ...", or nothing. Its values have to be bound. */
void table_write_where(const struct table *table, const struct rows_wanted *wanted, FILE *stream);
/* " ORDER BY ..." */
void table_write_order(const struct table *table, const struct rows_wanted *wanted, FILE *stream);
void table_bind(const struct table *table, const struct rows_wanted *wanted, sqlite3_stmt *query);
/* The statement with the requested values bound. Releases its text. NULL after an error. */
sqlite3_stmt *table_prepare(struct table *table, const struct rows_wanted *wanted, char *sql);
/* "SELECT json_array(...)": the rows as JSON has them. */
void table_write_rows(const struct table *table, FILE *stream);
/* An expression for the value of a column in JSON: texts and addresses as texts, and so integers beyond
   2^53. */
void table_write_value(const struct row_column *column, uint32_t number, FILE *stream);

#endif
