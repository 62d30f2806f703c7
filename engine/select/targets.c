/* targets.c: effects of one statement on many edges of an indirect jump are merged: tables select the cell
   by the target. Other effects remain comparisons with each target, as place_sites.c has made them. Requires
   sorted sites. */
#include <assert.h>
#include <string.h>

#include "engine/cfg/cfg.h"
#include "engine/select/internal.h"

/* For fewer edges, comparisons take less time. A statement may name one edge several times in nested loops:
   each time takes another layer. */
enum { FEWEST_EDGES = 5, MOST_LAYERS = 16 };

/* The targets of a procedure's indirect jumps, sorted. */
struct numbered {
    uint32_t procedure;
    uint32_t lowest, highest; /* instructions */
    uint32_t count;
    int32_t *numbers;               /* indexed by instruction from `lowest`; values from 1, or 0 */
    const struct site_array *table; /* the same, after a 0 */
};

/* Groups on different edges that are merged. */
struct layer {
    uint32_t count;
    const struct site *first;      /* of these groups */
    const struct site **by_number; /* groups; NULL if there is none */
};

struct merging {
    const struct program *program;
    struct sites *sites;
    struct arena *scratch;
    struct numbered numbered;
    struct layer layers[MOST_LAYERS];
    uint32_t layer_count;
    uint32_t *last_layer; /* indexed by number: one more than the last layer that has it */
    uint32_t kept;        /* sites */
};

/* ---- the targets' numbers --------------------------------------------------------------------------------- */

static const struct site_array *make_target_table(struct merging *merging, const int32_t *elements,
                                                  uint32_t count) {
    struct site_array made = {.element = PLAN_C_INT, .count = count};
    made.bytes = sites_share(merging->sites, elements, count * sizeof *elements);
    return sites_share(merging->sites, &made, sizeof made);
}

/* Marks targets inside of the procedure, by instruction from its first. */
static void mark_targets(struct merging *merging, const struct procedure *procedure, int32_t *marks) {
    const struct program *program = merging->program;
    struct numbered *numbered = &merging->numbered;
    const struct basic_block *blocks = &program->blocks[procedure->first_block];
    for (uint32_t b = 0; b < procedure->block_count; b++)
        for (uint32_t e = 0; e < blocks[b].successor_count; e++) {
            const struct edge *edge = &program->edges[blocks[b].first_successor + e];
            uint32_t target = program->blocks[edge->to].first;
            if (edge->kind != EDGE_TABLE || target - procedure->first >= procedure->count)
                continue;
            marks[target - procedure->first] = 1;
            numbered->lowest = target < numbered->lowest ? target : numbered->lowest;
            numbered->highest = target > numbered->highest ? target : numbered->highest;
        }
}

static void number_targets(struct merging *merging, uint32_t number) {
    const struct procedure *procedure = &merging->program->procedures[number];
    struct numbered *numbered = &merging->numbered;
    if (numbered->procedure == number)
        return;
    *numbered = (struct numbered){.procedure = number, .lowest = NO_INDEX};
    int32_t *marks = arena_allocate(merging->scratch, procedure->count * sizeof *marks);
    mark_targets(merging, procedure, marks);
    if (numbered->lowest == NO_INDEX)
        return;
    uint32_t span = numbered->highest - numbered->lowest + 1;
    int32_t *elements = arena_allocate(merging->scratch, ((size_t)span + 1) * sizeof *elements);
    numbered->numbers = elements + 1;
    for (uint32_t i = 0; i < span; i++)
        if (marks[numbered->lowest - procedure->first + i])
            numbered->numbers[i] = (int32_t)++numbered->count;
    numbered->table = make_target_table(merging, elements, span + 1);
}

/* The number of the target at the static address; 0: the address has no number. */
static uint32_t number_of_target(const struct merging *merging, uint64_t address) {
    const struct numbered *numbered = &merging->numbered;
    if (!numbered->count)
        return 0;
    uint64_t distance = (address - instruction_address(merging->program, numbered->lowest)) / 4;
    return distance <= numbered->highest - numbered->lowest ? (uint32_t)numbered->numbers[distance] : 0;
}

/* ---- groups ----------------------------------------------------------------------------------------------- */

/* The comparison with a target in the site's guard; `other`: the rest of the guard. NULL: there is no such
   comparison. */
static const struct site_expression *comparison_of(const struct site *site,
                                                   const struct site_expression **other) {
    const struct site_expression *guard = site->action->guard;
    *other = NULL;
    if (site->point != SITE_TAKEN || !guard)
        return NULL;
    if (guard->op == PLAN_OP_AND) {
        *other = guard->operand[1];
        guard = guard->operand[0];
    }
    if (guard->op != PLAN_OP_EQUAL || guard->operand[1]->op != PLAN_OP_INTEGER)
        return NULL;
    const struct site_expression *target = guard->operand[0];
    if (target->op == PLAN_OP_STATIC)
        target = target->operand[0];
    return target->op == PLAN_OP_VALUE && target->leaf.value == PLAN_VALUE_TARGET ? guard : NULL;
}

