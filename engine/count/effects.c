/* effects.c: the effects of each value of a procedure when the program has ended: the value is added to
   values that are derived from it, here and in the procedures entered, and to cells. runtime/interface.h
   describes the format. Requires numbered values. The runtime then starts from values that are not 0 and
   follows their effects; it never visits the others. */
#include <stdlib.h>
#include <string.h>

#include "engine/count/internal.h"
#include "runtime/interface.h"

enum { HAS_INSTRUCTION = ATOMC_WITH_INSTRUCTION | ATOMC_WITH_LENGTH };

/* A value's effect. */
struct effect {
    uint32_t value, next; /* next: another effect of the same value */
    uint8_t kind;         /* enum atomc_effect */
    uint8_t flags;        /* of ATOMC_EFFECT_FAR */
    uint32_t target;      /* the number of a derived value in the procedure, or a cell */
    int32_t amount;
    uint32_t instruction;  /* in the procedure */
    uint32_t count;        /* ATOMC_WITH_LENGTH: the number of instructions in the block, */
    int16_t each;          /* ... the amount for each instruction that counts, */
    const uint8_t *chosen; /* ... and a bit for each instruction that counts; NULL: all count */
    uint32_t transfer;     /* the transfer whose target's value is changed, or NO_INDEX */
};

struct effects {
    struct arena *arena;
    struct effect *list;
    uint32_t count, capacity;
    uint32_t *first; /* per value: its first effect; the next effects by .next */
    /* per derived value: twice the node at which it is derived, +1 if it leaves that node; 0: it is derived
       from its callers */
    uint32_t *nodes;
    uint32_t values, counted;
    uint32_t first_cell;
};

static struct effect *add_effect(struct effects *effects, uint32_t value, enum atomc_effect kind,
                                 uint32_t target) {
    ARENA_RESERVE(effects->arena, effects->list, effects->count, effects->capacity);
    struct effect *effect = &effects->list[effects->count];
    *effect = (struct effect){.value = value,
                              .next = effects->first[value],
                              .kind = (uint8_t)kind,
                              .target = target,
                              .amount = 1,
                              .transfer = NO_INDEX};
    effects->first[value] = effects->count++;
    return effect;
}

/* ---- what there is ---------------------------------------------------------------------------------------- */

/* A derived value is the sum of the values in the opposite direction at its node, minus the values in its own
   direction. */
static void add_equation(struct effects *effects, const struct flow *flow, uint32_t node) {
    const struct flow_edge *derived = &flow->edges[flow->parent[node]];
    bool comes_in = derived->to == node;
    uint32_t target = derived->value - effects->counted;
    effects->nodes[target] = 2 * node + !comes_in;
    for (uint32_t i = flow_next(flow, node, NO_INDEX); i != NO_INDEX; i = flow_next(flow, node, i)) {
        const struct flow_edge *edge = &flow->edges[i];
        if (edge != derived)
            add_effect(effects, edge->value, (edge->to == node) == comes_in ? ATOMC_SUBTRACT : ATOMC_ADD,
                       target);
    }
}

/* Executions that end before the end of the block reach only some of its instructions. */
static void note_length(struct effect *effect, const struct flow *flow, const struct derived_update *update) {
    const struct basic_block *block = &flow->rewrite->program->blocks[update->block];
    effect->flags = ATOMC_WITH_LENGTH | (update->chosen ? ATOMC_WITH_CHOICE : 0) |
                    (update->each != 1 ? ATOMC_WITH_FACTOR : 0);
    effect->instruction = block->first - flow->procedure->first;
    effect->chosen = update->chosen;
    effect->each = update->each;
    effect->count = block->count;
}

static void add_updates(struct effects *effects, const struct flow *flow,
                        const struct derived_update *updates, uint32_t count) {
    effects->first_cell = count > 0 ? UINT32_MAX : 0;
    for (uint32_t i = 0; i < count; i++)
        if (updates[i].cell < effects->first_cell)
            effects->first_cell = updates[i].cell;
    for (uint32_t i = 0; i < count; i++) {
        const struct derived_update *update = &updates[i];
        for (uint32_t e = NO_INDEX; (e = flow_next_counting(flow, update, e)) != NO_INDEX;) {
            struct effect *effect =
                add_effect(effects, flow->edges[e].value, ATOMC_COUNT, update->cell - effects->first_cell);
            effect->amount = update->amount;
            if (update->instruction != NO_INDEX) {
                effect->flags = ATOMC_WITH_INSTRUCTION | (update->also_after ? ATOMC_BEHIND : 0);
                effect->instruction = update->instruction - flow->procedure->first;
            } else if (update->each) {
                note_length(effect, flow, update);
            }
        }
    }
}

/* Effects on the values of procedures that are placed later. Placing these procedures sets the value's
   number. */
