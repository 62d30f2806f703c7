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
    uint32_t word = rewrite->program->text[instruction];
    const unsigned scratch = code->machine->spill;
    emit_spill(rewrite, code, scratch);
    machine_look_up_landing(code, alpha_rb(word), scratch);
    emit_return_address(rewrite, instruction, alpha_ra(word), NO_INDEX);
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
static void copy_original_transfer(struct rewrite *rewrite, uint32_t instruction,
                                   alpha_register_set live_after) {
    struct code *code = &rewrite->code->copies;
    uint32_t word = rewrite->program->text[instruction];
    unsigned link = alpha_ra(word), target = alpha_rb(word);
    if (link == target && link != ALPHA_ZERO) {
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
    if (alpha_decode(word)->flags & ALPHA_RETURN)
        machine_return_to(code, target);
    else
        machine_jump(code, target);
}

/* A register for the map's word of the target, or NO_INDEX. This register differs from the target's own
   register if the jump may leave the text: the runtime then needs the full target address. */
static unsigned transfer_register(const struct rewrite *rewrite, uint32_t index,
                                  alpha_register_set live_after) {
    const struct basic_block *block = &rewrite->program->blocks[index];
    uint32_t word = rewrite->program->text[block_last(block)];
    unsigned link = alpha_ra(word), target = alpha_rb(word);
    alpha_register_set taken =
        registers_taken(rewrite, index, live_after) | (link != ALPHA_ZERO ? REGISTER_BIT(link) : 0);
    unsigned scratch = free_register(machine_registers(rewrite), taken | REGISTER_BIT(target));
    if (scratch == NO_INDEX && block->end == END_JUMP_TABLE && !(taken & REGISTER_BIT(target)))
        scratch = target;
    return scratch;
}

/* If none is free, $28 is spilled to the stack, unless the jump uses it. */
static bool transfer_spills(uint32_t word) {
    return alpha_rb(word) != ALPHA_AT && alpha_ra(word) != ALPHA_AT;
}

bool transfers_spill(const struct rewrite *rewrite) {
    const struct program *program = rewrite->program;
    for (uint32_t b = 0; b < program->block_count && !rewrite->copying->sparse; b++) {
        const struct basic_block *block = &program->blocks[b];
        uint32_t last = block_last(block), word = program->text[last];
        unsigned flags = alpha_decode(word)->flags;
        if (flags & ALPHA_INDIRECT && transfer_register(rewrite, b, block->live_out) == NO_INDEX &&
            transfer_spills(word) && (flags & ALPHA_RETURN || known_target(program, last) == NO_INDEX))
            return true;
    }
    return false;
}

void copy_indirect(struct rewrite *rewrite, uint32_t instruction, alpha_register_set live_after) {
    struct code *code = &rewrite->code->copies;
    uint32_t word = rewrite->program->text[instruction];
    unsigned link = alpha_ra(word), target = alpha_rb(word);
    bool returns = alpha_decode(word)->flags & ALPHA_RETURN;
    uint32_t known = returns ? NO_INDEX : known_target(rewrite->program, instruction);
    const struct basic_block *block = &rewrite->program->blocks[block_at(rewrite->program, instruction)];
    rewrite->code->statistics.transfers++;
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
    if (scratch == NO_INDEX && transfer_spills(word)) {
        emit_spilled_transfer(rewrite, instruction);
        return;
    }
    if (scratch == NO_INDEX) {
        /* If $28 cannot be spilled either, emits a jump to the original address. This address is not
           executable, so the runtime's fault handler continues at the copy, with all registers unchanged. If
           the jump links into its own target register, it sets the link itself. */
        if (link != target)
            emit_return_address(rewrite, instruction, link, NO_INDEX);
        if (link == target && link != ALPHA_ZERO)
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
