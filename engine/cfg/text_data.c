/* text_data.c: constants and tables that handwritten assembly has in the text: words that are loaded from,
   and that no known control flow enters. Requires blocks and edges. */
#include "engine/cfg/internal.h"

static bool is_procedure(const struct program *program, const struct basic_block *block) {
    const struct procedure *procedure = &program->procedures[block->procedure];
    return block->leaders & LEADER_PROCEDURE_ENTRY && procedure->origin != PROCEDURE_GAP &&
           !procedure->is_untyped;
}

/* True if control arrives only from data, from unreached code, or from blocks [first, end). Data may look
   like branches. */
static bool comes_from_data(const struct program *program, const struct basic_block *block, uint32_t first,
                            uint32_t end) {
    for (uint32_t i = 0; i < block->predecessor_count; i++) {
        uint32_t from = program->edges[program->incoming[block->first_predecessor + i]].from;
        if ((from < first || from >= end) && !program->blocks[from].is_data &&
            !block_is_unreached(&program->blocks[from]))
            return false;
    }
    return true;
}

static bool may_be_data(const struct program *program, uint32_t index) {
    const struct basic_block *block = &program->blocks[index];
    return !is_entered_as_code(block->leaders) && !is_procedure(program, block) &&
           comes_from_data(program, block, index, NO_INDEX);
}

/* True if it follows the data that begin at `first`, and is entered only by apparent branches and calls in
   data. */
static bool goes_on(const struct program *program, uint32_t first, uint32_t index) {
    const struct basic_block *block = &program->blocks[index];
    return !is_entered_as_code_for_sure(block->leaders) && !is_procedure(program, block) &&
           comes_from_data(program, block, first, NO_INDEX) &&
           (!(block->leaders & LEADER_BRANCH_TARGET) || block->predecessor_count > 0);
}

/* Marks the data from `first` to the next code that known control flow enters. Words after it that were
   assumed to be data and branch to it may be such code. */
static void mark_data(struct program *program, uint32_t first) {
    uint32_t end = first + 1;
    while (end < program->block_count && goes_on(program, first, end))
        end++;
    for (uint32_t i = first; i < end; i++)
        if (!comes_from_data(program, &program->blocks[i], first, end)) {
            end = i;
            i = first - 1;
        }
    for (uint32_t i = first; i < end; i++)
        program->blocks[i].is_data = true;
}

/* An address stays near its place in these operations: the other operand may be an index. */
static bool is_addition(const struct alpha_descriptor *descriptor) {
    switch (descriptor->opcode_id) {
    case ALPHA_LDA:
    case ALPHA_LDAH:
    case ALPHA_BISr:
    case ALPHA_ADDQr:
    case ALPHA_ADDQi:
    case ALPHA_SUBQr:
    case ALPHA_SUBQi:
    case ALPHA_S4ADDQr:
    case ALPHA_S4ADDQi:
    case ALPHA_S8ADDQr:
    case ALPHA_S8ADDQi:
        return true;
    default:
        return false;
    }
}

/* True if the address in `reg`, set by the instruction at `from`, or one computed from it by adding, is
   loaded from before it is jumped to. In text order, which is the order of execution in handwritten loops.
 */
static bool is_loaded_from(const struct program *program, const struct procedure *procedure, uint32_t from,
                           unsigned reg) {
    register_set held = REGISTER_BIT(reg);
    for (uint32_t i = from + 1; held && i < procedure->first + procedure->count; i++) {
        uint32_t word = program->text[i];
        const struct alpha_descriptor *descriptor = alpha_decode(word);
        enum transfer transfer = transfer_of(word);
        bool indirect = transfer == TRANSFER_JUMP ||
                        (transfer == TRANSFER_CALL && descriptor->format != ALPHA_FORMAT_BRANCH);
        if (indirect && held >> alpha_rb(word) & 1)
            return false;
        if (descriptor->flags & ALPHA_LOAD && held >> alpha_rb(word) & 1)
            return true;
        if (transfer == TRANSFER_CALL)
            held &= CALLEE_SAVED;
        else if (is_addition(descriptor) && alpha_registers_read(word) & held)
            held |= alpha_registers_written(word) & INTEGER_REGISTERS & ~REGISTER_BIT(ALPHA_ZERO);
        else
            held &= ~alpha_registers_written(word);
    }
    return false;
}

static void note_address(struct program *program, const struct procedure *procedure, uint32_t at,
                         unsigned reg, uint32_t target) {
    if (target == NO_INDEX || reg == ALPHA_ZERO || reg == ALPHA_GP)
        return;
    uint32_t index = block_at(program, target);
    if (program->blocks[index].first == target && !program->blocks[index].is_data &&
        may_be_data(program, index) && is_loaded_from(program, procedure, at, reg))
        mark_data(program, index);
}

/* Constants beside the code are addressed from it: br $1, next; next: ldq $2, constant-next($1). */
static void note_beside(struct program *program, const struct procedure *procedure, uint32_t at) {
    unsigned link = alpha_ra(program->text[at]);
    for (uint32_t i = at + 1; i < procedure->first + procedure->count; i++) {
        uint32_t word = program->text[i];
        uint64_t address = instruction_address(program, at + 1) + (int64_t)alpha_memory_displacement(word);
        uint32_t target = instruction_at(program, address & ~UINT64_C(3));
        if (alpha_decode(word)->flags & ALPHA_LOAD && alpha_rb(word) == link && target != NO_INDEX) {
            uint32_t index = block_at(program, target);
            if (may_be_data(program, index))
                mark_data(program, index);
        } else if (ALPHA_IS(word, LDA) && alpha_rb(word) == link) {
            note_address(program, procedure, i, alpha_ra(word), target);
        }
        if (transfer_of(word) == TRANSFER_CALL || alpha_registers_written(word) >> link & 1)
            return;
    }
}

void text_data_find(struct program *program) {
    for (uint32_t p = 0; p < program->procedure_count; p++) {
        const struct procedure *procedure = &program->procedures[p];
        uint64_t high[32] = {0}; /* value computed by ldah from $29; 0: none */
        for (uint32_t i = procedure->first; i < procedure->first + procedure->count; i++) {
            uint32_t word = program->text[i];
            unsigned ra = alpha_ra(word), rb = alpha_rb(word);
            int64_t displacement = alpha_memory_displacement(word);
            if (transfer_of(word) == TRANSFER_BRANCH && ra != ALPHA_ZERO)
                note_beside(program, procedure, i);
            else if (procedure->gp && ALPHA_IS(word, LDQ) && rb == ALPHA_GP)
                note_address(program, procedure, i, ra, got_target(program, procedure->gp, displacement));
            else if (procedure->gp && ALPHA_IS(word, LDAH) && rb == ALPHA_GP)
                high[ra] = procedure->gp + displacement * 65536;
            else if (ALPHA_IS(word, LDA) && rb != ALPHA_GP && high[rb])
                note_address(program, procedure, i, ra, instruction_at(program, high[rb] + displacement));
        }
    }
}
