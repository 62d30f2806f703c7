/* jump_tables.c: targets of indirect jumps, by a forward analysis of register values over one procedure at
   a time. Requires leaders of everything but jump tables; marks the targets as leaders and repeats until no
   jump is new.

   It recognises GCC's two idioms, even if their parts have been moved; on Alpha:
     ldah/lda t,table($29); s4addq i,t,t; ldl t,0(t); addq $29,t,t; jmp (t)   32-bit entries, relative to $29,
                                                                              the data base
     ldah/lda t,table($29); s8addq i,t,t; ldq t,0(t); jmp (t)                 64-bit addresses (computed goto)
   A table's length comes from a comparison of the index on every path to the jump, or from its width;
   without one, it ends before the first entry outside of the procedure. If the table's address cannot be
   followed, because it was stored in memory, all tables of 32-bit entries whose addresses the procedure
   computes are combined. Assumes that calls preserve the registers of the calling standard, and that the data
     base has one value. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "engine/cfg/internal.h"
#include "support/search.h"

static register_set preserved_by_calls(const struct region *region) {
    return region->registers->callee_saved | set_of(region->registers->data_base);
}

/* ---- flow ------------------------------------------------------------------------------------- */

static uint32_t region_block(const struct region *region, uint32_t instruction) {
    return FIRST_NOT(1, region->block_count, at, region->first[at] <= instruction) - 1;
}

static void flow_to(struct region *region, uint32_t source, uint32_t instruction, const struct state *state) {
    if (instruction == NO_INDEX || instruction < region->procedure->first ||
        instruction >= region->procedure->first + region->procedure->count)
        return;
    uint32_t block = region_block(region, instruction);
    if (region->relevant[block] && region->first[block] == instruction &&
        state_join(region, block, source, state))
        region->pending[block] = 1;
}

static struct jump_table *jump_table_at(struct region *region, uint32_t instruction) {
    struct block_search *analysis = region->analysis;
    for (size_t i = region->first_table; i < analysis->table_count; i++)
        if (analysis->tables[i].instruction == instruction)
            return &analysis->tables[i];
    return NULL;
}

static bool in_procedure(const struct region *region, uint32_t instruction) {
    return instruction != NO_INDEX && instruction >= region->procedure->first &&
           instruction < region->procedure->first + region->procedure->count;
}

static void mark_target(struct region *region, uint32_t target, unsigned bits) {
    uint16_t *leader = &region->analysis->leaders[target];
    if (!*leader && in_procedure(region, target))
        region->changed_leaders = true;
    target_mark(region->analysis, region->procedure, target, bits);
}

static void add_target(struct block_search *analysis, uint32_t target) {
    ARENA_RESERVE(analysis->arena, analysis->targets, analysis->target_count, analysis->target_capacity);
    analysis->targets[analysis->target_count++] = target;
}
static void add_jump_table(struct block_search *analysis, uint32_t instruction, size_t first_target) {
    ARENA_RESERVE(analysis->arena, analysis->tables, analysis->table_count, analysis->table_capacity);
    analysis->tables[analysis->table_count++] = (struct jump_table){
        instruction, (uint32_t)first_target, (uint32_t)(analysis->target_count - first_target)};
}

/* The address that an entry of a table leads to. Returns false if the entry is not in the file. */
static bool read_entry(const struct program *program, const struct value *table, uint64_t address,
                       uint64_t *target) {
    if (table->kind == VALUE_ENTRY)
        return program_word64(program, address, target);
    const unsigned size = table->scale;
    assert(size > 0);
    const uint8_t *bytes = program_bytes(program, address, size);
    uint64_t entry = 0;
    for (unsigned i = 0; bytes && i < size; i++)
        entry |= (uint64_t)bytes[i] << 8 * i;
    if (table->is_signed)
        entry = (uint64_t)((int64_t)(entry << (64 - 8 * size)) >> (64 - 8 * size));
    *target = table->base + table->factor * entry;
    if (table->from_entry)
        *target += address - table->number;
    return bytes;
}

