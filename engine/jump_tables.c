/* jump_tables.c: targets of indirect jumps, by a forward analysis of register values over one procedure at a
   time. Requires leaders of everything but jump tables; marks the targets as leaders and repeats until no
   jump is new.

   It follows GCC's two idioms, wherever their parts have been moved to:
     ldah/lda t,table($29); s4addq i,t,t; ldl t,0(t); addq $29,t,t; jmp (t)   32-bit entries relative to $29
     ldah/lda t,table($29); s8addq i,t,t; ldq t,0(t); jmp (t)                 64-bit addresses (computed goto)
   A table's length comes from a comparison of the index on every path to the jump, or from its width. Without
   one, a table of addresses ends before the first entry outside of the procedure; one of 32-bit entries is
   marked up to there, but the jump stays unresolved. Calls are taken to preserve $9-$15 and $30, as the
   calling standard has it, and $29 to have one value. */
#include <stdlib.h>
#include <string.h>

#include "engine/cfg.h"

enum value_kind {
    VALUE_NONE,     /* left over by a call: nothing that a program would use */
    VALUE_UNKNOWN,  /* some value; equal symbols are equal values */
    VALUE_CONSTANT, /* number */
    VALUE_SCALED,   /* symbol * scale */
    VALUE_ADDRESS,  /* number + symbol * scale */
    VALUE_ENTRY,    /* the 4 or 8 bytes (scale) at number + symbol * scale */
    VALUE_TARGET,   /* $29 + the 4-byte entry at number + symbol * 4 */
    VALUE_COMPARED, /* 1 if symbol < limit, else 0; scale 1: the reverse */
};
struct value {
    uint8_t kind;
    uint8_t scale;
    uint32_t symbol; /* where the value was defined; NO_INDEX: anywhere */
    uint64_t limit;  /* the symbol is below it; 0: no limit known */
    uint64_t number;
};
enum { MOST_BLOCKS = 200000 }; /* what has more is no procedure, but text without symbols and frames */
enum { FACT_COUNT = 6, SLOT_COUNT = 16, SYMBOL_USE = 1 << 29, SYMBOL_SLOT = 1 << 30, SYMBOL_JOIN = 1u << 31 };
struct fact {
    uint32_t symbol;
    uint64_t limit; /* symbol < limit; 0: empty */
};
struct slot {
    int32_t offset; /* from $30 or, with bit 20 added, from $15 */
    struct value value;
};
struct state {
    bool reached;
    uint32_t only_source; /* the instruction that all control comes from so far, or NO_INDEX: from several */
    struct value registers[32];
    struct fact facts[FACT_COUNT];
    struct slot slots[SLOT_COUNT]; /* constants in the stack frame */
    unsigned next_slot;
};

/* A procedure under analysis, in blocks between the leaders known so far. */
struct region {
    struct analysis *analysis;
    const struct program *program;
    const struct procedure *procedure;
    uint32_t block_count;
    uint32_t *first; /* instruction of each block; first[block_count] is the end */
    struct state *entry;
    uint8_t *pending;
    bool changed_leaders;
    bool has_labels;    /* jumps to an address that it loads: all that look like labels are leaders */
    bool last_round;    /* nothing new is found by following values */
    size_t first_table; /* of this procedure, in analysis.tables */
};

static const alpha_register_set preserved_by_calls = 0xfe00 | 1u << ALPHA_SP | 1u << ALPHA_GP;

/* ---- states ----------------------------------------------------------------------------------- */

