/* lift.c: converts an analysis routine's instructions to relocatable ops: its reachable parts, calls and the
   registers that they may change, addresses in place of $gp. Requires the analysis image's blocks and
   summaries. */
#include "engine/routine/internal.h"
#include "engine/object/object.h"
#include "engine/cfg/cfg.h"

#include <stdlib.h>
#include <string.h>

/* Blocks of the routine, and the state in the current one. */
struct lifting {
    struct routine_copy *copy;
    const struct program *program;
    uint32_t blocks[MOST_COPIED_BLOCKS], first_op[MOST_COPIED_BLOCKS], count;
    bool uses_at;      /* the routine uses $28 itself */
    bool gp_half;      /* between an ldah and an lda of $29 */
    uint64_t gp_value; /* then: its value */
    /* true for $26 and $27 while they hold their values from the beginning of the block */
    alpha_register_set fresh;
};

static bool copy_fails(struct routine_copy *copy, enum copy_reason reason) {
    if (copy->reason == COPY_NONE)
        copy->reason = (uint8_t)reason;
    return false;
}

/* ---- the parts that are reached -------------------------------------------------------------------------------- */

static bool note_block(struct lifting *lifting, uint32_t instruction) {
    const struct program *program = lifting->program;
    uint32_t block = block_at(program, instruction);
    for (uint32_t i = 0; i < lifting->count; i++)
        if (lifting->blocks[i] == block)
            return true;
    if (program->blocks[block].first != instruction)
        return copy_fails(lifting->copy, COPY_UNKNOWN);
    if (lifting->count == MOST_COPIED_BLOCKS)
        return copy_fails(lifting->copy, COPY_TOO_LARGE);
    lifting->blocks[lifting->count++] = block;
    return true;
}

static bool add_next(struct lifting *lifting, const struct basic_block *block) {
    const struct program *program = lifting->program;
    uint32_t next = block->first + block->count;
    if (next >= program->instruction_count || procedure_at(program, next) != block->procedure)
        return copy_fails(lifting->copy, COPY_UNKNOWN);
    return note_block(lifting, next);
}

/* True for a procedure with GCC's name for the rarely executed part of a function. */
static bool is_cold_part(const struct procedure *procedure) {
    const char *found = strstr(procedure->name, ".cold");
    return found && (found[5] == '\0' || found[5] == '.');
}

/* True for a branch to the beginning of another procedure: that returns to the routine's caller. */
static bool is_tail(const struct program *program, uint32_t instruction) {
    uint32_t target = branch_target(program, instruction), offset = 0;
    if (alpha_decode(program->text[instruction])->format != ALPHA_FORMAT_BRANCH || target == NO_INDEX)
        return alpha_decode(program->text[instruction])->format == ALPHA_FORMAT_JUMP;
    uint32_t callee = procedure_at(program, target);
    if (callee == program->blocks[block_at(program, instruction)].procedure)
        return false;
    const struct procedure *procedure = &program->procedures[callee];
    offset = target - procedure->first;
    return !is_cold_part(procedure) && (offset == 0 || target == entry_after_base(procedure));
}

/* True if only padding follows, up to the next procedure. Compiled code never executes padding. */
static bool only_padding(const struct program *program, uint32_t instruction) {
    const struct procedure *procedure = &program->procedures[procedure_at(program, instruction - 1)];
    while (instruction < procedure->first + procedure->count && alpha_is_nop(program->text[instruction]) &&
           transfer_of(program->text[instruction]) == TRANSFER_NONE)
        instruction++;
    return instruction >= procedure->first + procedure->count;
}

