/* engine.h: the engine's public interface: opening and analysing a program, its places, the plan's sites in
   it, the analysis image, and the rewrite. driver/ and atom/ include this header only. */
#ifndef ATOMC_ENGINE_H
#define ATOMC_ENGINE_H

#include "engine/cfg/cfg.h"
#include "engine/dataflow/dataflow.h"
#include "engine/image/image.h"
#include "engine/object/object.h"
#include "engine/output/output.h"
#include "engine/places/places.h"
#include "engine/profile/profile.h"
#include "engine/rewrite.h"
#include "engine/select/sites.h"

/* ---- rewrite.c ---- */

/* Copies and instruments the program. Returns NULL after an error. Removes sites from `sites` if their effect
   follows from the counts of other sites (counting.h). Fills in the struct atomc_image of `analysis`. */
struct rewrite *rewrite_program(struct program *program, const struct plan *plan, struct sites *sites,
                                struct analysis_image *analysis, const struct rewrite_options *options,
                                struct diagnostics *diagnostics);
void rewrite_destroy(struct rewrite *rewrite);
/* True if tools with C can be applied to programs of the machine. */
bool rewrite_takes_c(const struct architecture *architecture);

/* One pass of the rewrite. */
struct rewrite_pass {
    const char *name;                     /* --dump=NAME stops after this pass and calls: */
    const char *what;                     /* a description of the pass */
    bool (*run)(struct rewrite *rewrite); /* false after an error */
    void (*print)(const struct rewrite *rewrite, FILE *stream);
    /* describes an error, or returns NULL if there is none; NULL: the pass has no result to verify */
    const char *(*verify)(const struct rewrite *rewrite);
};
/* The passes in order; NULL after the last. */
const struct rewrite_pass *rewrite_pass_at(size_t number);
const struct rewrite_pass *rewrite_pass_named(const char *name); /* NULL if there is no such pass */

/* The facts that -v reports about a finished rewrite. */
struct rewrite_summary {
    struct rewrite_statistics made;
    uint64_t instructions_in, instructions_out, procedures;
    bool sparse; /* only copied_count procedures are copied: */
    uint64_t procedures_copied;
    uint64_t sums_taken_out;
    uint64_t updates_derived; /* updates requested that are computed when the program ends, */
    uint64_t updates_counted; /* ... from this many counts, */
    uint64_t counts_promoted; /* ... of which these are in registers */
    uint64_t entries_shared;  /* transfers to procedures that follow from the counts of their blocks */
};
/* --dump=map: a line for each instruction that has a copy, with the addresses of copy and original. */
void rewrite_print_map(const struct rewrite *rewrite, FILE *stream);
void rewrite_summarise(const struct rewrite *rewrite, struct rewrite_summary *summary);
/* Calls of one of the plan's routines, with .reason and .copy set. */
struct routine_calls rewrite_routine(const struct rewrite *rewrite, uint32_t routine);

#endif
