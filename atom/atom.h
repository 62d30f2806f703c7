/* atom.h: the user's C code that runs while instrumenting: functions that .atd files use, and whole
   instrumentation files in ATOM's interface (atom/include/atom.inst.h). Requires an analysed program; one set
   of user's code runs at a time, since ATOM's routines name no context.
 */
#ifndef ATOMC_ATOM_H
#define ATOMC_ATOM_H

#include "engine/engine.h"
#include "plan/plan.h"

/* ---- load.c: compiled for this machine, loaded into atomc ---- */

struct atom_library;
struct atom_sources {
    const char *const *files; /* sources in C and C++, .o .a */
    uint32_t count;
    const char *include_directory;
    const char *const *link_words, *const *more_link_words; /* words for the linker; NULL: none;
                                                               NULL-terminated */
    const char *const *compile_words;                       /* the same for the compiler */
    const char *output;                                     /* path of the shared object to make */
};
/* Compiles and links the library, without executing its code. False after an error, which is reported, as
   below. */
bool atom_build(const struct atom_sources *sources, struct diagnostics *diagnostics);
/* Compiles the library and loads it, which executes its constructors. Returns NULL after an error. */
struct atom_library *atom_load(const struct atom_sources *sources, struct diagnostics *diagnostics);
void atom_unload(struct atom_library *library);
const char *atom_library_path(const struct atom_library *library);
/* Address of a function that it defines, or NULL. */
void *atom_symbol(const struct atom_library *library, const char *name);

/* ---- session.c: the program that the user's code looks at ---- */

/* The objects of all routines, from now to atom_end(). */
void atom_begin(struct program *program, struct diagnostics *diagnostics);
void atom_end(void);

/* ---- functions.c: functions that expressions use ---- */

/* Makes the plan's functions callable: binds each to its library. `libraries` are numbered as in the plan. */
void atom_bind(struct plan *plan, struct atom_library *const *libraries);

/* ---- instrument.c: whole instrumentation files ---- */

struct atom_options {
    const char *name;                        /* of the tool */
    int argument_count;                      /* in the form for the user's code: the program's file name, */
    char **arguments;                        /* then the words of -toolargs; NULL at the end */
    const char *output_name, *analysis_name; /* for GetOutName, GetAnalName */
    bool excluded;                           /* the program is not to be instrumented: -excobj */
    /* True if there is an analysis routine of this name. NULL: unknown. */
    bool (*has_routine)(void *context, const char *name);
    /* The reason why it cannot take a procedure's arguments; NULL if it can. */
    const char *(*replacement_problem)(void *context, const char *name);
    void *context;
};
/* Runs InstrumentInit, Instrument and InstrumentFini, or InstrumentAll. Returns the plan of the calls that
   they add. NULL after an error. */
struct plan *atom_instrument(struct atom_library *library, const struct atom_options *options);

/* ---- crash.c ---- */

/* Called first in main. Returns true if atomc started this process to report a crash; then the report is
   written, and *status is the exit status. */
bool atom_reports_crash(int count, char **words, int *status);

#endif