static void add_transfers(struct effects *effects, const struct flow *flow) {
    const struct sharing *sharing = flow->sharing;
    const struct program *program = flow->rewrite->program;
    uint32_t index = program->blocks[flow->procedure->first_block].procedure;
    for (uint32_t i = sharing->first[index]; i < sharing->first[index + 1]; i++) {
        const struct shared_transfer *transfer = &sharing->transfers[i];
        if (transfer->value == NO_INDEX)
            continue;
        uint32_t next = block_last(&program->blocks[transfer->block]) + 1;
        struct effect *effect = add_effect(effects, transfer->value, ATOMC_FAR, NO_INDEX);
        effect->flags = ATOMC_TO_VALUE | ATOMC_WITH_INSTRUCTION;
        effect->instruction = next - flow->procedure->first;
        effect->transfer = i;
    }
}

/* ---- ways around ----------------------------------------------------------------------------------------- */

/* A derived value can be bypassed: its effects are attached to the values from which it is computed. The
   runtime is faster if it then need not compute the value. A bypassed value keeps its effects only for
   executions that were lost at its node; otherwise it is 0. */
enum {
    MOST_EFFECTS = 12, /* an effect of a bypassed value */
    VALUE_COST = 2,    /* the time to visit a value, in effects */
};

struct row {
    struct effect effects[4 * MOST_EFFECTS];
    uint32_t count;
};

static bool is_near(const struct effect *effect) {
    return effect->kind == ATOMC_ADD || effect->kind == ATOMC_SUBTRACT;
}

/* Adds `times` times the effect to the row. In a row, subtracted effects have a negative amount. Returns
   false if there is no room for it. */
static bool add_to_row(struct row *row, const struct effect *added, int64_t times) {
    int64_t amount = times * added->amount;
    for (uint32_t i = 0; i < row->count; i++) {
        struct effect *effect = &row->effects[i];
        if (effect->kind != added->kind || effect->target != added->target ||
            effect->transfer != added->transfer || added->flags & HAS_INSTRUCTION ||
            effect->flags & ATOMC_WITH_INSTRUCTION)
            continue;
        amount += effect->amount;
        effect->amount = (int32_t)amount;
        return amount == (int16_t)amount;
    }
    if (row->count == sizeof row->effects / sizeof *row->effects)
        return false;
    row->effects[row->count] = *added;
    row->effects[row->count++].amount = (int32_t)amount;
    return amount == (int16_t)amount;
}

/* The effects of a bypassed value that do not depend on executions lost at its node. */
struct around {
    struct effect *effects;
    uint32_t count;
    bool is; /* true if the value is bypassed */
};

/* Collects the value's effects, with the effects of bypassed values in place of effects on them. */
static bool fill_row(const struct effects *effects, const struct around *around, uint32_t value,
                     struct row *row) {
    bool good = true;
    row->count = 0;
    for (uint32_t i = effects->first[value]; i < effects->count; i = effects->list[i].next) {
        struct effect effect = effects->list[i];
        if (effect.kind == ATOMC_SUBTRACT) {
            effect.kind = ATOMC_ADD;
            effect.amount = -1;
        }
        if (effect.kind != ATOMC_ADD || !around[effect.target].is)
            good &= add_to_row(row, &effect, 1);
    }
    for (uint32_t i = effects->first[value]; i < effects->count; i = effects->list[i].next) {
        const struct effect *effect = &effects->list[i];
        if (!is_near(effect) || !around[effect->target].is)
            continue;
        const struct around *target = &around[effect->target];
        for (uint32_t k = 0; k < target->count; k++)
            good &= add_to_row(row, &target->effects[k], effect->kind == ATOMC_SUBTRACT ? -1 : 1);
    }
    return good;
}

static void go_around(struct effects *effects, struct around *around, const struct row *row) {
    around->is = true;
    around->effects = arena_allocate(effects->arena, (row->count + 1) * sizeof *around->effects);
    for (uint32_t i = 0; i < row->count; i++) {
        struct effect effect = row->effects[i];
        effect.flags &= (uint8_t) ~(HAS_INSTRUCTION | ATOMC_BEHIND | ATOMC_WITH_CHOICE | ATOMC_WITH_FACTOR);
        effect.instruction = 0;
        if (effect.amount != 0)
            around->effects[around->count++] = effect;
    }
}

static void replace_effects(struct effects *effects, uint32_t value, const struct row *row) {
    effects->first[value] = NO_INDEX;
    for (uint32_t i = 0; i < row->count; i++) {
        const struct effect *from = &row->effects[i];
        bool near = is_near(from);
        if (from->amount == 0 && !(from->flags & HAS_INSTRUCTION))
            continue;
        for (int32_t times = near ? abs(from->amount) : 1; times > 0; times--) {
            struct effect *effect = add_effect(effects, value, from->kind, from->target);
            uint32_t next = effect->next;
            *effect = *from;
            effect->value = value;
            effect->next = next;
            if (near)
                effect->kind = from->amount < 0 ? ATOMC_SUBTRACT : ATOMC_ADD;
        }
    }
}