static void set_unknown(struct state *state, unsigned reg, uint32_t symbol, uint64_t limit) {
    if (reg == ALPHA_ZERO)
        return;
    for (unsigned i = 0; i < 32; i++)
        if (state->registers[i].symbol == symbol && symbol != NO_INDEX && !(symbol & SYMBOL_SLOT))
            state->registers[i] = (struct value){.kind = VALUE_UNKNOWN, .symbol = NO_INDEX};
    for (unsigned i = 0; i < FACT_COUNT; i++)
        if (state->facts[i].symbol == symbol && !(symbol & SYMBOL_SLOT))
            state->facts[i].limit = 0;
    state->registers[reg] = (struct value){.kind = VALUE_UNKNOWN, .symbol = symbol, .limit = limit};
}
static void set_constant(struct state *state, unsigned reg, uint64_t number) {
    if (reg != ALPHA_ZERO)
        state->registers[reg] = (struct value){.kind = VALUE_CONSTANT, .number = number, .symbol = NO_INDEX};
}
static void set_value(struct state *state, unsigned reg, struct value value) {
    if (reg != ALPHA_ZERO)
        state->registers[reg] = value;
}

/* Control from outside: nothing is known but $29. */
static struct state outside_state(const struct region *region) {
    struct state state = {.reached = true};
    for (unsigned i = 0; i < 31; i++)
        state.registers[i] = (struct value){.kind = VALUE_UNKNOWN, .symbol = NO_INDEX};
    set_constant(&state, ALPHA_ZERO, 0);
    state.registers[ALPHA_ZERO] = (struct value){.kind = VALUE_CONSTANT, .symbol = NO_INDEX};
    if (region->procedure->gp)
        set_constant(&state, ALPHA_GP, region->procedure->gp);
    return state;
}

static bool same_value(const struct value *a, const struct value *b) {
    return a->kind == b->kind && a->scale == b->scale && a->symbol == b->symbol && a->number == b->number &&
           (a->kind == VALUE_CONSTANT || a->symbol != NO_INDEX || a->kind <= VALUE_UNKNOWN);
}

static uint64_t limit_of(const struct state *state, const struct value *value) {
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
    return memcmp(a->facts, b->facts, sizeof a->facts) == 0 &&
           memcmp(a->slots, b->slots, sizeof a->slots) == 0;
}

/* What can be said of a register that holds `a` on one way and `b` on another; `symbol` names the merged
 * value. */
static struct value join_values(const struct value *a, const struct value *b, uint32_t symbol) {
    if (same_value(a, b))
        return *a;
    bool alike = a->kind == b->kind && a->kind >= VALUE_SCALED && a->kind <= VALUE_TARGET &&
                 a->scale == b->scale && a->number == b->number;
    if (alike)
        return (struct value){a->kind, a->scale, symbol, a->limit, a->number};
    bool loaded = a->scale == 8 && b->scale == 8 && (a->kind == VALUE_UNKNOWN || a->kind == VALUE_ENTRY) &&
                  (b->kind == VALUE_UNKNOWN || b->kind == VALUE_ENTRY);
    return (struct value){
        .kind = VALUE_UNKNOWN, .scale = loaded ? 8 : 0, .symbol = symbol, .limit = a->limit};
}

/* Merges `from` into the entry state of `block`; true if that changed. */
static bool join(struct region *region, uint32_t block, uint32_t source, const struct state *from) {
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
        struct value both = join_values(a, b, SYMBOL_JOIN | ((block << 5 | i) & (SYMBOL_SLOT - 1)));
        uint64_t limit = limit_of(into, a), other = limit_of(from, b);
        if (a->limit != b->limit || !same_value(&both, a))
            both.limit = limit && other ? (limit > other ? limit : other) : 0;
        if (!same_value(&both, a) || both.limit != a->limit) {
            *a = both;
            changed = true;
        }
    }
    for (unsigned i = 0; i < FACT_COUNT; i++) {
        struct fact *fact = &into->facts[i];
        uint64_t other = 0;
        for (unsigned j = 0; j < FACT_COUNT; j++)
            if (from->facts[j].limit && from->facts[j].symbol == fact->symbol)
                other = from->facts[j].limit;
        if (fact->limit && (other == 0 || other > fact->limit)) {
            fact->limit = other;
            changed = true;
        }
    }
    for (unsigned i = 0; i < SLOT_COUNT; i++) {
        struct slot *slot = &into->slots[i];
        bool found = false;
        for (unsigned j = 0; j < SLOT_COUNT; j++)
            found |= from->slots[j].value.kind && from->slots[j].offset == slot->offset &&
                     same_value(&from->slots[j].value, &slot->value);
        if (slot->value.kind && !found) {
            slot->value.kind = VALUE_NONE;
            changed = true;
        }
    }
    return changed;
}

