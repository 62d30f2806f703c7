/* chart.h: a table as a chart, in a terminal or as SVG: its data, and the functions that draw it. */
#ifndef ATOMC_RESULTS_CHART_H
#define ATOMC_RESULTS_CHART_H

#include "runs/results/display.h"
#include "runs/results/export.h"
#include "runs/results/results.h"
#include "runs/results/tree.h"

struct chart_point {
    const char *label, *second; /* for graphs: start and end of an edge; "" if there is none */
    double x, x2, y;
    const char *text; /* text of y, as printed */
};
struct chart {
    const char *title; /* tool, report and program */
    const char *x_title, *title_of_y, *unit;
    enum display_kind kind;
    struct chart_point *points; /* bars: the greatest is the first; treemaps in SVG: sorted by label; others:
                                   sorted by x */
    uint32_t count;
    uint64_t left_out; /* rows that are not drawn */
    double sum_left_out;
    double greatest, sum; /* of y */
    struct tree tree;     /* of flame graphs */
    int64_t *totals;
};

enum { CHART_LONGEST_LABEL = 60 };
/* The number in the format for axes: 1.5k, 20M. In the buffer. */
const char *chart_number(double value, char buffer[32]);
/* True if the unit is to be mentioned. */
bool chart_has_unit(const struct chart *chart);
/* Prints at most `width` columns of it. */
void put_fitted(const char *text, uint32_t width, FILE *stream);

void chart_write_text(const struct chart *chart, uint32_t width, FILE *stream);
void chart_write_svg(const struct chart *chart, FILE *stream);

#endif
