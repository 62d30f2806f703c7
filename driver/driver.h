/* driver.h: the command line and the report of a run; main.c is the list of passes. */
#ifndef ATOMC_DRIVER_H
#define ATOMC_DRIVER_H

#include "compiler/compiler.h"
#include "engine/rewrite.h"
#include "support/support.h"

enum dump { DUMP_NONE, DUMP_PLAN, DUMP_SITES, DUMP_CFG, DUMP_CODE };

struct options {
    const char *tool;      /* path of the .atd file, NULL if none is given */
    const char *program;   /* path of the Alpha program, NULL if none is given */
    const char *output;    /* -o, or made from the program's name */
    const char **analysis; /* C files, objects and archives of the command line */
    uint32_t analysis_count;
    struct parameter_definition *definitions; /* -D */
    uint32_t definition_count;
    enum dump dump;
    bool check;   /* --check: stops before instrumenting; a program is not needed */
    bool help;    /* --help: of the tool, if one is given */
    bool verbose; /* -v */
    bool done;    /* --help, --version, --list: printed, nothing else to do */
    struct rewrite_options rewrite;
    struct arena *arena;
};

/* ---- options.c ---- */

/* False after an error. */
bool options_parse(struct options *options, int count, char **words, struct diagnostics *diagnostics);
/* Directory of the stock tools or of the runtime: beside the executable in a build tree, under the prefix
   once installed. */
const char *tools_directory(void);
const char *runtime_directory(void);

/* ---- info.c ---- */

/* Prints the tables of the names, all without one. False after an error. */
bool info_print(char *const *names, int count, struct diagnostics *diagnostics);
/* The tool's description and its parameters: --help TOOL.atd. */
void info_print_tool(const struct tool *tool, FILE *stream);

/* ---- statistics.c ---- */

/* Progress on standard error, if it is a terminal and the run takes more than a second. */
void progress(const char *pass);
void progress_end(void);
void statistics_print(const struct rewrite *rewrite, const struct sites *sites, const char *output,
                      FILE *stream);

#endif
