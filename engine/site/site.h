/* site.h: code at one site: the frame and the registers that it computes in, and calls.
   Requires the sites' dynamic values to be valid at the instruction. */
#ifndef ATOMC_SITE_H
#define ATOMC_SITE_H

#include "engine/code/code.h"

struct call_context {
    uint32_t instruction;    /* whose values are meant */
    alpha_register_set live; /* where the calls are put */
    int taken;               /* outcome of its branch where that is settled: 0 or 1; else -1 */
    /* If sites want what the register that the instruction overwrites held before: the register, integer or
       floating-point, that keeps it (else 0), or whether it is in the OLD_ROOM bytes just above the program's
       stack pointer, which has been moved, or in SITE_FRAME. */
    uint8_t old;
    bool old_on_stack, old_in_frame;
};

/* The frame of a site: [stack arguments][a floating-point scratch slot][saved registers]. It is on the
   program's stack, or it is SITE_FRAME. $30 goes there only for calls. Other code saves by way of a register
   that holds nothing; if there is none, where spills are. */
struct frame {
    struct rewrite *rewrite;
    const struct call_context *context;
    bool own;          /* it is SITE_FRAME */
    bool moves_stack;  /* $30 is another than the program's */
    bool late;         /* it is entered after the first branch to the end: until then nothing needs it */
    bool base_is_kept; /* nothing in the frame changes the base */
    uint8_t base;      /* of SITE_FRAME: a register that holds nothing; $31: there is none, one is spilled */
    uint32_t outgoing; /* bytes of stack arguments */
    uint32_t scratch;  /* offset of the scratch slot */
    uint32_t lowered;  /* so many bytes is the program's stack pointer, a multiple of 16 */
    bool spills;       /* or it is lowered by a spill's distance */
    alpha_register_set saved;
    alpha_register_set gone;      /* registers that no longer hold the program's value */
    alpha_register_set temporary; /* registers to compute in that are free now */
    uint8_t slot[64];             /* of saved registers: offset / 8 */
};

#define FRAME_AVOIDS (REGISTER_BIT(ALPHA_RA) | REGISTER_BIT(ALPHA_SP) | REGISTER_BIT(ALPHA_ZERO))

/* What computing needs: registers besides the destination, and particular ones. */
struct needs {
    unsigned temporaries;
    alpha_register_set clobbers;  /* changed on the way: nothing can be computed in them */
    alpha_register_set destroyed; /* changed by a call */
    bool frame;                   /* memory besides */
    bool calls;                   /* $30 where routines may run */
};

/* ---- calls.c ---- */

/* What a routine does on its slow path, if that is nothing but a call: so the site need not call the routine,
   which would begin anew. */
struct slow_call {
    uint64_t entry; /* of what is called; 0: it has to be the routine */
    uint32_t count; /* registers for arguments, from $16 on */
    struct {
        enum slow_argument { SLOW_NONE, SLOW_CONSTANT, SLOW_ARGUMENT, SLOW_COMPUTED } kind;
        uint64_t number; /* the constant; which of the routine's arguments it is; a register */
    } arguments[REGISTER_ARGUMENTS];
};

/* Registers whose values the site needs, at an instruction; the outcome of a branch needs none where it is
 * settled. */
alpha_register_set site_sources(const struct rewrite *rewrite, const struct site *site,
                                const struct call_context *context);
/* What the sites of one group do, if their guard holds and this is one of those that are sampled. */
void emit_group(struct frame *frame, const struct site *const *sites, uint32_t count,
                alpha_register_set needed);
/* Registers that the site's code computes in, and changes. */
void site_needs(const struct rewrite *rewrite, const struct site *site, uint32_t instruction,
                alpha_register_set needed, struct needs *needs);

/* ---- memory.c ---- */

/* Does what the site computes depend on what is in memory? */
bool site_reads_memory(const struct site *site);
bool site_asks_runtime(const struct site *site); /* by a call of one of its routines */

/* ---- frame.c ---- */

/* Loads the program's value of an integer or floating-point register into an integer register. */
void frame_fetch(struct frame *frame, unsigned source, unsigned to);
unsigned frame_take(struct frame *frame); /* a register to compute in */
void frame_give_back(struct frame *frame, unsigned temporary);
/* While `held` more registers are in use. */
void need_at_least(struct needs *needs, const struct needs *other, unsigned held);
/* Its base holds something until it is entered, or there is none. */
void frame_without_base(struct frame *frame);
/* How many instructions enter and leave it. */
unsigned frame_effort(const struct frame *frame);
/* False if there are too few registers to compute in; not in `sources`, which are read where they are. */
bool frame_lay_out(struct frame *frame, const struct needs *needs, alpha_register_set needed,
                   alpha_register_set sources);
void frame_enter(struct frame *frame);
void frame_leave(struct frame *frame);

/* ---- operators.c ---- */

/* An instruction of an operator, or of a parameter's narrowing: to = a opcode b. */
enum operation_value {
    OPERATION_LEFT,  /* the first operand, and at the end the result */
    OPERATION_RIGHT, /* the second operand */
    OPERATION_SPARE,
    OPERATION_ZERO,
    OPERATION_LITERAL /* as `b`, .literal */
};
struct operation {
    uint16_t opcode; /* enum alpha_opcode, the form with registers; ALPHA_INVALID: the list ends before it */
    uint8_t a, b, to, literal;
};
enum { MOST_OPERATIONS = 7 }; /* its end included */

/* The power of two that the expression is, or -1. */
int power_of_two(const struct site_expression *expression);
bool expression_divides(const struct site_expression *expression);
/* Is the operator's value a routine's, of the analysis image? */
bool operator_is_called(const struct site_expression *expression);
/* What it does otherwise. */
void operator_operations(const struct site_expression *expression, struct operation list[MOST_OPERATIONS]);
/* The calling standard wants narrow arguments extended to 64 bits; unsigned int sign-extended like int. */
void narrowing_operations(const struct plan_parameter *parameter, struct operation list[MOST_OPERATIONS]);
bool operations_use(const struct operation *list, enum operation_value value);
/* Can the second operand be a literal? */
bool operations_take_literal(const struct operation *list);

/* ---- compute.c ---- */

/* Computes a dynamic value or expression into a register. */
void compute_value(struct frame *frame, const struct site_argument *value, unsigned to);
void value_needs(const struct rewrite *rewrite, const struct site_argument *value, uint32_t instruction,
                 struct needs *needs);
/* Does the load or store change the register that its address is computed from? */
bool address_is_overwritten(uint32_t word);
/* What is added to the base of a load or store, as it stands at the site. */
int address_displacement(const struct call_context *context, uint32_t word);
/* Registers of the program that the value or expression reads; the outcome of a branch needs none where it is
 * settled. */
alpha_register_set value_sources(const struct rewrite *rewrite, const struct site_argument *value,
                                 const struct call_context *context);

#endif
