/* scratch.c: registers that inserted code computes in for a few instructions: free ones if there are enough,
   or others whose values are kept in memory meanwhile. Requires what is live there.

   Control may be interrupted at each instruction: so the stack pointer is lowered first and raised last, and
   a value is loaded from where it was stored (runtime/signals/). */
#include "engine/code/code.h"
#include "engine/dataflow/dataflow.h"

static void access_kept(struct code *code, const struct scratch *scratch, enum alpha_opcode opcode) {
    if (scratch->kept == SCRATCH_IN_FRAME) {
        emit_site_frame(code, scratch->registers[0]);
        emit(code, alpha_memory(opcode, scratch->registers[1], SITE_FRAME_SPILLED, scratch->registers[0]));
        return;
    }
    for (unsigned i = 0; i < scratch->count; i++)
        emit(code, alpha_memory(opcode, scratch->registers[i], 8 * (int)i, ALPHA_SP));
}

struct scratch scratch_reserve(const struct rewrite *rewrite, struct code *code,
                               const struct scratch_request *request) {
    struct scratch scratch = {.count = request->count};
    unsigned found = free_registers(request->live, scratch.count, scratch.registers), first = 0;
    if (found == scratch.count)
        return scratch;
    bool in_frame = request->may_use_frame && rewrite->code->own_frames && found > 0;
    scratch.kept = in_frame ? SCRATCH_IN_FRAME : SCRATCH_ON_STACK;
    alpha_register_set avoided = request->avoided;
    for (; in_frame && first < found; first++)
        avoided |= REGISTER_BIT(scratch.registers[first]);
    free_registers(avoided, scratch.count - first, scratch.registers + first);
    if (!in_frame)
        emit_lower_spill(rewrite, code);
    access_kept(code, &scratch, ALPHA_STQ);
    return scratch;
}

void scratch_release(const struct rewrite *rewrite, struct code *code, const struct scratch *scratch) {
    if (scratch->kept == SCRATCH_NOT_KEPT)
        return;
    access_kept(code, scratch, ALPHA_LDQ);
    if (scratch->kept == SCRATCH_ON_STACK)
        emit_raise_spill(rewrite, code);
}
