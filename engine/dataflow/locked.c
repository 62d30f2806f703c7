/* locked.c: load-locked/store-conditional sequences, inside which nothing may be put.
   A sequence is straight-line code from ldx_l to the next stx_c; branches out of it are allowed. */
#include "engine/dataflow/internal.h"
#include "engine/rewrite.h"

/* The architecture asks for short sequences (Alpha Architecture Reference Manual, 4.2.4); compilers' are
   below 20. */
#define LONGEST_SEQUENCE 64

uint32_t locked_sequence_end(const struct program *program, uint32_t instruction) {
    const struct alpha_descriptor *first = alpha_decode(program->text[instruction]);
    if ((first->flags & (ALPHA_LOCKED | ALPHA_LOAD)) != (ALPHA_LOCKED | ALPHA_LOAD))
        return NO_INDEX;
    for (uint32_t i = instruction + 1; i < program->instruction_count && i - instruction < LONGEST_SEQUENCE;
         i++) {
        const struct alpha_descriptor *next = alpha_decode(program->text[i]);
        if (next->flags & ALPHA_LOCKED)
            return next->flags & ALPHA_STORE ? i : NO_INDEX;
        if (next->flags & (ALPHA_UNCOND_BRANCH | ALPHA_CALL | ALPHA_INDIRECT) ||
            next->class == PLAN_CLASS_PAL || next->class == PLAN_CLASS_UNKNOWN)
            return NO_INDEX;
    }
    return NO_INDEX;
}
