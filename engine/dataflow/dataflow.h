/* dataflow.h: properties of registers: which are live, observed by sites, free; execution frequencies of
   blocks; whether there may be threads. Requires blocks and edges, and loops for frequencies. */
#ifndef ATOMC_DATAFLOW_H
#define ATOMC_DATAFLOW_H

#include "engine/profile/profile.h"

enum { CERTAIN = 256 }; /* chances are fractions of this */

/* Computed for the blocks of one procedure. */
struct frequencies {
    uint64_t *block;  /* estimated executions of each block, relative to the others; never 0 */
    uint64_t *taken;  /* estimated executions that take its conditional branch */
    uint64_t entered; /* estimated entries of the procedure */
    uint64_t entries; /* the measured entries; NOT_MEASURED: unknown */
    uint16_t *chance; /* the chance that its conditional branch is taken, from the code alone */
    uint32_t *place;  /* positions in an order in which all edges but back edges lead forward */
    uint32_t *order;  /* the blocks in that order */
    uint32_t *stack, *at;
    uint16_t *again; /* for headers: the probability that the loop is repeated */
};

/* ---- register_order.c ---- */

/* The first register in the order that is not live, or NO_INDEX; `preferred` if it is free; a floating-point
   register. */
unsigned free_register(const struct conventions_of_machine *machine, register_set live);
unsigned free_register_or(const struct conventions_of_machine *machine, unsigned preferred,
                          register_set live);
unsigned free_floating_register(register_set live);
/* Stores up to `count` free registers; returns their number. */
unsigned free_registers(const struct conventions_of_machine *machine, register_set live, unsigned count,
                        uint8_t *registers);
/* The temporary register of the set with the fewest uses, the first if there are several; NO_INDEX: the set
   has none. */
unsigned least_used_temporary(const struct conventions_of_machine *machine, register_set among,
                              const uint32_t uses[32]);
/* The first `count` of registers that have to be saved. */
register_set first_registers(register_set set, unsigned count);
/* Registers to compute in, dead registers first: `count`, or fewer if there are not enough. `avoid`:
   registers that change in between; includes the registers of frame_avoids() (site/site.h). */
register_set frame_choose(const struct conventions_of_machine *machine, unsigned count, register_set avoid,
                          register_set needed);

/* Registers that a count may use. */
register_set count_registers(const struct conventions_of_machine *machine, register_set live);

/* ---- frequency.c ---- */

/* The results are in the arena. */
void frequencies_find(struct frequencies *frequencies, const struct program *program, uint32_t procedure,
                      struct arena *arena);
/* The number of times that control goes along the edge of this procedure. */
uint64_t edge_frequency(const struct frequencies *frequencies, const struct program *program,
                        const struct edge *edge);

/* ---- liveness.c ---- */

/* Interprocedural register liveness; sets live_in of all blocks. */
void liveness_analyse(struct program *program);
/* Registers live just before / just after each instruction of a block: before[k] for instruction block->first
   + k, k in [0, count]; before[count] is live at the block's end (on any outgoing path). */
void liveness_of_block(const struct program *program, uint32_t block, register_set *before);
/* The same for the program's own needs, without sites; set if there are observations. */
void own_liveness_of_block(const struct program *program, uint32_t block, register_set *before);
/* The registers that are `live` before the instruction, except registers that some of the procedure's callers
   may not need (passed_through), unless the block still reads them. */
register_set needed_for_sure(const struct program *program, const struct basic_block *block,
                             uint32_t instruction, register_set live);

/* ---- conventions.c ---- */

/* The register that the instruction stores relative to $30 or $15; empty if there is none. */
register_set stored_in_frame(const struct program *program, const struct facts *facts);

/* ---- observed.c ---- */

void observations_print(const struct program *program, FILE *stream); /* --dump=observations */
/* Checks that they are in order, and that each belongs to an instruction of the program. Returns a
   description of the error, or NULL. */
const char *observations_verify(const struct program *program);
struct observation observation_at(const struct program *program, uint32_t instruction);
/* The observed registers that are needed at the block's end; `needed`: the registers needed at each block's
   beginning. */
register_set observed_at_end(const struct program *program, uint32_t index, const register_set *needed);
/* Propagates needed registers over the procedure to a fixed point. */
void observations_spread(const struct program *program, const struct procedure *procedure,
                         register_set *needed);

/* ---- locked.c ---- */

/* The last instruction of the load-locked/store-conditional sequence, or other sequence without room for
   inserted code, that starts at `instruction`; NO_INDEX if there is none. */
uint32_t locked_sequence_end(const struct program *program, uint32_t instruction);

/* ---- threads.c ---- */

/* True if the program makes threads. A program with symbols, but without symbols for making threads, makes
   none, unless it calls clone itself. */
enum threads_reason may_have_threads(const struct program *program);
void threads_print(const struct program *program, FILE *stream); /* --dump=threads */

#endif
