/* engine.h: all of the engine that is for others: a program opened and analysed, its places, the plan's sites
   in it, the analysis image, and the rewrite. driver/ and atom/ include this header only. */
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

/* Copies and instruments. NULL after an error. Takes out of `sites` those whose effect follows from others'
   counts (counting.h). `analysis` gets its struct atomc_image filled in. */
struct rewrite *rewrite_program(struct program *program, const struct plan *plan, struct sites *sites,
                                struct analysis_image *analysis, const struct rewrite_options *options,
                                struct diagnostics *diagnostics);
void rewrite_destroy(struct rewrite *rewrite);

/* One step of it. */
struct rewrite_pass {
    const char *name;                     /* --dump=NAME stops after it and prints: */
    const char *what;                     /* it does */
    bool (*run)(struct rewrite *rewrite); /* false after an error */
    void (*print)(const struct rewrite *rewrite, FILE *stream);
    const char *(*verify)(const struct rewrite *rewrite); /* what is wrong, or NULL; NULL: it makes nothing */
};
/* In their order; NULL after the last. */
const struct rewrite_pass *rewrite_pass_at(size_t number);
const struct rewrite_pass *rewrite_pass_named(const char *name); /* NULL: there is none */

/* What -v says of it, once it is finished. */
struct rewrite_summary {
    struct rewrite_statistics made;
    uint64_t instructions_in, instructions_out, procedures;
    bool sparse; /* only so many procedures are copied: */
    uint64_t procedures_copied;
    uint64_t sums_taken_out;
    uint64_t updates_derived; /* updates asked for that are computed when the program ends, */
    uint64_t updates_counted; /* from so many of those made, */
    uint64_t counts_promoted; /* ... these in registers */
    uint64_t entries_shared;  /* transfers to procedures that their blocks' counts tell */
};
/* --dump=map: a line for each instruction that has a copy, with the addresses of copy and original. */
void rewrite_print_map(const struct rewrite *rewrite, FILE *stream);
void rewrite_summarise(const struct rewrite *rewrite, struct rewrite_summary *summary);
/* Of one of the plan's routines; .reason and .copy are told, too. */
struct routine_calls rewrite_routine(const struct rewrite *rewrite, uint32_t routine);

#endif