static void find_ways_around(struct effects *effects) {
    uint32_t derived = effects->values - effects->counted;
    uint32_t *inputs = arena_allocate(effects->arena, (derived + 1) * sizeof *inputs);
    struct around *around = arena_allocate(effects->arena, (derived + 1) * sizeof *around);
    for (uint32_t i = 0; i < effects->count; i++)
        if (is_near(&effects->list[i]))
            inputs[effects->list[i].target]++;
    for (uint32_t value = effects->values; value-- > 0;) { /* a value affects only later ones */
        struct row row;
        if (!fill_row(effects, around, value, &row))
            continue;
        uint32_t number = value - effects->counted, in = value >= effects->counted ? inputs[number] : 0;
        if (in > 0 && effects->nodes[number] && row.count <= MOST_EFFECTS &&
            in * row.count <= in + row.count + VALUE_COST)
            go_around(effects, &around[number], &row);
        else
            replace_effects(effects, value, &row);
    }
}

/* ---- words ------------------------------------------------------------------------------------------------ */

/* An effect that does not fit into the short form gets the long form. */
static void choose_forms(struct effects *effects) {
    for (uint32_t i = 0; i < effects->count; i++) {
        struct effect *effect = &effects->list[i];
        if (is_near(effect))
            continue;
        if (effect->amount != 1)
            effect->flags |= ATOMC_WITH_AMOUNT;
        if (effect->kind == ATOMC_FAR)
            continue;
        if (!(effect->flags & ~ATOMC_WITH_AMOUNT) && effect->target <= UINT16_MAX &&
            effect->amount >= -ATOMC_AMOUNT_MOST && effect->amount <= ATOMC_AMOUNT_MOST &&
            (effect->flags || effect->target > ATOMC_NEAR_MOST)) {
            effect->kind = ATOMC_FAR;
            effect->flags = ATOMC_NEAR_CELL;
        } else if (effect->flags || effect->target > ATOMC_NEAR_MOST) {
            effect->kind = ATOMC_FAR;
            effect->target += effects->first_cell;
        }
    }
}

/* True if 16-bit words suffice; else 32-bit words are needed. */
static bool fits_narrow_words(const struct effects *effects) {
    for (uint32_t i = 0; i < effects->count; i++) {
        const struct effect *effect = &effects->list[i];
        if (effect->kind == ATOMC_FAR ? effect->amount != (int16_t)effect->amount ||
                                            effect->instruction != (uint16_t)effect->instruction
                                      : effect->target > ATOMC_NEAR_MOST)
            return false;
    }
    for (uint32_t i = 0; i < effects->values - effects->counted; i++)
        if (effects->nodes[i] > UINT16_MAX)
            return false;
    return true;
}

static uint32_t choice_words(const struct effect *effect, bool wide) {
    const uint32_t bits = wide ? 32 : 16;
    return (effect->count + bits - 1) / bits;
}

static uint32_t words_of_effect(const struct effect *effect, bool wide) {
    if (effect->kind != ATOMC_FAR)
        return 1;
    if (effect->flags & ATOMC_NEAR_CELL)
        return 2;
    return (wide ? 2 : 3) + (effect->flags & ATOMC_WITH_AMOUNT ? 1 : 0) +
           (effect->flags & HAS_INSTRUCTION ? 1 : 0) + (effect->flags & ATOMC_WITH_FACTOR ? 1 : 0) +
           (effect->flags & ATOMC_WITH_CHOICE ? 1 + choice_words(effect, wide) : 0);
}

/* Computes where each value's words begin, from the index's end on, and the end of the last; returns the
   number of words. */
static uint32_t find_words(const struct effects *effects, bool wide, uint32_t *begin) {
    uint32_t at = 0;
    for (uint32_t value = 0; value < effects->values; value++) {
        begin[value] = at;
        at += value >= effects->counted;
        for (uint32_t i = effects->first[value]; i < effects->count; i = effects->list[i].next)
            at += words_of_effect(&effects->list[i], wide);
    }
    return begin[effects->values] = at;
}

static void write_choice(struct byte_stream *stream, const struct effect *effect, bool wide) {
    const uint32_t bits = wide ? 32 : 16;
    stream_word(stream, choice_words(effect, wide), bits / 8);
    for (uint32_t first = 0; first < effect->count; first += bits) {
        uint32_t chosen = 0;
        for (uint32_t i = first; i < effect->count && i < first + bits; i++)
            if (effect->chosen[i / 8] >> i % 8 & 1)
                chosen |= 1u << (i - first);
        stream_word(stream, chosen, bits / 8);
    }
}

