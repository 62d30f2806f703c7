/* meaning.h: what the values of a report's columns are, and how those of several runs are put together. All
   of it follows from the plan: what is counted adds up, a share and a ratio are computed anew, the rest is
   not put together. Requires a checked plan. */
#ifndef ATOMC_PLAN_MEANING_H
#define ATOMC_PLAN_MEANING_H

#include "plan/plan.h"

/* Of a row in several runs of one program. */
enum plan_merge {
    PLAN_MERGE_SAME,  /* static: it is the same in all */
    PLAN_MERGE_SUM,   /* added */
    PLAN_MERGE_LEAST, /* the least, the greatest */
    PLAN_MERGE_GREATEST,
    PLAN_MERGE_SHARE, /* of .parts[0], a part of its sum: in per cent, of all rows */
    PLAN_MERGE_RATIO, /* .parts[0] divided by .parts[1] */
    PLAN_MERGE_NONE,  /* it has no meaning: a last value, an expression that does not add up */
    PLAN_MERGE_COUNT
};
enum plan_role {
    PLAN_ROLE_KEY,     /* it says which row this is */
    PLAN_ROLE_LABEL,   /* known of that before the run */
    PLAN_ROLE_MEASURE, /* counted */
    PLAN_ROLE_COUNT
};
struct plan_meaning {
    enum plan_merge merge;
    enum plan_role role;
    enum plan_attribute attribute;          /* PLAN_ATTRIBUTE_COUNT: it is none */
    bool is_address, is_stack;              /* $stack */
    const struct plan_expression *parts[2]; /* of a share and of a ratio; NULL: none */
};
/* What follows from the expression alone. */
struct plan_meaning plan_meaning_of(const struct plan *plan, const struct plan_report *report,
                                    const struct plan_column *column);

/* What a value is of several rows: of a group, and in the line `total`. */
enum plan_together {
    PLAN_TOGETHER_FIRST,    /* it is static: that of the first */
    PLAN_TOGETHER_SUM,      /* an amount */
    PLAN_TOGETHER_QUOTIENT, /* an average: of the sums of what is divided */
    PLAN_TOGETHER_GREATEST,
    PLAN_TOGETHER_NONE /* nothing: what was least or last, or is made of averages */
};
enum plan_together plan_rows_together(const struct plan *plan, enum plan_column_format format,
                                      const struct plan_expression *value);

/* A column of a file of rows (docs/json.md). After those that the report shows are hidden ones: the place
   that a row is about where none tells it, and what shares and ratios are made of. */
struct plan_row_column {
    const char *title;
    const char *unit; /* NULL: it follows from the value */
    enum plan_column_format format;
    const struct plan_expression *value;
    struct plan_meaning meaning;
    bool hidden;
    uint32_t parts[2]; /* the columns of .meaning.parts, of a share the first */
};
/* In the arena; the first report->column_count are the report's own. */
const struct plan_row_column *plan_row_columns(const struct plan *plan, const struct plan_report *report,
                                               struct arena *arena, uint32_t *count);

/* As results say them. */
/* text, integer, real or address */
const char *plan_row_type(const struct plan_row_column *column);
extern const char *const plan_merge_words[PLAN_MERGE_COUNT];
extern const char *const plan_role_words[PLAN_ROLE_COUNT];

#endif
