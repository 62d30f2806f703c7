/* values.c: values of integer registers, followed forwards through a procedure: constants, indices and
   their limits, table entries. Requires a region (internal.h); it only supports the two idioms of
   jump_tables.c. */
#include <string.h>

#include "engine/cfg/internal.h"

/* ---- states ----------------------------------------------------------------------------------- */

/* Nearly every symbol is new: its instruction is executed for the first time. */
static void note_symbol(struct state *state, uint32_t symbol) {
    if (symbol != NO_INDEX)
        state->symbols[symbol >> 6 & 3] |= UINT64_C(1) << (symbol & 63);
}
static bool may_hold(const struct state *state, uint32_t symbol) {
    return state->symbols[symbol >> 6 & 3] >> (symbol & 63) & 1;
}

void state_set_unknown(struct state *state, unsigned reg, uint32_t symbol, uint64_t limit) {
    if (reg >= FOLLOWED_REGISTERS)
        return;
    if (symbol != NO_INDEX && !(symbol & SYMBOL_SLOT) &&
        may_hold(state, symbol)) { /* that symbol now represents another value */
        for (unsigned i = 0; i < FOLLOWED_REGISTERS; i++)
            if (state->registers[i].symbol == symbol)
                state->registers[i] = (struct value){.kind = VALUE_UNKNOWN, .symbol = NO_INDEX};
        for (unsigned i = 0; i < FACT_COUNT; i++)
            if (state->facts[i].symbol == symbol)
                state->facts[i].limit = 0;
    }
    state->registers[reg] = (struct value){.kind = VALUE_UNKNOWN, .symbol = symbol, .limit = limit};
    note_symbol(state, symbol);
}
void state_set_constant(struct state *state, unsigned reg, uint64_t number) {
    if (reg < FOLLOWED_REGISTERS)
        state->registers[reg] = (struct value){.kind = VALUE_CONSTANT, .number = number, .symbol = NO_INDEX};
}
static void set_value(struct state *state, unsigned reg, struct value value) {
    if (reg < FOLLOWED_REGISTERS)
        state->registers[reg] = value;
}

/* The state when control arrives from outside: only the data base is known. */
struct state outside_state(const struct region *region) {
    struct state state = {.reached = true};
    for (unsigned i = 0; i < PLACE_COUNT; i++)
        state.registers[i] = (struct value){.kind = VALUE_UNKNOWN, .symbol = NO_INDEX};
    state.registers[ZERO_PLACE] = (struct value){.kind = VALUE_CONSTANT, .symbol = NO_INDEX};
    if (region->procedure->data_base)
        state_set_constant(&state, region->registers->data_base, region->procedure->data_base);
    return state;
}

static bool same_value(const struct value *a, const struct value *b) {
    return a->kind == b->kind && a->scale == b->scale && a->symbol == b->symbol && a->number == b->number &&
           a->base == b->base && a->factor == b->factor && a->is_signed == b->is_signed &&
           a->from_entry == b->from_entry && a->is_computed == b->is_computed &&
           (a->kind == VALUE_CONSTANT || a->symbol != NO_INDEX || a->kind <= VALUE_UNKNOWN);
}

uint64_t value_limit(const struct state *state, const struct value *value) {
    uint64_t limit = value->limit;
    for (unsigned i = 0; i < FACT_COUNT; i++)
        if (state->facts[i].limit && value->symbol != NO_INDEX && state->facts[i].symbol == value->symbol &&
            (limit == 0 || state->facts[i].limit < limit))
            limit = state->facts[i].limit;
    return limit;
}

static bool same_state(const struct state *a, const struct state *b) {
    for (unsigned i = 0; i < FOLLOWED_REGISTERS; i++)
        if (!same_value(&a->registers[i], &b->registers[i]) || a->registers[i].limit != b->registers[i].limit)
            return false;
    for (unsigned i = 0; i < FACT_COUNT; i++)
        if (a->facts[i].symbol != b->facts[i].symbol || a->facts[i].limit != b->facts[i].limit)
            return false;
    for (unsigned i = 0; i < SLOT_COUNT; i++)
        if (a->slots[i].offset != b->slots[i].offset || a->slots[i].value.limit != b->slots[i].value.limit ||
            !same_value(&a->slots[i].value, &b->slots[i].value))
            return false;
    return true;
}

