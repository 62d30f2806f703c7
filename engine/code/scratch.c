/* scratch.c: registers that inserted code borrows from the program: free registers if there are enough, or
   others whose values are saved in memory during the use. Requires liveness.

   A signal may interrupt the code at each instruction. So the stack pointer is lowered first and raised last,
   and a value is reloaded from the address where it was stored (runtime/signals/). */
#include "engine/code/code.h"
#include "engine/cfg/cfg.h"
#include "engine/count/counting.h"
#include "engine/dataflow/dataflow.h"

register_set registers_taken(const struct rewrite *rewrite, uint32_t block, register_set live) {
    return live | rewrite->observed | promoted_registers(rewrite, block);
}

register_set registers_taken_after(const struct rewrite *rewrite, uint32_t instruction, register_set live) {
    const struct program *program = rewrite->program;
    return registers_taken(rewrite, block_at(program, instruction), live) |
           observation_at(program, instruction).after;
}

/* ---- a spill ----------------------------------------------------------------------------------------------------- */

static void emit_spill_distance(const struct rewrite *rewrite, struct code *code, unsigned from, int times,
                                unsigned to) {
    int64_t distance = rewrite->code->spills_far ? SPILL_FAR * INT64_C(65536) : SPILL_NEAR;
    machine_add_constant(code, from, times * distance, to);
}

void emit_lower_spill(const struct rewrite *rewrite, struct code *code) {
    const unsigned stack = code->machine->registers->stack;
    emit_spill_distance(rewrite, code, stack, -1, stack);
}

void emit_above_spill(const struct rewrite *rewrite, struct code *code, unsigned from, unsigned to) {
    emit_spill_distance(rewrite, code, from, 1, to);
}

void emit_raise_spill(const struct rewrite *rewrite, struct code *code) {
    const unsigned stack = code->machine->registers->stack;
    emit_spill_distance(rewrite, code, stack, 1, stack);
}

void emit_spill(const struct rewrite *rewrite, struct code *code, unsigned reg) {
    emit_lower_spill(rewrite, code);
    machine_store(code, reg, code->machine->registers->stack, 0);
}

void emit_take_back(const struct rewrite *rewrite, struct code *code, unsigned reg) {
    machine_load(code, reg, code->machine->registers->stack, 0);
    emit_raise_spill(rewrite, code);
}

/* ---- for a few instructions -------------------------------------------------------------------------------------- */

typedef void access(struct code *code, unsigned reg, unsigned base, int displacement);

static void access_kept(struct code *code, const struct scratch *scratch, access *load_or_store) {
    if (scratch->kept == SCRATCH_IN_FRAME) {
        emit_site_frame(code, scratch->registers[0]);
        load_or_store(code, scratch->registers[1], scratch->registers[0], SITE_FRAME_SPILLED);
        return;
    }
    for (unsigned i = 0; i < scratch->count; i++)
        load_or_store(code, scratch->registers[i], code->machine->registers->stack, 8 * (int)i);
}

struct scratch scratch_reserve(const struct rewrite *rewrite, struct code *code,
                               const struct scratch_request *request) {
    struct scratch scratch = {.count = request->count};
    unsigned found =
                 free_registers(machine_registers(rewrite), request->live, scratch.count, scratch.registers),
             first = 0;
    if (found == scratch.count)
        return scratch;
    bool in_frame = request->may_use_frame && rewrite->code->own_frames && found > 0;
    scratch.kept = in_frame ? SCRATCH_IN_FRAME : SCRATCH_ON_STACK;
    register_set avoided = request->avoided;
    for (; in_frame && first < found; first++)
        avoided |= REGISTER_BIT(scratch.registers[first]);
    free_registers(machine_registers(rewrite), avoided, scratch.count - first, scratch.registers + first);
    if (!in_frame)
        emit_lower_spill(rewrite, code);
    access_kept(code, &scratch, machine_store);
    return scratch;
}

void scratch_release(const struct rewrite *rewrite, struct code *code, const struct scratch *scratch) {
    if (scratch->kept == SCRATCH_NOT_KEPT)
        return;
    access_kept(code, scratch, machine_load);
    if (scratch->kept == SCRATCH_ON_STACK)
        emit_raise_spill(rewrite, code);
}
