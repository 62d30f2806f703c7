/* stubs.c: code of pages through which system calls of libraries, and of changed text, go to the runtime's
   gate. Compiled without floating-point registers. */
#include "runtime/kernel/kernel.h"

/* ---- spills: all are near the stack pointer --------------------------------------------------------------- */

int atomc_is_far_spill(uint32_t word) {
    (void)word;
    return 0;
}

int atomc_lowers_far(uint32_t word) {
    (void)word;
    return 0;
}

uint32_t atomc_near_spill(uint32_t word) {
    return word;
}

/* ---- calls of the gate ------------------------------------------------------------------------------------ */

enum { AT = SCRATCH_REGISTER, LINK = LINK_REGISTER, SP = STACK_REGISTER };

/* The frame has the layout of copied system calls (engine/copy/system_calls.c). */
uint32_t *atomc_write_gate_entry(uint32_t *code, void (*gate)(void)) {
    uint32_t address = (uint32_t)(unsigned long)gate;
    *code++ = aarch64_add(SP, SP, -SPILL_NEAR);
    *code++ = aarch64_str(LINK, SP, 0);
    *code++ = aarch64_str(AT, SP, 8);
    *code++ = aarch64_movz(LINK, address & 0xffff, 0);
    *code++ = aarch64_movk(LINK, address >> 16, 16);
    *code++ = aarch64_blr(LINK);
    return code;
}

uint32_t *atomc_write_gate_exit(uint32_t *code) {
    *code++ = aarch64_ldr(LINK, SP, 0);
    *code++ = aarch64_ldr(AT, SP, 8);
    *code++ = aarch64_add(SP, SP, SPILL_NEAR);
    return code;
}

uint32_t *atomc_write_stub_return(uint32_t *code) {
    *code++ = aarch64_br(AT);
    return code;
}

uint32_t atomc_stub_branch(enum stub_condition condition, const uint32_t *from, const uint32_t *to) {
    enum { RESULT = RESULT_REGISTER, SIGN = 63 };
    switch (condition) {
    case STUB_MADE:
        return aarch64_tb(1, AT, 0, to - from);
    case STUB_CLONES:
        return aarch64_tb(1, AT, SIGN, to - from);
    case STUB_WAITS:
        return aarch64_cb(1, AT, to - from);
    case STUB_IN_CHILD:
        return aarch64_cb(0, RESULT, to - from);
    default:
        return aarch64_tb(0, RESULT, SIGN, to - from);
    }
}
