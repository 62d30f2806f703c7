/* indirect_jumps.c: how an indirect jump, call or return reads the address of the copy from the map. The low
   32 bits of the original target address are the address of its map word. Requires liveness, for the register
   that the word is loaded into. */
#include "engine/copy/internal.h"
#include "engine/cfg/cfg.h"
#include "engine/count/counting.h"
#include "engine/dataflow/dataflow.h"

/* For a transfer without a free register. The map of landings is at a fixed distance from the map. */
static void emit_spilled_transfer(struct rewrite *rewrite, uint32_t instruction) {
    struct code *code = &rewrite->code->copies;
    const struct facts *facts = facts_of(rewrite->program, instruction);
    const unsigned scratch = code->machine->registers->spill;
    emit_spill(rewrite, code, scratch);
    machine_look_up_landing(code, facts->target, scratch);
    emit_return_address(rewrite, instruction, facts->link, NO_INDEX);
    machine_go_to_copy(code, scratch, false);
    rewrite->code->statistics.spilled_transfers++;
}

/* The target instruction of a jump through the GOT, or NO_INDEX. */
static uint32_t known_target(const struct program *program, uint32_t instruction) {
    uint32_t offset = 0, procedure = call_target(program, instruction, &offset);
    return procedure == NO_INDEX ? NO_INDEX : program->procedures[procedure].first + offset;
}

/* True if the block's jump table has targets that are not copied. */
static bool leads_out(const struct rewrite *rewrite, const struct basic_block *block) {
    const struct program *program = rewrite->program;
    for (uint32_t e = block->first_successor; e < block->first_successor + block->successor_count; e++)
        if (!is_copied(rewrite, program->blocks[program->edges[e].to].first))
            return true;
    return false;
}

/* A transfer to an original address. The original code is there, or a springboard to its copy. */
static void copy_original_transfer(struct rewrite *rewrite, uint32_t instruction, register_set live_after) {
    struct code *code = &rewrite->code->copies;
    const struct facts *facts = facts_of(rewrite->program, instruction);
    unsigned link = facts->link, target = facts->target;
    if (link == target) {
        uint32_t block = block_at(rewrite->program, instruction);
        unsigned scratch = free_register(machine_registers(rewrite),
                                         registers_taken(rewrite, block, live_after) | REGISTER_BIT(target));
        if (scratch == NO_INDEX) {
            machine_transfer_trap(code, target);
            rewrite->code->statistics.transfers_without_register++;
            return;
        }
        machine_move(code, target, scratch);
        target = scratch;
    }
    emit_return_address(rewrite, instruction, link, NO_INDEX);
    if (facts->class == CLASS_RETURN)
        machine_return_to(code, target);
    else
        machine_jump(code, target);
}

/* A register for the map's word of the target, or NO_INDEX. This register differs from the target's own
   register if the jump may leave the text: the runtime then needs the full target address. */
static unsigned transfer_register(const struct rewrite *rewrite, uint32_t index, register_set live_after) {
    const struct basic_block *block = &rewrite->program->blocks[index];
    const struct facts *facts = facts_of(rewrite->program, block_last(block));
    const unsigned target = facts->target;
    register_set taken = registers_taken(rewrite, index, live_after) | set_of(facts->link);
    unsigned scratch = free_register(machine_registers(rewrite), taken | REGISTER_BIT(target));
    if (scratch == NO_INDEX && block->end == END_JUMP_TABLE && !(taken & REGISTER_BIT(target)))
        scratch = target;
    return scratch;
}

/* If none is free, the register for spills is spilled to the stack, unless the jump uses it. */
static bool transfer_spills(const struct rewrite *rewrite, const struct facts *facts) {
    return facts->target != rewrite->machine->registers->spill &&
           facts->link != rewrite->machine->registers->spill;
}