static uint32_t size_of_target_group(const struct site *sites, uint32_t count) {
    uint32_t size = 1;
    while (size < count && sites[size].group == sites[0].group)
        size++;
    return size;
}

/* True for constants whose difference fits in a table. */
static bool are_near(const struct site_expression *a, const struct site_expression *b) {
    if (a->op != PLAN_OP_INTEGER || b->op != PLAN_OP_INTEGER)
        return false;
    int64_t difference = (int64_t)((uint64_t)b->leaf.constant - (uint64_t)a->leaf.constant);
    return difference == (int32_t)difference;
}

/* True if a table can select the group's cells. Its condition is evaluated once, before all its effects. */
static bool is_choosable(const struct site *group, uint32_t size) {
    for (uint32_t i = 0; i < size; i++) {
        const struct site_action *action = group[i].action;
        const struct site_expression *other;
        if (group[i].kind != PLAN_ACTION_UPDATE || group[i].skips || action->cell || action->buckets ||
            action->lengths || !comparison_of(&group[i], &other) || (size > 1 && (other || action->sample)))
            return false;
    }
    return true;
}

/* True if they differ only in their targets, cells and constants. */
static bool are_alike(const struct site *a, const struct site *b, uint32_t size) {
    const struct site_expression *others[2];
    for (uint32_t i = 0; i < size; i++) {
        const struct site_action *left = a[i].action, *right = b[i].action;
        comparison_of(&a[i], &others[0]);
        comparison_of(&b[i], &others[1]);
        if (left->counter != right->counter || left->sample_cell != right->sample_cell ||
            a[i].update != b[i].update || others[0] != others[1] ||
            (left->amount != right->amount && !are_near(left->amount, right->amount)))
            return false;
    }
    return true;
}

/* ---- layers ----------------------------------------------------------------------------------------------- */

/* Effects on one edge keep their order: each effect is in a later layer than the effects before it. Returns
   false if there are too many layers. */
static bool put_in_layer(struct merging *merging, const struct site *group, uint32_t size) {
    const struct site_expression *other;
    const struct site_expression *comparison = comparison_of(group, &other);
    uint32_t number = number_of_target(merging, (uint64_t)comparison->operand[1]->leaf.constant);
    uint32_t at = merging->last_layer[number];
    if (number == 0)
        return false;
    while (at < merging->layer_count && !are_alike(merging->layers[at].first, group, size))
        at++;
    if (at == MOST_LAYERS)
        return false;
    struct layer *layer = &merging->layers[at];
    if (at == merging->layer_count) {
        size_t numbers = (size_t)merging->numbered.count + 1;
        *layer = (struct layer){.first = group};
        layer->by_number = arena_allocate(merging->scratch, numbers * sizeof *layer->by_number);
        merging->layer_count++;
    }
    assert(layer->by_number);
    layer->by_number[number] = group;
    layer->count++;
    merging->last_layer[number] = at + 1;
    return true;
}

static bool put_in_layers(struct merging *merging, const struct site *run, uint32_t count) {
    uint32_t size = size_of_target_group(run, count);
    merging->layer_count = 0;
    if (count < FEWEST_EDGES * size || !is_choosable(run, size))
        return false;
    number_targets(merging, merging->program->blocks[block_at(merging->program, run->instruction)].procedure);
    merging->last_layer =
        arena_allocate(merging->scratch, ((size_t)merging->numbered.count + 1) * sizeof *merging->last_layer);
    for (uint32_t i = 0; i < count; i += size)
        if (size_of_target_group(run + i, count - i) != size || !is_choosable(run + i, size) ||
            !put_in_layer(merging, run + i, size))
            return false;
    return true;
}

/* ---- one site for a layer --------------------------------------------------------------------------------- */

static const struct site_expression *make_site_operator(struct merging *merging, enum plan_operator op,
                                                        const struct site_expression *left,
                                                        const struct site_expression *right) {
    struct site_expression made = {.op = op, .operand = {left, right}};
    return sites_share(merging->sites, &made, sizeof made);
}

static const struct site_expression *make_integer(struct merging *merging, int64_t value) {
    struct site_expression made = {.op = PLAN_OP_INTEGER, .leaf = {.kind = SITE_CONSTANT, .constant = value}};
    return sites_share(merging->sites, &made, sizeof made);
}

