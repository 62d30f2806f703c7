/* results.h: the commands on results of runs: atomc merge, diff, export, chart, annotate and collect. */
#ifndef ATOMC_RESULTS_RESULTS_H
#define ATOMC_RESULTS_RESULTS_H

#include "runs/results/match.h"
#include "runs/results/print.h"
#include "runs/results/select.h"

struct demangled_names;

/* The words of the command line. */
struct request {
    const char **inputs; /* files of rows, and folders of such files */
    uint32_t input_count;
    const char *output; /* NULL: standard output */
    const char *by;     /* titles of columns; NULL: the keys */
    bool force;
    double threshold; /* of diff, per cent of a column's sum */
    enum print_form form;
    const char *export_form; /* of export; of import, NULL: as the file looks */
    const char
        *program; /* for import: the name; NULL: the one in the file. For annotate: a part of files' names */
    const char **programs; /* of diff: files of the builds that are compared */
    uint32_t program_count;
    bool json;           /* of collect: the numbers of runs as JSON */
    const char *report;  /* of chart: only this one; NULL: all */
    const char *display; /* of chart: another than the page's; NULL: that */
    uint32_t top, width; /* of chart: bars, and columns of a terminal */
    bool svg;
    const char *source;            /* of annotate: a folder; NULL: this one */
    bool whole;                    /* of annotate: all lines */
    bool has_threshold;            /* given on the command line */
    struct demangled_names *names; /* for export and chart; NULL: symbols are requested */
    struct arena *arena;
    struct diagnostics *diagnostics;
};

/* ---- inputs.c ---- */

/* Adds the files of all inputs to the store, each a report of a run of its input's name. Reports of equal
   columns become one selection. */
bool add_inputs(const struct request *request, struct store *store, const char *const *inputs, uint32_t count,
                struct selections *selections);
/* True if they were made with the same parameters, and belong to one file of a program, unless more is
   requested. Otherwise an error has been reported. */
bool may_be_merged(const struct request *request, struct store *store, const struct selection *selection);

/* ---- screen.c ---- */

/* Writes tables, whose columns are separated by tabs, for people at a terminal: aligned, no wider than it,
   with thousands separated and readable C++ names; other lines unchanged. The function changes the text.
 */
void show_on_screen(const struct request *request, char *text, FILE *stream);

/* ---- builds.c ---- */

/* The procedures of the program with that digest, which the results belong to, in the request's arena.
   Returns false if it no longer exists, or atomc cannot read it. */
bool read_build(const struct request *request, const char *input, const char *name, const char *digest,
                struct code *code);

/* ---- the commands: false after an error, which is reported ---- */

bool merge_results(const struct request *request, FILE *stream);
bool diff_results(const struct request *request, FILE *stream);
bool export_results(const struct request *request, FILE *stream);
bool chart_results(const struct request *request, FILE *stream);
bool annotate_source(const struct request *request, FILE *stream);
bool is_export_form(const char *word);
bool import_results(const struct request *request);
bool is_import_form(const char *word);
bool collect_results(const struct request *request);

#endif