bool value_is_computed(const struct value *value) {
    bool is_derived = value->kind >= VALUE_SCALED && value->kind <= VALUE_TARGET;
    return value->is_computed || (is_derived && !(value->kind == VALUE_ENTRY && value->scale == 8));
}

/* The common value of a register that holds `a` on one path and `b` on another; `symbol` names the merged
   value. */
static struct value join_values(const struct value *a, const struct value *b, uint32_t symbol) {
    if (same_value(a, b))
        return *a;
    bool alike = a->kind == b->kind && a->kind >= VALUE_SCALED && a->kind <= VALUE_TARGET &&
                 a->scale == b->scale && a->number == b->number && a->base == b->base &&
                 a->factor == b->factor && a->is_signed == b->is_signed;
    if (alike) {
        struct value both = *a;
        both.symbol = symbol;
        return both;
    }
    bool loaded = a->scale == 8 && b->scale == 8 && (a->kind == VALUE_UNKNOWN || a->kind == VALUE_ENTRY) &&
                  (b->kind == VALUE_UNKNOWN || b->kind == VALUE_ENTRY);
    return (struct value){.kind = VALUE_UNKNOWN,
                          .scale = loaded ? 8 : 0,
                          .is_computed = value_is_computed(a) || value_is_computed(b),
                          .symbol = symbol,
                          .limit = a->limit};
}

/* True if both hold the same known value. */
static bool same_slot(const struct slot *a, const struct slot *b) {
    return a->value.kind && a->offset == b->offset && same_value(&a->value, &b->value);
}

/* Keeps facts that hold in both states, with the higher limit. True if `into` changed. */
static bool join_facts(struct state *into, const struct state *from) {
    bool changed = false;
    for (unsigned i = 0; i < FACT_COUNT; i++) {
        struct fact *fact = &into->facts[i];
        uint64_t other = 0;
        if (!fact->limit)
            continue;
        for (unsigned j = 0; j < FACT_COUNT; j++)
            if (from->facts[j].limit && from->facts[j].symbol == fact->symbol)
                other = from->facts[j].limit;
        if (other == 0 || other > fact->limit) {
            fact->limit = other;
            changed = true;
        }
    }
    return changed;
}

/* Keeps stack slots that have the same value in both states. True if `into` changed. */
static bool join_slots(struct state *into, const struct state *from) {
    bool changed = false;
    for (unsigned i = 0; i < SLOT_COUNT; i++) {
        struct slot *slot = &into->slots[i];
        if (!slot->value.kind)
            continue;
        bool found = same_slot(&from->slots[i], slot); /* nearly always */
        for (unsigned j = 0; j < SLOT_COUNT && !found; j++)
            found = same_slot(&from->slots[j], slot);
        if (!found) {
            slot->value.kind = VALUE_NONE;
            changed = true;
        }
    }
    return changed;
}

/* Merges `from` into the entry state of `block`; returns true if that changed. */
bool state_join(struct region *region, uint32_t block, uint32_t source, const struct state *from) {
    struct state *into = &region->entry[block];
    bool changed = false;
    if (!into->reached || (into->only_source == source && source != NO_INDEX)) {
        if (into->reached && same_state(into, from))
            return false;
        *into = *from;
        into->only_source = source;
        return true;
    }
    into->only_source = NO_INDEX;
    for (unsigned i = 0; i < 4; i++)
        into->symbols[i] |= from->symbols[i];
    for (unsigned i = 0; i < FOLLOWED_REGISTERS; i++) {
        struct value *a = &into->registers[i];
        const struct value *b = &from->registers[i];
        if (b->kind == VALUE_NONE)
            continue;
        if (a->kind == VALUE_NONE) {
            *a = *b;
            changed = true;
            continue;
        }
        if (a->limit == b->limit && same_value(a, b)) /* nearly always */
            continue;
        struct value both = join_values(a, b, SYMBOL_JOIN | ((block << 5 | i) & (SYMBOL_SLOT - 1)));
        uint64_t limit = value_limit(into, a), other = value_limit(from, b);
        if (a->limit != b->limit || !same_value(&both, a))
            both.limit = limit && other ? (limit > other ? limit : other) : 0;
        if (!same_value(&both, a) || both.limit != a->limit) {
            *a = both;
            note_symbol(into, both.symbol);
            changed = true;
        }
    }
    changed |= join_facts(into, from);
    changed |= join_slots(into, from);
    return changed;
}

