/* meaning.h: the meaning of the values in a report's columns, and how the values of several runs are
   merged. All of this follows from the plan: counts are added, shares and ratios are computed again, other
   values are not merged. Requires a checked plan. */
#ifndef ATOMC_PLAN_MEANING_H
#define ATOMC_PLAN_MEANING_H

#include "plan/plan.h"

/* For one row in several runs of one program. */
enum plan_merge {
    PLAN_MERGE_SAME,  /* static: equal in all runs */
    PLAN_MERGE_SUM,   /* added */
    PLAN_MERGE_LEAST, /* the least or the greatest of the values */
    PLAN_MERGE_GREATEST,
    PLAN_MERGE_SHARE, /* .parts[0], in percent of its sum over all rows */
    PLAN_MERGE_RATIO, /* .parts[0] divided by .parts[1] */
    PLAN_MERGE_NONE,  /* a merged value has no meaning: a last value, an expression that cannot be added */
    PLAN_MERGE_COUNT
};
enum plan_role {
    PLAN_ROLE_KEY,     /* it identifies the row */
    PLAN_ROLE_LABEL,   /* a property of that place, known before the run */
    PLAN_ROLE_MEASURE, /* counted */
    PLAN_ROLE_COUNT
};
struct plan_meaning {
    enum plan_merge merge;
    enum plan_role role;
    enum plan_attribute attribute;          /* PLAN_ATTRIBUTE_COUNT: not an attribute */
    bool is_address, is_stack;              /* $stack */
    const struct plan_expression *parts[2]; /* parts of a share and of a ratio; NULL: none */
};
/* The meaning that follows from the expression alone. */
struct plan_meaning plan_meaning_of(const struct plan *plan, const struct plan_report *report,
                                    const struct plan_column *column);

/* How a value of several rows is computed: for a group, and for the line `total`. */
enum plan_together {
    PLAN_TOGETHER_FIRST,    /* the value is static: the first row's value */
    PLAN_TOGETHER_SUM,      /* their sum: it is an amount */
    PLAN_TOGETHER_QUOTIENT, /* a quotient of sums: it is an average */
    PLAN_TOGETHER_GREATEST,
    PLAN_TOGETHER_NONE /* not defined: least or last values, or values computed from averages */
};
enum plan_together plan_rows_together(const struct plan *plan, enum plan_column_format format,
                                      const struct plan_expression *value);

/* A column of a file of rows (docs/json.md). The visible columns are followed by hidden ones: the place of
   a row if no visible column identifies it, and the parts of shares and ratios. */
struct plan_row_column {
    const char *title;
    const char *unit; /* NULL: it follows from the value */
    enum plan_column_format format;
    const struct plan_expression *value;
    struct plan_meaning meaning;
    bool hidden;
    uint32_t parts[2]; /* the numbers of the columns of .meaning.parts; a share has only the first */
};
/* Allocated in the arena; the first report->column_count are the report's own. */
const struct plan_row_column *plan_row_columns(const struct plan *plan, const struct plan_report *report,
                                               struct arena *arena, uint32_t *count);

/* The words in results. */
/* text, integer, real or address */
const char *plan_row_type(const struct plan_row_column *column);
extern const char *const plan_merge_words[PLAN_MERGE_COUNT];
extern const char *const plan_role_words[PLAN_ROLE_COUNT];

#endif
