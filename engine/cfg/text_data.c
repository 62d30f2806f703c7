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

/* An address remains near its object in these operations: the other operand may be an index. */
static bool is_addition(const struct computation *computation) {
    switch (computation->kind) {
    case COMPUTES_OFFSET:
    case COMPUTES_SUM:
    case COMPUTES_DIFFERENCE:
        return true;
    case COMPUTES_OR: /* of two registers: a move, for instance */
        return computation->b != REGISTER_NONE;
    default:
        return false;
    }
}

/* True if the address in `reg`, set by the instruction at `from`, or one computed from it by adding, is
   loaded from before it is jumped to. In text order, which is the order of execution in handwritten loops.
 */
static bool is_loaded_from(const struct program *program, const struct procedure *procedure, uint32_t from,
                           unsigned reg) {
    const struct architecture *architecture = program->architecture;
    register_set held = set_of(reg);
    for (uint32_t i = from + 1; held && i < procedure->first + procedure->count; i++) {
        const struct facts *facts = facts_of(program, i);
        bool indirect = facts->flags & FACT_INDIRECT && facts->transfer != TRANSFER_RETURN;
        if (indirect && held & set_of(facts->target))
            return false;
        if (facts->flags & FACT_LOAD && held & set_of(facts->memory[0].base))
            return true;
        struct computation computation = {.kind = COMPUTES_NOTHING};
        if (facts->read & held)
            computation = architecture->compute(program->text[i]);
        if (facts->transfer == TRANSFER_CALL)
            held &= architecture->registers.callee_saved;
        else if (is_addition(&computation))
            held |= facts->written & architecture->registers.integers;
        else
            held &= ~facts->written;
    }
    return false;
}

static void note_address(struct program *program, const struct procedure *procedure, uint32_t at,
                         unsigned reg, uint32_t target) {
    const struct conventions_of_machine *registers = &program->architecture->registers;
    if (target == NO_INDEX || reg == registers->zero || reg == registers->data_base)
        return;
    uint32_t index = block_at(program, target);
    if (program->blocks[index].first == target && !program->blocks[index].is_data &&
        may_be_data(program, index) && is_loaded_from(program, procedure, at, reg))
        mark_data(program, index);
}

/* Constants beside the code are addressed from it; on Alpha: br $1, next; next: ldq $2, constant-next($1). */
static void note_beside(struct program *program, const struct procedure *procedure, uint32_t at) {
    const unsigned link = facts_of(program, at)->link;
    for (uint32_t i = at + 1; i < procedure->first + procedure->count; i++) {
        const struct facts *facts = facts_of(program, i);
        bool loads = facts->flags & FACT_LOAD && facts->memory[0].base == link;
        bool adds = adds_constant(facts) && !(facts->flags & FACT_HIGH_PART) && facts->operand[1] == link;
        uint64_t address = instruction_address(program, at + 1);
        if (loads || adds)
            address += (int64_t)constants_of(program, i).displacement;
        uint32_t target = instruction_at(program, address & ~UINT64_C(3));
        if (loads && target != NO_INDEX) {
            uint32_t index = block_at(program, target);
            if (may_be_data(program, index))
                mark_data(program, index);
        } else if (adds) {
            note_address(program, procedure, i, facts->operand[0], target);
        }
        if (facts->transfer == TRANSFER_CALL || facts->written & set_of(link))
            return;
    }
}

/* The instruction accesses memory near its own address. */
static void note_literal(struct program *program, uint32_t at) {
    uint32_t target = instruction_at(program, relative_address(program, at) & ~UINT64_C(3));
    uint32_t index = target == NO_INDEX ? NO_INDEX : block_at(program, target);
    if (index != NO_INDEX && may_be_data(program, index))
        mark_data(program, index);
}

/* `high`: by place, an address with its upper part only: from the data base, or from the instruction's own
   address; 0: none. */
static void note_instruction(struct program *program, const struct procedure *procedure, uint32_t at,
                             uint64_t high[PLACE_COUNT]) {
    const struct conventions_of_machine *registers = &program->architecture->registers;
    const struct facts *facts = facts_of(program, at);
    if (facts->flags & FACT_PC_RELATIVE) {
        const unsigned result = facts->operand[0];
        if (facts->memory_count)
            note_literal(program, at);
        else if (facts->flags & FACT_HIGH_PART)
            high[value_place(registers, result)] = relative_address(program, at);
        else
            note_address(program, procedure, at, result,
                         instruction_at(program, relative_address(program, at)));
        return;
    }
    if (facts->transfer == TRANSFER_BRANCH && facts->link != REGISTER_NONE) {
        note_beside(program, procedure, at);
    } else if (procedure->data_base && loads_address(program, facts)) {
        int32_t displacement = constants_of(program, at).displacement;
        note_address(program, procedure, at, facts->memory[0].data,
                     got_target(program, procedure->data_base, displacement));
    } else if (adds_constant(facts)) {
        const unsigned result = facts->operand[0], base = value_place(registers, facts->operand[1]);
        bool from_data_base = facts->operand[1] == registers->data_base;
        int64_t amount = constants_of(program, at).value;
        if (procedure->data_base && facts->flags & FACT_HIGH_PART && from_data_base)
            high[value_place(registers, result)] = procedure->data_base + amount;
        else if (!(facts->flags & FACT_HIGH_PART) && !from_data_base && high[base])
            note_address(program, procedure, at, result, instruction_at(program, high[base] + amount));
    }
}

void text_data_find(struct program *program) {
    for (uint32_t p = 0; p < program->procedure_count; p++) {
        const struct procedure *procedure = &program->procedures[p];
        uint64_t high[PLACE_COUNT] = {0};
        for (uint32_t i = procedure->first; i < procedure->first + procedure->count; i++)
            note_instruction(program, procedure, i, high);
    }
}