void state_add_fact(struct state *state, uint32_t symbol, uint64_t limit) {
    unsigned free_fact = FACT_COUNT - 1;
    if (symbol == NO_INDEX || limit == 0)
        return;
    for (unsigned i = 0; i < FACT_COUNT; i++) {
        struct fact *fact = &state->facts[i];
        if (fact->limit && fact->symbol == symbol) {
            if (limit < fact->limit)
                fact->limit = limit;
            return;
        }
        if (!fact->limit)
            free_fact = i;
    }
    state->facts[free_fact] = (struct fact){symbol, limit};
}

/* Gives an identity to an unknown value that is used as an index or compared. */
static void identify_value(struct region *region, struct state *state, unsigned reg, uint32_t at) {
    const struct value *value = &state->registers[value_place(region->registers, reg)];
    if (value->kind == VALUE_UNKNOWN && value->symbol == NO_INDEX && reg < FOLLOWED_REGISTERS)
        state_set_unknown(state, reg, SYMBOL_USE | (at - region->procedure->first), value->limit);
}

/* The same for an index, and for what is compared with flags: an entry of a table is a number there. */
static void identify_number(struct region *region, struct state *state, unsigned reg, uint32_t at) {
    const struct value value = state->registers[value_place(region->registers, reg)];
    if (value.kind == VALUE_ENTRY && value.scale < 8 && reg < FOLLOWED_REGISTERS)
        state_set_unknown(state, reg, SYMBOL_USE | (at - region->procedure->first),
                          value.is_signed ? 0 : UINT64_C(1) << 8 * value.scale);
    else
        identify_value(region, state, reg, at);
}

/* ---- transfer functions ------------------------------------------------------------------------ */

/* Of an access, from its base before the instruction. */
static int32_t displacement_at(const struct program *program, uint32_t at) {
    bool is_after = facts_of(program, at)->memory[0].writeback == WRITEBACK_AFTER;
    return is_after ? 0 : constants_of(program, at).displacement;
}

static int32_t frame_offset(const struct region *region, const struct memory_operand *memory,
                            int32_t displacement) {
    return displacement + (memory->base == region->registers->frame ? 1 << 20 : 0);
}
static bool is_frame_access(const struct region *region, const struct memory_operand *memory) {
    return memory->base == region->registers->stack || memory->base == region->registers->frame;
}

/* The address of the access: the base, or the base and an index as large as the element. */
static struct value access_base(const struct region *region, const struct state *state,
                                const struct memory_operand *memory) {
    const struct value base = state->registers[value_place(region->registers, memory->base)];
    if (memory->index == REGISTER_NONE)
        return base;
    const struct value *index = &state->registers[value_place(region->registers, memory->index)];
    bool is_element = memory->size == 1u << memory->shift;
    if (base.kind != VALUE_CONSTANT || index->kind != VALUE_UNKNOWN || index->symbol == NO_INDEX ||
        !is_element)
        return (struct value){.kind = VALUE_UNKNOWN, .symbol = NO_INDEX};
    return (struct value){.kind = VALUE_ADDRESS,
                          .scale = memory->size,
                          .symbol = index->symbol,
                          .limit = value_limit(state, index),
                          .number = base.number};
}