static const struct site_expression *make_element(struct merging *merging, const struct site_array *table,
                                                  const struct site_expression *number) {
    struct site_expression made = {.op = PLAN_OP_ELEMENT,
                                   .leaf = {.kind = SITE_ARRAY, .array = (struct site_array *)table},
                                   .operand = {number}};
    return sites_share(merging->sites, &made, sizeof made);
}

/* The number of the target; 0 for any other address. */
static const struct site_expression *make_number(struct merging *merging,
                                                 const struct site_expression *target) {
    const struct numbered *numbered = &merging->numbered;
    uint64_t before = instruction_address(merging->program, numbered->lowest) - 4;
    const struct site_expression *distance =
        make_site_operator(merging, PLAN_OP_SUBTRACT, target, make_integer(merging, (int64_t)before));
    return make_element(merging, numbered->table,
                        make_site_operator(merging, PLAN_OP_SHIFT_RIGHT, distance, make_integer(merging, 2)));
}

/* Processes site `i` of each group. */
static struct site make_chosen(struct merging *merging, const struct layer *layer, uint32_t i) {
    const struct site *like = &layer->first[i];
    uint64_t base = merging->sites->cell_bases[like->action->counter];
    uint32_t count = merging->numbered.count + 1;
    int32_t *cells = arena_allocate(merging->scratch, count * sizeof *cells);
    int32_t *amounts = arena_allocate(merging->scratch, count * sizeof *amounts);
    bool same = true;
    for (uint32_t n = 0; n < count; n++) {
        const struct site *site = layer->by_number[n] ? &layer->by_number[n][i] : NULL;
        cells[n] = site ? (int32_t)(site->cell_base - base) : -1;
        same &= !site || site->action->amount == like->action->amount;
        if (site && site->action->amount->op == PLAN_OP_INTEGER)
            amounts[n] = (int32_t)((uint64_t)site->action->amount->leaf.constant -
                                   (uint64_t)like->action->amount->leaf.constant);
    }
    struct site_action action = *like->action;
    const struct site_expression *number =
        make_number(merging, comparison_of(like, &action.guard)->operand[0]);
    action.cell = make_element(merging, make_target_table(merging, cells, count), number);
    if (action.sample) { /* only executed effects count */
        const struct site_expression *chosen =
            make_site_operator(merging, PLAN_OP_GREATER_EQUAL, action.cell, make_integer(merging, 0));
        action.guard = action.guard ? make_site_operator(merging, PLAN_OP_AND, chosen, action.guard) : chosen;
    }
    if (!same)
        action.amount =
            make_site_operator(merging, PLAN_OP_ADD, action.amount,
                               make_element(merging, make_target_table(merging, amounts, count), number));
    struct site made = *like;
    made.action = sites_share(merging->sites, &action, sizeof action);
    made.cell_base = base;
    return made;
}

static void keep_layer(struct merging *merging, const struct layer *layer, uint32_t size) {
    struct site *sites = merging->sites->sites;
    for (uint32_t i = 0; i < size && layer->count >= FEWEST_EDGES; i++)
        sites[merging->kept++] = make_chosen(merging, layer, i);
    for (uint32_t n = 1; n <= merging->numbered.count && layer->count < FEWEST_EDGES; n++)
        for (uint32_t i = 0; i < size && layer->by_number[n]; i++)
            sites[merging->kept++] = layer->by_number[n][i];
}

/* ---- all -------------------------------------------------------------------------------------------------- */

static uint32_t length_of_run(const struct site *sites, uint32_t count) {
    uint32_t length = 1;
    while (length < count && sites[length].instruction == sites[0].instruction &&
           sites[length].point == sites[0].point && sites[length].scope == sites[0].scope &&
           sites[length].action->statement == sites[0].action->statement)
        length++;
    return length;
}

void sites_merge_targets(const struct program *program, struct sites *sites) {
    struct merging merging = {.program = program, .sites = sites, .scratch = program->scratch};
    struct arena_mark mark = arena_mark(merging.scratch);
    merging.numbered.procedure = NO_INDEX;
    for (uint32_t i = 0, length; i < sites->count; i += length) {
        length = length_of_run(sites->sites + i, sites->count - i);
        struct site *from = &sites->sites[i];
        if (from->point == SITE_TAKEN && length >= FEWEST_EDGES) {
            struct site *run = arena_allocate_unset(merging.scratch, length * sizeof *run);
            memcpy(run, from, length * sizeof *run);
            if (put_in_layers(&merging, run, length)) {
                for (uint32_t layer = 0; layer < merging.layer_count; layer++)
                    keep_layer(&merging, &merging.layers[layer], size_of_target_group(run, length));
                continue;
            }
        }
        memmove(sites->sites + merging.kept, from, length * sizeof *from);
        merging.kept += length;
    }
    sites->count = merging.kept;
    arena_release(merging.scratch, mark);
}
