/* stack_switches.c: where the program may go to another stack, the runtime is told if it has: spills are far
   below its first one (runtime/entries.h). Requires code->spills_far. */
#include "engine/copy/internal.h"
#include "engine/count/counting.h"
#include "engine/dataflow/dataflow.h"

/* A frame's pointer, which `mov $15,$30` goes back to. */
static bool keeps_stack_in_frame_pointer(const struct program *program, uint32_t instruction) {
    const struct procedure *procedure =
        &program->procedures[program->blocks[block_at(program, instruction)].procedure];
    for (uint32_t i = procedure->first; i < procedure->first + procedure->count; i++) {
        alpha_register_set frame = REGISTER_BIT(ALPHA_FP), stack = REGISTER_BIT(ALPHA_SP);
        uint32_t word = program->text[i];
        if (alpha_registers_written(word) & frame && alpha_registers_read(word) & stack &&
            !(alpha_decode(word)->flags & ALPHA_LOAD))
            return true;
    }
    return false;
}

/* What is added to $30, or taken from it, or goes back to where it was in the procedure, stays on a stack. */
static bool may_switch(const struct program *program, uint32_t instruction) {
    uint32_t word = program->text[instruction];
    alpha_register_set read = alpha_registers_read(word);
    if (!(alpha_registers_written(word) & REGISTER_BIT(ALPHA_SP)))
        return false;
    if (alpha_decode(word)->flags & ALPHA_LOAD)
        return true;
    if (read & REGISTER_BIT(ALPHA_SP))
        return false;
    return !(read & REGISTER_BIT(ALPHA_FP)) || !keeps_stack_in_frame_pointer(program, instruction);
}

void check_stack(struct rewrite *rewrite, uint32_t instruction, alpha_register_set live_after) {
    const struct program *program = rewrite->program;
    struct code *code = &rewrite->code->copies;
    if (!rewrite->code->spills_far || !may_switch(program, instruction))
        return;
    alpha_register_set taken = live_after | rewrite->observed | observation_at(program, instruction).after |
                               promoted_registers(rewrite, block_at(program, instruction)) |
                               REGISTER_BIT(ALPHA_SP);
    unsigned size = free_register(taken), begin = NO_INDEX;
    if (size != NO_INDEX)
        begin = free_register(taken | REGISTER_BIT(size));
    bool spills = begin == NO_INDEX || rewrite->options->without[WITHOUT_LIVENESS];
    if (spills) { /* near: nothing is known of what is far */
        size = ALPHA_AT;
        begin = ALPHA_PV;
        emit_lower_stack(code, SPILL_NEAR);
        emit(code, alpha_memory(ALPHA_STQ, size, 0, ALPHA_SP));
        emit(code, alpha_memory(ALPHA_STQ, begin, 8, ALPHA_SP));
    }
    emit_site_frame(code, size);
    emit(code, alpha_memory(ALPHA_LDQ, begin, SITE_FRAME_MAIN, size));
    emit(code, alpha_memory(ALPHA_LDQ, size, SITE_FRAME_MAIN + 8, size));
    emit(code, alpha_operate(ALPHA_SUBQr, ALPHA_SP, begin, begin));
    emit(code, alpha_operate(ALPHA_CMPULTr, begin, size, size));
    emit(code, alpha_branch(ALPHA_BNE, size, 3));
    emit_site_frame(code, size);
    emit(code, alpha_memory(ALPHA_LDQ, size, SITE_FRAME_NOTHING, size));
    emit(code, STACK_MARK);
    if (spills) {
        emit(code, alpha_memory(ALPHA_LDQ, size, 0, ALPHA_SP));
        emit(code, alpha_memory(ALPHA_LDQ, begin, 8, ALPHA_SP));
        emit_raise_stack(code, SPILL_NEAR);
    }
}