/* The other integer register of a pair of 8 bytes each; REGISTER_NONE: there is none, or it is the base. */
static unsigned second_of_pair(const struct facts *facts) {
    const struct memory_operand *memory = &facts->memory[0];
    register_set moved = facts->flags & FACT_STORE ? facts->read : facts->written;
    register_set others = moved & UINT32_MAX & ~(set_of(memory->data) | set_of(memory->base));
    bool is_pair = memory->size == 8 && memory->count == 2 && memory->index == REGISTER_NONE;
    return is_pair && others && !(others & (others - 1)) ? (unsigned)__builtin_ctzll(others) : REGISTER_NONE;
}

static void do_load(struct region *region, struct state *state, uint32_t at, const struct facts *facts) {
    const struct memory_operand *memory = &facts->memory[0];
    if (memory->index != REGISTER_NONE)
        identify_number(region, state, memory->index, at);
    const struct value base = access_base(region, state, memory);
    unsigned into = memory->data, size = memory->size;
    int32_t displacement = displacement_at(region->program, at);
    uint32_t symbol = at - region->procedure->first;
    uint64_t number;
    if (base.kind == VALUE_ADDRESS && base.scale == size && (size >= 4 || memory->index != REGISTER_NONE)) {
        struct value entry = base;
        entry.kind = VALUE_ENTRY;
        entry.number += (int64_t)displacement;
        entry.limit = value_limit(state, &base);
        entry.is_signed = memory->is_signed;
        set_value(state, into, entry);
        return;
    }
    if (size == 8 && base.kind == VALUE_CONSTANT && memory->base == region->registers->data_base &&
        program_word64(region->program, base.number + (int64_t)displacement, &number)) {
        state_set_constant(
            state, into,
            number); /* the GOT does not change, except for words that are bound when the program is loaded */
        return;
    }
    if (size >= 4 && is_frame_access(region, memory) && memory->index == REGISTER_NONE) {
        int32_t offset = frame_offset(region, memory, displacement);
        for (unsigned i = 0; i < SLOT_COUNT; i++)
            if (size == 8 && state->slots[i].value.kind && state->slots[i].offset == offset) {
                set_value(state, into, state->slots[i].value);
                return;
            }
        symbol = SYMBOL_SLOT | ((uint32_t)offset & (SYMBOL_SLOT - 1));
    }
    if (into >= FOLLOWED_REGISTERS)
        return;
    state_set_unknown(state, into, symbol, size < 4 ? UINT64_C(1) << 8 * size : 0);
    state->registers[into].scale =
        size; /* a jump through 8 loaded bytes goes to an address stored in the program */
}

/* Its value is loaded, as a return address is, even if it is unknown. */
static void load_second(const struct region *region, struct state *state, const struct facts *facts,
                        int32_t displacement, unsigned reg) {
    const struct memory_operand *memory = &facts->memory[0];
    int32_t offset = frame_offset(region, memory, displacement) + 8;
    state->registers[reg].scale = 8;
    for (unsigned i = 0; is_frame_access(region, memory) && i < SLOT_COUNT; i++)
        if (state->slots[i].value.kind && state->slots[i].offset == offset)
            set_value(state, reg, state->slots[i].value);
}

static void forget_slots(struct state *state) {
    for (unsigned i = 0; i < SLOT_COUNT; i++)
        state->slots[i].value.kind = VALUE_NONE;
}

/* Values that were loaded from there before. */
static void forget_loaded(struct state *state, int32_t offset) {
    uint32_t symbol = SYMBOL_SLOT | ((uint32_t)offset & (SYMBOL_SLOT - 1));
    if (may_hold(state, symbol)) {
        for (unsigned i = 0; i < FACT_COUNT; i++)
            if (state->facts[i].symbol == symbol)
                state->facts[i].limit = 0;
        for (unsigned i = 0; i < FOLLOWED_REGISTERS; i++)
            if (state->registers[i].symbol == symbol)
                state->registers[i] = (struct value){.kind = VALUE_UNKNOWN, .symbol = NO_INDEX};
    }
}

