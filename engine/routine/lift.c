/* lift.c: converts an analysis routine's instructions to relocatable ops: its reachable parts, calls and the
   registers that they may change, addresses in place of the data base. Requires the analysis image's blocks
   and summaries. */
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
    bool uses_at;        /* the routine uses the spilled register itself */
    bool base_half;      /* between the two instructions that set the data base */
    uint64_t base_value; /* then: its value */
    /* true for the link and the procedure value while they hold their values from the beginning of the block
     */
    register_set fresh;
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
    bool indirect = facts_of(program, instruction)->flags & FACT_INDIRECT;
    if (indirect || target == NO_INDEX)
        return indirect;
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
    while (instruction < procedure->first + procedure->count &&
           facts_of(program, instruction)->flags & FACT_NOP &&
           facts_of(program, instruction)->transfer == TRANSFER_NONE)
        instruction++;
    return instruction >= procedure->first + procedure->count;
}

/* True for a procedure that no instruction leaves except calls and traps. */
static bool never_returns(const struct program *program, uint32_t p) {
    const struct procedure *procedure = &program->procedures[p];
    for (uint32_t b = procedure->first_block; b < procedure->first_block + procedure->block_count; b++) {
        const struct basic_block *block = &program->blocks[b];
        uint32_t last = block_last(block);
        enum transfer transfer = facts_of(program, last)->transfer;
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
    const struct conventions_of_machine *registers = lifting->copy->registers;
    uint32_t last = block_last(block), target;
    const struct facts *facts = facts_of(program, last);
    switch ((enum transfer)facts->transfer) {
    case TRANSFER_NONE:
        return add_next(lifting, block);
    case TRANSFER_COND_BRANCH:
        target = branch_target(program, last);
        if (target == NO_INDEX)
            return copy_fails(lifting->copy, COPY_UNKNOWN);
        return note_block(lifting, target) && add_next(lifting, block);
    case TRANSFER_BRANCH:
        target = branch_target(program, last);
        if (target == NO_INDEX || facts->link != REGISTER_NONE)
            return copy_fails(lifting->copy, COPY_UNKNOWN);
        return is_tail(program, last) || note_block(lifting, target);
    case TRANSFER_CALL:
        return !may_continue_after(program, last) || add_next(lifting, block);
    case TRANSFER_RETURN:
        return (facts->target == registers->link && facts->link == REGISTER_NONE) ||
               copy_fails(lifting->copy, COPY_UNKNOWN);
    case TRANSFER_JUMP:
        if (block->end != END_JUMP_TABLE)
            return (facts->target == registers->procedure_value &&
                    call_target(program, last, NULL) != NO_INDEX) ||
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
    *op = (struct op){.kind = (uint8_t)kind, .instruction = instruction, .falls = true};
    op_set_word(copy, op, word);
    op->changes_fpcr = kind != OP_GONE && (op->facts.flags & FACT_FLOAT_STATUS) != 0;
    return op;
}

static void add_address(struct lifting *lifting, unsigned to, uint64_t value, uint32_t instruction) {
    add_op(lifting, OP_ADDRESS, machine_address_word(lifting->copy->machine, to), instruction)->value = value;
}

/* Sets a part of the data base: dropped, if it computes the expected value. */
static bool drop_data_base(struct lifting *lifting, uint32_t instruction, uint64_t base_value) {
    const unsigned base = base_register(facts_of(lifting->program, instruction));
    const unsigned data_base = lifting->copy->registers->data_base;
    int64_t displacement = constants_of(lifting->program, instruction).value;
    if (lifting->base_half ? base != data_base : !(lifting->fresh & set_of(base)))
        return copy_fails(lifting->copy, COPY_GP);
    lifting->base_value = (lifting->base_half ? lifting->base_value : base_value) + (uint64_t)displacement;
    lifting->base_half = !lifting->base_half;
    if (!lifting->base_half && lifting->base_value != lifting->copy->data_base)
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
    return *value < lifting->copy->machine->layout->end;
}

/* An access or an address whose base is the data base. */
static bool lift_global(struct lifting *lifting, uint32_t instruction) {
    const struct facts *facts = facts_of(lifting->program, instruction);
    const struct constants constants = constants_of(lifting->program, instruction);
    const unsigned spill = lifting->copy->machine->registers->spill;
    uint32_t word = lifting->program->text[instruction];
    int64_t distance = facts->memory_count ? constants.displacement : constants.value;
    unsigned reg = facts->operand[0];
    uint64_t address = lifting->copy->data_base + (uint64_t)distance, value;
    bool loads = facts->flags & FACT_LOAD && !(facts->flags & FACT_FLOAT);
    if (reg == lifting->copy->registers->data_base || address >= lifting->copy->machine->layout->end)
        return copy_fails(lifting->copy, COPY_GP);
    if (!facts->memory_count) {
        add_address(lifting, reg, address, instruction);
    } else if (loads && facts->flags & FACT_WHOLE_REGISTER && is_in_table(lifting, address, &value)) {
        add_address(lifting, reg, value, instruction);
    } else {
        unsigned base = loads && reg != lifting->copy->machine->registers->zero ? reg : spill;
        lifting->copy->uses_scratch |= base == spill;
        add_address(lifting, base, address, instruction);
        word = machine_with_base(lifting->copy->machine,
                                 machine_with_displacement(lifting->copy->machine, word, 0), base);
        add_op(lifting, OP_PLAIN, word, instruction);
    }
    return true;
}

/* An instruction that reads the data base otherwise gets it in the spilled register. */
static bool lift_base_operand(struct lifting *lifting, uint32_t instruction) {
    const struct program *program = lifting->program;
    const struct facts *facts = facts_of(program, instruction);
    const struct machine *machine = lifting->copy->machine;
    uint32_t word = program->text[instruction];
    bool computes = program->architecture->compute(word).kind != COMPUTES_NOTHING;
    if (!computes && facts->class != CLASS_COND_MOVE)
        return copy_fails(lifting->copy, COPY_GP);
    for (unsigned f = 0; f < FIELD_REGISTERS; f++)
        if (facts->operand[f] == lifting->copy->registers->data_base)
            word = machine_with_operand(machine, word, f, machine->registers->spill);
    lifting->copy->uses_scratch = true;
    add_address(lifting, machine->registers->spill, lifting->copy->data_base, instruction);
    add_op(lifting, OP_PLAIN, word, instruction);
    return true;
}

/* A jump through a table of the routine's own addresses: a map translates them to the copy's, as it does
   for programs. */
static void lift_table_jump(struct lifting *lifting, uint32_t instruction) {
    unsigned through = facts_of(lifting->program, instruction)->target;
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
    const struct conventions_of_machine *registers = copy->registers;
    const struct facts *facts = facts_of(program, instruction);
    bool direct = !(facts->flags & FACT_INDIRECT), standard = tail || facts->link == registers->link;
    uint64_t entry = callee == NO_INDEX ? 0 : instruction_address(program, program->procedures[callee].first);
    struct routine_summary summary = analysis_summary(copy->analysis, entry);
    struct op *op = add_op(lifting, tail ? OP_TAIL : OP_CALL, word, instruction);
    op->entry = entry;
    op->uses_thread_pointer = summary.uses_thread_pointer;
    op->changes_fpcr = summary.changes_fpcr;
    op->written = summary.written | set_of(registers->link) | set_of(registers->procedure_value) |
                  set_of(registers->data_base);
    op->read =
        registers->arguments | registers->float_arguments | set_of(registers->stack) | set_of(facts->target);
    if (!standard) /* __divqu and similar routines, which have a calling standard of their own */
        op->read |= REGISTER_BIT(copy->machine->helper_left) | REGISTER_BIT(copy->machine->helper_right) |
                    REGISTER_BIT(copy->machine->helper_result);
    op->falls = !tail && may_continue_after(program, instruction);
    if (tail)
        op->read |= registers->callee_saved | set_of(registers->link); /* the callee leaves the results */
    else
        op->written |= set_of(facts->link);
    if (!direct)
        return true;
    if (callee == NO_INDEX || !standard ||
        (offset != 0 && (offset != DATA_BASE_INSTRUCTIONS || copy->data_base == 0)))
        return copy_fails(copy, COPY_UNKNOWN);
    op->callee = (uint32_t)(entry + 4 * offset);
    op->data_base = (uint32_t)copy->data_base;
    return true;
}

static bool lift_last(struct lifting *lifting, uint32_t instruction, const struct basic_block *block) {
    const struct conventions_of_machine *registers = lifting->copy->registers;
    uint32_t word = lifting->program->text[instruction];
    struct op *op;
    switch ((enum transfer)facts_of(lifting->program, instruction)->transfer) {
    case TRANSFER_CALL:
        return lift_call(lifting, instruction, false);
    case TRANSFER_JUMP:
        if (block->end != END_JUMP_TABLE)
            return lift_call(lifting, instruction, true);
        lift_table_jump(lifting, instruction);
        return true;
    case TRANSFER_RETURN:
        op = add_op(lifting, OP_RETURN, word, instruction);
        op->read = registers->callee_saved | set_of(registers->link) | lifting->copy->results;
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

static bool lift_pal(struct lifting *lifting, uint32_t instruction) {
    const struct facts *facts = facts_of(lifting->program, instruction);
    if (!(facts->flags & (FACT_READS_THREAD | FACT_SYNCHRONIZES_TEXT)))
        return copy_fails(lifting->copy, COPY_INSTRUCTION);
    struct op *op = add_op(lifting, OP_PLAIN, lifting->program->text[instruction], instruction);
    op->read = facts->read;
    op->written = facts->written;
    op->uses_thread_pointer = facts->flags & FACT_READS_THREAD;
    return true;
}

static bool lift_instruction(struct lifting *lifting, uint32_t instruction, const struct basic_block *block) {
    const struct program *program = lifting->program;
    const struct facts *facts = facts_of(program, instruction);
    const struct conventions_of_machine *registers = lifting->copy->registers;
    const register_set data_base = set_of(registers->data_base);
    register_set reads = facts->read, writes = facts->written;
    enum transfer transfer = facts->transfer;
    bool is_address = adds_constant(facts);
    if (facts->flags & FACT_NOP && transfer == TRANSFER_NONE) {
        add_op(lifting, OP_GONE, 0, instruction);
        return true;
    }
    if (transfer == TRANSFER_SYSTEM_CALL || transfer == TRANSFER_TRAP || facts->class == CLASS_UNKNOWN)
        return copy_fails(lifting->copy, COPY_INSTRUCTION);
    if (writes & data_base && transfer != TRANSFER_CALL) {
        uint64_t base = facts->operand[1] == registers->link ? instruction_address(program, block->first)
                                                             : lifting->copy->entry;
        return is_address ? drop_data_base(lifting, instruction, base) : copy_fails(lifting->copy, COPY_GP);
    }
    lifting->uses_at |= ((reads | writes) & REGISTER_BIT(lifting->copy->machine->registers->spill)) != 0;
    if (transfer != TRANSFER_NONE)
        return (reads & data_base) ? copy_fails(lifting->copy, COPY_GP)
                                   : lift_last(lifting, instruction, block);
    if (reads & data_base) {
        if (lifting->base_half || lifting->copy->data_base == 0)
            return copy_fails(lifting->copy, COPY_GP);
        if (!(has_base(facts) ? lift_global(lifting, instruction) : lift_base_operand(lifting, instruction)))
            return false;
    } else if (facts->class == CLASS_PAL) {
        if (!lift_pal(lifting, instruction))
            return false;
    } else {
        add_op(lifting, OP_PLAIN, program->text[instruction], instruction);
    }
    lifting->fresh &= ~writes;
    return true;
}

/* ---- the whole --------------------------------------------------------------------------------------------------- */

/* After a call the link holds the address of the block, and at its entry the procedure value the routine's
 * own. */
static register_set known_at(const struct lifting *lifting, uint32_t number,
                             const struct basic_block *block) {
    const struct conventions_of_machine *registers = lifting->copy->registers;
    if (number == 0)
        return set_of(registers->procedure_value);
    return block->first > 0 && facts_of(lifting->program, block->first - 1)->transfer == TRANSFER_CALL
               ? set_of(registers->link)
               : 0;
}

static bool lift_blocks(struct lifting *lifting) {
    struct routine_copy *copy = lifting->copy;
    for (uint32_t i = 0; i < lifting->count; i++) {
        const struct basic_block *block = &lifting->program->blocks[lifting->blocks[i]];
        lifting->first_op[i] = copy->count;
        lifting->base_half = false;
        lifting->fresh = known_at(lifting, i, block);
        for (uint32_t k = block->first; k < block->first + block->count; k++)
            if (!lift_instruction(lifting, k, block))
                return false;
        if (lifting->base_half)
            return copy_fails(copy, COPY_GP);
        if (copy->count > MOST_OPS)
            return copy_fails(copy, COPY_TOO_LARGE);
    }
    bool taken = lifting->uses_at || (copy->helps && !(copy->allowed >> copy->machine->registers->spill & 1));
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
    copy->data_base = procedure->data_base;
    return find_reached_blocks(&lifting, first) && lift_blocks(&lifting) && aim_branches(&lifting);
}