/* True for a procedure that no instruction leaves except calls and traps. */
static bool never_returns(const struct program *program, uint32_t p) {
    const struct procedure *procedure = &program->procedures[p];
    for (uint32_t b = procedure->first_block; b < procedure->first_block + procedure->block_count; b++) {
        const struct basic_block *block = &program->blocks[b];
        uint32_t last = block_last(block);
        enum transfer transfer = transfer_of(program->text[last]);
        uint32_t target = transfer == TRANSFER_COND_BRANCH || transfer == TRANSFER_BRANCH
                              ? branch_target(program, last)
                              : procedure->first;
        bool inside = target != NO_INDEX && procedure_at(program, target) == p;
        bool at_end = b + 1 == procedure->first_block + procedure->block_count &&
                      (transfer == TRANSFER_NONE ? !only_padding(program, block->first)
                                                 : transfer == TRANSFER_COND_BRANCH);
        if (!inside || at_end || transfer == TRANSFER_RETURN ||
            (transfer == TRANSFER_JUMP && block->end != END_JUMP_TABLE))
            return false;
    }
    return true;
}

/* True if control returns to the instruction after the call. */
static bool may_continue_after(const struct program *program, uint32_t call) {
    uint32_t callee = call_target(program, call, NULL);
    if (callee != NO_INDEX && never_returns(program, callee))
        return false;
    return !only_padding(program, call + 1);
}

static bool add_successors(struct lifting *lifting, const struct basic_block *block) {
    const struct program *program = lifting->program;
    uint32_t last = block_last(block), word = program->text[last], target;
    switch (transfer_of(word)) {
    case TRANSFER_NONE:
        return add_next(lifting, block);
    case TRANSFER_COND_BRANCH:
        target = branch_target(program, last);
        if (target == NO_INDEX)
            return copy_fails(lifting->copy, COPY_UNKNOWN);
        return note_block(lifting, target) && add_next(lifting, block);
    case TRANSFER_BRANCH:
        target = branch_target(program, last);
        if (target == NO_INDEX || alpha_ra(word) != ALPHA_ZERO)
            return copy_fails(lifting->copy, COPY_UNKNOWN);
        return is_tail(program, last) || note_block(lifting, target);
    case TRANSFER_CALL:
        return !may_continue_after(program, last) || add_next(lifting, block);
    case TRANSFER_RETURN:
        return (alpha_rb(word) == ALPHA_RA && alpha_ra(word) == ALPHA_ZERO) ||
               copy_fails(lifting->copy, COPY_UNKNOWN);
    case TRANSFER_JUMP:
        if (block->end != END_JUMP_TABLE)
            return (alpha_rb(word) == ALPHA_PV && call_target(program, last, NULL) != NO_INDEX) ||
                   copy_fails(lifting->copy, COPY_UNKNOWN);
        for (uint32_t e = 0; e < block->successor_count; e++)
            if (!note_block(lifting, program->blocks[program->edges[block->first_successor + e].to].first))
                return false;
        return true;
    default:
        return copy_fails(lifting->copy, COPY_INSTRUCTION);
    }
}

