/* export.h: rows in the formats of other programs: the columns that are needed, and the writers. */
#ifndef ATOMC_RESULTS_EXPORT_H
#define ATOMC_RESULTS_EXPORT_H

#include "runs/results/results.h"
#include "runs/results/tree.h"

/* The columns that identify a row's place in the source; the shape's column_count: there is none. */
struct source_columns {
    uint32_t name, file, line, address;
};
struct source_columns source_columns(const struct shape *shape);
/* The column's text and number; "" and 0 if it has none. */
const char *text_at(const struct cell *cells, uint32_t column, uint32_t columns);
int64_t number_at(const struct cell *cells, uint32_t column, uint32_t columns);
/* Integers that add up. */
bool is_event(const struct row_column *column);
/* The first column of that title, in upper or lower case; the shape's column_count: there is none. */
uint32_t column_titled(const struct shape *shape, const char *title, bool is_of_events);

/* The rows of a selection that has been set, each an array of cells by column. */
struct row_list {
    const struct cell **rows;
    uint32_t count, capacity;
};
bool read_rows(struct store *store, const struct selection *selection, struct arena *arena,
               struct row_list *list);

/* ---- names.c ------------------------------------------------------------------------------------------ */

/* The C++ name for the symbol; the text itself if it is not a symbol, or if symbols are requested. */
const char *shown_symbol(const struct request *request, const char *text);
/* The same for a label that begins with a symbol, followed by a blank and further text: returns its short
   form if the whole name has more than `room` bytes. */
const char *shown_label(const struct request *request, const char *label, uint32_t room);
void show_tree_names(const struct request *request, struct tree *tree);

/* ---- export_stacks.c: trees --------------------------------------------------------------------------- */

bool export_folded(const struct request *request, struct store *store, const struct selection *selection,
                   FILE *stream);
bool export_speedscope(const struct request *request, struct store *store, const struct selection *selection,
                       FILE *stream);

/* ---- export_trace.c: trees ---------------------------------------------------------------------------- */

bool export_trace(const struct request *request, struct store *store, const struct selection *selection,
                  FILE *stream);

/* ---- export_pprof.c: trees, or tables with names of procedures ------------------------------------------ */

bool export_pprof(const struct request *request, struct store *store, const struct selection *selection,
                  FILE *stream);

/* ---- export_html.c: all tables ------------------------------------------------------------------------- */

bool export_html(const struct request *request, struct store *store, const struct selections *selections,
                 FILE *stream);

/* ---- export_callgrind.c: trees, or tables with names of procedures -------------------------------------- */

bool export_callgrind(const struct request *request, struct store *store, const struct selection *selection,
                      FILE *stream);

/* ---- export_gmon.c: counts by address, and calls by caller and callee ------------------------------------ */

bool has_counts_by_address(const struct shape *shape);
/* A tree with calls and addresses, or a table with callers and callees. */
bool has_calls(const struct shape *shape);
/* `counts` and `calls` may be one tree. */
bool export_gmon(const struct request *request, struct store *store, const struct selection *counts,
                 const struct selection *calls, FILE *stream);

/* ---- export_lcov.c: tables with files and lines --------------------------------------------------------- */

/* The kind of coverage that a table contains. */
enum coverage_kind { COVERS_NOTHING, COVERS_LINES, COVERS_PROCEDURES, COVERS_BRANCHES, COVERAGE_KINDS };
enum coverage_kind coverage_kind_of(const struct shape *shape);
/* One table of each kind; NULL: there is none. */
bool export_lcov(const struct request *request, struct store *store,
                 const struct selection *const tables[COVERAGE_KINDS], FILE *stream);

#endif
