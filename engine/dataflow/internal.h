/* internal.h: the call graph and procedure facts that liveness.c works with.
   Requires an analysed program. */
#ifndef ATOMC_DATAFLOW_INTERNAL_H
#define ATOMC_DATAFLOW_INTERNAL_H

#include "engine/dataflow/dataflow.h"

/* What a call of a procedure does. */
struct procedure_facts {
    alpha_register_set
        changes; /* may hold another value afterwards; callee-saved and restored registers excluded */
    alpha_register_set restores; /* stored and reloaded at one place of the stack frame */
    alpha_register_set saves; /* stored on the stack for the caller, or as arguments that it may not have */
    uint32_t links;           /* the registers through which it, or what it continues in, returns */
    bool roughly; /* changes are what the standard allows calls that it makes, and more than it does itself */
    bool may_return; /* a return is reachable from one of its entries */
    bool comes_back; /* the same, as compilers make procedures: see ends_for_good */
};

/* Procedures to visit, each at most once at a time: in rounds, callees before their callers, or callers
   before their callees if `callers_first`. */
struct procedure_queue {
    uint32_t *at_position, *position_of; /* the order, and its inverse */
    uint64_t *waiting;                   /* a bit per position */
    uint32_t count, waiting_count, head; /* head: the position to look at next */
    bool callers_first;
};

struct conventions {
    struct program *program;
    /* Per block: the first block of its last instruction's known target, where no edge has it: of calls, tail
       calls, branches to other procedures, and branches with a link; else NO_INDEX. */
    uint32_t *far;
    struct procedure_facts *facts;   /* per procedure */
    bool as_compiled;                /* facts.comes_back is asked for, not may_return */
    alpha_register_set *overwritten; /* per block: what each way from its beginning to a return writes */
    /* Procedures to revisit when a procedure changes: dependents[first_dependent[p]...first_dependent[p+1]).
     */
    uint32_t *dependents, *first_dependent;
    struct procedure_queue queue;
};

/* ---- conventions.c ---- */

/* `writes`: what each block writes. What is found is in the program's scratch arena. */
void conventions_find(struct conventions *conventions, struct program *program,
                      const alpha_register_set *writes);
/* Does control come back to the instruction after the call that ends this block? */
bool call_returns(const struct conventions *conventions, uint32_t block);
/* Does control end with the block, in what compilers make? It halts, as abort() does, or it is the
   procedure's last and calls what does not come back, though nothing else says so, or it is what fills up the
   space after such a call. Where a
   procedure ends is only known of a symbol that has a size. */
bool ends_for_good(const struct program *program, uint32_t block);
/* Visits the dependents again. */
void enqueue_dependents(struct conventions *conventions, uint32_t procedure);
/* As alpha_registers, for the purposes of liveness: what a trap needs and changes is nothing. */
struct alpha_registers instruction_registers(uint32_t word);

/* ---- procedure_queue.c ---- */

/* An empty queue of `count` procedures. dependents[first_dependent[p]...first_dependent[p+1]) are the callers
 * of p. */
void procedure_queue_make(struct procedure_queue *queue, uint32_t count, const uint32_t *dependents,
                          const uint32_t *first_dependent, struct arena *scratch);
void enqueue_procedure(struct procedure_queue *queue, uint32_t procedure);
void enqueue_all_procedures(struct procedure_queue *queue);
/* False: the queue is empty. */
bool dequeue_procedure(struct procedure_queue *queue, uint32_t *procedure);

/* ---- frequency.c ---- */

enum { ENTERED = 1 << 16 }; /* how often a procedure is entered, in its own measure */

/* ---- measured.c ---- */

/* Puts what was measured in the place of the estimates, which stay in use where nothing was. */
void frequencies_measure(struct frequencies *frequencies, const struct program *program, uint32_t procedure,
                         struct arena *arena);

/* ---- observed.c ---- */

/* What is needed before the instruction if `needed` is after it, but for what it reads itself. *at is the
   observation after it, and becomes the one at it if there is one. */
alpha_register_set observed_across(const struct program *program, uint32_t instruction,
                                   alpha_register_set needed, const struct observation **at);
/* The first observation at the instruction or after it: program->observations is sorted. */
const struct observation *observation_from(const struct program *program, uint32_t instruction);

#endif