/* Reads the table of the jump at `instruction`; returns true if all its targets are known. */
static bool read_table(struct region *region, uint32_t instruction, const struct value *table,
                       uint64_t limit) {
    struct block_search *analysis = region->analysis;
    const struct program *program = region->program;
    bool wide = table->kind == VALUE_ENTRY, complete = true;
    if (!wide && !program_is_constant(program, table->number)) /* what is stored there looks like no label */
        return false;
    size_t first_target = analysis->target_count;
    uint64_t count = limit && limit < 65536 ? limit : 65536;
    bool checked = limit && limit != 256 && limit < 65536; /* not only the range of a byte or word */
    for (uint64_t i = 0; i < count; i++) {
        uint64_t target = 0;
        bool present = read_entry(program, table, table->number + i * table->scale, &target);
        uint32_t to = present ? instruction_at(program, target) : NO_INDEX;
        bool valid = to != NO_INDEX && (in_procedure(region, to) || (checked && !wide));
        if (!valid) {
            complete = i > 0;
            break;
        }
        add_target(analysis, to);
    }
    for (size_t i = first_target; i < analysis->target_count; i++)
        mark_target(region, analysis->targets[i], complete ? LEADER_TABLE_TARGET : LEADER_UNKNOWN_JUMP);
    if (!complete || first_target == analysis->target_count) {
        analysis->target_count = first_target;
        return false;
    }
    if (wide) /* if the program changes its table, it can only store other labels there */
        for (uint32_t i = 1; i < region->procedure->count; i++)
            if (analysis->leaders[region->procedure->first + i] & LEADER_ADDRESS_TAKEN)
                add_target(analysis, region->procedure->first + i);
    add_jump_table(analysis, instruction, first_target);
    return true;
}

/* A standard call leaves undefined values in caller-saved registers; if the path continues with such a
   value, the call never returns. */
static void after_call(struct region *region, struct state *state, unsigned link, uint32_t at) {
    const struct conventions_of_machine *registers = region->registers;
    if (link == registers->link) {
        const register_set preserved = preserved_by_calls(region);
        for (unsigned i = 0; i < FOLLOWED_REGISTERS; i++)
            if (!(preserved >> i & 1))
                state->registers[i] = (struct value){.kind = VALUE_NONE, .symbol = NO_INDEX};
        state_set_unknown(state, registers->result, at - region->procedure->first, 0);
    } else { /* millicode */
        state_set_unknown(state, registers->procedure_value, at - region->procedure->first, 0);
        state_set_unknown(state, registers->spill, NO_INDEX, 0);
    }
    if (region->procedure->data_base)
        state_set_constant(state, registers->data_base, region->procedure->data_base);
    state_set_constant(state, link, instruction_address(region->program, at + 1));
}

/* True if the jump at `at` goes to the data base plus a loaded 32-bit entry. Searches backwards to `first`.
 */
static bool is_entry_jump(const struct program *program, uint32_t first, uint32_t at) {
    const struct conventions_of_machine *registers = &program->architecture->registers;
    const unsigned not_integer = FACT_FLOAT | FACT_EXCLUSIVE_BEGIN;
    unsigned wanted = facts_of(program, at)->target;
    bool added = false;
    while (at-- > first) {
        const struct facts *facts = facts_of(program, at);
        if (!(facts->written & set_of(wanted)))
            continue;
        if (facts->flags & FACT_LOAD)
            return added && facts->memory[0].size == 4 && !(facts->flags & not_integer);
        struct computation sum = program->architecture->compute(program->text[at]);
        bool is_sum = sum.kind == COMPUTES_SUM && sum.scale == 1 && sum.b != REGISTER_NONE;
        if (!added && is_sum && (sum.a == registers->data_base || sum.b == registers->data_base)) {
            wanted = sum.a == registers->data_base ? sum.b : sum.a;
            added = true;
        } else if (added && sum.kind == COMPUTES_SUM_32 && sum.a == registers->zero &&
                   sum.b != REGISTER_NONE) {
            wanted = sum.b; /* extended */
        } else {
            return false;
        }
    }
    return false;
}

