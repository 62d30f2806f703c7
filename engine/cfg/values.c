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
    if (reg == ALPHA_ZERO)
        return;
    if (symbol != NO_INDEX && !(symbol & SYMBOL_SLOT) &&
        may_hold(state, symbol)) { /* that symbol now stands for another value */
        for (unsigned i = 0; i < 32; i++)
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
    if (reg != ALPHA_ZERO)
        state->registers[reg] = (struct value){.kind = VALUE_CONSTANT, .number = number, .symbol = NO_INDEX};
}
static void set_value(struct state *state, unsigned reg, struct value value) {
    if (reg != ALPHA_ZERO)
        state->registers[reg] = value;
}

/* The state when control arrives from outside: only $29 is known. */
struct state outside_state(const struct region *region) {
    struct state state = {.reached = true};
    for (unsigned i = 0; i < 31; i++)
        state.registers[i] = (struct value){.kind = VALUE_UNKNOWN, .symbol = NO_INDEX};
    state_set_constant(&state, ALPHA_ZERO, 0);
    state.registers[ALPHA_ZERO] = (struct value){.kind = VALUE_CONSTANT, .symbol = NO_INDEX};
    if (region->procedure->gp)
        state_set_constant(&state, ALPHA_GP, region->procedure->gp);
    return state;
}

