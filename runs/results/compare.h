/* compare.h: the rows of two runs' tables side by side: what is more and what is less in B. Requires a store.
 */
#ifndef ATOMC_RESULTS_COMPARE_H
#define ATOMC_RESULTS_COMPARE_H

#include "runs/results/match.h"
#include "runs/results/print.h"

/* A row of one side or of both: rows are one if the columns of struct selection's .by are equal. */
struct compared {
    struct cell *sides[2]; /* by column of the shape; texts are numbers: see compared_value() */
    bool in[2];
    uint32_t order;    /* that of the keys */
    double difference; /* of the measure */
    double second;     /* of the first other column that differs and adds up: the order of COMPARED_OTHER */
};
/* What the measure is in B; other columns of COMPARED_OTHER differ. Rows stand in this order. */
enum compared_group { COMPARED_MORE, COMPARED_LESS, COMPARED_OTHER, COMPARED_GROUPS };

struct compared_table {
    struct store *store;
    struct selection sides[2]; /* A and B: same_columns() */
    const char *by;            /* titles of columns; NULL: the keys, or, of other builds, common names */
    double threshold;          /* per cent of a column's sum: smaller differences are only counted */
    struct source_reader reader;
    struct code_reader code; /* .read NULL: nothing is known of the programs' procedures */
    bool keep_all;           /* .all has all rows, too */
    /* What compare_rows() finds. */
    const char *titles; /* that it was compared by, as there was no .by for other builds; NULL: the keys */
    bool other_build;   /* A and B are not of one file of a program */
    bool by_code; /* places in procedures that are the same in both builds are those of A, of others NULL */
    uint32_t same_procedures, procedures; /* how many these are, of how many, of the build that has more */
    uint32_t *keys, key_count;            /* columns in the order in which they tell rows apart */
    uint32_t place_count, telling_count;  /* of .keys: addresses; what is enough for rows that have them */
    uint32_t unread;                      /* source files whose lines were compared by their numbers */
    uint32_t measure;      /* that rows are sorted by; the shape's column_count: none adds up */
    double *sums;          /* by column, of the larger side */
    struct compared *rows; /* those that differ, by group, the larger differences first */
    uint32_t count, groups[COMPARED_GROUPS]; /* how many rows are of each */
    uint64_t equal, below;                   /* rows that are not among them */
    struct compared *all;                    /* in the order of the keys; of a tree always */
    uint32_t all_count;
    uint32_t clones; /* names of clones that only one side has */
    uint32_t lines;  /* the column of lines that are numbered as in A, negative where there is no such line */
    bool is_tree;
    uint32_t node, parent;         /* its columns */
    const struct compared **paths; /* by the numbers of paths; NULL: there is none */
    int64_t path_count;
    struct arena *arena;
};
enum compared_group compared_group(const struct compared *row);
/* False after an error, which is reported. compare_end() in any case. */
bool compare_rows(struct compared_table *comparison);
void compare_end(struct compared_table *comparison);

/* What is shown of a row. */
enum shown {
    SHOWN_VALUE,
    SHOWN_A,
    SHOWN_B,
    SHOWN_DIFFERENCE,
    SHOWN_QUOTIENT,
    SHOWN_STATE, /* new, gone, more, less or other */
    SHOWN_PATH   /* of a tree: names from the root on */
};
extern const char *const shown_words[];
struct shown_columns {
    struct row_column *columns; /* as they are printed */
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
/* As atomc diff prints the table. */
void compare_print(struct compared_table *comparison, enum print_form form, FILE *stream);
/* The value of a key or a label: of the side that has one. Texts are numbers. */
const struct cell *compared_value(const struct compared *row, uint32_t column);
double compared_number(const struct row_column *column, const struct cell *cell);
bool compared_adds_up(const struct row_column *column);

#endif
