/* instruction.c: copies one instruction of the program: control transfers are translated, all other
   instructions are copied verbatim. Requires liveness. */
#include <assert.h>

#include "engine/copy/internal.h"
#include "engine/object/object.h"
#include "engine/cfg/cfg.h"
#include "engine/dataflow/dataflow.h"
#include "engine/count/counting.h"
#include "support/search.h"

/* True if there are sites at the instructions from `first` to `last`. */
static bool has_sites_between(const struct rewrite *rewrite, uint32_t first, uint32_t last) {
    const struct sites *sites = rewrite->sites;
    uint32_t low = FIRST_NOT(0, sites->count, at, sites->sites[at].instruction < first);
    return low < sites->count && sites->sites[low].instruction <= last;
}

/* True if the link register is known to hold the address of the block's first instruction. A block that
   begins by computing the data base from it is reached only by returns, or the data base would be wrong. The
   register may be dead there, because calls do not preserve it. */
static bool returns_to_block(const struct rewrite *rewrite, const struct basic_block *block,
                             uint32_t instruction) {
    const struct program *program = rewrite->program;
    int64_t offset;
    uint64_t data_base = program->procedures[block->procedure].data_base;
    if (!data_base || block->count < 2 || rewrite->options->poison ||
        !data_base_set_at(program, block->first, rewrite->machine->registers->link, &offset) ||
        instruction_address(program, block->first) + (uint64_t)offset != data_base ||
        has_sites_between(rewrite, block->first, instruction))
        return false;
    for (uint32_t i = block->first; i < instruction; i++)
        if (facts_of(program, i)->written & set_of(rewrite->machine->registers->link))
            return false;
    return true;
}

void emit_return_address(struct rewrite *rewrite, uint32_t instruction, unsigned link, uint32_t target) {
    const struct program *program = rewrite->program;
    const struct basic_block *block = &program->blocks[block_at(program, instruction)];
    if (link == REGISTER_NONE)
        return;
    if (target != NO_INDEX) {
        int64_t distance = 4 * ((int64_t)instruction + 1 - (int64_t)target);
        if (distance == (int16_t)distance) {
            machine_add_constant(&rewrite->code->copies, facts_of(program, instruction)->target, distance,
                                 link);
            return;
        }
    }
    uint32_t passed = 4 * (instruction + 1 - block->first);
    if (passed < 0x8000 && returns_to_block(rewrite, block, instruction))
        machine_add_constant(&rewrite->code->copies, rewrite->machine->registers->link, passed, link);
    else
        emit_original(rewrite, &rewrite->code->copies, instruction,
                      instruction_address(program, instruction) + 4, link);
}

/* How a direct branch enters its target: a call, or a branch from another procedure, enters from outside. */
static enum fixup_kind branch_kind(const struct rewrite *rewrite, uint32_t from, uint32_t target, bool call) {
    const struct program *program = rewrite->program;
    return call || procedure_at(program, from) != procedure_at(program, target)
               ? entry_kind(rewrite, block_at(program, from))
               : FIXUP_INSIDE;
}

/* A branch to an address outside of the text can only fault there. The copy makes the same branch. */
static void emit_stray_jump(struct rewrite *rewrite, uint32_t instruction, uint64_t address) {
    emit_original(rewrite, &rewrite->code->copies, instruction, address, rewrite->machine->registers->spill);
    machine_jump(&rewrite->code->copies, rewrite->machine->registers->spill);
}

static void copy_unconditional(struct rewrite *rewrite, uint32_t instruction, bool call) {
    const struct program *program = rewrite->program;
    uint64_t address =
        instruction_address(program, instruction) + (uint64_t)constants_of(program, instruction).value;
    uint32_t target = instruction_at(program, address);
    emit_return_address(rewrite, instruction, facts_of(program, instruction)->link, NO_INDEX);
    if (target == NO_INDEX)
        emit_stray_jump(rewrite, instruction, address);
    else if (!call)
        count_leaving(rewrite, block_at(program, instruction), target);
    if (target != NO_INDEX && (target != instruction + 1 ||
                               call)) /* a branch to the next instruction that links only reads the pc */
        emit_jump(rewrite, target, branch_kind(rewrite, instruction, target, call));
}

/* True if the branch is of a kind that may not reach its target, although branches in general would. It must
   reach a target in its procedure. A distance that is not known is estimated; from round to round, the margin
   grows. */
enum { WORDS_OF_ONE = 8 };
static bool may_be_short(const struct rewrite *rewrite, uint32_t instruction, uint32_t target,
                         enum fixup_kind kind, bool has_stub) {
    const struct layout *layout = &rewrite->code->layout;
    uint64_t reach = machine_reach(rewrite->machine, rewrite->program->text[instruction]);
    if (reach >= rewrite->machine->farthest_branch)
        return false;
    if (has_stub || kind != FIXUP_INSIDE)
        return true;
    int64_t words = words_to_copy(rewrite, target);
    if (words < 0)
        words = WORDS_OF_ONE * (int64_t)(target > instruction ? target - instruction : instruction - target);
    return ((uint64_t)words + WORDS_OF_ONE) * rewrite->machine->farthest_branch / layout->far_words >= reach;
}