static unsigned slot_at(const struct state *state, int32_t offset) {
    unsigned place = SLOT_COUNT;
    for (unsigned i = 0; i < SLOT_COUNT; i++)
        if (state->slots[i].value.kind && state->slots[i].offset == offset)
            place = i;
    return place;
}

/* The 8 bytes there are now the value of the register. */
static void set_slot(const struct region *region, struct state *state, int32_t offset, unsigned reg) {
    unsigned place = slot_at(state, offset);
    const struct value *stored =
        reg < FOLLOWED_REGISTERS ? &state->registers[value_place(region->registers, reg)] : NULL;
    bool is_address = stored && stored->kind == VALUE_CONSTANT &&
                      (stored->number > UINT32_MAX / 2 || stored->number >= region->program->text_address);
    if (is_address || (stored && stored->kind == VALUE_TARGET)) {
        if (place == SLOT_COUNT)
            place = state->next_slot++ % SLOT_COUNT;
        state->slots[place] = (struct slot){offset, *stored};
    } else if (place != SLOT_COUNT) {
        state->slots[place].value.kind = VALUE_NONE;
    }
}

static void do_store(const struct region *region, struct state *state, uint32_t at,
                     const struct facts *facts) {
    const struct memory_operand *memory = &facts->memory[0];
    if (!is_frame_access(region, memory))
        return;
    int32_t offset = frame_offset(region, memory, displacement_at(region->program, at));
    int32_t size = memory->size * memory->count;
    if (size == 0 || memory->index != REGISTER_NONE) { /* it may be anywhere */
        forget_slots(state);
        return;
    }
    forget_loaded(state, offset);
    for (int32_t part = 4; part < size; part += 4) {
        forget_loaded(state, offset + part);
        unsigned other = slot_at(state, offset + part);
        if (other != SLOT_COUNT)
            state->slots[other].value.kind = VALUE_NONE;
    }
    bool is_whole = facts->flags & FACT_WHOLE_REGISTER;
    set_slot(region, state, offset, is_whole ? memory->data : REGISTER_NONE);
    if (is_whole && memory->count == 2)
        set_slot(region, state, offset + 8, second_of_pair(facts));
}

/* True for the base that a table's entries are added to: the data base, or the address of a label of the
   procedure (GCC's computed goto), or, where there is no data base, the table itself.
 */
static bool is_table_base(const struct region *region, const struct value *entry, uint64_t base) {
    const struct procedure *procedure = region ? region->procedure : NULL;
    if (!procedure)
        return false;
    if (region->registers->data_base == REGISTER_NONE && base == entry->number)
        return true;
    uint32_t label = instruction_at(region->program, base);
    return (procedure->data_base && base == procedure->data_base) ||
           (label != NO_INDEX && label - procedure->first < procedure->count);
}

static struct value table_target(const struct value *entry, uint64_t base, unsigned factor, bool is_signed) {
    struct value target = *entry;
    target.kind = VALUE_TARGET;
    target.base = base;
    target.factor = (uint8_t)factor;
    target.is_signed = is_signed;
    return target;
}

/* base + scale * an entry of a table, of fewer than 8 bytes; unknown if it is something else. */
static struct value add_entry(const struct region *region, const struct value *entry, unsigned scale,
                              bool is_signed, const struct value *base) {
    bool is_own = base->kind == VALUE_ADDRESS && base->scale == entry->scale &&
                  base->symbol == entry->symbol && base->number == entry->number;
    if (entry->kind == VALUE_ENTRY && entry->scale < 8 && is_own && base->symbol != NO_INDEX) {
        struct value target = table_target(entry, base->number, scale, is_signed);
        target.from_entry = true;
        return target;
    }
    if (entry->kind != VALUE_ENTRY || entry->scale == 8 || base->kind != VALUE_CONSTANT ||
        !is_table_base(region, entry, base->number))
        return (struct value){.kind = VALUE_UNKNOWN, .symbol = NO_INDEX};
    return table_target(entry, base->number, scale, is_signed);
}

static bool is_from_caller(const struct value *value) {
    return value->kind == VALUE_RETURN || value->kind == VALUE_BEHIND;
}

