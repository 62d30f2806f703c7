/* leaders.c: leaders, the instructions that begin a block: a procedure's start, the target of a branch or a
   call, an instruction after the end of a block, one whose address is in data or computed; jump_tables.c
   and landing_pads.c add more. Requires procedures. A superfluous leader only splits a block; a missing
   leader would make counts at block heads wrong. So every value that looks like an address of text counts as
   an address. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "engine/cfg/internal.h"

static uint16_t *leader_marks(struct block_search *analysis, uint32_t instruction) {
    return &analysis->leaders[instruction];
}

void target_mark(struct block_search *analysis, const struct procedure *procedure, uint32_t target,
                 unsigned leaders) {
    bool inside = target - procedure->first < procedure->count;
    *leader_marks(analysis, target) |= leaders | (inside ? 0 : LEADER_ALTERNATE_ENTRY);
}

void inner_symbol_mark(struct block_search *analysis, uint32_t instruction) {
    *leader_marks(analysis, instruction) |= LEADER_ALTERNATE_ENTRY;
}

/* Targets of branches and calls, and instructions after the end of a block. */
void direct_leaders_mark(struct block_search *analysis, const struct procedure *procedure) {
    const struct program *program = analysis->program;
    *leader_marks(analysis, procedure->first) |= LEADER_PROCEDURE_ENTRY;
    for (uint32_t i = procedure->first; i < procedure->first + procedure->count; i++) {
        const struct facts *facts = facts_of(program, i);
        enum transfer transfer = facts->transfer;
        if (transfer == TRANSFER_NONE)
            continue;
        bool has_link = facts->link != REGISTER_NONE;
        if (i + 1 < program->instruction_count)
            *leader_marks(analysis, i + 1) |= LEADER_FOLLOWS | (has_link ? LEADER_RETURN_POINT : 0);
        bool comes_back = has_link && transfer == TRANSFER_BRANCH && branch_target(program, i) != i + 1;
        if (comes_back && i + 1 < program->instruction_count)
            *leader_marks(analysis, i + 1) |= LEADER_ADDRESS_TAKEN; /* no edge leads there */
        bool direct = branches_or_jumps(facts) && !(facts->flags & FACT_INDIRECT);
        uint32_t target = direct ? branch_target(program, i) : NO_INDEX;
        if (target == NO_INDEX)
            continue;
        bool inside = target - procedure->first < procedure->count;
        /* a part of the procedure, reached by no edge */
        bool is_called = transfer == TRANSFER_CALL && inside;
        target_mark(analysis, procedure, target,
                    LEADER_BRANCH_TARGET | (is_called ? LEADER_ADDRESS_TAKEN : 0));
    }
}

/* Every aligned 64-bit word of the file image outside of the text (inside as well, if no section headers
   distinguish text from data) that holds the address of an instruction. */
void data_addresses_mark(struct block_search *analysis, const struct program *program) {
    uint64_t text_end = program->text_address + 4 * (uint64_t)program->own_count;
    uint64_t got = 0, got_size = 0;
    find_section(program, ".got", &got, &got_size);
    for (uint32_t i = 0; i < program->relocation_count; i++) {
        const struct relocation *relocation = &program->relocations[i];
        uint32_t instruction = instruction_at(analysis->program, relocation->value);
        if (instruction != NO_INDEX)
            *leader_marks(analysis, instruction) |=
                LEADER_ADDRESS_TAKEN | (relocation->address - got < got_size ? 0 : LEADER_ESCAPES);
    }
    if (program->base)
        return; /* no other word holds an address */
    bool skip_text = !program->text_has_more;
    for (uint32_t i = 0; i < program->segment_count; i++) {
        const struct segment *segment = &program->segments[i];
        uint64_t begin = (segment->address + 7) & ~UINT64_C(7), end = segment->address + segment->file_size;
        for (uint64_t address = begin; address < end && end - address >= 8; address += 8) {
            if (skip_text && address >= program->text_address && address < text_end) {
                address = (text_end - 8 + 7) & ~UINT64_C(7);
                continue;
            }
            uint64_t value;
            memcpy(&value, program->image + segment->file_offset + (address - segment->address), 8);
            value = le64toh(value);
            uint32_t instruction = instruction_at(program, value);
            if (instruction != NO_INDEX)
                *leader_marks(analysis, instruction) |=
                    LEADER_ADDRESS_TAKEN | (address - got < got_size ? 0 : LEADER_ESCAPES);
        }
    }
}