/* The table's address cannot be followed to the jump: it is one of the addresses that the procedure computes.
   Takes the entries of all addresses that look like tables of this procedure. */
static bool read_any_table(struct region *region, uint32_t instruction) {
    struct block_search *analysis = region->analysis;
    const struct procedure *procedure = region->procedure;
    const struct program *program = region->program;
    uint64_t high[PLACE_COUNT] = {0};
    size_t first_target = analysis->target_count;
    for (uint32_t i = procedure->first; i < procedure->first + procedure->count; i++) {
        const struct facts *facts = facts_of(program, i);
        if (!adds_constant(facts))
            continue;
        const struct conventions_of_machine *registers = region->registers;
        const unsigned data_base = registers->data_base;
        unsigned result = value_place(registers, facts->operand[0]),
                 base = value_place(registers, facts->operand[1]);
        int64_t amount = constants_of(program, i).value;
        bool is_high = facts->flags & FACT_HIGH_PART;
        int32_t entry;
        if (is_high && base == data_base)
            high[result] = procedure->data_base + amount;
        if (is_high || !high[base] || base == data_base)
            continue;
        uint64_t address = high[base] + amount;
        for (uint64_t k = 0; k < 65536 && program_word32(program, address + 4 * k, &entry); k++) {
            uint32_t target = instruction_at(program, procedure->data_base + (int64_t)entry);
            if (!in_procedure(region, target))
                break;
            add_target(analysis, target);
        }
    }
    for (size_t i = first_target; i < analysis->target_count; i++)
        mark_target(region, analysis->targets[i], LEADER_TABLE_TARGET);
    if (first_target == analysis->target_count)
        return false;
    add_jump_table(analysis, instruction, first_target);
    return true;
}

static void end_block(struct region *region, uint32_t at, struct state *state) {
    const struct facts *facts = facts_of(region->program, at);
    const enum transfer transfer = facts->transfer;
    switch (transfer) {
    case TRANSFER_NONE:
        state_step(region, state, at);
        flow_to(region, at, at + 1, state);
        break;
    case TRANSFER_COND_BRANCH: {
        const struct value *condition = &state->registers[value_place(region->registers, facts->tested)];
        struct state below = *state;
        if (condition->kind == VALUE_FLAGS && facts->flags_condition != FLAGS_OTHER) {
            bool equal = facts->flags_condition == FLAGS_ABOVE || facts->flags_condition == FLAGS_NOT_ABOVE;
            bool taken = facts->flags_condition == FLAGS_BELOW || facts->flags_condition == FLAGS_NOT_ABOVE;
            state_add_fact(&below, condition->symbol, condition->number + equal);
            flow_to(region, at, branch_target(region->program, at), taken ? &below : state);
            flow_to(region, at, at + 1, taken ? state : &below);
            break;
        }
        bool compared = condition->kind == VALUE_COMPARED;
        if (compared)
            state_add_fact(&below, condition->symbol, condition->limit);
        bool taken_if_true = facts->condition == CONDITION_NONZERO || facts->condition == CONDITION_ODD;
        bool taken_if_false = facts->condition == CONDITION_ZERO || facts->condition == CONDITION_EVEN;
        bool usable = compared && (taken_if_true || taken_if_false);
        bool below_taken = compared && taken_if_true ^ condition->scale;
        flow_to(region, at, branch_target(region->program, at), usable && below_taken ? &below : state);
        flow_to(region, at, at + 1, usable && !below_taken ? &below : state);
        break;
    }
    case TRANSFER_BRANCH:
        state_set_constant(state, facts->link, instruction_address(region->program, at + 1));
        flow_to(region, at, branch_target(region->program, at), state);
        break;
    case TRANSFER_CALL:
        if (!call_may_return(region->program, region->analysis->returning, at))
            break;
        after_call(region, state, facts->link, at);
        flow_to(region, at, at + 1, state);
        break;
    case TRANSFER_SYSTEM_CALL:
    case TRANSFER_TRAP:
        state_forget(region, state, facts->written & UINT32_MAX, NO_INDEX);
        flow_to(region, at, at + 1, state);
        break;
    case TRANSFER_RETURN:
    case TRANSFER_JUMP: {
        const struct jump_table *table = jump_table_at(region, at);
        for (uint32_t i = 0; table && i < table->target_count; i++)
            flow_to(region, at, region->analysis->targets[table->first_target + i], state);
        /* not resolved yet: the loaded address may be that of any label that is never entered from
           outside */
        for (uint32_t i = 1; !table && transfer == TRANSFER_JUMP && i < region->block_count; i++)
            if (region->analysis->leaders[region->first[i]] & LEADER_ADDRESS_TAKEN)
                flow_to(region, at, region->first[i], state);
        break;
    }
    }
}