/* `region` NULL: the sum is not the target of a jump. */
static struct value add_values(const struct value *a, const struct value *b, const struct region *region) {
    const struct value unknown = {.kind = VALUE_UNKNOWN, .symbol = NO_INDEX};
    struct value sum;
    if (a->kind != VALUE_CONSTANT) {
        const struct value *swap = a;
        a = b;
        b = swap;
    }
    if (is_from_caller(a) || is_from_caller(b)) {
        bool same = a->kind == VALUE_CONSTANT && a->number == 0;
        return same ? *b : (struct value){.kind = VALUE_BEHIND, .symbol = SYMBOL_CALLER};
    }
    if (a->kind != VALUE_CONSTANT)
        return unknown;
    sum = *b;
    sum.number += a->number;
    switch (b->kind) {
    case VALUE_CONSTANT:
    case VALUE_ADDRESS:
        return sum;
    case VALUE_SCALED:
        sum.kind = VALUE_ADDRESS;
        return sum;
    case VALUE_ENTRY:
        if (b->scale != 4 || !is_table_base(region, b, a->number))
            return unknown;
        return table_target(b, a->number, 1, region->procedure->data_base || b->is_signed);
    default:
        return unknown;
    }
}

/* The address of an instruction of the procedure, other than its first. */
static bool is_label(const struct region *region, const struct value *value) {
    uint32_t label =
        value->kind == VALUE_CONSTANT ? instruction_at(region->program, value->number) : NO_INDEX;
    return label != NO_INDEX && label - region->procedure->first - 1 < region->procedure->count - 1;
}

/* The sum of a label's address and an unknown value, which may be the difference to another label. */
static bool is_sum_with_label(const struct region *region, const struct computation *computation,
                              const struct value *a, const struct value *b) {
    bool is_sum = computation->kind == COMPUTES_SUM || computation->kind == COMPUTES_DIFFERENCE;
    /* Without a register for procedures' addresses, a jump is lost only if a label was computed with. */
    if (region->registers->procedure_value == REGISTER_NONE)
        is_sum = computation->kind != COMPUTES_OFFSET && computation->kind != COMPUTES_FLAGS;
    else if (computation->scale != 1)
        is_sum = false;
    if (!is_sum || computation->b == REGISTER_NONE)
        return false;
    if (a->kind != VALUE_CONSTANT) {
        const struct value *swap = a;
        a = b;
        b = swap;
    }
    return is_label(region, a) && b->kind != VALUE_CONSTANT;
}

/* True if a label's address, or a sum with one, becomes a value that is not followed. Moves leave it as it
 * is. */
static bool loses_label(const struct region *region, const struct computation *computation,
                        const struct value *a, const struct value *b, const struct value *result) {
    bool is_kept = result->kind == VALUE_TARGET || result->kind == VALUE_CONSTANT;
    bool is_sum = computation->kind != COMPUTES_OFFSET && computation->kind != COMPUTES_FLAGS &&
                  computation->b != REGISTER_NONE;
    return !is_kept && (a->kind == VALUE_TARGET || b->kind == VALUE_TARGET ||
                        (is_sum && (is_label(region, a) || is_label(region, b))));
}

static struct value scaled_value(const struct state *state, const struct value *value, unsigned scale) {
    return (struct value){.kind = VALUE_SCALED,
                          .scale = (uint8_t)scale,
                          .symbol = value->symbol,
                          .limit = value_limit(state, value)};
}

static struct value add_scaled(const struct region *region, const struct state *state, const struct value *a,
                               unsigned scale, const struct value *b) {
    if (scale == 1)
        return add_values(a, b, region);
    if (a->kind == VALUE_UNKNOWN) {
        struct value scaled = scaled_value(state, a, scale);
        return add_values(b, &scaled, NULL);
    }
    if (a->kind == VALUE_CONSTANT) {
        struct value scaled = *a;
        scaled.number *= scale;
        return add_values(b, &scaled, NULL);
    }
    if (a->kind == VALUE_ENTRY)
        return add_entry(region, a, scale, a->is_signed, b);
    return (struct value){.kind = VALUE_UNKNOWN, .symbol = NO_INDEX};
}