static void add_fact(struct state *state, uint32_t symbol, uint64_t limit) {
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

/* Gives an unknown value that is used as an index or compared an identity. */
static void identify(struct region *region, struct state *state, unsigned reg, uint32_t at) {
    struct value *value = &state->registers[reg];
    if (value->kind == VALUE_UNKNOWN && value->symbol == NO_INDEX && reg != ALPHA_ZERO)
        set_unknown(state, reg, SYMBOL_USE | (at - region->procedure->first), value->limit);
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
        entry.limit = limit_of(state, &base);
        set_value(state, into, entry);
        return;
    }
    if (size == 8 && base.kind == VALUE_CONSTANT && alpha_rb(word) == ALPHA_GP &&
        program_word64(region->program, base.number + displacement, &number)) {
        set_constant(state, into, number); /* the GOT does not change in a static program */
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
    set_unknown(state, into, symbol, size < 4 ? UINT64_C(1) << 8 * size : 0);
    state->registers[into].scale =
        size; /* a jump through 8 loaded bytes goes to an address that the program holds */
}

static void do_store(struct state *state, uint32_t word, bool whole) {
    if (!is_frame_access(word))
        return;
    int32_t offset = frame_offset(word);
    uint32_t symbol = SYMBOL_SLOT | ((uint32_t)offset & (SYMBOL_SLOT - 1));
    unsigned place = SLOT_COUNT;
    for (unsigned i = 0; i < FACT_COUNT; i++)
        if (state->facts[i].symbol == symbol)
            state->facts[i].limit = 0;
    for (unsigned i = 0; i < 31; i++)
        if (state->registers[i].symbol == symbol)
            state->registers[i] = (struct value){.kind = VALUE_UNKNOWN, .symbol = NO_INDEX};
    for (unsigned i = 0; i < SLOT_COUNT; i++)
        if (state->slots[i].value.kind && state->slots[i].offset == offset)
            place = i;
    const struct value *stored = &state->registers[alpha_ra(word)];
    bool is_address = whole && stored->kind == VALUE_CONSTANT && stored->number > UINT32_MAX / 2;
    if (is_address) {
        if (place == SLOT_COUNT)
            place = state->next_slot++ % SLOT_COUNT;
        state->slots[place] = (struct slot){offset, *stored};
    } else if (place != SLOT_COUNT) {
        state->slots[place].value.kind = VALUE_NONE;
    }
}

static struct value add_values(const struct value *a, const struct value *b, uint64_t gp) {
    const struct value unknown = {.kind = VALUE_UNKNOWN, .symbol = NO_INDEX};
    struct value sum;
    if (a->kind != VALUE_CONSTANT) {
        const struct value *swap = a;
        a = b;
        b = swap;
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
        if (b->scale != 4 || a->number != gp || gp == 0)
            return unknown;
        sum.kind = VALUE_TARGET;
        sum.number = b->number;
        return sum;
    default:
        return unknown;
    }
}

static void do_operate(struct region *region, struct state *state, uint32_t at, uint32_t word,
                       const struct alpha_descriptor *descriptor) {
    bool literal = descriptor->format == ALPHA_FORMAT_LITERAL;
    identify(region, state, alpha_ra(word), at);
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
        result = add_values(&a, &b, region->procedure->gp);
        break;
    case ALPHA_S4ADDQr:
    case ALPHA_S4ADDQi:
    case ALPHA_S8ADDQr:
    case ALPHA_S8ADDQi: {
        bool by_4 = descriptor->opcode_id == ALPHA_S4ADDQr || descriptor->opcode_id == ALPHA_S4ADDQi;
        if (a.kind == VALUE_UNKNOWN) {
            struct value scaled = {VALUE_SCALED, by_4 ? 4 : 8, a.symbol, limit_of(state, &a), 0};
            result = add_values(&b, &scaled, 0);
        } else if (a.kind == VALUE_CONSTANT) {
            struct value scaled = a;
            scaled.number *= by_4 ? 4 : 8;
            result = add_values(&b, &scaled, 0);
        }
        break;
    }
    case ALPHA_SLLi:
        if (a.kind == VALUE_UNKNOWN && (constant == 2 || constant == 3))
            result = (struct value){VALUE_SCALED, 1 << constant, a.symbol, limit_of(state, &a), 0};
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
            result = (struct value){VALUE_COMPARED, 0, a.symbol, b.number + equal, 0};
        else if (a.kind == VALUE_CONSTANT && b.kind == VALUE_UNKNOWN && a.number < UINT32_MAX)
            result = (struct value){VALUE_COMPARED, 1, b.symbol, a.number + !equal, 0};
        break;
    }
    default:
        break;
    }
    if (result.kind == VALUE_UNKNOWN && result.symbol == NO_INDEX)
        set_unknown(state, into, symbol, limit);
    else
        set_value(state, into, result);
}

