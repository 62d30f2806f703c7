/* scratch.c: registers that inserted code borrows from the program: free ones if there are enough, or
   others whose values are saved in memory meanwhile. Requires liveness.

   A signal may interrupt at each instruction. So the stack pointer is lowered first and raised last, and a
   value is reloaded from the address where it was stored (runtime/signals/). */
#include "engine/code/code.h"
#include "engine/cfg/cfg.h"
#include "engine/count/counting.h"
#include "engine/dataflow/dataflow.h"

alpha_register_set registers_taken(const struct rewrite *rewrite, uint32_t block, alpha_register_set live) {
    return live | rewrite->observed | promoted_registers(rewrite, block);
}

alpha_register_set registers_taken_after(const struct rewrite *rewrite, uint32_t instruction,
                                         alpha_register_set live) {
    const struct program *program = rewrite->program;
    return registers_taken(rewrite, block_at(program, instruction), live) |
           observation_at(program, instruction).after;
}

/* ---- a spill ----------------------------------------------------------------------------------------------------- */

static void emit_spill_distance(const struct rewrite *rewrite, struct code *code, int times, unsigned to) {
    if (rewrite->code->spills_far)
        emit(code, alpha_memory(ALPHA_LDAH, to, times * SPILL_FAR, ALPHA_SP));
    else
        emit(code, alpha_memory(ALPHA_LDA, to, times * SPILL_NEAR, ALPHA_SP));
}

void emit_lower_spill(const struct rewrite *rewrite, struct code *code) {
    emit_spill_distance(rewrite, code, -1, ALPHA_SP);
}

void emit_above_spill(const struct rewrite *rewrite, struct code *code, unsigned to) {
    emit_spill_distance(rewrite, code, 1, to);
}

void emit_raise_spill(const struct rewrite *rewrite, struct code *code) {
    emit_spill_distance(rewrite, code, 1, ALPHA_SP);
}

void emit_spill(const struct rewrite *rewrite, struct code *code, unsigned reg) {
    emit_lower_spill(rewrite, code);
    emit(code, alpha_memory(ALPHA_STQ, reg, 0, ALPHA_SP));
}

void emit_take_back(const struct rewrite *rewrite, struct code *code, unsigned reg) {
    emit(code, alpha_memory(ALPHA_LDQ, reg, 0, ALPHA_SP));
    emit_raise_spill(rewrite, code);
}

/* ---- for a few instructions -------------------------------------------------------------------------------------- */

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

/* ---- many -------------------------------------------------------------------------------------------------------- */

/* Handles the base last. */
static void store_or_load(struct code *code, alpha_register_set set, unsigned base, uint32_t offset,
                          enum alpha_opcode integer, enum alpha_opcode floating) {
    uint32_t last = NO_INDEX;
    for (; set; set &= set - 1, offset += 8) {
        unsigned reg = (unsigned)__builtin_ctzll(set);
        if (reg == base)
            last = offset;
        else
            emit(code, alpha_memory(reg < 32 ? integer : floating, reg & 31, (int)offset, base));
    }
    if (last != NO_INDEX)
        emit(code, alpha_memory(integer, base, (int)last, base));
}

void save_registers(struct code *code, alpha_register_set set, unsigned base, uint32_t offset) {
    store_or_load(code, set, base, offset, ALPHA_STQ, ALPHA_STT);
}

void restore_registers(struct code *code, alpha_register_set set, unsigned base, uint32_t offset) {
    store_or_load(code, set, base, offset, ALPHA_LDQ, ALPHA_LDT);
}