static bool same_value(const struct value *a, const struct value *b) {
    return a->kind == b->kind && a->scale == b->scale && a->symbol == b->symbol && a->number == b->number &&
           a->base == b->base &&
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
    for (unsigned i = 0; i < 31; i++)
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

/* The common value of a register that holds `a` on one path and `b` on another; `symbol` names the merged
   value. */
static struct value join_values(const struct value *a, const struct value *b, uint32_t symbol) {
    if (same_value(a, b))
        return *a;
    bool alike = a->kind == b->kind && a->kind >= VALUE_SCALED && a->kind <= VALUE_TARGET &&
                 a->scale == b->scale && a->number == b->number && a->base == b->base;
    if (alike)
        return (struct value){a->kind, a->scale, symbol, a->limit, a->number, a->base};
    bool loaded = a->scale == 8 && b->scale == 8 && (a->kind == VALUE_UNKNOWN || a->kind == VALUE_ENTRY) &&
                  (b->kind == VALUE_UNKNOWN || b->kind == VALUE_ENTRY);
    return (struct value){
        .kind = VALUE_UNKNOWN, .scale = loaded ? 8 : 0, .symbol = symbol, .limit = a->limit};
}

/* True if both hold the same known value. */
static bool same_slot(const struct slot *a, const struct slot *b) {
    return a->value.kind && a->offset == b->offset && same_value(&a->value, &b->value);
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
    for (unsigned i = 0; i < 31; i++) {
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
    struct value *value = &state->registers[reg];
    if (value->kind == VALUE_UNKNOWN && value->symbol == NO_INDEX && reg != ALPHA_ZERO)
        state_set_unknown(state, reg, SYMBOL_USE | (at - region->procedure->first), value->limit);
}

/* ---- transfer functions ------------------------------------------------------------------------ */

static int32_t frame_offset(uint32_t word) {
    return alpha_memory_displacement(word) + (alpha_rb(word) == ALPHA_FP ? 1 << 20 : 0);
}
static bool is_frame_access(uint32_t word) {
    return alpha_rb(word) == ALPHA_SP || alpha_rb(word) == ALPHA_FP;
}

static void do_load(struct region *region, struct state *state, uint32_t at, uint32_t word, unsigned size) {
    unsigned into = alpha_ra(word);
    const struct value base = state->registers[alpha_rb(word)];
    int64_t displacement = alpha_memory_displacement(word);
    uint32_t symbol = at - region->procedure->first;
    uint64_t number;
    if (base.kind == VALUE_ADDRESS && base.scale == size && size >= 4) {
        struct value entry = base;
        entry.kind = VALUE_ENTRY;
        entry.number += displacement;
        entry.limit = value_limit(state, &base);
        set_value(state, into, entry);
        return;
    }
    if (size == 8 && base.kind == VALUE_CONSTANT && alpha_rb(word) == ALPHA_GP &&
        program_word64(region->program, base.number + displacement, &number)) {
        state_set_constant(
            state, into,
            number); /* the GOT does not change, except for words that are bound when the program is loaded */
        return;
    }
    if (size >= 4 && is_frame_access(word)) {
        for (unsigned i = 0; i < SLOT_COUNT; i++)
            if (size == 8 && state->slots[i].value.kind && state->slots[i].offset == frame_offset(word)) {
                set_value(state, into, state->slots[i].value);
                return;
            }
        symbol = SYMBOL_SLOT | ((uint32_t)frame_offset(word) & (SYMBOL_SLOT - 1));
    }
    if (into == ALPHA_ZERO)
        return;
    state_set_unknown(state, into, symbol, size < 4 ? UINT64_C(1) << 8 * size : 0);
    state->registers[into].scale =
        size; /* a jump through 8 loaded bytes goes to an address stored in the program */
}

static void do_store(struct state *state, uint32_t word, bool whole) {
    if (!is_frame_access(word))
        return;
    int32_t offset = frame_offset(word);
    uint32_t symbol = SYMBOL_SLOT | ((uint32_t)offset & (SYMBOL_SLOT - 1));
    unsigned place = SLOT_COUNT;
    if (may_hold(state, symbol)) {
        for (unsigned i = 0; i < FACT_COUNT; i++)
            if (state->facts[i].symbol == symbol)
                state->facts[i].limit = 0;
        for (unsigned i = 0; i < 31; i++)
            if (state->registers[i].symbol == symbol)
                state->registers[i] = (struct value){.kind = VALUE_UNKNOWN, .symbol = NO_INDEX};
    }
    for (unsigned i = 0; i < SLOT_COUNT; i++)
        if (state->slots[i].value.kind && state->slots[i].offset == offset)
            place = i;
    const struct value *stored = &state->registers[alpha_ra(word)];
    bool is_address = stored->kind == VALUE_CONSTANT && stored->number > UINT32_MAX / 2;
    if (whole && (is_address || stored->kind == VALUE_TARGET)) {
        if (place == SLOT_COUNT)
            place = state->next_slot++ % SLOT_COUNT;
        state->slots[place] = (struct slot){offset, *stored};
    } else if (place != SLOT_COUNT) {
        state->slots[place].value.kind = VALUE_NONE;
    }
}

/* True for the base that a table's entries are added to: $29, or the address of a label of the procedure
   (GCC's computed goto).
 */
static bool is_table_base(const struct region *region, uint64_t base) {
    const struct procedure *procedure = region ? region->procedure : NULL;
    if (!procedure)
        return false;
    uint32_t label = instruction_at(region->program, base);
    return (procedure->gp && base == procedure->gp) ||
           (label != NO_INDEX && label - procedure->first < procedure->count);
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
        if (b->scale != 4 || !is_table_base(region, a->number))
            return unknown;
        sum.kind = VALUE_TARGET;
        sum.number = b->number;
        sum.base = a->number;
        return sum;
    default:
        return unknown;
    }
}

/* The sum of a label's address and an unknown value, which may be the difference to another label. */
static bool is_sum_with_label(const struct region *region, const struct alpha_descriptor *descriptor,
                              const struct value *a, const struct value *b) {
    unsigned opcode = descriptor->opcode_id;
    if (opcode != ALPHA_ADDQr && opcode != ALPHA_SUBQr)
        return false;
    if (a->kind != VALUE_CONSTANT) {
        const struct value *swap = a;
        a = b;
        b = swap;
    }
    uint32_t label = a->kind == VALUE_CONSTANT && b->kind != VALUE_CONSTANT
                         ? instruction_at(region->program, a->number)
                         : NO_INDEX;
    return label != NO_INDEX && label - region->procedure->first - 1 < region->procedure->count - 1;
}

static void do_operate(struct region *region, struct state *state, uint32_t at, uint32_t word,
                       const struct alpha_descriptor *descriptor) {
    bool literal = descriptor->format == ALPHA_FORMAT_LITERAL;
    identify_value(region, state, alpha_ra(word), at);
    const struct value a = state->registers[alpha_ra(word)];
    struct value b = state->registers[alpha_rb(word)];
    unsigned into = alpha_rc(word);
    uint32_t symbol = at - region->procedure->first;
    uint64_t constant = word >> 13 & 255, limit = 0;
    if (literal)
        b = (struct value){.kind = VALUE_CONSTANT, .number = constant, .symbol = NO_INDEX};
    bool b_zero = b.kind == VALUE_CONSTANT && b.number == 0;
    bool a_zero = a.kind == VALUE_CONSTANT && a.number == 0;
    struct value result = {.kind = VALUE_UNKNOWN, .symbol = NO_INDEX};
    region->adds_to_label |= is_sum_with_label(region, descriptor, &a, &b);
    switch (descriptor->opcode_id) {
    case ALPHA_BISr:
    case ALPHA_BISi:
    case ALPHA_ADDLr:
    case ALPHA_ADDLi: /* sextl is addl $31,x */
        if (b_zero)
            result = a;
        else if (a_zero)
            result = b;
        break;
    case ALPHA_ADDQr:
    case ALPHA_ADDQi:
        result = add_values(&a, &b, region);
        break;
    case ALPHA_S4ADDQr:
    case ALPHA_S4ADDQi:
    case ALPHA_S8ADDQr:
    case ALPHA_S8ADDQi: {
        bool by_4 = descriptor->opcode_id == ALPHA_S4ADDQr || descriptor->opcode_id == ALPHA_S4ADDQi;
        if (a.kind == VALUE_UNKNOWN) {
            struct value scaled = {VALUE_SCALED, by_4 ? 4 : 8, a.symbol, value_limit(state, &a), 0, 0};
            result = add_values(&b, &scaled, NULL);
        } else if (a.kind == VALUE_CONSTANT) {
            struct value scaled = a;
            scaled.number *= by_4 ? 4 : 8;
            result = add_values(&b, &scaled, NULL);
        }
        break;
    }
    case ALPHA_SLLi:
        if (a.kind == VALUE_UNKNOWN && (constant == 2 || constant == 3))
            result = (struct value){VALUE_SCALED, 1 << constant, a.symbol, value_limit(state, &a), 0, 0};
        break;
    case ALPHA_SRLi:
        if (constant > 32)
            limit = UINT64_C(1) << (64 - constant);
        break;
    case ALPHA_ZAPNOTi:
        if (constant == 15)
            result = a; /* tables have fewer than 2^31 entries */
        else if (constant == 1 || constant == 3)
            limit = constant == 1 ? 256 : 65536;
        break;
    case ALPHA_ANDi:
        limit = constant + 1;
        break;
    case ALPHA_ANDr:
        if (b.kind == VALUE_CONSTANT && b.number < 65536)
            limit = b.number + 1;
        else if (a.kind == VALUE_CONSTANT && a.number < 65536)
            limit = a.number + 1;
        break;
    case ALPHA_EXTBLr:
    case ALPHA_EXTBLi:
        limit = 256;
        break;
    case ALPHA_CMPULEr:
    case ALPHA_CMPULEi:
    case ALPHA_CMPULTr:
    case ALPHA_CMPULTi: {
        bool equal = descriptor->opcode_id == ALPHA_CMPULEr || descriptor->opcode_id == ALPHA_CMPULEi;
        if (b.kind == VALUE_CONSTANT && a.kind == VALUE_UNKNOWN && b.number < UINT32_MAX)
            result = (struct value){VALUE_COMPARED, 0, a.symbol, b.number + equal, 0, 0};
        else if (a.kind == VALUE_CONSTANT && b.kind == VALUE_UNKNOWN && a.number < UINT32_MAX)
            result = (struct value){VALUE_COMPARED, 1, b.symbol, a.number + !equal, 0, 0};
        break;
    }
    default:
        break;
    }
    if (result.kind == VALUE_UNKNOWN && result.symbol == NO_INDEX)
        state_set_unknown(state, into, symbol, limit);
    else
        set_value(state, into, result);
}

void state_forget(struct region *region, struct state *state, register_set registers, uint32_t at) {
    for (unsigned i = 0; i < 31; i++)
        if (registers >> i & 1)
            state_set_unknown(state, i, at == NO_INDEX ? NO_INDEX : at - region->procedure->first, 0);
}

void state_step(struct region *region, struct state *state, uint32_t at) {
    uint32_t word = region->program->text[at];
    const struct alpha_descriptor *descriptor = alpha_decode(word);
    switch (descriptor->opcode_id) {
    case ALPHA_LDA:
    case ALPHA_LDAH: {
        struct value amount = {.kind = VALUE_CONSTANT, .symbol = NO_INDEX};
        amount.number =
            (int64_t)alpha_memory_displacement(word) * (descriptor->opcode_id == ALPHA_LDAH ? 65536 : 1);
        struct value sum = add_values(&state->registers[alpha_rb(word)], &amount, NULL);
        if (sum.kind == VALUE_UNKNOWN)
            state_set_unknown(state, alpha_ra(word), at - region->procedure->first, 0);
        else
            set_value(state, alpha_ra(word), sum);
        if (alpha_ra(word) == ALPHA_SP)
            for (unsigned i = 0; i < SLOT_COUNT; i++)
                state->slots[i].value.kind = VALUE_NONE;
        break;
    }
    case ALPHA_LDQ:
        do_load(region, state, at, word, 8);
        break;
    case ALPHA_LDL:
        do_load(region, state, at, word, 4);
        break;
    case ALPHA_LDWU:
        do_load(region, state, at, word, 2);
        break;
    case ALPHA_LDBU:
        do_load(region, state, at, word, 1);
        break;
    default:
        if (descriptor->flags & ALPHA_STORE)
            do_store(state, word, descriptor->opcode_id == ALPHA_STQ);
        if (!(descriptor->flags & ALPHA_FLOATING) &&
            (descriptor->format == ALPHA_FORMAT_OPERATE || descriptor->format == ALPHA_FORMAT_LITERAL) &&
            !(descriptor->flags & ALPHA_COND_MOVE))
            do_operate(region, state, at, word, descriptor);
        else
            state_forget(region, state, alpha_registers_written(word) & UINT32_MAX, at);
    }
    state->registers[ALPHA_ZERO] = (struct value){.kind = VALUE_CONSTANT, .symbol = NO_INDEX};
}