/* Executes the block up to its last instruction; returns that. */
static uint32_t run_block(struct region *region, uint32_t block, struct state *state) {
    uint32_t last = region->first[block + 1] - 1;
    for (uint32_t i = region->first[block]; i < last; i++)
        state_step(region, state, i);
    return last;
}

/* The machine ignores the two lowest bits of a jump's target. */
static uint64_t jump_address(uint64_t target) {
    return target & ~UINT64_C(3);
}

/* The target is an address of the text plus an unknown value: any instruction of the procedure that contains
   the address. */
static bool is_computed(const struct region *region, const struct value *value) {
    return value->kind == VALUE_ADDRESS &&
           instruction_at(region->program, jump_address(value->number)) != NO_INDEX;
}

static void lose_jump(struct region *region, uint64_t base) {
    const struct program *program = region->program;
    uint32_t to = instruction_at(program, jump_address(base));
    const struct procedure *other = &program->procedures[procedure_at(program, to)];
    region->lost_jump = true;
    for (uint32_t i = other->first; other != region->procedure && i < other->first + other->count; i++)
        target_mark(region->analysis, region->procedure, i, LEADER_UNKNOWN_JUMP);
}

/* A return or a call through a computed register. */
static void follow_computed(struct region *region, uint32_t block, const struct state *outside) {
    struct state state = region->entry[block].reached ? region->entry[block] : *outside;
    uint32_t last = run_block(region, block, &state);
    const unsigned target = facts_of(region->program, last)->target;
    const struct value *value = &state.registers[value_place(region->registers, target)];
    uint32_t constant = value->kind == VALUE_CONSTANT
                            ? instruction_at(region->program, jump_address(value->number))
                            : NO_INDEX;
    if (constant != NO_INDEX && !is_entered_by_address(region->analysis->leaders[constant]))
        target_mark(region->analysis, region->procedure, constant, LEADER_ADDRESS_TAKEN);
    if (is_computed(region, value))
        lose_jump(region, value->number);
    else if (value->kind == VALUE_UNKNOWN && value->scale != 8 && region->adds_to_label)
        region->lost_jump = true;
}

/* True if a jump through this unknown value may go to a place of the procedure; `is_address`: the value was
 * loaded. */
static bool may_go_to_label(const struct region *region, unsigned target, const struct value *value,
                            bool is_address) {
    const unsigned procedure_value = region->registers->procedure_value;
    if (procedure_value == REGISTER_NONE) /* each jump may be to a procedure */
        return is_address ? region->loses_label : value_is_computed(value) || region->adds_to_label;
    return target == procedure_value ? !is_address && region->adds_to_label
                                     : !is_address || region->adds_to_label;
}