static void forget(struct region *region, struct state *state, alpha_register_set registers, uint32_t at) {
    for (unsigned i = 0; i < 31; i++)
        if (registers >> i & 1)
            set_unknown(state, i, at == NO_INDEX ? NO_INDEX : at - region->procedure->first, 0);
}

static void step(struct region *region, struct state *state, uint32_t at) {
    uint32_t word = region->program->text[at];
    const struct alpha_descriptor *descriptor = alpha_decode(word);
    switch (descriptor->opcode_id) {
    case ALPHA_LDA:
    case ALPHA_LDAH: {
        struct value amount = {.kind = VALUE_CONSTANT, .symbol = NO_INDEX};
        amount.number =
            (int64_t)alpha_memory_displacement(word) * (descriptor->opcode_id == ALPHA_LDAH ? 65536 : 1);
        struct value sum = add_values(&state->registers[alpha_rb(word)], &amount, 0);
        if (sum.kind == VALUE_UNKNOWN)
            set_unknown(state, alpha_ra(word), at - region->procedure->first, 0);
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
            forget(region, state, alpha_registers_written(word) & UINT32_MAX, at);
    }
    state->registers[ALPHA_ZERO] = (struct value){.kind = VALUE_CONSTANT, .symbol = NO_INDEX};
}

/* ---- flow ------------------------------------------------------------------------------------- */

static uint32_t region_block(const struct region *region, uint32_t instruction) {
    uint32_t low = 0, high = region->block_count;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (region->first[middle] <= instruction)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static void flow_to(struct region *region, uint32_t source, uint32_t instruction, const struct state *state) {
    if (instruction == NO_INDEX || instruction < region->procedure->first ||
        instruction >= region->procedure->first + region->procedure->count)
        return;
    uint32_t block = region_block(region, instruction);
    if (region->first[block] == instruction && join(region, block, source, state))
        region->pending[block] = 1;
}

static struct jump_table *table_of(struct region *region, uint32_t instruction) {
    struct analysis *analysis = region->analysis;
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
    *leader |= bits | (in_procedure(region, target) ? 0 : LEADER_ALTERNATE_ENTRY);
}

static void add_target(struct analysis *analysis, uint32_t target) {
    VECTOR_RESERVE(analysis->targets, analysis->target_count, analysis->target_capacity);
    analysis->targets[analysis->target_count++] = target;
}
static void add_table(struct analysis *analysis, uint32_t instruction, size_t first_target) {
    VECTOR_RESERVE(analysis->tables, analysis->table_count, analysis->table_capacity);
    analysis->tables[analysis->table_count++] = (struct jump_table){
        instruction, (uint32_t)first_target, (uint32_t)(analysis->target_count - first_target)};
}

/* Reads the table of the jump at `instruction`; returns whether all its targets are known. */
static bool read_table(struct region *region, uint32_t instruction, const struct value *table,
                       uint64_t limit) {
    struct analysis *analysis = region->analysis;
    const struct program *program = region->program;
    bool wide = table->kind == VALUE_ENTRY, complete = true;
    size_t first_target = analysis->target_count;
    uint64_t count = limit && limit < 65536 ? limit : 65536;
    bool checked = limit && limit != 256 && limit != 65536; /* not just the range of a byte or word */
    for (uint64_t i = 0; i < count; i++) {
        uint64_t address = table->number + i * table->scale, target = 0;
        int32_t entry;
        bool present =
            wide ? program_word64(program, address, &target) : program_word32(program, address, &entry);
        if (present && !wide)
            target = region->procedure->gp + (int64_t)entry;
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
    if (wide) /* should the program change its table, it can only store other labels there */
        for (uint32_t i = 1; i < region->procedure->count; i++)
            if (analysis->leaders[region->procedure->first + i] & LEADER_ADDRESS_TAKEN)
                add_target(analysis, region->procedure->first + i);
    add_table(analysis, instruction, first_target);
    return true;
}

/* A standard call leaves nothing in the registers that it need not preserve; if the way goes on with them,
   then the call never returns. */
static void after_call(struct region *region, struct state *state, unsigned link, uint32_t at) {
    if (link == ALPHA_RA) {
        for (unsigned i = 0; i < 31; i++)
            if (!(preserved_by_calls >> i & 1))
                state->registers[i] = (struct value){.kind = VALUE_NONE, .symbol = NO_INDEX};
        set_unknown(state, ALPHA_V0, at - region->procedure->first, 0);
    } else { /* millicode */
        set_unknown(state, ALPHA_PV, at - region->procedure->first, 0);
        set_unknown(state, ALPHA_AT, NO_INDEX, 0);
    }
    if (region->procedure->gp)
        set_constant(state, ALPHA_GP, region->procedure->gp);
    set_constant(state, link, instruction_address(region->program, at + 1));
}

/* Does the jump at `at` go to $29 plus a loaded 32-bit entry? Looks back to `first`. */
static bool is_entry_jump(const struct program *program, uint32_t first, uint32_t at) {
    unsigned wanted = alpha_rb(program->text[at]);
    bool added = false;
    while (at-- > first) {
        uint32_t word = program->text[at];
        const struct alpha_descriptor *descriptor = alpha_decode(word);
        if (!(alpha_registers_written(word) >> wanted & 1))
            continue;
        if (!added && descriptor->opcode_id == ALPHA_ADDQr &&
            (alpha_ra(word) == ALPHA_GP || alpha_rb(word) == ALPHA_GP)) {
            wanted = alpha_ra(word) == ALPHA_GP ? alpha_rb(word) : alpha_ra(word);
            added = true;
        } else if (added && descriptor->opcode_id == ALPHA_ADDLr && alpha_ra(word) == ALPHA_ZERO) {
            wanted = alpha_rb(word); /* sextl */
        } else {
            return added && descriptor->opcode_id == ALPHA_LDL;
        }
    }
    return false;
}

/* The table's address was lost on the way to the jump: it is one of those that the procedure computes. Takes
   the entries of all that look like tables of this procedure. */
static bool read_any_table(struct region *region, uint32_t instruction) {
    struct analysis *analysis = region->analysis;
    const struct procedure *procedure = region->procedure;
    const struct program *program = region->program;
    uint64_t high[32] = {0};
    size_t first_target = analysis->target_count;
    for (uint32_t i = procedure->first; i < procedure->first + procedure->count; i++) {
        uint32_t word = program->text[i];
        unsigned ra = alpha_ra(word), rb = alpha_rb(word);
        int32_t entry;
        if (word >> 26 == 0x09 && rb == ALPHA_GP) /* ldah x,y($29) */
            high[ra] = procedure->gp + (int64_t)alpha_memory_displacement(word) * 65536;
        if (word >> 26 != 0x08 || !high[rb] || rb == ALPHA_GP) /* lda */
            continue;
        uint64_t address = high[rb] + (int64_t)alpha_memory_displacement(word);
        for (uint64_t k = 0; k < 65536 && program_word32(program, address + 4 * k, &entry); k++) {
            uint32_t target = instruction_at(program, procedure->gp + (int64_t)entry);
            if (!in_procedure(region, target))
                break;
            add_target(analysis, target);
        }
    }
    for (size_t i = first_target; i < analysis->target_count; i++)
        mark_target(region, analysis->targets[i], LEADER_TABLE_TARGET);
    if (first_target == analysis->target_count)
        return false;
    add_table(analysis, instruction, first_target);
    return true;
}

static void end_block(struct region *region, uint32_t at, struct state *state) {
    uint32_t word = region->program->text[at];
    struct value condition = state->registers[alpha_ra(word)];
    switch (transfer_of(word)) {
    case TRANSFER_NONE:
        step(region, state, at);
        flow_to(region, at, at + 1, state);
        break;
    case TRANSFER_COND_BRANCH: {
        unsigned opcode = alpha_decode(word)->opcode_id;
        struct state below = *state;
        bool compared = condition.kind == VALUE_COMPARED;
        if (compared)
            add_fact(&below, condition.symbol, condition.limit);
        bool taken_if_true = opcode == ALPHA_BNE || opcode == ALPHA_BLBS;
        bool usable = compared && (taken_if_true || opcode == ALPHA_BEQ || opcode == ALPHA_BLBC);
        bool below_taken = taken_if_true ^ condition.scale;
        flow_to(region, at, branch_target(region->program, at), usable && below_taken ? &below : state);
        flow_to(region, at, at + 1, usable && !below_taken ? &below : state);
        break;
    }
    case TRANSFER_BRANCH:
        set_constant(state, alpha_ra(word), instruction_address(region->program, at + 1));
        flow_to(region, at, branch_target(region->program, at), state);
        break;
    case TRANSFER_CALL:
        after_call(region, state, alpha_ra(word), at);
        flow_to(region, at, at + 1, state);
        break;
    case TRANSFER_SYSTEM_CALL:
    case TRANSFER_TRAP:
        forget(region, state, alpha_registers_written(word) & UINT32_MAX, NO_INDEX);
        flow_to(region, at, at + 1, state);
        break;
    case TRANSFER_RETURN:
    case TRANSFER_JUMP: {
        const struct jump_table *table = table_of(region, at);
        for (uint32_t i = 0; table && i < table->target_count; i++)
            flow_to(region, at, region->analysis->targets[table->first_target + i], state);
        /* not resolved yet: a loaded address may be that of any label, which nobody enters from outside */
        for (uint32_t i = 1; !table && transfer_of(word) == TRANSFER_JUMP && i < region->block_count; i++)
            if (region->analysis->leaders[region->first[i]] & LEADER_ADDRESS_TAKEN)
                flow_to(region, at, region->first[i], state);
        break;
    }
    }
}

static void run_block(struct region *region, uint32_t block, struct state *state, bool resolve) {
    uint32_t last = region->first[block + 1] - 1;
    for (uint32_t i = region->first[block]; i < last; i++)
        step(region, state, i);
    uint32_t word = region->program->text[last];
    if (!resolve) {
        end_block(region, last, state);
    } else if (transfer_of(word) == TRANSFER_JUMP && !table_of(region, last)) {
        const struct value *value = &state->registers[alpha_rb(word)];
        uint32_t constant =
            value->kind == VALUE_CONSTANT ? instruction_at(region->program, value->number) : NO_INDEX;
        if (constant != NO_INDEX && in_procedure(region, constant)) {
            mark_target(region, constant, LEADER_TABLE_TARGET);
            add_target(region->analysis, constant);
            add_table(region->analysis, last, region->analysis->target_count - 1);
            return;
        }
        bool is_table = value->kind == VALUE_TARGET || (value->kind == VALUE_ENTRY && value->scale == 8);
        bool is_address = value->kind >= VALUE_UNKNOWN && value->scale == 8;
        if (is_address && alpha_rb(word) != ALPHA_PV && !region->has_labels) {
            region->has_labels = region->changed_leaders = true;
            computed_addresses_mark(region->analysis, region->procedure, true);
            return;
        }
        if (is_table && read_table(region, last, value, limit_of(state, value)))
            return;
        if (region->last_round && region->procedure->gp &&
            is_entry_jump(region->program, region->first[block], last) && read_any_table(region, last))
            return;
        if (!is_address && alpha_rb(word) != ALPHA_PV) /* it may go to any word of the procedure */
            mark_target(region, region->procedure->first, LEADER_UNKNOWN_JUMP);
    }
}

static void split(struct region *region) {
    const struct procedure *procedure = region->procedure;
    region->block_count = 0;
    for (uint32_t i = 0; i < procedure->count; i++)
        if (i == 0 || region->analysis->leaders[procedure->first + i])
            region->first[region->block_count++] = procedure->first + i;
    region->first[region->block_count] = procedure->first + procedure->count;
}

/* One round: values over all blocks reached with the tables known so far, then the jumps. */
static void run_round(struct region *region) {
    const unsigned from_outside =
        LEADER_PROCEDURE_ENTRY | LEADER_ALTERNATE_ENTRY | LEADER_LANDING_PAD | LEADER_UNKNOWN_JUMP;
    struct state outside = outside_state(region), state;
    split(region);
    if (region->block_count > MOST_BLOCKS)
        return;
    region->entry = allocate_zeroed(region->block_count, sizeof *region->entry);
    region->pending = allocate_zeroed(region->block_count, 1);
    for (uint32_t i = 0; i < region->block_count; i++)
        if (i == 0 || region->analysis->leaders[region->first[i]] & from_outside) {
            join(region, i, NO_INDEX, &outside);
            region->pending[i] = 1;
        }
    if (region->procedure->has_ldgp)
        set_constant(&region->entry[0], ALPHA_PV,
                     instruction_address(region->program, region->procedure->first));
    for (bool again = true; again;) {
        again = false;
        for (uint32_t i = 0; i < region->block_count; i++)
            if (region->pending[i]) {
                region->pending[i] = 0;
                state = region->entry[i];
                run_block(region, i, &state, false);
                again = true;
            }
    }
    for (uint32_t i = 0; i < region->block_count; i++) {
        state = region->entry[i].reached ? region->entry[i] : outside;
        run_block(region, i, &state, true);
    }
    free(region->entry);
    free(region->pending);
}

static int compare_tables(const void *left, const void *right) {
    const struct jump_table *a = left, *b = right;
    return (a->instruction > b->instruction) - (a->instruction < b->instruction);
}

void jump_tables_find(struct analysis *analysis, uint32_t procedure) {
    struct region region = {.analysis = analysis, .program = analysis->program};
    region.procedure = &analysis->program->procedures[procedure];
    region.first_table = analysis->table_count;
    uint32_t jumps = 0;
    for (uint32_t i = 0, leader = 0; i < region.procedure->count; i++) {
        uint32_t at = region.procedure->first + i;
        if (analysis->leaders[at])
            leader = at;
        if (analysis->program->text[at] >> 26 == 0x1a &&
            transfer_of(analysis->program->text[at]) == TRANSFER_JUMP &&
            indirect_target(analysis->program, region.procedure->gp, leader, at) == NO_INDEX)
            jumps++;
    }
    if (!jumps)
        return;
    region.first = allocate(((size_t)region.procedure->count + 1) * sizeof *region.first);
    for (bool again = true; again;) {
        size_t known = analysis->table_count;
        region.changed_leaders = false;
        run_round(&region);
        again = known != analysis->table_count || region.changed_leaders || !region.last_round;
        region.last_round = known == analysis->table_count && !region.changed_leaders;
    }
    if (analysis->table_count > region.first_table)
        qsort(analysis->tables + region.first_table, analysis->table_count - region.first_table,
              sizeof *analysis->tables, compare_tables);
    free(region.first);
}
