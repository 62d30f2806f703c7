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

/* The frame has the layout of copied system calls (engine/copy/gate.c). */
static uint32_t *write_gate_entry(uint32_t *code, void (*gate)(void)) {
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

static uint32_t *write_gate_exit(uint32_t *code) {
    enum { AT = ALPHA_AT, RA = ALPHA_RA, SP = ALPHA_SP };
    *code++ = ALPHA_MEMORY_WORD(LDQ, RA, 0, SP);
    *code++ = ALPHA_MEMORY_WORD(LDQ, AT, 8, SP);
    *code++ = spill_word(1);
    return code;
}

static uint32_t *return_from_stub(uint32_t *code) {
    *code++ = ALPHA_MEMORY_WORD(RET, ALPHA_ZERO, 1, ALPHA_AT);
    return code;
}

uint32_t *atomc_write_gate_calls(uint32_t *code, unsigned long calls[3]) {
    code = write_gate_entry(code, atomc_entries.object_gate);
    uint32_t *clones = code++, *made = code++, *waits = code++;
    code = write_gate_exit(code);
    calls[0] = (unsigned long)code;
    *code++ = ALPHA_PAL_CALLSYS;
    code = return_from_stub(code);
    *made = ALPHA_BRANCH_WORD(BLBS, ALPHA_AT, code - made - 1);
    code = return_from_stub(write_gate_exit(code));
    *clones = ALPHA_BRANCH_WORD(BLT, ALPHA_AT, code - clones - 1);
    code = write_gate_exit(code);
    calls[1] = (unsigned long)code;
    *code++ = ALPHA_PAL_CALLSYS;
    uint32_t *begins = code++, *succeeds = code++;
    *begins = ALPHA_BRANCH_WORD(BEQ, ALPHA_V0, code - begins - 1);
    code = write_gate_exit(write_gate_entry(code, atomc_entries.call_failed));
    *succeeds = ALPHA_BRANCH_WORD(BEQ, ALPHA_A3, code - succeeds - 1);
    code = return_from_stub(code);
    *waits = ALPHA_BRANCH_WORD(BNE, ALPHA_AT, code - waits - 1);
    code = write_gate_exit(code);
    calls[2] = (unsigned long)code;
    *code++ = ALPHA_PAL_CALLSYS;
    return return_from_stub(write_gate_exit(write_gate_entry(code, atomc_entries.call_ends)));
}
