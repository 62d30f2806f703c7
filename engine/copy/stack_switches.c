/* stack_switches.c: where the program may switch to another stack, inserted code reports a switch to the
   runtime, because spills are far below the program's first stack (runtime/entries.h). Requires
   code->spills_far. */
#include "engine/copy/internal.h"
#include "engine/count/counting.h"
#include "engine/dataflow/dataflow.h"

/* Frame pointers, from which `mov $15,$30` restores $30. */
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

/* Adding to $30, subtracting from it, or restoring its value in the procedure does not leave the stack. */
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

bool stack_is_checked(const struct rewrite *rewrite, uint32_t instruction) {
    return rewrite->code->spills_far && may_switch(rewrite->program, instruction);
}

/* Emits a check that `begin`, which holds an address, is in the first stack. If not, the load faults. */
static void emit_check(struct code *code, unsigned begin, unsigned other, uint32_t mark) {
    emit_site_frame(code, other);
    machine_load(code, other, other, SITE_FRAME_MAIN);
    machine_operate(code, OPERATOR_SUBTRACT, begin, other, begin);
    emit_site_frame(code, other);
    machine_load(code, other, other, SITE_FRAME_MAIN + 8);
    machine_operate(code, OPERATOR_BELOW, begin, other, other);
    uint32_t inside = machine_branch_if_forward(code, CONDITION_NONZERO, other);
    emit_site_frame(code, other);
    machine_load(code, other, other, SITE_FRAME_NOTHING);
    emit(code, mark);
    machine_aim_here(code, inside);
}

/* Emits the instruction with another register in place of $30 as its destination. $30 is lowered by a
   spill's distance. */
static void emit_elsewhere(const struct rewrite *rewrite, uint32_t word, unsigned to) {
    struct code *code = &rewrite->code->copies;
    const struct machine *machine = code->machine;
    if (alpha_decode(word)->flags & ALPHA_LOAD && alpha_rb(word) == machine->stack) {
        emit_above_spill(rewrite, code, to);
        word = machine_with_base(machine, word, to);
    }
    emit(code, machine_with_destination(machine, word, to));
}

static bool find_free_registers(const struct rewrite *rewrite, uint32_t instruction,
                                alpha_register_set live_after, uint8_t found[2]) {
    alpha_register_set taken = registers_taken_after(rewrite, instruction, live_after);
    return !rewrite->options->without[WITHOUT_LIVENESS] &&
           free_registers(machine_registers(rewrite), taken, 2, found) == 2;
}

void check_stack_before(struct rewrite *rewrite, uint32_t instruction, alpha_register_set live_after) {
    struct code *code = &rewrite->code->copies;
    uint8_t found[2];
    if (!stack_is_checked(rewrite, instruction) ||
        find_free_registers(rewrite, instruction, live_after, found))
        return;
    uint32_t word = rewrite->program->text[instruction];
    alpha_register_set taken = alpha_registers_read(word) | REGISTER_BIT(ALPHA_SP);
    struct scratch scratch = scratch_reserve(
        rewrite, code, &(struct scratch_request){.count = 2, .live = ~UINT64_C(0), .avoided = taken});
    emit_elsewhere(rewrite, word, scratch.registers[0]);
    emit_check(code, scratch.registers[0], scratch.registers[1], STACK_MARK(1));
    scratch_release(rewrite, code, &scratch);
}

void check_stack_after(struct rewrite *rewrite, uint32_t instruction, alpha_register_set live_after) {
    uint8_t found[2];
    if (!stack_is_checked(rewrite, instruction) ||
        !find_free_registers(rewrite, instruction, live_after, found))
        return;
    machine_move(&rewrite->code->copies, ALPHA_SP, found[0]);
    emit_check(&rewrite->code->copies, found[0], found[1], STACK_MARK(0));
}
