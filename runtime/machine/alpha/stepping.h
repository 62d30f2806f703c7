/* stepping.h: instructions that the runtime executes itself. */
#ifndef ATOMC_RUNTIME_STEPPING_H
#define ATOMC_RUNTIME_STEPPING_H

#include "codegen/alpha.h"
#include "runtime/kernel/kernel.h"

struct atomc_stepper {
    struct saved_context *context;
    unsigned long locked; /* by ldq_l or ldl_l; 0: nothing is */
    uint64_t locked_value;
    int interrupt_flag; /* of rs and rc: a signal clears it */
};

/* Executes the instruction at the pc. Returns 0, and has done nothing, if it is none that inserted code is
   made of, or would fault. */
int atomc_step(struct atomc_stepper *stepper);
/* The same as if this word were there. */
int atomc_step_as(struct atomc_stepper *stepper, uint32_t word);

/* Reads the word of the instruction that is executed (entry.S). */
uint32_t atomc_read_stepped(const uint32_t *pc);

/* .opcode ALPHA_INVALID: none that the runtime executes. */
const struct atomc_kind *atomc_kind_of(uint32_t word);

#endif