/* If there is a stub, the branch goes to the stub, which is near, even if the target is far away. A branch
   that is counted when taken is inverted, and skips its count. */
static uint32_t copy_conditional(struct rewrite *rewrite, uint32_t instruction, uint32_t block,
                                 register_set live_after, bool has_stub,
                                 const struct point_sites *on_outcomes) {
    const struct program *program = rewrite->program;
    struct code *code = &rewrite->code->copies;
    uint32_t word = program->text[instruction], position = code_position(code);
    uint64_t address =
        instruction_address(program, instruction) + (uint64_t)constants_of(program, instruction).value;
    uint32_t target = instruction_at(program, address);
    uint32_t aim = has_stub ? instruction : target;
    bool counted = counts_taken(rewrite, block);
    bool far = target != NO_INDEX && (is_far(rewrite, aim) || !is_copied(rewrite, aim));
    enum fixup_kind kind =
        target == NO_INDEX ? FIXUP_OUTSIDE : branch_kind(rewrite, instruction, target, false);
    bool is_plain_branch = target != NO_INDEX && !far && !counted && on_outcomes->count == 0;
    bool is_short = is_plain_branch && may_be_short(rewrite, instruction, target, kind, has_stub);
    if (is_plain_branch && !is_short) {
        add_fixup(rewrite, target, kind);
        emit(code, word);
        return position;
    }
    if (is_short) { /* over a branch that reaches farther */
        emit(code, machine_invert(code->machine, word));
        add_fixup(rewrite, target, kind);
        machine_branch(code, 0);
        machine_aim_here(code, position);
        return code_position(code) - 1;
    }
    emit(code, machine_invert(code->machine, word));
    if (on_outcomes->count > 0)
        emit_taken_outcome(rewrite, on_outcomes, instruction, live_after, kind);
    if (counted)
        count_taken(rewrite, block, target);
    if (target == NO_INDEX)
        emit_stray_jump(rewrite, instruction, address);
    else
        emit_jump(rewrite, target, kind);
    if (counted)
        range_untaken(rewrite, block);
    machine_aim_here(code, position);
    if (on_outcomes->count > 0)
        emit_on_outcome(rewrite, on_outcomes, instruction, false, live_after);
    return NO_INDEX;
}

/* An address near the instruction, or a load from one: the copy is elsewhere, and makes the same address. The
   memory is read when the original would read it. A prefetch is left out. */
static void copy_relative(struct rewrite *rewrite, uint32_t instruction, uint32_t block,
                          register_set live_after) {
    const struct program *program = rewrite->program;
    const struct architecture *architecture = program->architecture;
    const struct facts *facts = facts_of(program, instruction);
    struct code *code = &rewrite->code->copies;
    const uint32_t word = program->text[instruction];
    uint64_t address = architecture->relative_address(word, instruction_address(program, instruction));
    const unsigned to = facts->memory_count ? facts->memory[0].data : facts->operand[0];
    const register_set integers = architecture->registers.integers;
    if (!facts->memory_count) {
        if (set_of(to) & integers)
            emit_original(rewrite, code, instruction, address, to);
        return;
    }
    if (facts->flags & FACT_PREFETCH)
        return;
    bool into_integer = set_of(to) & integers;
    struct scratch scratch = {.count = 1, .registers = {(uint8_t)to}};
    if (!into_integer)
        scratch = scratch_reserve(
            rewrite, code,
            &(struct scratch_request){.count = 1, .live = registers_taken(rewrite, block, live_after)});
    emit_original(rewrite, code, instruction, address, scratch.registers[0]);
    emit(code, machine_with_literal_base(code->machine, word, scratch.registers[0]));
    scratch_release(rewrite, code, &scratch);
}

uint32_t copy_instruction(struct rewrite *rewrite, uint32_t instruction, uint32_t block,
                          register_set live_after, bool has_stub, const struct point_sites *on_outcomes) {
    const struct facts *facts = facts_of(rewrite->program, instruction);
    if (facts->transfer == TRANSFER_COND_BRANCH)
        return copy_conditional(rewrite, instruction, block, live_after, has_stub, on_outcomes);
    if (facts->flags & FACT_INDIRECT)
        copy_indirect(rewrite, instruction, live_after);
    else if (facts->transfer == TRANSFER_BRANCH || facts->transfer == TRANSFER_CALL)
        copy_unconditional(rewrite, instruction, facts->class == CLASS_CALL);
    else if (facts->transfer == TRANSFER_SYSTEM_CALL)
        copy_system_call(rewrite, &rewrite->program->blocks[block]);
    else if (facts->flags & FACT_PC_RELATIVE)
        copy_relative(rewrite, instruction, block, live_after);
    else
        emit(&rewrite->code->copies, rewrite->program->text[instruction]);
    return NO_INDEX;
}
