/* print.h: tables of results as text, CSV, JSON, rows and Parquet. */
#ifndef ATOMC_RESULTS_PRINT_H
#define ATOMC_RESULTS_PRINT_H

#include "runs/results/rows.h"

enum print_form { PRINT_TEXT, PRINT_CSV, PRINT_JSON, PRINT_ROWS, PRINT_PARQUET };
struct printer {
    enum print_form form;
    FILE *stream;
    const struct row_column *columns; /* the printed ones */
    uint32_t column_count;
    bool exact; /* real numbers of CSV have all digits, not two as in reports */
    uint64_t rows;
    struct parquet *parquet; /* of PRINT_PARQUET, from print_begin() to print_end() */
};
/* `header`: header of the rows, without columns; the function takes ownership. `tool` and `report`: members
   of the JSON document. */
void print_begin(struct printer *printer, const char *tool, const char *report, json_t *header);
void print_row(struct printer *printer, const struct cell *cells);
void print_end(struct printer *printer);
/* Returns false if it is not text, csv, json, rows or parquet. */
bool print_form_of(const char *word, enum print_form *form);

#endif
