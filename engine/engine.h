/* engine.h: all of the engine that is for others: a program opened and analysed, its places, the plan's sites
   in it, the analysis image, and the rewrite. driver/ and hatch/ include this header only. */
#ifndef ATOMC_ENGINE_H
#define ATOMC_ENGINE_H

#include "engine/cfg/cfg.h"
#include "engine/dataflow/dataflow.h"
#include "engine/image/image.h"
#include "engine/object/object.h"
#include "engine/output/output.h"
#include "engine/places/places.h"
#include "engine/rewrite.h"
#include "engine/select/sites.h"

/* ---- rewrite.c ---- */

/* Copies and instruments. NULL after an error. Takes out of `sites` those whose effect follows from others'
   counts (counting.h). `analysis` gets its struct atomc_image filled in. */
struct rewrite *rewrite_program(struct program *program, const struct plan *plan, struct sites *sites,
                                struct analysis_image *analysis, const struct rewrite_options *options,
                                struct diagnostics *diagnostics);
void rewrite_destroy(struct rewrite *rewrite);
/* What -v says of it. */
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
void rewrite_summarise(const struct rewrite *rewrite, struct rewrite_summary *summary);
/* Of one of the plan's routines; .reason and .copy are told, too. */
struct routine_calls rewrite_routine(const struct rewrite *rewrite, uint32_t routine);
void rewrite_print(const struct rewrite *rewrite, FILE *stream); /* --dump=code */
/* --dump=map: a line for each instruction that has a copy, with the addresses of copy and original. */
void rewrite_print_map(const struct rewrite *rewrite, FILE *stream);

#endif