static void note_effect_place(struct sharing *sharing, uint32_t transfer, uint32_t place) {
    uint32_t *first = &sharing->transfers[transfer].effect;
    ARENA_RESERVE(sharing->arena, sharing->places, sharing->place_count, sharing->place_capacity);
    sharing->places[sharing->place_count] = (struct shared_place){.place = place, .next = *first};
    *first = sharing->place_count++;
}

static void write_effect(struct byte_stream *stream, const struct flow *flow, const struct effect *effect,
                         bool wide) {
    const unsigned bytes = wide ? 4 : 2;
    bool far = effect->kind == ATOMC_FAR, near_cell = far && effect->flags & ATOMC_NEAR_CELL;
    uint32_t upper = far ? effect->flags : effect->target;
    if (near_cell)
        upper |= (uint32_t)(effect->amount & ATOMC_AMOUNT_MASK) << ATOMC_AMOUNT_SHIFT;
    stream_word(stream, effect->kind | upper << ATOMC_EFFECT_BITS, bytes);
    if (near_cell)
        stream_word(stream, effect->target, bytes);
    if (!far || near_cell)
        return;
    if (effect->transfer != NO_INDEX)
        note_effect_place(flow->sharing, effect->transfer, (uint32_t)stream->count);
    stream_word(stream, effect->target, 4);
    if (effect->flags & ATOMC_WITH_AMOUNT)
        stream_word(stream, (uint32_t)effect->amount, bytes);
    if (effect->flags & HAS_INSTRUCTION)
        stream_word(stream, effect->instruction, bytes);
    if (effect->flags & ATOMC_WITH_FACTOR)
        stream_word(stream, (uint32_t)effect->each, bytes);
    if (effect->flags & ATOMC_WITH_CHOICE)
        write_choice(stream, effect, wide);
}

static void write_effect_words(struct counting *counting, const struct flow *flow,
                               const struct effects *effects) {
    struct byte_stream *stream = &counting->effects;
    uint32_t *begin = arena_allocate(effects->arena, (effects->values + 1) * sizeof *begin);
    bool wide = !fits_narrow_words(effects) || find_words(effects, false, begin) > UINT16_MAX;
    const unsigned bytes = wide ? 4 : 2;
    find_words(effects, wide, begin);
    while (stream->count % 4)
        stream_word(stream, 0, 1);
    ARENA_RESERVE(counting->arena, counting->counted_procedures, counting->counted_procedure_count + 1,
                  counting->counted_procedure_capacity);
    counting->counted_procedures[counting->counted_procedure_count++] =
        (struct atomc_counted){.counted = (uint32_t)counting->counted - effects->counted,
                               .derived = (uint32_t)counting->derived_values,
                               .block = flow->procedure->first_block,
                               .instruction = flow->procedure->first,
                               .cell = effects->first_cell,
                               .effects = (uint32_t)stream->count | (wide ? ATOMC_WIDE : 0)};
    for (uint32_t value = 0; value <= effects->values; value++)
        stream_word(stream, begin[value], bytes);
    for (uint32_t value = 0; value < effects->values; value++) {
        if (value >= effects->counted)
            stream_word(stream, effects->nodes[value - effects->counted], bytes);
        for (uint32_t i = effects->first[value]; i < effects->count; i = effects->list[i].next)
            write_effect(stream, flow, &effects->list[i], wide);
    }
}

void effects_write(struct counting *counting, const struct flow *flow, uint32_t counted, uint32_t derived,
                   bool equations, const struct derived_update *updates, uint32_t update_count) {
    struct effects effects = {.arena = flow->arena, .values = counted + derived, .counted = counted};
    effects.first = arena_allocate(flow->arena, (effects.values + 1) * sizeof *effects.first);
    effects.nodes = arena_allocate(flow->arena, (derived + 1) * sizeof *effects.nodes);
    memset(effects.first, 0xff, effects.values * sizeof *effects.first);
    for (uint32_t at = 0; equations && at < flow->node_count; at++) {
        uint32_t node = flow->order[at], parent = flow->parent[node];
        if (parent != NO_INDEX && flow->edges[parent].needed)
            add_equation(&effects, flow, node);
    }
    add_updates(&effects, flow, updates, update_count);
    add_transfers(&effects, flow);
    if (equations)
        find_ways_around(&effects);
    choose_forms(&effects);
    write_effect_words(counting, flow, &effects);
}

void effects_tell(struct counting *counting, const struct sharing *sharing, uint32_t transfer,
                  uint32_t value) {
    uint32_t place = sharing->transfers[transfer].effect;
    for (; place != NO_INDEX; place = sharing->places[place].next)
        for (unsigned i = 0; i < 4; i++)
            counting->effects.bytes[sharing->places[place].place + i] = (uint8_t)(value >> 8 * i);
}
