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
    double threshold; /* of diff: threshold in per cent of a column's sum */
    bool has_fail_above;
    double fail_above; /* of diff: an error if B has that many per cent more */
    const char *of; /* of diff: the title of the count that is summed up; NULL: the first that can be added */
    enum print_form form;
    const char *export_form; /* of export: the format; of import: the format, or NULL to recognize it from the
                                file */
    const char *program;   /* for import: the name of the program; NULL: the name in the file. For annotate: a
                              part of   files' names */
    const char **programs; /* for diff: files of the builds that are compared */
    uint32_t program_count;
    bool json;           /* for collect: prints the numbers of runs as JSON */
    const char *report;  /* for chart: draws only this report; NULL: all */
    const char *display; /* for chart: a display other than the page's; NULL: the page's display */
    uint32_t top, width; /* for chart: number of bars, and of columns of a terminal */
    bool svg;
    const char **allowed; /* for export: folders below which sources may be read; none: this folder and the
                             home */
    uint32_t allowed_count;
    const char *source;            /* for annotate: the folder of sources; NULL: this folder */
    bool whole;                    /* for annotate: prints all lines */
    bool has_threshold;            /* given on the command line */
    struct demangled_names *names; /* for export and chart; NULL: symbols are printed */
    struct arena *arena;
    struct diagnostics *diagnostics;
};

/* ---- inputs.c ---- */

/* Adds the files of all inputs to the store, each a report of a run of its input's name. Reports of equal
   columns become one selection. */
bool add_inputs(const struct request *request, struct store *store, const char *const *inputs, uint32_t count,
                struct selections *selections);
/* True if the reports were made with the same parameters, and for the same file of a program, unless a query
   permits others. Otherwise reports an error. */
bool may_be_merged(const struct request *request, struct store *store, const struct selection *selection);

/* ---- screen.c ---- */

/* Writes tables, whose columns are separated by tabs, for a terminal: columns are aligned, lines are no wider
   than the terminal, thousands are separated, and C++ names are readable. Other lines are wrapped. The
   function changes the text.
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
