/* rows.h: files of rows (docs/json.md): results that describe themselves. Requires jansson. */
#ifndef ATOMC_RESULTS_ROWS_H
#define ATOMC_RESULTS_ROWS_H

#include <jansson.h>
#include <stdio.h>

#include "support/support.h"

enum row_type { ROW_TEXT, ROW_INTEGER, ROW_REAL, ROW_ADDRESS };
enum row_role {
    ROW_KEY,
    ROW_LABEL,
    ROW_MEASURE,
    ROW_NODE,  /* for a tree: the row's number, from 1 */
    ROW_PARENT /* the node of an earlier row; 0: none */
};
enum row_merge {
    ROW_SAME,
    ROW_SUM,
    ROW_LEAST,
    ROW_GREATEST,
    ROW_SHARE, /* of column .of[0] */
    ROW_RATIO, /* column .of[0] by column .of[1] */
    ROW_NONE
};
enum { ROW_TYPES = ROW_ADDRESS + 1, ROW_ROLES = ROW_PARENT + 1, ROW_MERGES = ROW_NONE + 1 }; /* how many */

struct row_column {
    const char *title, *unit, *attribute; /* "": it has none */
    enum row_type type;
    enum row_role role;
    enum row_merge merge;
    uint32_t of[2];
    bool hidden;
};

union row_value {
    const char *text; /* until the next row is read */
    int64_t integer;  /* set for an address, too */
    double real;
};

/* A value that may be missing. */
struct cell {
    bool missing;
    union row_value value;
};

struct rows {
    const char *path;
    json_t *header;
    const char *tool, *report, *program; /* text of the header; "": not given */
    const char *program_digest;
    int64_t process, parent;
    struct row_column *columns;
    uint32_t column_count;
    bool is_tree;
    uint32_t node, above; /* its columns */
    uint64_t row_count;   /* read so far */
    bool is_cut;          /* a table of times whose last line is missing: .cut is its last time */
    int64_t cut;
    /* For the reader. */
    FILE *stream;
    char *line;
    size_t line_size;
    json_t *row;
    union row_value *values;
    bool *missing; /* indexed by column: null, which is allowed for a key or a label in a row without one */
    struct arena *arena;
    struct diagnostics *diagnostics;
};

/* Returns false after an error, which is reported: it cannot be read, or is not a file of rows. */
bool rows_open(struct rows *rows, const char *path, struct diagnostics *diagnostics);
/* The next row's values; NULL at the end. An incomplete file is an error, which is reported. */
const union row_value *rows_next(struct rows *rows);
/* True if everything has been read without an error. */
bool rows_are_whole(const struct rows *rows);
void rows_close(struct rows *rows);

/* Finds the columns of a tree; returns false if the table is not one. */
bool row_tree(const struct row_column *columns, uint32_t count, uint32_t *node, uint32_t *parent);
extern const char *const row_type_words[], *const row_role_words[], *const row_merge_words[];

#endif
