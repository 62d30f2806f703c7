/* table.h: tables of a campaign's results: a formula, its value for each run, and cells. Requires a store. */
#ifndef ATOMC_CAMPAIGN_TABLE_H
#define ATOMC_CAMPAIGN_TABLE_H

#include "runs/campaign/campaign.h"

/* ---- formula.c ---- */

enum step_kind { STEP_NUMBER, STEP_NAME, STEP_ADD, STEP_SUBTRACT, STEP_MULTIPLY, STEP_DIVIDE, STEP_NEGATE };
struct step {
    enum step_kind kind;
    double number; /* of STEP_NUMBER */
    uint32_t name; /* of STEP_NAME */
};
/* Sorted in the order of evaluation, operands first. */
struct formula {
    const char *text;
    struct step *steps;
    const char **names; /* columns, and facts of runs */
    struct source_span *places;
    uint32_t step_count, name_count;
    struct source source;
};
/* Returns false after an error, which is reported. All members are allocated in the arena. */
bool formula_parse(struct formula *formula, const char *text, struct arena *arena,
                   struct diagnostics *diagnostics);
/* NaN if undefined, for instance after a division by zero. */
double formula_value(const struct formula *formula, const double *values);

/* ---- values.c ---- */

/* For one run. */
struct value {
    enum { VALUE_MISSING, VALUE_INTEGER, VALUE_REAL } kind; /* VALUE_MISSING: it is not collected */
    int64_t integer;
    double real;    /* set in both cases; NaN: the formula has no value */
    bool absent;    /* because the run has no column of one of its names */
    bool cut_short; /* the run was stopped; also if VALUE_MISSING */
};
/* Indexed by run of the matrix; in the campaign's arena. NULL after an error, which is reported. */
struct value *collected_values(struct session *session, const struct formula *formula);

/* ---- pivot.c ---- */

enum way { WAY_SUM, WAY_MEAN, WAY_GEOMETRIC, WAY_LEAST, WAY_GREATEST, WAY_COUNT };
extern const char *const way_words[WAY_COUNT], *const way_titles[WAY_COUNT];
bool find_way(const char *word, enum way *way);

/* One side of the table: its dimensions, and the runs' values for them. */
struct side {
    const char **dimensions;
    uint32_t dimension_count;
    const char ***texts; /* indexed by entry and dimension; "-" for a parameter that the tool does not have */
    uint32_t count;      /* number of entries; at least one */
    uint32_t *of;        /* indexed by run: its entry */
};
struct pivot_cell {
    struct value value;          /* VALUE_MISSING: not all its runs are collected */
    uint32_t runs, missing, cut; /* cut: stopped runs */
    double least, greatest;      /* of its runs, if all are collected; NaN: the value of a run is undefined */
};
struct pivot {
    const struct matrix *matrix;
    struct side panels, rows, columns;
    const char **over; /* the remaining dimensions that have several values */
    uint32_t over_count;
    enum way way, summary;
    bool has_summary;
    struct pivot_cell *cells;     /* indexed by panel, row and column */
    struct pivot_cell *summaries; /* indexed by panel and column */
    uint32_t incomplete, missing; /* cells, runs */
    uint32_t marked, cut;         /* cells with stopped runs, and these */
    uint32_t absent;              /* cells without a value because a run has none */
    uint32_t
        /* cells without a value: a division by zero, or a geometric mean of values that are not positive */
        undefined;
};
bool pivot_make(struct pivot *pivot, struct session *session, const struct value *values);

#endif