/* The comparison for which the result is computed: a < b, or a <= b. */
static struct value compare_values(const struct value *a, const struct value *b, bool equal) {
    if (b->kind == VALUE_CONSTANT && a->kind == VALUE_UNKNOWN && b->number < UINT32_MAX)
        return (struct value){.kind = VALUE_COMPARED, .symbol = a->symbol, .limit = b->number + equal};
    if (a->kind == VALUE_CONSTANT && b->kind == VALUE_UNKNOWN && a->number < UINT32_MAX)
        return (struct value){
            .kind = VALUE_COMPARED, .scale = 1, .symbol = b->symbol, .limit = a->number + !equal};
    return (struct value){.kind = VALUE_UNKNOWN, .symbol = NO_INDEX};
}

static bool is_constant_below(const struct value *value, uint64_t limit) {
    return value->kind == VALUE_CONSTANT && value->number < limit;
}

/* The result, unknown if it is not followed; then *limit, if not 0, is above it. */
static struct value computed_value(const struct region *region, const struct state *state,
                                   const struct computation *computation, const struct value *a,
                                   const struct value *b, uint64_t *limit) {
    const struct value unknown = {.kind = VALUE_UNKNOWN, .symbol = NO_INDEX};
    switch (computation->kind) {
    case COMPUTES_OFFSET:
        return add_values(a, b, NULL);
    case COMPUTES_SUM_32:
        if (a->kind == VALUE_ENTRY && a->scale == 4 && is_constant_below(b, 1)) {
            struct value extended = *a;
            extended.is_signed = true;
            return extended;
        }
        return is_constant_below(b, 1) ? *a : is_constant_below(a, 1) ? *b : unknown;
    case COMPUTES_OR:
        return is_constant_below(b, 1) ? *a : is_constant_below(a, 1) ? *b : unknown;
    case COMPUTES_SUM:
        return add_scaled(region, state, a, computation->scale, b);
    case COMPUTES_PRODUCT:
        return a->kind == VALUE_UNKNOWN ? scaled_value(state, a, computation->scale) : unknown;
    case COMPUTES_LOW_32:
        return *a; /* tables have fewer than 2^31 entries */
    case COMPUTES_AND:
        if (is_constant_below(b, 65536))
            *limit = b->number + 1;
        else if (is_constant_below(a, 65536))
            *limit = a->number + 1;
        return unknown;
    case COMPUTES_BELOW:
    case COMPUTES_BELOW_OR_EQUAL:
        return compare_values(a, b, computation->kind == COMPUTES_BELOW_OR_EQUAL);
    case COMPUTES_FLAGS:
        if (a->kind == VALUE_UNKNOWN && is_constant_below(b, UINT32_MAX))
            return (struct value){.kind = VALUE_FLAGS, .symbol = a->symbol, .number = b->number};
        return unknown;
    case COMPUTES_ENTRY_SUM:
        return a->kind == VALUE_ENTRY && a->scale == computation->bytes
                   ? add_entry(region, a, computation->scale, computation->is_signed, b)
                   : unknown;
    default:
        return unknown;
    }
}

/* True if the result may be the address of a label; no move, and no address that is protected by exclusive
 * or. */
static bool makes_address(const struct computation *computation) {
    switch (computation->kind) {
    case COMPUTES_OFFSET:
    case COMPUTES_SUM:
    case COMPUTES_DIFFERENCE:
    case COMPUTES_ENTRY_SUM:
        return true;
    default:
        return false;
    }
}

