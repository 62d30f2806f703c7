/* stubs.c: code of pages through which system calls of libraries, and of changed text, go to the runtime's
   gate; and the spills of inserted code. Compiled without floating-point registers. */
#include "runtime/kernel/kernel.h"

/* ---- spills ---------------------------------------------------------------------------------------------- */

int atomc_is_far_spill(uint32_t word) {
    int displacement = alpha_memory_displacement(word);
    return ALPHA_IS(word, LDAH) && alpha_rb(word) == ALPHA_SP &&
           (displacement == SPILL_FAR || displacement == -SPILL_FAR);
}

int atomc_lowers_far(uint32_t word) {
    return atomc_is_far_spill(word) && alpha_memory_displacement(word) == -SPILL_FAR;
}

uint32_t atomc_near_spill(uint32_t word) {
    return ALPHA_MEMORY_WORD(LDA, alpha_ra(word),
                             alpha_memory_displacement(word) == SPILL_FAR ? SPILL_NEAR : -SPILL_NEAR,
                             ALPHA_SP);
}

/* ---- calls of the gate ------------------------------------------------------------------------------------ */

/* Lowers $30 for a spill, or raises it. */
static uint32_t spill_word(int times) {
    return atomc_image.spills_far ? ALPHA_MEMORY_WORD(LDAH, ALPHA_SP, times * SPILL_FAR, ALPHA_SP)
                                  : ALPHA_MEMORY_WORD(LDA, ALPHA_SP, times * SPILL_NEAR, ALPHA_SP);
}

/* The frame has the layout of copied system calls (engine/copy/system_calls.c). */
uint32_t *atomc_write_gate_entry(uint32_t *code, void (*gate)(void)) {
    enum { AT = ALPHA_AT, RA = ALPHA_RA, SP = ALPHA_SP };
    uint32_t address = (uint32_t)(unsigned long)gate;
    int low = (int16_t)address;
    *code++ = spill_word(-1);
    *code++ = ALPHA_MEMORY_WORD(STQ, RA, 0, SP);
    *code++ = ALPHA_MEMORY_WORD(STQ, AT, 8, SP);
    *code++ = ALPHA_MEMORY_WORD(LDAH, RA, (int)((address - (uint32_t)low) >> 16), ALPHA_ZERO);
    *code++ = ALPHA_MEMORY_WORD(LDA, RA, low, RA);
    *code++ = ALPHA_MEMORY_WORD(JSR, RA, 0, RA);
    return code;
}

uint32_t *atomc_write_gate_exit(uint32_t *code) {
    enum { AT = ALPHA_AT, RA = ALPHA_RA, SP = ALPHA_SP };
    *code++ = ALPHA_MEMORY_WORD(LDQ, RA, 0, SP);
    *code++ = ALPHA_MEMORY_WORD(LDQ, AT, 8, SP);
    *code++ = spill_word(1);
    return code;
}

uint32_t *atomc_write_stub_return(uint32_t *code) {
    *code++ = ALPHA_MEMORY_WORD(RET, ALPHA_ZERO, 1, ALPHA_AT);
    return code;
}

uint32_t atomc_stub_branch(enum stub_condition condition, const uint32_t *from, const uint32_t *to) {
    long distance = to - from - 1;
    switch (condition) {
    case STUB_MADE:
        return ALPHA_BRANCH_WORD(BLBS, ALPHA_AT, distance);
    case STUB_CLONES:
        return ALPHA_BRANCH_WORD(BLT, ALPHA_AT, distance);
    case STUB_WAITS:
        return ALPHA_BRANCH_WORD(BNE, ALPHA_AT, distance);
    case STUB_IN_CHILD:
        return ALPHA_BRANCH_WORD(BEQ, ALPHA_V0, distance);
    default:
        return ALPHA_BRANCH_WORD(BEQ, ALPHA_A3, distance);
    }
}
