/* site.h: code at one site: its frame, the registers that it uses for computing, and calls. Requires the
   sites' dynamic values to be valid at the instruction. */
#ifndef ATOMC_SITE_H
#define ATOMC_SITE_H

#include "engine/code/code.h"

struct call_context {
    uint32_t instruction; /* the instruction whose values are read */
    register_set live;    /* live registers where the calls are inserted */
    int taken;            /* outcome of its branch if that is known: 0 or 1; else -1 */
    /* The location of the old value, if sites read the old value of the register that the instruction
       overwrites. It is a register, integer or floating-point (else 0), or the OLD_ROOM bytes just above the
       program's stack pointer, which has been lowered, or SITE_FRAME. */
    uint8_t old;
    bool old_on_stack, old_in_frame;
    bool executed; /* the instruction has been executed: a base that it writes back has its new value */
};

/* The frame of a site: [stack arguments][a floating-point scratch slot][saved registers]. It is on the
   program's stack, or it is SITE_FRAME. The stack pointer is moved to SITE_FRAME only for calls. Code other
   than calls addresses it through a dead register, or, if no register is dead, through a register that is
   spilled. */
struct frame {
    struct rewrite *rewrite;
    const struct call_context *context;
    bool own;          /* it is SITE_FRAME */
    bool moves_stack;  /* the stack pointer differs from the program's */
    bool late;         /* the frame is entered after the first branch to the end: no earlier code needs it */
    bool base_is_kept; /* no code in the frame changes the base */
    uint8_t base; /* base register for SITE_FRAME: a dead register; the register that is always 0 if none is
                     dead and a register is spilled */
    uint32_t outgoing; /* bytes of stack arguments */
    uint32_t scratch;  /* offset of the scratch slot */
    uint32_t lowered;  /* bytes by which the program's stack pointer is lowered, a multiple of 16 */
    bool spills;       /* or it is lowered by SPILL_FAR */
    register_set saved;
    register_set gone;      /* registers that no longer hold the program's value */
    register_set temporary; /* free registers to compute in */
    uint8_t slot[64];       /* slots of saved registers: offset / 8 */
};

/* Registers that no site computes in. */
static inline register_set frame_avoids(const struct machine *machine) {
    return REGISTER_BIT(machine->registers->link) | set_of(machine->registers->stack) |
           machine->constant_registers;
}

/* The needs of a computation: a number of registers in addition to the destination, and particular
   registers. */
struct needs {
    unsigned temporaries;
    register_set clobbers;  /* changed in between: not usable for computing */
    register_set destroyed; /* changed by a call */
    bool frame;             /* memory in the frame */
    bool calls;             /* the stack pointer where routines may run */
};

/* ---- calls.c ---- */

/* A routine's slow path that consists of one call. The site can make that call directly instead of calling
   the routine, which would start from its beginning. */
struct slow_call {
    uint64_t entry; /* the function called; 0: the routine itself has to be called */
    uint32_t count; /* argument registers, from the first on */
    struct {
        enum slow_argument { SLOW_NONE, SLOW_CONSTANT, SLOW_ARGUMENT, SLOW_COMPUTED } kind;
        uint64_t number; /* the constant; the number of the routine's argument; a register */
    } arguments[REGISTER_ARGUMENTS];
};

/* Registers that the site reads at an instruction; the outcome of a branch needs none if it is known. */
register_set site_sources(const struct rewrite *rewrite, const struct site *site,
                          const struct call_context *context);
/* Emits the statements of one group, done if their guard holds and this event is sampled. */
void emit_group(struct frame *frame, const struct site *const *sites, uint32_t count, register_set needed);
/* The registers that the site's code uses for computing, and the registers that it changes. */
void site_needs(const struct rewrite *rewrite, const struct site *site, uint32_t instruction,
                register_set needed, struct needs *needs);

/* ---- memory.c ---- */

/* True if the site's values depend on the contents of memory. */
bool site_reads_memory(const struct site *site);
bool site_asks_runtime(const struct site *site); /* the computation calls a routine of the runtime */

/* ---- frame.c ---- */

/* Loads the program's value of an integer or floating-point register into an integer register. */
void frame_fetch(struct frame *frame, unsigned source, unsigned to);
unsigned frame_take(struct frame *frame); /* a register to compute in */
void frame_give_back(struct frame *frame, unsigned temporary);
/* Combines needs: the other computation runs while `held` more registers are in use. */
void need_at_least(struct needs *needs, const struct needs *other, unsigned held);
/* The base register is in use until the frame is entered, or there is no base register. */
void frame_without_base(struct frame *frame);
/* The number of instructions that enter and leave it. */
unsigned frame_effort(const struct frame *frame);
/* Returns false if there are too few registers for computing. Registers in `sources` are read in place, so
   they are not used. */
bool frame_lay_out(struct frame *frame, const struct needs *needs, register_set needed, register_set sources);
void frame_enter(struct frame *frame);
void frame_leave(struct frame *frame);

/* ---- operators.c ---- */

/* An instruction of an operator, or of the narrowing of a parameter: to = a operator b. */
enum operation_value {
    OPERATION_LEFT,  /* the first operand, and finally the result */
    OPERATION_RIGHT, /* the second operand */
    OPERATION_SPARE,
    OPERATION_ZERO,
    OPERATION_LITERAL /* instead of `b`: the value .literal */
};
struct operation {
    uint8_t kind; /* enum integer_operator; OPERATOR_NONE ends the list */
    uint8_t a, b, to, literal;
};
enum { MOST_OPERATIONS = 7 }; /* including the end mark */

/* The exponent if the expression is a power of two, or -1. */
int power_of_two(const struct site_expression *expression);
bool expression_divides(const struct site_expression *expression);
/* True if a routine of the analysis image computes the operator. */
bool operator_is_called(const struct site_expression *expression);
/* The instructions of the remaining operators. */
void operator_operations(const struct site_expression *expression, struct operation list[MOST_OPERATIONS]);
/* The calling standard requires narrow arguments to be extended to 64 bits; unsigned int is sign-extended
   like int. */
void narrowing_operations(const struct plan_parameter *parameter, struct operation list[MOST_OPERATIONS]);
bool operations_use(const struct operation *list, enum operation_value value);
/* True if the second operand can be a literal. */
bool operations_take_literal(const struct operation *list);

/* ---- compute.c ---- */

/* Computes a dynamic value or expression into a register. */
void compute_value(struct frame *frame, const struct site_argument *value, unsigned to);
void value_needs(const struct rewrite *rewrite, const struct site_argument *value, uint32_t instruction,
                 struct needs *needs);
/* The displacement from the base of a load or store, at the site. */
int address_displacement(const struct rewrite *rewrite, const struct call_context *context);
/* Registers of the program that the value or expression reads; the outcome of a branch needs none if it is
   known. */
register_set value_sources(const struct rewrite *rewrite, const struct site_argument *value,
                           const struct call_context *context);

#endif
