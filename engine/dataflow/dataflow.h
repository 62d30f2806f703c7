/* dataflow.h: what registers hold: which are live, observed by sites, free; how often blocks are executed;
   whether there may be threads. Requires blocks and edges, and loops for frequencies. */
#ifndef ATOMC_DATAFLOW_H
#define ATOMC_DATAFLOW_H

#include "engine/profile/profile.h"

enum { CERTAIN = 256 }; /* what a chance is a part of */

/* Of the blocks of one procedure. */
struct frequencies {
    uint64_t *block;  /* how often each is executed, beside the others; never 0 */
    uint64_t *taken;  /* how often its conditional branch is taken */
    uint64_t entered; /* how often the procedure is entered */
    uint64_t entries; /* the same as it was measured; NOT_MEASURED: it was not */
    uint16_t *chance; /* that its conditional branch is taken, by the code alone */
    uint32_t *place;  /* in an order in which all but ways back lead forward */
    uint32_t *order;  /* the blocks in that order */
    uint32_t *stack, *at;
    uint16_t *again; /* of headers: the chance that the loop goes round again */
};

/* ---- register_order.c ---- */

/* A register that is not live, or NO_INDEX: the first one of the order; `preferred`, if that is free; a
   floating-point register. */
unsigned free_register(alpha_register_set live);
unsigned free_register_or(unsigned preferred, alpha_register_set live);
unsigned free_floating_register(alpha_register_set live);
/* Up to `count` of them; returns how many there are. */
unsigned free_registers(alpha_register_set live, unsigned count, uint8_t *registers);
/* The temporary register of the set with the fewest uses, of several the first one; NO_INDEX: the set has
 * none. */
unsigned least_used_temporary(alpha_register_set among, const uint32_t uses[32]);
/* Of registers that have to be saved: the first `count`. */
alpha_register_set first_registers(alpha_register_set set, unsigned count);
/* Registers to compute in, dead ones first: so many, or fewer if there are no more. What is changed on the
   way is to be avoided, and what FRAME_AVOIDS names in any case. */
alpha_register_set frame_choose(unsigned count, alpha_register_set avoid, alpha_register_set needed);

/* ---- frequency.c ---- */

/* What is found is in the arena. */
void frequencies_find(struct frequencies *frequencies, const struct program *program, uint32_t procedure,
                      struct arena *arena);
/* How often control goes along the edge, whose procedure this is. */
uint64_t edge_frequency(const struct frequencies *frequencies, const struct program *program,
                        const struct edge *edge);

/* ---- liveness.c ---- */

/* Interprocedural register liveness; sets live_in of all blocks. */
void liveness_analyse(struct program *program);
/* Registers live just before / just after each instruction of a block: before[k] for instruction
   block->first + k, k in [0, count]; before[count] is live at the block's end (on any way out). */
void liveness_of_block(const struct program *program, uint32_t block, alpha_register_set *before);
/* The same for what the program itself needs, sites left aside; if there are observations. */
void own_liveness_of_block(const struct program *program, uint32_t block, alpha_register_set *before);
/* Of what is live before the instruction, without what some of the procedure's callers may be done with
   (passed_through), unless the block still reads it. */
alpha_register_set needed_for_sure(const struct program *program, const struct basic_block *block,
                                   uint32_t instruction, alpha_register_set live);

/* ---- conventions.c ---- */

/* The register that the instruction stores relative to $30 or $15; empty: none. */
alpha_register_set stored_in_frame(uint32_t word);

/* ---- observed.c ---- */

void observations_print(const struct program *program, FILE *stream); /* --dump=observations */
/* True if they are in order, each of an instruction of the program. Else NULL is not what is returned, but
 * what is wrong. */
const char *observations_verify(const struct program *program);
struct observation observation_at(const struct program *program, uint32_t instruction);
/* What of observed registers is needed at the block's end, where `needed` tells that of each block's
 * beginning. */
alpha_register_set observed_at_end(const struct program *program, uint32_t index,
                                   const alpha_register_set *needed);
/* Spreads what is needed over the procedure, until nothing is added. */
void observations_spread(const struct program *program, const struct procedure *procedure,
                         alpha_register_set *needed);

/* ---- locked.c ---- */

/* Last instruction of the load-locked/store-conditional sequence, or other sequence inside which nothing may
   be put, that starts at `instruction`; NO_INDEX if there is none. */
uint32_t locked_sequence_end(const struct program *program, uint32_t instruction);

/* ---- threads.c ---- */

/* Does the program make threads? A program that has symbols and none for making threads makes none, unless it
   calls clone itself. */
enum threads_reason may_have_threads(const struct program *program);
void threads_print(const struct program *program, FILE *stream); /* --dump=threads */

/* Registers that a count may take. */
static inline alpha_register_set count_registers(alpha_register_set live) {
    const alpha_register_set allowed = REGISTERS(0, ALPHA_GP) & ~REGISTER_BIT(ALPHA_RA);
    return allowed & ~live;
}

#endif