/* Finds the targets of the jump that ends the block, from the values of its register. */
static void resolve_jump(struct region *region, uint32_t block, const struct state *outside) {
    struct state state = region->entry[block].reached ? region->entry[block] : *outside;
    uint32_t last = run_block(region, block, &state);
    const unsigned target = facts_of(region->program, last)->target;
    const struct value *value = &state.registers[value_place(region->registers, target)];
    uint32_t constant = value->kind == VALUE_CONSTANT
                            ? instruction_at(region->program, jump_address(value->number))
                            : NO_INDEX;
    if (constant != NO_INDEX && in_procedure(region, constant)) {
        mark_target(region, constant, LEADER_TABLE_TARGET);
        add_target(region->analysis, constant);
        add_jump_table(region->analysis, last, region->analysis->target_count - 1);
        return;
    }
    bool is_table = value->kind == VALUE_TARGET || (value->kind == VALUE_ENTRY && value->scale == 8);
    bool is_address = (value->kind == VALUE_UNKNOWN || value->kind == VALUE_ENTRY) && value->scale == 8;
    const unsigned procedure_value = region->registers->procedure_value;
    if (is_address && target != procedure_value && !region->has_labels) {
        region->has_labels = region->changed_leaders = true;
        computed_addresses_mark(region->analysis, region->procedure, true);
        return;
    }
    if (is_table && read_table(region, last, value, value_limit(&state, value)))
        return;
    if (region->last_round && region->procedure->data_base &&
        is_entry_jump(region->program, region->first[block], last) && read_any_table(region, last))
        return;
    /* A loaded value is an address stored in the program, or the sum of a label and a difference; a value
       in the register for them is a procedure's address. */
    if (!region->last_round || value->kind == VALUE_BEHIND)
        return;
    if (is_computed(region, value))
        lose_jump(region, value->number);
    else
        region->lost_jump |= may_go_to_label(region, target, value, is_address);
}

static void split_region(struct region *region) {
    const struct procedure *procedure = region->procedure;
    region->block_count = 0;
    for (uint32_t i = 0; i < procedure->count; i++)
        if (i == 0 || region->analysis->leaders[procedure->first + i])
            region->first[region->block_count++] = procedure->first + i;
    region->first[region->block_count] = procedure->first + procedure->count;
}

static bool is_relevant(const struct region *region, uint32_t instruction) {
    return in_procedure(region, instruction) && region->relevant[region_block(region, instruction)];
}

/* True if control may reach a jump from here. */
static bool leads_to_jump(struct region *region, uint32_t block) {
    uint32_t last = region->first[block + 1] - 1;
    bool next = block + 1 < region->block_count && region->relevant[block + 1];
    switch (facts_of(region->program, last)->transfer) {
    case TRANSFER_JUMP:
        return true;
    case TRANSFER_RETURN:
        return region->computes;
    case TRANSFER_CALL:
        return next || region->computes;
    case TRANSFER_BRANCH:
        return is_relevant(region, branch_target(region->program, last));
    case TRANSFER_COND_BRANCH:
        return next || is_relevant(region, branch_target(region->program, last));
    default:
        return next;
    }
}

static void find_relevant(struct region *region) {
    memset(region->relevant, 0, region->block_count);
    for (bool again = true; again;) {
        again = false;
        for (uint32_t i = region->block_count; i-- > 0;)
            if (!region->relevant[i] && leads_to_jump(region, i))
                region->relevant[i] = again = true;
    }
}

/* Values over all relevant blocks, along the tables known so far. */
static void follow_values(struct region *region, const struct state *outside) {
    struct state state;
    for (uint32_t i = 0; i < region->block_count; i++) {
        region->entry[i].reached = false;
        region->pending[i] = 0;
        unsigned leaders = region->analysis->leaders[region->first[i]];
        if (i == 0 || has_unseen_predecessor_besides_labels(leaders)) {
            state_join(region, i, NO_INDEX, outside);
            region->pending[i] = region->relevant[i];
        }
    }
    struct value *link = &region->entry[0].registers[region->registers->link];
    if (link->kind == VALUE_UNKNOWN)
        *link = (struct value){.kind = VALUE_RETURN, .symbol = SYMBOL_CALLER};
    if (region->procedure->sets_data_base)
        state_set_constant(&region->entry[0], region->registers->procedure_value,
                           instruction_address(region->program, region->procedure->first));
    for (bool again = true; again;) {
        again = false;
        for (uint32_t i = 0; i < region->block_count; i++)
            if (region->pending[i]) {
                region->pending[i] = 0;
                state = region->entry[i];
                end_block(region, run_block(region, i, &state), &state);
                again = true;
            }
    }
}

