/* store.h: rows in SQLite: a table for each shape of report, and what is said of each (results/schema.sql).
   Requires SQLite 3.37, for STRICT tables. */
#ifndef ATOMC_RESULTS_STORE_H
#define ATOMC_RESULTS_STORE_H

#include <sqlite3.h>

#include "results/rows.h"

/* Reports of one shape have the same columns, tool, file and parameters. */
struct shape {
    int64_t id;
    char *tool, *report; /* as in the header */
    struct row_column *columns;
    uint32_t column_count;
    json_t *header;
};

struct store {
    sqlite3 *database;
    const char *path; /* NULL: it is in memory */
    struct diagnostics *diagnostics;
    struct arena *arena;
    struct shape *shapes;
    uint32_t shape_count, shape_capacity;
    struct known_text *texts; /* their numbers */
    sqlite3_stmt *insert_text, *find_text, *read_text;
    bool failed; /* an error of SQLite was reported */
};

bool store_open(struct store *store, const char *path, struct diagnostics *diagnostics);
void store_close(struct store *store);
/* Adds the file to a run. False after an error, which is reported: nothing of it is in the store then. The
   number of the report, and its shape, are set. */
bool store_add(struct store *store, const char *path, int64_t run, int64_t *report, uint32_t *shape);
/* The run of that key; it is added if there is none. `*is_new`: it was not there. */
int64_t store_run(struct store *store, const char *key, const char *name, bool *is_new);
/* The text of that number: until the next call. */
const char *store_text(struct store *store, int64_t number);
bool store_execute(struct store *store, const char *sql);
/* Compiles; NULL after an error, which is reported. */
sqlite3_stmt *store_prepare(struct store *store, const char *sql);
/* A view with readable names for each shape. */
bool store_make_views(struct store *store);

#endif
