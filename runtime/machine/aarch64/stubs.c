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
static uint32_t *write_gate_entry(uint32_t *code, void (*gate)(void)) {
    uint32_t address = (uint32_t)(unsigned long)gate;
    *code++ = aarch64_add(SP, SP, -SPILL_NEAR);
    *code++ = aarch64_str(LINK, SP, 0);
    *code++ = aarch64_str(AT, SP, 8);
    *code++ = aarch64_movz(LINK, address & 0xffff, 0);
    *code++ = aarch64_movk(LINK, address >> 16, 16);
    *code++ = aarch64_blr(LINK);
    return code;
}

static uint32_t *write_gate_exit(uint32_t *code) {
    *code++ = aarch64_ldr(LINK, SP, 0);
    *code++ = aarch64_ldr(AT, SP, 8);
    *code++ = aarch64_add(SP, SP, SPILL_NEAR);
    return code;
}

static uint32_t *return_from_stub(uint32_t *code) {
    *code++ = aarch64_br(AT);
    return code;
}

uint32_t *atomc_write_gate_calls(uint32_t *code, unsigned long calls[3]) {
    enum { RESULT = RESULT_REGISTER, SIGN = 63 };
    code = write_gate_entry(code, atomc_entries.object_gate);
    uint32_t *clones = code++, *made = code++, *waits = code++;
    code = write_gate_exit(code);
    calls[0] = (unsigned long)code;
    *code++ = AARCH64_SVC;
    code = return_from_stub(code);
    *made = aarch64_tb(1, AT, 0, code - made);
    code = return_from_stub(write_gate_exit(code));
    *clones = aarch64_tb(1, AT, SIGN, code - clones);
    code = write_gate_exit(code);
    calls[1] = (unsigned long)code;
    *code++ = AARCH64_SVC;
    uint32_t *begins = code++, *succeeds = code++;
    *begins = aarch64_cb(0, RESULT, code - begins);
    code = write_gate_exit(write_gate_entry(code, atomc_entries.call_failed));
    *succeeds = aarch64_tb(0, RESULT, SIGN, code - succeeds);
    code = return_from_stub(code);
    *waits = aarch64_cb(1, AT, code - waits);
    code = write_gate_exit(code);
    calls[2] = (unsigned long)code;
    *code++ = AARCH64_SVC;
    return return_from_stub(write_gate_exit(write_gate_entry(code, atomc_entries.call_ends)));
}
