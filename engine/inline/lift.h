/* lift.h: a routine while it is lifted; between inline/flow.c and inline/lift.c. */
#ifndef ATOMC_INLINE_LIFT_H
#define ATOMC_INLINE_LIFT_H

#include "engine/inline/inline.h"

enum { MOST_BLOCKS_LIFTED = 64, MOST_SLOTS = 32, EXIT = 64, AGAIN = 65 };

/* The part of a routine that can be lifted; blocks numbered as they are found, sets of them as bits. */
struct lift {
    const struct program *program;
    struct graph *graph;
    uint32_t first;                      /* instruction */
    uint32_t blocks[MOST_BLOCKS_LIFTED]; /* indices into program->blocks */
    uint8_t next[MOST_BLOCKS_LIFTED];    /* where it falls or branches to; EXIT; AGAIN: back into a loop */
    uint8_t taken[MOST_BLOCKS_LIFTED];   /* the taken way of a conditional branch; else = next */
    uint64_t successors[MOST_BLOCKS_LIFTED], slow; /* slow: those that lead to nothing but a call */
    uint8_t join[MOST_BLOCKS_LIFTED];              /* where the ways of a branch meet again, or EXIT */
    uint8_t reasons[MOST_BLOCKS_LIFTED];           /* why a block cannot be lifted, or INLINE_NONE */
    uint32_t count;
    bool leaves;
    bool
        skips; /* where one way of the last branch does nothing, what the other does stands behind a branch */
    bool has_skipped; /* there was such a branch */
    unsigned depth;   /* of branches whose ways are being executed */
    uint64_t heads;   /* of loops that are not lifted */
    bool no_searches; /* all loops are cut at their heads */
};

/* Finds the blocks and what is to be known of them; false, and the graph has failed, if nothing can be
 * lifted. */
bool find_flow(struct lift *lift);
/* Does the way lead to a call, into a loop, or to what cannot be lifted? */
bool is_slow(const struct lift *lift, uint8_t block);
/* Is it a loop, or the few instructions that prepare for it? Then what branches there asks whether it runs at
 * all. */
bool leads_into_loop(const struct lift *lift, uint8_t block);
/* The opcode of the same operation on registers. */
enum alpha_opcode register_form(const struct alpha_descriptor *descriptor);

#endif
