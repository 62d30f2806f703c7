/* display.h: the best chart for a table: the chart of its page (`display`), or a chart that suits its
   columns. */
#ifndef ATOMC_RESULTS_DISPLAY_H
#define ATOMC_RESULTS_DISPLAY_H

#include "runs/results/store.h"

enum display_kind {
#define DISPLAY(identifier, ...) DISPLAY_##identifier,
#include "plan/displays.def"
#undef DISPLAY
    DISPLAY_FACTS, /* one row: its columns as a list */
    DISPLAY_KINDS
};
extern const char *const display_words[DISPLAY_KINDS];

enum { DISPLAY_COLUMNS = 3 };
struct display {
    enum display_kind kind;
    /* columns of the shape, in the order of plan/displays.def; for a tree, the measure and its nodes; the
       shape's column_count: none */
    uint32_t columns[DISPLAY_COLUMNS];
    bool given; /* by the page */
};
struct display display_of(const struct shape *shape);
/* `KIND COLUMN WORD COLUMN ...`, in the syntax of a page; titles with spaces are in quotation marks.
   Returns false if it does not fit the table; *wrong is the word. */
bool display_parse(const struct shape *shape, const char *text, struct arena *arena, struct display *display,
                   const char **wrong);
/* {"kind": ..., "columns": [...], "given": ...} */
json_t *display_json(const struct shape *shape);

#endif
