/* effects.c: what each value of a procedure does when the program has ended: it is added to those that follow
   from it, here and in the procedures entered, and to cells. runtime/interface.h has the form.
   Requires numbered values. The runtime then goes from values that are not 0 to what they change, and never
   meets the rest. */
#include <string.h>

#include "engine/count/internal.h"
#include "runtime/interface.h"

enum { HAS_INSTRUCTION = ATOMC_WITH_INSTRUCTION | ATOMC_WITH_LENGTH };

/* A value's effect. */
struct effect {
    uint32_t value, next; /* next: of the same value's */
    uint8_t kind;         /* enum atomc_effect */
    uint8_t flags;        /* of ATOMC_EFFECT_FAR */
    uint32_t target;      /* a derived value's number in the procedure, or a cell */
    int32_t amount;
    uint32_t instruction; /* in the procedure */
    uint32_t count;       /* ATOMC_WITH_LENGTH: the block's instructions, */
    uint8_t length;       /* ... which of them the amount counts: enum site_length */
    uint32_t transfer;    /* whose target's value is changed, NO_INDEX */
};

struct effects {
    struct arena *arena;
    struct effect *list;
    uint32_t count, capacity;
    uint32_t *first; /* per value, then by .next */
    uint32_t *nodes; /* per derived value: twice the node that it follows at, +1 if it leaves it; 0: callers
                        tell it */
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

/* A derived value is the sum of what goes the other way at its node - what goes the same way. */
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

/* Executions that end before the block's end reach some of the instructions only. */
static void note_length(struct effect *effect, const struct flow *flow, const struct derived_update *update) {
    const struct basic_block *block = &flow->rewrite->program->blocks[update->block];
    effect->flags = ATOMC_WITH_LENGTH | (update->length != LENGTH_INSTRUCTIONS ? ATOMC_WITH_CHOICE : 0);
    effect->instruction = block->first - flow->procedure->first;
    effect->length = update->length;
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
                effect->flags = ATOMC_WITH_INSTRUCTION;
                effect->instruction = update->instruction - flow->procedure->first;
            } else if (update->length != LENGTH_NONE) {
                note_length(effect, flow, update);
            }
        }
    }
}

/* Those that are placed later and say then which value is meant. */
static void add_transfers(struct effects *effects, const struct flow *flow) {
    const struct sharing *sharing = flow->sharing;
    const struct program *program = flow->rewrite->program;
    uint32_t index = program->blocks[flow->procedure->first_block].procedure;
    for (uint32_t i = sharing->first[index]; i < sharing->first[index + 1]; i++) {
        const struct shared_transfer *transfer = &sharing->transfers[i];
        if (transfer->value == NO_INDEX)
            continue;
        uint32_t behind = block_last(&program->blocks[transfer->block]) + 1;
        struct effect *effect = add_effect(effects, transfer->value, ATOMC_FAR, NO_INDEX);
        effect->flags = ATOMC_TO_VALUE | ATOMC_WITH_INSTRUCTION;
        effect->instruction = behind - flow->procedure->first;
        effect->transfer = i;
    }
}

/* ---- words ------------------------------------------------------------------------------------------------ */

/* What does not fit into the short form gets the long one. */
static void choose_forms(struct effects *effects) {
    for (uint32_t i = 0; i < effects->count; i++) {
        struct effect *effect = &effects->list[i];
        if (effect->kind != ATOMC_COUNT)
            continue;
        if (effect->amount != 1)
            effect->flags |= ATOMC_WITH_AMOUNT;
        if (effect->flags || effect->target > ATOMC_NEAR_MOST) {
            effect->kind = ATOMC_FAR;
            effect->target += effects->first_cell;
        }
    }
}

/* Words of 16 bits; those of 32 are needed where this is false. */
static bool fits(const struct effects *effects) {
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

static uint32_t words_of(const struct effect *effect, bool wide) {
    if (effect->kind != ATOMC_FAR)
        return 1;
    return (wide ? 2 : 3) + (effect->flags & ATOMC_WITH_AMOUNT ? 1 : 0) +
           (effect->flags & HAS_INSTRUCTION ? 1 : 0) +
           (effect->flags & ATOMC_WITH_CHOICE ? 1 + choice_words(effect, wide) : 0);
}

/* Where each value's words begin, from the index's end on, and the end of the last: how many there are. */
static uint32_t find_words(const struct effects *effects, bool wide, uint32_t *begin) {
    uint32_t at = 0;
    for (uint32_t value = 0; value < effects->values; value++) {
        begin[value] = at;
        at += value >= effects->counted;
        for (uint32_t i = effects->first[value]; i != NO_INDEX; i = effects->list[i].next)
            at += words_of(&effects->list[i], wide);
    }
    return begin[effects->values] = at;
}

static void write_choice(struct byte_stream *stream, const struct flow *flow, const struct effect *effect,
                         bool wide) {
    const uint32_t *text = flow->rewrite->program->text + flow->procedure->first + effect->instruction;
    const uint32_t bits = wide ? 32 : 16;
    const uint16_t kind = effect->length == LENGTH_LOADS ? ALPHA_LOAD : ALPHA_STORE;
    stream_word(stream, choice_words(effect, wide), bits / 8);
    for (uint32_t first = 0; first < effect->count; first += bits) {
        uint32_t chosen = 0;
        for (uint32_t i = first; i < effect->count && i < first + bits; i++)
            if (alpha_decode(text[i])->flags & kind && !alpha_is_prefetch(text[i]))
                chosen |= 1u << (i - first);
        stream_word(stream, chosen, bits / 8);
    }
}

static void write_effect(struct byte_stream *stream, const struct flow *flow, const struct effect *effect,
                         bool wide) {
    const unsigned bytes = wide ? 4 : 2;
    bool far = effect->kind == ATOMC_FAR;
    stream_word(stream, effect->kind | (far ? effect->flags : effect->target) << ATOMC_EFFECT_BITS, bytes);
    if (!far)
        return;
    if (effect->transfer != NO_INDEX)
        flow->sharing->transfers[effect->transfer].effect = (uint32_t)stream->count;
    stream_word(stream, effect->target, 4);
    if (effect->flags & ATOMC_WITH_AMOUNT)
        stream_word(stream, (uint32_t)effect->amount, bytes);
    if (effect->flags & HAS_INSTRUCTION)
        stream_word(stream, effect->instruction, bytes);
    if (effect->flags & ATOMC_WITH_CHOICE)
        write_choice(stream, flow, effect, wide);
}

static void write_words(struct counting *counting, const struct flow *flow, const struct effects *effects) {
    struct byte_stream *stream = &counting->effects;
    uint32_t *begin = arena_allocate(effects->arena, (effects->values + 1) * sizeof *begin);
    bool wide = !fits(effects) || find_words(effects, false, begin) > UINT16_MAX;
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
        for (uint32_t i = effects->first[value]; i != NO_INDEX; i = effects->list[i].next)
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
    choose_forms(&effects);
    write_words(counting, flow, &effects);
}

void effects_tell(struct counting *counting, uint32_t effect, uint32_t value) {
    for (unsigned i = 0; i < 4; i++)
        counting->effects.bytes[effect + i] = (uint8_t)(value >> 8 * i);
}