static bool is_unresolved(struct region *region, uint32_t block) {
    uint32_t last = region->first[block + 1] - 1;
    return facts_of(region->program, last)->transfer == TRANSFER_JUMP && !jump_table_at(region, last);
}

/* Returns true if anything changed. */
static bool resolve_jumps(struct region *region, const struct state *outside) {
    size_t known = region->analysis->table_count;
    region->changed_leaders = false;
    for (uint32_t i = 0; i < region->block_count; i++)
        if (is_unresolved(region, i))
            resolve_jump(region, i, outside);
    return known != region->analysis->table_count || region->changed_leaders;
}

/* True if there is a jump whose targets more rounds might find. */
static bool has_unresolved(struct region *region) {
    for (uint32_t i = 0; i < region->block_count; i++)
        if (is_unresolved(region, i) &&
            indirect_target(region->program, region->procedure->data_base, region->first[i],
                            region->first[i + 1] - 1) == NO_INDEX)
            return true;
    return false;
}

/* One round; returns true if another one is needed. */
static bool run_round(struct region *region) {
    struct state outside = outside_state(region);
    split_region(region);
    region->lost_jump = region->block_count > MOST_BLOCKS && has_unresolved(region);
    if (region->block_count > MOST_BLOCKS)
        return false;
    region->loses_label = false; /* a round that knows more targets follows other values */
    find_relevant(region);
    follow_values(region, &outside);
    region->last_round = false;
    bool found = resolve_jumps(region, &outside);
    if (!found && has_unresolved(region)) {
        region->last_round = true;
        found = resolve_jumps(region, &outside);
    }
    return found && has_unresolved(region);
}

/* True if an instruction that reads the return address computes another address from it, other than the data
   base. */
static bool adds_to_return_address(const struct program *program, uint32_t at, const struct facts *facts) {
    if (adds_constant(facts))
        return !(facts->flags & FACT_HIGH_PART) &&
               facts->operand[0] != program->architecture->registers.data_base &&
               constants_of(program, at).value;
    struct computation computation = program->architecture->compute(program->text[at]);
    return (computation.kind == COMPUTES_SUM || computation.kind == COMPUTES_DIFFERENCE) &&
           (computation.scale == 1 || computation.b != REGISTER_NONE);
}

/* True if an address of the text is put into a register, other than for the data base, or added to the return
   address. */
static bool computes_text_address(const struct program *program, const struct procedure *procedure) {
    const struct conventions_of_machine *registers = &program->architecture->registers;
    for (uint32_t i = procedure->first; i < procedure->first + procedure->count; i++) {
        const struct facts *facts = facts_of(program, i);
        bool links = facts->transfer == TRANSFER_BRANCH && facts->link != REGISTER_NONE;
        if (links && facts->link != registers->data_base && branch_target(program, i) == i + 1)
            return true;
        if (facts->read & set_of(registers->link) && adds_to_return_address(program, i, facts))
            return true;
    }
    return false;
}

/* True if control leaves to an address computed from the return address. */
static bool returns_behind(struct region *region, const struct state *outside) {
    for (uint32_t i = 0; i < region->block_count; i++) {
        const struct facts *facts = facts_of(region->program, region->first[i + 1] - 1);
        if (!(facts->flags & FACT_INDIRECT))
            continue;
        struct state state = region->entry[i].reached ? region->entry[i] : *outside;
        run_block(region, i, &state);
        if (state.registers[value_place(region->registers, facts->target)].kind == VALUE_BEHIND)
            return true;
    }
    return false;
}