bool transfers_spill(const struct rewrite *rewrite) {
    const struct program *program = rewrite->program;
    for (uint32_t b = 0; b < program->block_count && !rewrite->copying->sparse; b++) {
        const struct basic_block *block = &program->blocks[b];
        uint32_t last = block_last(block);
        const struct facts *facts = facts_of(program, last);
        if (facts->flags & FACT_AUTHENTICATES)
            continue;
        if (facts->flags & FACT_INDIRECT && transfer_register(rewrite, b, block->live_out) == NO_INDEX &&
            transfer_spills(rewrite, facts) &&
            (facts->class == CLASS_RETURN || known_target(program, last) == NO_INDEX))
            return true;
    }
    return false;
}

/* The program's registers stay as they are: where a signal arrives, a handler sees the signed address. */
static void copy_authenticated(struct rewrite *rewrite, uint32_t instruction, register_set live_after) {
    struct code *code = &rewrite->code->copies;
    const struct conventions_of_machine *registers = machine_registers(rewrite);
    const uint32_t word = rewrite->program->text[instruction];
    const struct facts *facts = facts_of(rewrite->program, instruction);
    register_set taken = registers_taken(rewrite, block_at(rewrite->program, instruction), live_after) |
                         facts->read | set_of(facts->link);
    unsigned target = free_register(registers, taken);
    unsigned scratch = target == NO_INDEX ? NO_INDEX : free_register(registers, taken | REGISTER_BIT(target));
    if (scratch == NO_INDEX) { /* the original address is not executable: the runtime continues at the copy */
        emit_return_address(rewrite, instruction, facts->link, NO_INDEX);
        machine_go_authenticated(code, word);
        rewrite->code->statistics.transfers_without_register++;
        return;
    }
    machine_authenticate(code, word, target);
    machine_look_up(code, target, scratch);
    emit_return_address(rewrite, instruction, facts->link, NO_INDEX);
    machine_go_to_copy(code, scratch, facts->class == CLASS_RETURN);
}

void copy_indirect(struct rewrite *rewrite, uint32_t instruction, register_set live_after) {
    struct code *code = &rewrite->code->copies;
    const struct facts *facts = facts_of(rewrite->program, instruction);
    unsigned link = facts->link, target = facts->target;
    bool returns = facts->class == CLASS_RETURN;
    uint32_t known = returns ? NO_INDEX : known_target(rewrite->program, instruction);
    const struct basic_block *block = &rewrite->program->blocks[block_at(rewrite->program, instruction)];
    rewrite->code->statistics.transfers++;
    if (facts->flags & FACT_AUTHENTICATES) {
        copy_authenticated(rewrite, instruction, live_after);
        return;
    }
    if (known != NO_INDEX && is_copied(rewrite, known)) {
        emit_return_address(rewrite, instruction, link, known);
        emit_jump(rewrite, known, entry_kind(rewrite, block_at(rewrite->program, instruction)));
        return;
    }
    /* The map covers the program's own text. */
    if (rewrite->copying->sparse &&
        (block->end != END_JUMP_TABLE || instruction >= rewrite->program->own_count ||
         leads_out(rewrite, block))) {
        copy_original_transfer(rewrite, instruction, live_after);
        return;
    }
    unsigned scratch = transfer_register(rewrite, block_at(rewrite->program, instruction), live_after);
    if (scratch == NO_INDEX && transfer_spills(rewrite, facts)) {
        emit_spilled_transfer(rewrite, instruction);
        return;
    }
    if (scratch == NO_INDEX) {
        /* If that register cannot be spilled either, emits a jump to the original address. This address is
           not executable, so the runtime's fault handler continues at the copy, with all registers unchanged.
           If the jump links into its own target register, it sets the link itself. */
        if (link != target)
            emit_return_address(rewrite, instruction, link, NO_INDEX);
        if (link == target)
            machine_transfer_trap(code, target);
        else
            machine_jump(code, target);
        rewrite->code->statistics.transfers_without_register++;
        return;
    }
    machine_look_up(code, target, scratch);
    emit_return_address(rewrite, instruction, link, NO_INDEX);
    /* Its link, in the same register, identifies the jump to the runtime if the jump is unresolved. */
    machine_go_to_copy(code, scratch, returns);
}
