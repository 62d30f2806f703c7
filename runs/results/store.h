/* store.h: a project's database: rows in SQLite, with a table for each shape of report, and records of runs
   (runs/results/schema.sql). Used by atomc-results, campaigns and the workbench. Requires SQLite 3.37, for
   STRICT tables. */
#ifndef ATOMC_RESULTS_STORE_H
#define ATOMC_RESULTS_STORE_H

#include <sqlite3.h>

#include "runs/results/rows.h"

/* Values of PRAGMA user_version and application_id. */
enum { STORE_VERSION = 4, STORE_MARK = 0x61746d63 /* "atmc" */ };

/* Reports of one shape have the same columns, tool and file. */
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
    bool is_attached; /* the connection is another's */
    bool is_newer;    /* the database has a later version than this program supports: it is only read */
    struct shape *shapes;
    uint32_t shape_count, shape_capacity;
    struct known_text *texts; /* their numbers */
    sqlite3_stmt *insert_text, *find_text, *read_text;
    bool failed; /* an error of SQLite was reported */
};

enum store_use {
    STORE_WRITE, /* the database is created if it does not exist, and upgraded to this version */
    STORE_READ,  /* it must exist */
};
/* Only one thread uses a store at a time. `path`: NULL: the store is in memory. False after an error, which
   is reported; it must be closed in any case. */
bool store_open(struct store *store, const char *path, enum store_use use, struct diagnostics *diagnostics);
/* Makes a store of a connection that is open already. The connection stays open. */
void store_attach(struct store *store, sqlite3 *database, const char *path, struct diagnostics *diagnostics);
void store_close(struct store *store);
/* For readers beside the writer: uses SQLite's write-ahead log, unless the database is on a network file
   system, which does not support the log. There readers wait for the writer. `*waits`: they do. */
bool store_share(struct store *store, bool *waits);

/* ---- runs ---------------------------------------------------------------------------------------------- */

/* Adds the run whose results are in the folder, completely or not at all: run.json (docs/job.md), if there is
   one, and all files of rows. Uses the caller's transaction, or one of its own. A run whose results the store
   has already is left unchanged; `*is_new`: the store did not have them. If run.json exists, an incomplete
   table is omitted, and a diagnostic of the run reports it. */
bool store_collect(struct store *store, const char *folder, int64_t *run, bool *is_new);
/* The run of that key; it is added if it does not exist. */
int64_t store_run(struct store *store, const char *key, const char *name, bool *is_new);
/* The program of that name and contents; it is added if it does not exist. */
int64_t store_program(struct store *store, const char *name, const char *digest);
/* Adds the file to a run. False after an error, which is reported: nothing of it is in the store then. The
   number of the report, and its shape, are set. */
bool store_add(struct store *store, const char *path, int64_t run, int64_t *report, uint32_t *shape);
/* Adds the tools and parameters of runs from that run on which have none yet, as named by their reports. */
bool store_note_tools(struct store *store, int64_t first_run);
/* The files of rows below a folder, or the file itself, in the order of names. Returns false after an
   error. */
bool find_rows_files(struct arena *arena, struct diagnostics *diagnostics, const char *input,
                     const char ***files, uint32_t *count);
/* False after an error: the input has no files of rows. */
bool has_rows(struct diagnostics *diagnostics, const char *input, uint32_t count);

/* ---- what is in it -------------------------------------------------------------------------------------- */

/* The index in store->shapes of the shape with that number in the database; store->shape_count after an
   error. */
uint32_t store_shape(struct store *store, int64_t id);
/* The text of that number; it is valid until the next call. */
const char *store_text(struct store *store, int64_t number);
/* The number of a text, which is added if it does not exist. */
int64_t store_text_number(struct store *store, const char *text);
/* A value of the query's row: texts are given by their numbers, and copied into the arena. */
struct cell store_cell(struct store *store, sqlite3_stmt *query, int at, enum row_type type,
                       struct arena *arena);
bool store_execute(struct store *store, const char *sql);
/* Compiles; NULL after an error, which is reported. */
sqlite3_stmt *store_prepare(struct store *store, const char *sql);
/* For statements that change data: executes the statement one time, and prepares it for new values. */
bool store_step(struct store *store, sqlite3_stmt *statement);
/* The database's folder, beside which other folders are; "." for a database in memory. Allocated in the
   store's arena. */
const char *store_folder(struct store *store);

/* The total row of tables such as dynmem's has the name "all" and no address. A sum over all rows would count
   each value a second time. Returns false if tables of this shape have no total row; else the columns that
   identify it. */
bool shape_whole(const struct shape *shape, uint32_t *name, uint32_t *address);
/* SQL: the row of the shape's table is not a total row. */
void shape_write_parts(const struct shape *shape, FILE *stream);
/* True for a text or a time that is the kind of a row: rows of different kinds, such as levels of caches, are
   not added.
 */
bool is_kind(const struct row_column *column);
/* True for the time of rows that were written while the program ran: a counter's value. */
bool is_time(const struct row_column *column);
/* The column of the times of rows that were written while the program ran; NULL: there is none. */
const struct row_column *shape_time(const struct shape *shape);
/* A number that includes parts of other rows' numbers; it is not added either. */
bool is_inclusive(const struct row_column *column);
/* SQL, beside sums over rows: true if they may be added in this column. */
void shape_write_addable(const struct shape *shape, uint32_t column, FILE *stream);
/* True if a row with these values is a total row. */
bool is_whole_row(const char *name, int64_t address);

/* ---- between the parts of the store ------------------------------------------------------------------------------ */

/* The shape of the file; it is added if it does not exist. Returns store->shape_count after an error. */
uint32_t store_find_shape(struct store *store, const struct rows *rows);
/* Makes the views of all shapes again. */
bool store_renew_views(struct store *store);
/* Makes the view of total rows, if it does not exist. */
bool store_make_view_of_wholes(struct store *store, const struct shape *shape);
/* Reports SQLite's error: false. */
bool store_failed(struct store *store);
/* After a rollback: forgets the texts, and the shapes after the first `shapes`, which may not exist. */
void store_forget(struct store *store, uint32_t shapes);

#endif
