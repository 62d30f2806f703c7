/* internal.h: the call graph and the facts on procedures that liveness.c uses. Requires an analysed
   program. */
#ifndef ATOMC_DATAFLOW_INTERNAL_H
#define ATOMC_DATAFLOW_INTERNAL_H

#include "engine/dataflow/dataflow.h"

/* The effects of a call of a procedure. */
struct procedure_facts {
    register_set
        changes; /* may hold another value afterwards; callee-saved and restored registers excluded */
    register_set restores; /* stored and reloaded at one place of the stack frame */
    register_set saves;    /* stored on the stack for the caller, or as arguments that it may not have */
    uint32_t links;  /* `changes` includes all that the standard allows its callees, more than the procedure
 itself changes */
    bool roughly;    /* changes are those that the standard permits in its calls, and are more than its own
                        changes */
    bool may_return; /* a return is reachable from one of its entries */
    bool comes_back; /* the same under the assumptions of ends_for_good */
};

/* Procedures to visit, each at most once at a time: in rounds, callees before their callers, or callers
   before their callees if `callers_first`. */
struct procedure_queue {
    uint32_t *at_position, *position_of; /* the order, and its inverse */
    uint64_t *waiting;                   /* a bit per position */
    uint32_t count, waiting_count, head; /* head: the next position to process */
    bool callers_first;
};

struct conventions {
    struct program *program;
    /* Per block: the first block of the known target of its last instruction, if the transfer is not an edge
       of the graph: a call, a tail call, a branch to another procedure, or a branch with a link. Else
       NO_INDEX. */
    uint32_t *far;
    struct procedure_facts *facts; /* per procedure */
    bool as_compiled;              /* uses facts.comes_back instead of may_return */
    register_set *overwritten;     /* per block: the registers that every path from its beginning to a return
                                      writes */
    /* Procedures to revisit when procedure p changes:
       dependents[first_dependent[p]...first_dependent[p+1]).
 */
    uint32_t *dependents, *first_dependent;
    struct procedure_queue queue;
};

/* ---- conventions.c ---- */

/* `writes`: the registers that each block writes. The results are in the program's scratch arena. */
void conventions_find(struct conventions *conventions, struct program *program, const register_set *writes);
/* True if control returns to the instruction after the call that ends this block. */
bool call_returns(const struct conventions *conventions, uint32_t block);
/* True if control ends with the block, in compiled code. Either it halts, as abort() does; or it is the
   procedure's last block and calls a procedure that never returns, although no other evidence shows this; or
   it is padding after such a call. This requires a symbol with a size, since otherwise the procedure's end is
   unknown. */
bool ends_for_good(const struct program *program, uint32_t block);
/* Visits the dependents again. */
void enqueue_dependents(struct conventions *conventions, uint32_t procedure);

/* ---- liveness.c ---- */

/* The sets of the instruction for the purposes of liveness: a trap needs and changes no register. */
static inline register_set needed_read(const struct facts *facts) {
    return facts->flags & FACT_HALTS ? 0 : facts->read;
}
static inline register_set needed_written(const struct facts *facts) {
    return facts->transfer >= TRANSFER_SYSTEM_CALL ? 0 : facts->written;
}

/* ---- procedure_queue.c ---- */

/* An empty queue of `count` procedures. dependents[first_dependent[p]...first_dependent[p+1]) are the callers
 * of p. */
void procedure_queue_make(struct procedure_queue *queue, uint32_t count, const uint32_t *dependents,
                          const uint32_t *first_dependent, struct arena *scratch);
void enqueue_procedure(struct procedure_queue *queue, uint32_t procedure);
void enqueue_all_procedures(struct procedure_queue *queue);
/* Returns false if the queue is empty. */
bool dequeue_procedure(struct procedure_queue *queue, uint32_t *procedure);

/* ---- frequency.c ---- */

enum { ENTERED = 1 << 16 }; /* entries of a procedure, as the unit of its frequencies */

/* ---- measured.c ---- */

/* Replaces estimates by measured counts, where a profile has them. */
void frequencies_measure(struct frequencies *frequencies, const struct program *program, uint32_t procedure,
                         struct arena *arena);

/* ---- observed.c ---- */

/* The registers needed before the instruction, if `needed` are needed after it, except for the registers that
   it reads itself. On entry, *at is the observation after the instruction; on return, the observation at it
   if there is one. */
register_set observed_across(const struct program *program, uint32_t instruction, register_set needed,
                             const struct observation **at);
/* The first observation at the instruction or after it: program->observations is sorted. */
const struct observation *observation_from(const struct program *program, uint32_t instruction);

#endif