static int compare_lifted_blocks(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static bool find_reached_blocks(struct lifting *lifting, uint32_t first) {
    if (!note_block(lifting, first))
        return false;
    for (uint32_t i = 0; i < lifting->count; i++)
        if (!add_successors(lifting, &lifting->program->blocks[lifting->blocks[i]]))
            return false;
    /* The entry remains the first block: rarely executed blocks may have lower addresses. */
    qsort(lifting->blocks + 1, lifting->count - 1, sizeof *lifting->blocks, compare_lifted_blocks);
    return true;
}

/* ---- instructions ------------------------------------------------------------------------------------------------ */

static struct op *add_op(struct lifting *lifting, enum op_kind kind, uint32_t word, uint32_t instruction) {
    struct routine_copy *copy = lifting->copy;
    ARENA_RESERVE(copy->arena, copy->ops, copy->count, copy->capacity);
    struct op *op = &copy->ops[copy->count++];
    *op = (struct op){.kind = (uint8_t)kind, .word = word, .instruction = instruction, .falls = true};
    op->changes_fpcr = kind != OP_GONE && (alpha_decode(word)->flags & ALPHA_WRITES_FPCR) != 0;
    return op;
}

static void add_address(struct lifting *lifting, unsigned to, uint64_t value, uint32_t instruction) {
    add_op(lifting, OP_ADDRESS, machine_address_word(lifting->copy->machine, to), instruction)->value = value;
}

/* A part of `ldgp`: dropped, if it computes the expected value. */
static bool drop_gp(struct lifting *lifting, uint32_t instruction, uint64_t base_value) {
    uint32_t word = lifting->program->text[instruction];
    unsigned base = alpha_rb(word);
    bool high = alpha_decode(word)->opcode_id == ALPHA_LDAH;
    int64_t displacement = (int64_t)alpha_memory_displacement(word) * (high ? 65536 : 1);
    if (lifting->gp_half ? base != ALPHA_GP : !(lifting->fresh >> base & 1))
        return copy_fails(lifting->copy, COPY_GP);
    lifting->gp_value = (lifting->gp_half ? lifting->gp_value : base_value) + (uint64_t)displacement;
    lifting->gp_half = !lifting->gp_half;
    if (!lifting->gp_half && lifting->gp_value != lifting->copy->gp)
        return copy_fails(lifting->copy, COPY_GP);
    add_op(lifting, OP_GONE, 0, instruction);
    return true;
}

/* True if the quadword at `address` is an entry of the address table. */
static bool is_in_table(const struct lifting *lifting, uint64_t address, uint64_t *value) {
    const struct routine_copy *copy = lifting->copy;
    const void *bytes = program_bytes(lifting->program, address, sizeof *value);
    if (!bytes || address < copy->address_table || address + 8 > copy->address_table_end)
        return false;
    memcpy(value, bytes, sizeof *value);
    return *value < LAYOUT_END;
}

/* A memory instruction whose base is $gp. */
static bool lift_global(struct lifting *lifting, uint32_t instruction) {
    uint32_t word = lifting->program->text[instruction];
    const struct alpha_descriptor *descriptor = alpha_decode(word);
    int64_t displacement = alpha_memory_displacement(word);
    unsigned reg = alpha_ra(word);
    uint64_t address = lifting->copy->gp + (uint64_t)displacement, value;
    if (descriptor->opcode_id == ALPHA_LDAH)
        address = lifting->copy->gp + (uint64_t)(65536 * displacement);
    bool loads = descriptor->flags & ALPHA_LOAD && !(descriptor->flags & ALPHA_FLOATING);
    if (reg == ALPHA_GP || address >= LAYOUT_END)
        return copy_fails(lifting->copy, COPY_GP);
    if (!(descriptor->flags & (ALPHA_LOAD | ALPHA_STORE))) {
        add_address(lifting, reg, address, instruction);
    } else if (loads && descriptor->opcode_id == ALPHA_LDQ && is_in_table(lifting, address, &value)) {
        add_address(lifting, reg, value, instruction);
    } else {
        unsigned base = loads && reg != ALPHA_ZERO ? reg : ALPHA_AT;
        lifting->copy->uses_scratch |= base == ALPHA_AT;
        add_address(lifting, base, address, instruction);
        word = machine_with_base(lifting->copy->machine,
                                 machine_with_displacement(lifting->copy->machine, word, 0), base);
        add_op(lifting, OP_PLAIN, word, instruction);
    }
    return true;
}

/* An instruction that reads $gp otherwise gets the value in $28. */
static bool lift_gp_operand(struct lifting *lifting, uint32_t instruction) {
    uint32_t word = lifting->program->text[instruction];
    enum alpha_format format = alpha_decode(word)->format;
    if (format != ALPHA_FORMAT_OPERATE && format != ALPHA_FORMAT_LITERAL)
        return copy_fails(lifting->copy, COPY_GP);
    if (alpha_ra(word) == ALPHA_GP)
        word = (word & ~(UINT32_C(31) << 21)) | (uint32_t)ALPHA_AT << 21;
    if (format == ALPHA_FORMAT_OPERATE && alpha_rb(word) == ALPHA_GP)
        word = (word & ~(UINT32_C(31) << 16)) | (uint32_t)ALPHA_AT << 16;
    lifting->copy->uses_scratch = true;
    add_address(lifting, ALPHA_AT, lifting->copy->gp, instruction);
    add_op(lifting, OP_PLAIN, word, instruction);
    return true;
}

/* A jump through a table of the routine's own addresses: a map translates them to the copy's, as it does
   for programs. */
static void lift_table_jump(struct lifting *lifting, uint32_t instruction) {
    unsigned through = alpha_rb(lifting->program->text[instruction]);
    lifting->copy->uses_scratch = true;
    uint32_t words[3];
    machine_table_jump(lifting->copy->machine, words, through);
    add_op(lifting, OP_MAP, words[0], instruction);
    add_op(lifting, OP_MAP, words[1], instruction);
    struct op *jump = add_op(lifting, OP_JUMP, words[2], instruction);
    jump->falls = false;
}

static bool lift_call(struct lifting *lifting, uint32_t instruction, bool tail) {
    const struct program *program = lifting->program;
    struct routine_copy *copy = lifting->copy;
    uint32_t word = program->text[instruction], offset = 0;
    uint32_t callee = call_target(program, instruction, &offset);
    bool direct = alpha_decode(word)->format == ALPHA_FORMAT_BRANCH;
    uint64_t entry = callee == NO_INDEX ? 0 : instruction_address(program, program->procedures[callee].first);
    struct routine_summary summary = analysis_summary(copy->analysis, entry);
    struct op *op = add_op(lifting, tail ? OP_TAIL : OP_CALL, word, instruction);
    op->entry = entry;
    op->uses_thread_pointer = summary.uses_thread_pointer;
    op->changes_fpcr = summary.changes_fpcr;
    op->written = summary.written | REGISTER_BIT(ALPHA_RA) | REGISTER_BIT(ALPHA_PV) | REGISTER_BIT(ALPHA_GP);
    op->read = ARGUMENT_REGISTERS | FLOAT_ARGUMENT_REGISTERS | REGISTER_BIT(ALPHA_SP) |
               (direct ? 0 : REGISTER_BIT(alpha_rb(word)));
    if (!tail && alpha_ra(word) !=
                     ALPHA_RA) /* __divqu and similar routines, which have a calling standard of their own */
        op->read |= REGISTER_BIT(24) | REGISTER_BIT(25) | REGISTER_BIT(ALPHA_PV);
    op->falls = !tail && may_continue_after(program, instruction);
    if (tail)
        op->read |= CALLEE_SAVED | REGISTER_BIT(ALPHA_RA); /* the callee leaves the results */
    else
        op->written |= REGISTER_BIT(alpha_ra(word));
    if (!direct)
        return true;
    if (callee == NO_INDEX || (offset != 0 && (offset != 2 || copy->gp == 0)) ||
        (!tail && alpha_ra(word) != ALPHA_RA))
        return copy_fails(copy, COPY_UNKNOWN);
    op->callee = (uint32_t)(entry + 4 * offset);
    op->gp = (uint32_t)copy->gp;
    return true;
}

static bool lift_last(struct lifting *lifting, uint32_t instruction, const struct basic_block *block) {
    uint32_t word = lifting->program->text[instruction];
    struct op *op;
    switch (transfer_of(word)) {
    case TRANSFER_CALL:
        return lift_call(lifting, instruction, false);
    case TRANSFER_JUMP:
        if (block->end != END_JUMP_TABLE)
            return lift_call(lifting, instruction, true);
        lift_table_jump(lifting, instruction);
        return true;
    case TRANSFER_RETURN:
        op = add_op(lifting, OP_RETURN, word, instruction);
        op->read = CALLEE_SAVED | REGISTER_BIT(ALPHA_RA) | lifting->copy->results;
        op->falls = false;
        return true;
    case TRANSFER_BRANCH:
        if (is_tail(lifting->program, instruction))
            return lift_call(lifting, instruction, true);
        op = add_op(lifting, OP_BRANCH, word, instruction);
        op->falls = false;
        return true;
    default:
        add_op(lifting, OP_BRANCH, word, instruction);
        return true;
    }
}

static bool lift_pal(struct lifting *lifting, uint32_t word, uint32_t instruction) {
    uint32_t function = alpha_pal_function(word);
    if (function != ALPHA_PAL_RDUNIQ && function != ALPHA_PAL_IMB)
        return copy_fails(lifting->copy, COPY_INSTRUCTION);
    struct op *op = add_op(lifting, OP_PLAIN, word, instruction);
    op->read = alpha_registers_read(word);
    op->written = alpha_registers_written(word);
    op->uses_thread_pointer = function == ALPHA_PAL_RDUNIQ;
    return true;
}

static bool lift_instruction(struct lifting *lifting, uint32_t instruction, const struct basic_block *block) {
    const struct program *program = lifting->program;
    uint32_t word = program->text[instruction];
    const struct alpha_descriptor *descriptor = alpha_decode(word);
    alpha_register_set reads = alpha_registers_read(word), writes = alpha_registers_written(word);
    enum transfer transfer = transfer_of(word);
    bool is_address = descriptor->opcode_id == ALPHA_LDA || descriptor->opcode_id == ALPHA_LDAH;
    if (alpha_is_nop(word) && transfer == TRANSFER_NONE) {
        add_op(lifting, OP_GONE, 0, instruction);
        return true;
    }
    if (transfer == TRANSFER_SYSTEM_CALL || transfer == TRANSFER_TRAP || descriptor->class == CLASS_UNKNOWN)
        return copy_fails(lifting->copy, COPY_INSTRUCTION);
    if (writes & REGISTER_BIT(ALPHA_GP) && transfer != TRANSFER_CALL) {
        uint64_t base =
            alpha_rb(word) == ALPHA_RA ? instruction_address(program, block->first) : lifting->copy->entry;
        return is_address ? drop_gp(lifting, instruction, base) : copy_fails(lifting->copy, COPY_GP);
    }
    lifting->uses_at |= ((reads | writes) & REGISTER_BIT(ALPHA_AT)) != 0;
    if (transfer != TRANSFER_NONE)
        return (reads & REGISTER_BIT(ALPHA_GP)) ? copy_fails(lifting->copy, COPY_GP)
                                                : lift_last(lifting, instruction, block);
    if (reads & REGISTER_BIT(ALPHA_GP)) {
        if (lifting->gp_half || lifting->copy->gp == 0)
            return copy_fails(lifting->copy, COPY_GP);
        if (!(descriptor->format == ALPHA_FORMAT_MEMORY ? lift_global(lifting, instruction)
                                                        : lift_gp_operand(lifting, instruction)))
            return false;
    } else if (descriptor->format == ALPHA_FORMAT_PAL) {
        if (!lift_pal(lifting, word, instruction))
            return false;
    } else {
        add_op(lifting, OP_PLAIN, word, instruction);
    }
    lifting->fresh &= ~writes;
    return true;
}

/* ---- the whole --------------------------------------------------------------------------------------------------- */

/* $26 holds the address of the block after a call, and $27 the routine's own at its entry. */
static alpha_register_set known_at(const struct lifting *lifting, uint32_t number,
                                   const struct basic_block *block) {
    if (number == 0)
        return REGISTER_BIT(ALPHA_PV);
    return block->first > 0 && transfer_of(lifting->program->text[block->first - 1]) == TRANSFER_CALL
               ? REGISTER_BIT(ALPHA_RA)
               : 0;
}

static bool lift_blocks(struct lifting *lifting) {
    struct routine_copy *copy = lifting->copy;
    for (uint32_t i = 0; i < lifting->count; i++) {
        const struct basic_block *block = &lifting->program->blocks[lifting->blocks[i]];
        lifting->first_op[i] = copy->count;
        lifting->gp_half = false;
        lifting->fresh = known_at(lifting, i, block);
        for (uint32_t k = block->first; k < block->first + block->count; k++)
            if (!lift_instruction(lifting, k, block))
                return false;
        if (lifting->gp_half)
            return copy_fails(copy, COPY_GP);
        if (copy->count > MOST_OPS)
            return copy_fails(copy, COPY_TOO_LARGE);
    }
    bool taken = lifting->uses_at || (copy->helps && !(copy->allowed >> ALPHA_AT & 1));
    return copy->uses_scratch && taken ? copy_fails(copy, COPY_INSTRUCTION) : true;
}

static uint32_t op_of(const struct lifting *lifting, uint32_t instruction) {
    for (uint32_t i = 0; i < lifting->count; i++)
        if (lifting->program->blocks[lifting->blocks[i]].first == instruction)
            return lifting->first_op[i];
    return NO_INDEX;
}

/* The entry may have moved before blocks that preceded it. Control that falls into it would need a branch,
   but there is none. */
static bool aim_branches(struct lifting *lifting) {
    struct routine_copy *copy = lifting->copy;
    const struct program *program = lifting->program;
    copy->lowest = NO_INDEX;
    for (uint32_t i = 0; i < copy->count; i++) {
        struct op *op = &copy->ops[i];
        if (op->kind == OP_BRANCH)
            op->target = op_of(lifting, branch_target(program, op->instruction));
        bool next = i + 1 < copy->count && (copy->ops[i + 1].instruction == op->instruction ||
                                            copy->ops[i + 1].instruction == op->instruction + 1);
        if (op->falls && !next)
            return copy_fails(copy, COPY_UNKNOWN);
        if (op->kind != OP_JUMP)
            continue;
        const struct basic_block *block = &program->blocks[block_at(program, op->instruction)];
        for (uint32_t e = 0; e < block->successor_count; e++) {
            uint32_t to = program->blocks[program->edges[block->first_successor + e].to].first;
            ARENA_RESERVE(copy->arena, copy->jumps, copy->jump_count, copy->jump_capacity);
            copy->jumps[copy->jump_count++] = (struct jump){i, op_of(lifting, to)};
            copy->lowest = copy->lowest < to ? copy->lowest : to;
            copy->highest = copy->highest > to ? copy->highest : to;
        }
    }
    return true;
}

/* If the routine catches exceptions, return addresses have to be its own. */
static bool has_landing_pad(const struct program *program, const struct procedure *procedure) {
    for (uint32_t b = procedure->first_block; b < procedure->first_block + procedure->block_count; b++)
        if (program->blocks[b].leaders & LEADER_LANDING_PAD)
            return true;
    return false;
}

static bool catches_exceptions(const struct program *program, const struct procedure *procedure) {
    size_t length = strlen(procedure->name);
    bool found = has_landing_pad(program, procedure);
    for (uint32_t p = 0; p < program->procedure_count && !found; p++) {
        const struct procedure *part = &program->procedures[p];
        found = strncmp(part->name, procedure->name, length) == 0 && is_cold_part(part) &&
                has_landing_pad(program, part);
    }
    return found;
}

bool routine_lift(struct routine_copy *copy) {
    struct lifting lifting = {.copy = copy, .program = copy->analysis->program};
    uint32_t first = instruction_at(lifting.program, copy->entry);
    if (first == NO_INDEX)
        return copy_fails(copy, COPY_UNKNOWN);
    const struct procedure *procedure = &lifting.program->procedures[procedure_at(lifting.program, first)];
    if (procedure->first != first || procedure->lost_jump)
        return copy_fails(copy, COPY_UNKNOWN);
    if (catches_exceptions(lifting.program, procedure))
        return copy_fails(copy, COPY_CATCHES);
    copy->gp = procedure->data_base;
    return find_reached_blocks(&lifting, first) && lift_blocks(&lifting) && aim_branches(&lifting);
}
