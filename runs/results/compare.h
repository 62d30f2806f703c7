/* compare.h: the rows of two runs' tables side by side: increases and decreases in B. Requires a store.
 */
#ifndef ATOMC_RESULTS_COMPARE_H
#define ATOMC_RESULTS_COMPARE_H

#include "runs/results/match.h"
#include "runs/results/print.h"

/* A row of one side or of both: rows are one if the columns of struct selection's .by are equal. */
struct compared {
    struct cell *sides[2]; /* indexed by column of the shape; texts are numbers: see compared_value() */
    bool in[2];
    uint32_t order;    /* number of the keys */
    double difference; /* of the measure */
    double second;     /* change of the first other column that differs and adds up: the order of
                          COMPARED_OTHER */
};
/* The change of the measure in B; in COMPARED_OTHER other columns differ. Rows are in this order. */
enum compared_group { COMPARED_MORE, COMPARED_LESS, COMPARED_OTHER, COMPARED_GROUPS };

struct compared_table {
    struct store *store;
    struct selection sides[2]; /* A and B: same_columns() */
    const char *by;            /* titles of columns; NULL: the keys, or, for other builds, common names */
    double threshold;          /* per cent of a column's sum: smaller differences are only counted */
    struct source_reader reader;
    struct code_reader code; /* .read NULL: the programs' procedures are unknown */
    bool keep_all;           /* .all has all rows, including unchanged ones */
    /* The results of compare_rows(). */
    /* the titles by which rows were compared, if builds differ and .by was not given; NULL: the keys */
    const char *titles;
    bool other_build; /* A and B are not of one file of a program */
    bool by_code;     /* places in procedures that are equal in both builds have A's addresses, all other
                         places NULL */
    uint32_t same_procedures, procedures; /* how many these are, of how many, of the build that has more */
    uint32_t *keys, key_count;            /* columns in the order in which rows are compared */
    /* among .keys: the number of addresses; the number of keys that suffice for rows with addresses */
    uint32_t place_count, telling_count;
    uint32_t unread; /* source files whose lines were compared by number */
    /* the column by which rows are sorted; the shape's column_count: no column can be added */
    uint32_t measure;
    struct cell *totals[2]; /* the sums in A and in B, by column; missing if it cannot be added in both */
    double *sums;           /* indexed by column: the value of the larger side */
    struct compared *rows;  /* rows that differ, by group, the larger differences first */
    uint32_t count, groups[COMPARED_GROUPS]; /* how many rows are of each */
    uint64_t equal, below;                   /* rows that are not among them */
    struct compared *all;                    /* rows in the order of the keys; a tree is always in this
                                                order */
    uint32_t all_count;
    uint32_t clones; /* names of clones that only one side has */
    uint32_t lines;  /* the column of lines with A's numbers, negative if A has no such line */
    bool is_tree;
    uint32_t node, parent;         /* its columns */
    const struct compared **paths; /* indexed by the numbers of paths; NULL: there is no such path */
    int64_t path_count;
    struct arena *arena;
};
/* The column of that title whose sums are known, NULL: the first; the shape's column_count if there is none.
 */
uint32_t compared_total(const struct compared_table *comparison, const char *title);
/* Per cent by which the sum is greater in B; infinite if A has nothing. */
double compared_percent(const struct compared_table *comparison, uint32_t column);
enum compared_group compared_group(const struct compared *row);
/* False after an error, which is reported. compare_end() in any case. */
bool compare_rows(struct compared_table *comparison);
void compare_end(struct compared_table *comparison);

/* The parts of a row that are shown. */
enum shown {
    SHOWN_VALUE,
    SHOWN_A,
    SHOWN_B,
    SHOWN_DIFFERENCE,
    SHOWN_QUOTIENT,
    SHOWN_STATE, /* new, gone, more, less or other */
    SHOWN_PATH   /* for a tree: names from the root on */
};
extern const char *const shown_words[];
struct shown_columns {
    struct row_column *columns; /* as printed */
    struct {
        enum shown what;
        uint32_t column; /* of the shape */
    } * from;
    uint32_t count;
};
void compare_columns(struct compared_table *comparison, struct shown_columns *shown);
/* A cell for each of the columns; texts are in the comparison's arena. */
void compare_cells(struct compared_table *comparison, const struct shown_columns *shown,
                   const struct compared *row, struct cell *cells);
/* The table in the format of atomc diff. of: the title of the count in the headline; NULL: the first. */
void compare_print(struct compared_table *comparison, enum print_form form, const char *of, FILE *stream);
/* [{"title", "column", "a", "b", "difference", "percent"}]: the sums. */
json_t *compare_totals_json(const struct compared_table *comparison);
/* The value of a key or a label: of the side that has one. Texts are numbers. */
const struct cell *compared_value(const struct compared *row, uint32_t column);
double compared_number(const struct row_column *column, const struct cell *cell);
bool compared_adds_up(const struct row_column *column);

#endif