static void do_computation(struct region *region, struct state *state, uint32_t at,
                           const struct computation *computation) {
    const bool is_offset = computation->kind == COMPUTES_OFFSET;
    if (computation->kind == COMPUTES_FLAGS)
        identify_number(region, state, computation->a, at);
    else if (!is_offset)
        identify_value(region, state, computation->a, at);
    const struct value a = state->registers[value_place(region->registers, computation->a)];
    const struct value b =
        computation->b == REGISTER_NONE
            ? (struct value){.kind = VALUE_CONSTANT, .number = computation->constant, .symbol = NO_INDEX}
            : state->registers[value_place(region->registers, computation->b)];
    uint64_t limit = computation->limit;
    region->adds_to_label |= is_sum_with_label(region, computation, &a, &b);
    struct value result = computed_value(region, state, computation, &a, &b, &limit);
    region->loses_label |= loses_label(region, computation, &a, &b, &result);
    if (result.kind == VALUE_UNKNOWN && (result.symbol == NO_INDEX || is_offset)) {
        state_set_unknown(state, computation->result, at - region->procedure->first, limit);
        if (computation->result < FOLLOWED_REGISTERS)
            state->registers[computation->result].is_computed = makes_address(computation);
    } else {
        set_value(state, computation->result, result);
    }
    if (is_offset && computation->result == region->registers->stack)
        forget_slots(state);
}

void state_forget(struct region *region, struct state *state, register_set registers, uint32_t at) {
    for (unsigned i = 0; i < FOLLOWED_REGISTERS; i++)
        if (registers >> i & 1)
            state_set_unknown(state, i, at == NO_INDEX ? NO_INDEX : at - region->procedure->first, 0);
}

/* True for loads into integer registers, of all bits, that are no part of an atomic update. */
static bool is_followed_load(const struct facts *facts) {
    return facts->flags & FACT_LOAD && !(facts->flags & (FACT_FLOAT | FACT_EXCLUSIVE_BEGIN | FACT_STORE)) &&
           facts->memory[0].base != REGISTER_NONE &&
           (facts->memory[0].size < 8 || facts->flags & FACT_WHOLE_REGISTER);
}

/* The base has moved by an access to memory. */
static void do_writeback(const struct region *region, struct state *state, const struct facts *facts) {
    if (facts->memory_count && facts->memory[0].writeback &&
        facts->memory[0].base == region->registers->stack)
        forget_slots(state);
}

/* True if a label's address goes into a register that is not followed, or a sum with one into memory. */
static bool label_leaves(const struct region *region, const struct state *state, const struct facts *facts) {
    const bool is_store = facts->flags & FACT_STORE;
    const bool is_access = facts->memory_count > 0;
    register_set moved = is_store    ? facts->read & ~set_of(facts->memory[0].base)
                         : is_access ? 0
                                     : facts->read;
    if (!is_store && !(facts->written & ~REGISTERS(0, 31)))
        return false;
    for (unsigned i = 0; i < FOLLOWED_REGISTERS; i++)
        if (moved >> i & 1 && (state->registers[i].kind == VALUE_TARGET ||
                               (!is_store && is_label(region, &state->registers[i]))))
            return true;
    return false;
}

void state_step(struct region *region, struct state *state, uint32_t at) {
    const struct program *program = region->program;
    const struct facts *facts = facts_of(program, at);
    if (is_followed_load(facts)) {
        do_load(region, state, at, facts);
        const unsigned second = second_of_pair(facts);
        state_forget(region, state, facts->written & UINT32_MAX & ~set_of(facts->memory[0].data), at);
        if (second < FOLLOWED_REGISTERS)
            load_second(region, state, facts, displacement_at(program, at), second);
        do_writeback(region, state, facts);
        return;
    }
    region->loses_label |= label_leaves(region, state, facts);
    if (facts->flags & FACT_STORE)
        do_store(region, state, at, facts);
    do_writeback(region, state, facts);
    if (facts->flags & FACT_PC_RELATIVE && !facts->memory_count) {
        state_set_constant(state, facts->operand[0], relative_address(program, at));
        return;
    }
    struct computation computation = program->architecture->compute(program->text[at]);
    if (computation.kind == COMPUTES_NOTHING) {
        state_forget(region, state, facts->written & UINT32_MAX, at);
    } else {
        do_computation(region, state, at, &computation);
        state_forget(region, state, facts->written & UINT32_MAX & ~set_of(computation.result), at);
    }
}