static void follow_all_computed(struct region *region, struct procedure *procedure) {
    struct state outside = outside_state(region);
    if (region->block_count > MOST_BLOCKS)
        return;
    procedure->returns_behind = returns_behind(region, &outside);
    for (uint32_t i = 0; i < region->block_count; i++) {
        const struct facts *facts = facts_of(region->program, region->first[i + 1] - 1);
        if (facts->flags & FACT_INDIRECT && facts->transfer != TRANSFER_JUMP)
            follow_computed(region, i, &outside);
    }
}

void returns_behind_mark(struct block_search *analysis) {
    const struct program *program = analysis->program;
    bool any = false;
    for (uint32_t p = 0; p < program->procedure_count; p++)
        any |= program->procedures[p].returns_behind;
    for (uint32_t p = 0; any && p < program->procedure_count; p++) {
        const struct procedure *procedure = &program->procedures[p];
        bool calls = false;
        for (uint32_t i = procedure->first, leader = i; i < procedure->first + procedure->count; i++) {
            const struct facts *facts = facts_of(program, i);
            leader = analysis->leaders[i] ? i : leader;
            if (facts->transfer != TRANSFER_CALL)
                continue;
            uint32_t target = facts->flags & FACT_INDIRECT
                                  ? indirect_target(program, procedure->data_base, leader, i)
                                  : branch_target(program, i);
            calls |= target != NO_INDEX && program->procedures[procedure_at(program, target)].returns_behind;
        }
        for (uint32_t i = 0; calls && i < procedure->count; i++)
            analysis->leaders[procedure->first + i] |= LEADER_UNKNOWN_JUMP;
    }
}

static int compare_tables(const void *left, const void *right) {
    const struct jump_table *a = left, *b = right;
    return (a->instruction > b->instruction) - (a->instruction < b->instruction);
}

void jump_tables_find(struct block_search *analysis, uint32_t procedure) {
    struct region region = {.analysis = analysis, .program = analysis->program};
    region.procedure = &analysis->program->procedures[procedure];
    region.registers = &analysis->program->architecture->registers;
    region.first_table = analysis->table_count;
    uint32_t jumps = 0;
    for (uint32_t i = 0, leader = 0; i < region.procedure->count; i++) {
        uint32_t at = region.procedure->first + i;
        if (analysis->leaders[at])
            leader = at;
        if (facts_of(analysis->program, at)->transfer == TRANSFER_JUMP &&
            indirect_target(analysis->program, region.procedure->data_base, leader, at) == NO_INDEX)
            jumps++;
    }
    region.computes = computes_text_address(analysis->program, region.procedure);
    if (!jumps && !region.computes)
        return;
    size_t most = region.procedure->count < MOST_BLOCKS ? region.procedure->count : MOST_BLOCKS;
    struct arena *scratch = analysis->program->scratch;
    struct arena_mark mark = arena_mark(scratch);
    region.first = arena_allocate(scratch, ((size_t)region.procedure->count + 1) * sizeof *region.first);
    region.entry = arena_allocate_unset(scratch, most * sizeof *region.entry);
    region.pending = arena_allocate(scratch, most);
    region.relevant = arena_allocate(scratch, most);
    while (run_round(&region))
        ;
    if (region.computes)
        follow_all_computed(&region, &analysis->program->procedures[procedure]);
    /* For a jump that may go to any word of the procedure: each word begins a block, so that counts are
       right. */
    for (uint32_t i = 0; region.lost_jump && i < region.procedure->count; i++)
        analysis->leaders[region.procedure->first + i] |= LEADER_UNKNOWN_JUMP;
    if (analysis->table_count > region.first_table)
        qsort(analysis->tables + region.first_table, analysis->table_count - region.first_table,
              sizeof *analysis->tables, compare_tables);
    arena_release(scratch, mark);
}