/* Targets given by the user, even if no jump to them is found. */
void landings_mark(struct block_search *analysis) {
    const struct program *program = analysis->program;
    for (uint32_t i = 0; i < program->landing_count; i++) {
        uint32_t instruction = instruction_at(program, program->landings[i]);
        if (instruction == NO_INDEX) {
            char address[24];
            snprintf(address, sizeof address, "0x%" PRIx64, program->landings[i]);
            diagnose(analysis->diagnostics, NULL, MESSAGE_NO_LANDING, program->path, address);
        } else {
            *leader_marks(analysis, instruction) |= LEADER_ADDRESS_TAKEN | LEADER_ESCAPES;
        }
    }
}

/* Addresses computed from the data base, from 0, from a link register, or from the instruction's own address:
   an upper part and the rest, in
   straight-line code. In loose mode the last upper part of each register is combined with any later rest, for
   pairs that are apart and in any order of control; that also yields wrong addresses. */
static void mark_computed_with(struct block_search *analysis, const struct procedure *procedure,
                               uint64_t data_base, bool loose) {
    const struct program *program = analysis->program;
    const struct conventions_of_machine *registers = &program->architecture->registers;
    const register_set lasting = set_of(registers->data_base) | set_of(registers->zero);
    uint64_t high[PLACE_COUNT] = {0};
    register_set known = set_of(registers->zero);
    if (data_base) {
        high[value_place(registers, registers->data_base)] = data_base;
        known |= set_of(registers->data_base);
    }
    for (uint32_t i = procedure->first; i < procedure->first + procedure->count; i++) {
        const struct facts *facts = facts_of(program, i);
        bool is_link = facts->link != REGISTER_NONE && facts->link != registers->data_base;
        bool is_relative = facts->flags & FACT_PC_RELATIVE && !facts->memory_count;
        bool is_sum = adds_constant(facts) && !(set_of(facts->operand[0]) & lasting) &&
                      known & set_of(facts->operand[1]);
        uint64_t value =
            is_relative ? relative_address(program, i)
            : is_sum    ? high[value_place(registers, facts->operand[1])] + constants_of(program, i).value
                        : 0;
        if (!loose && known & ~lasting)
            known &= ~facts->written | lasting;
        is_sum |= is_relative;
        if (is_link || (is_sum && facts->flags & FACT_HIGH_PART)) {
            unsigned result = is_link ? facts->link : facts->operand[0];
            high[value_place(registers, result)] = is_link ? instruction_address(program, i + 1) : value;
            known |= set_of(result);
        } else if (is_sum) {
            uint32_t instruction = instruction_at(program, value);
            bool inside = instruction != NO_INDEX && instruction - procedure->first < procedure->count;
            if (instruction != NO_INDEX && (inside || !loose))
                *leader_marks(analysis, instruction) |= LEADER_ADDRESS_TAKEN | LEADER_ESCAPES;
        }
    }
}

void computed_addresses_mark(struct block_search *analysis, const struct procedure *procedure, bool loose) {
    if (procedure->data_base || analysis->data_base_count == 0)
        mark_computed_with(analysis, procedure, procedure->data_base, loose);
    else
        for (size_t i = 0; i < analysis->data_base_count; i++)
            mark_computed_with(analysis, procedure, analysis->data_bases[i], loose);
}
