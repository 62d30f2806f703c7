/* stack_switches.c: where the program may switch to another stack, inserted code reports a switch to the
   runtime, because spills are far below the program's first stack (runtime/entries.h). Requires
   code->spills_far. */
#include "engine/copy/internal.h"
#include "engine/count/counting.h"
#include "engine/dataflow/dataflow.h"

/* Frame pointers, from which a move restores the stack pointer. */
static bool keeps_stack_in_frame_pointer(const struct program *program, uint32_t instruction) {
    const struct conventions_of_machine *registers = &program->architecture->registers;
    const struct procedure *procedure =
        &program->procedures[program->blocks[block_at(program, instruction)].procedure];
    for (uint32_t i = procedure->first; i < procedure->first + procedure->count; i++) {
        const struct facts *facts = facts_of(program, i);
        if (facts->written & set_of(registers->frame) && facts->read & set_of(registers->stack) &&
            !(facts->flags & FACT_LOAD))
            return true;
    }
    return false;
}

/* Adding to the stack pointer, subtracting from it, or restoring its value in the procedure does not leave
   the stack. */
static bool may_switch(const struct program *program, uint32_t instruction) {
    const struct conventions_of_machine *registers = &program->architecture->registers;
    const struct facts *facts = facts_of(program, instruction);
    if (!(facts->written & set_of(registers->stack)))
        return false;
    if (facts->flags & FACT_LOAD)
        return true;
    if (facts->read & set_of(registers->stack))
        return false;
    return !(facts->read & set_of(registers->frame)) || !keeps_stack_in_frame_pointer(program, instruction);
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

/* Emits the instruction with another register in place of the stack pointer as its destination. The stack
   pointer is lowered by a spill's distance. */
static void emit_elsewhere(const struct rewrite *rewrite, uint32_t instruction, unsigned to) {
    struct code *code = &rewrite->code->copies;
    const struct machine *machine = code->machine;
    const struct facts *facts = facts_of(rewrite->program, instruction);
    uint32_t word = rewrite->program->text[instruction];
    if (facts->flags & FACT_LOAD && facts->memory[0].base == machine->registers->stack) {
        emit_above_spill(rewrite, code, code->machine->registers->stack, to);
        word = machine_with_base(machine, word, to);
    }
    emit(code, machine_with_destination(machine, word, to));
}

static bool find_free_registers(const struct rewrite *rewrite, uint32_t instruction, register_set live_after,
                                uint8_t found[2]) {
    register_set taken = registers_taken_after(rewrite, instruction, live_after);
    return !rewrite->options->without[WITHOUT_LIVENESS] &&
           free_registers(machine_registers(rewrite), taken, 2, found) == 2;
}

void check_stack_before(struct rewrite *rewrite, uint32_t instruction, register_set live_after) {
    struct code *code = &rewrite->code->copies;
    uint8_t found[2];
    if (!stack_is_checked(rewrite, instruction) ||
        find_free_registers(rewrite, instruction, live_after, found))
        return;
    register_set taken =
        facts_of(rewrite->program, instruction)->read | set_of(code->machine->registers->stack);
    struct scratch scratch = scratch_reserve(
        rewrite, code, &(struct scratch_request){.count = 2, .live = ~UINT64_C(0), .avoided = taken});
    emit_elsewhere(rewrite, instruction, scratch.registers[0]);
    emit_check(code, scratch.registers[0], scratch.registers[1], code->machine->stack_marks[1]);
    scratch_release(rewrite, code, &scratch);
}

void check_stack_after(struct rewrite *rewrite, uint32_t instruction, register_set live_after) {
    uint8_t found[2];
    if (!stack_is_checked(rewrite, instruction) ||
        !find_free_registers(rewrite, instruction, live_after, found))
        return;
    machine_move(&rewrite->code->copies, rewrite->machine->registers->stack, found[0]);
    emit_check(&rewrite->code->copies, found[0], found[1], rewrite->machine->stack_marks[0]);
}
