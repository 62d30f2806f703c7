/* constant_keys.c: updates of a keyed counter whose keys are known for each place, as calls[p.name]++. Such
   an update counts in a cell of its place, as an update of a counter with cells does, and the runtime adds
   the cells to the counter's table after the program, before all other actions there. It costs a few
   instructions, where a search for the keys takes hundreds. Requires that all of the tool has been
   checked. */
#include "compiler/internal.h"

#include <string.h>

/* ---- keys of a place ------------------------------------------------------------------------ */

/* The attribute of the places of this kind that is the place of the other kind around it;
   PLAN_ATTRIBUTE_COUNT: there is none. */
static int containing_attribute(enum plan_place kind, enum plan_place container) {
    int i = 0;
    while (i < PLAN_ATTRIBUTE_COUNT &&
           (plan_attributes[i].place != kind || plan_attributes[i].type != plan_place_type(container) ||
            strcmp(plan_attributes[i].word, plan_place_words[container]) != 0))
        i++;
    return i;
}

/* True if the innermost loop reaches each of its places once, and each has attributes for the places of the
   loops around. */
static bool numbers_places(const struct plan_action *action) {
    const uint32_t innermost = action->loop_count - 1;
    if (action->loop_count == 0 || action->place_variable != innermost || action->place <= PLAN_OBJECT)
        return false;
    for (uint32_t i = 0; i < action->loop_count; i++) {
        const struct plan_loop *loop = &action->loops[i];
        const bool nested = loop->domain == PLAN_DOMAIN_CONTAINED && i > 0 && loop->container == i - 1;
        if (!nested && (i > 0 || (loop->domain != PLAN_DOMAIN_ALL && loop->domain != PLAN_DOMAIN_SET)))
            return false;
        if (i < innermost && containing_attribute(action->place, loop->kind) == PLAN_ATTRIBUTE_COUNT)
            return false;
    }
    return true;
}

/* The expression with the place as its only variable. */
static const struct plan_expression *of_place(struct compilation *compilation,
                                              const struct plan_action *action,
                                              const struct plan_expression *expression) {
    struct plan_expression *copy =
        make_expression(compilation, expression->op, expression->type, &expression->where);
    *copy = *expression;
    for (int i = 0; i < 3; i++)
        if (expression->operand[i])
            copy->operand[i] = of_place(compilation, action, expression->operand[i]);
    if (expression->op != PLAN_OP_VARIABLE)
        return copy;
    copy->variable = 0;
    if (expression->variable == action->place_variable)
        return copy;
    copy->type = plan_place_type(action->place);
    struct plan_expression *around =
        make_expression(compilation, PLAN_OP_ATTRIBUTE, expression->type, &expression->where);
    around->attribute =
        (enum plan_attribute)containing_attribute(action->place, action->loops[expression->variable].kind);
    around->operand[0] = copy;
    return around;
}

/* The parts of the condition that are known for each place, beside `condition`. */
static const struct plan_expression *static_parts(struct compilation *compilation,
                                                  const struct plan_expression *condition,
                                                  const struct plan_expression *guard) {
    if (!guard)
        return condition;
    if (guard->dynamic && guard->op == PLAN_OP_AND)
        return static_parts(compilation, static_parts(compilation, condition, guard->operand[0]),
                            guard->operand[1]);
    if (guard->dynamic)
        return condition;
    return condition ? both(compilation, both(compilation, NULL, condition), guard) : guard;
}

/* The places at which the action is done: elsewhere its keys may have no value. */
static uint32_t places_of(struct compilation *compilation, const struct plan_action *action,
                          const char *name) {
    struct plan_loop *loops = arena_allocate(compilation->arena, action->loop_count * sizeof *loops);
    memcpy(loops, action->loops, action->loop_count * sizeof *loops);
    struct plan_loop *innermost = &loops[action->loop_count - 1];
    innermost->condition = static_parts(compilation, innermost->condition, action->guard);
    return add_set(compilation,
                   (struct plan_set){.name = name,
                                     .where = action->where,
                                     .kind = action->place,
                                     .loop_count = action->loop_count,
                                     .loops = loops},
                   false);
}

/* ---- which updates -------------------------------------------------------------------------- */

bool has_constant_keys(const struct compilation *compilation, const struct plan_action *action,
                       const struct plan_effect *effect) {
    if (effect->kind != PLAN_EFFECT_UPDATE || effect->counter == NO_COUNTER || !numbers_places(action))
        return false;
    const struct counter_entry *entry = &compilation->counters[effect->counter];
    for (const struct plan_expression *key = effect->keys; key; key = key->operand[1])
        if (key->dynamic || key->type == PLAN_TYPE_ERROR)
            return false;
    /* An amount of 0 makes a row, which the cells would not show. With a limit of the tool's own, the keys
       that are updated first have the rows. */
    return effect->keys && !entry->broken && entry->counter.kind == PLAN_COUNTER &&
           !entry->counter.per_thread && entry->counter.update == PLAN_UPDATE_ADD &&
           entry->counter.limit == COMMAND_CELLS && is_constant(effect->amount) &&
           effect->amount->integer > 0;
}

void note_constant_keys(struct compilation *compilation, const struct plan_effect *effect) {
    VECTOR_RESERVE(compilation->constants, compilation->constant_count, compilation->constant_capacity);
    compilation->constants[compilation->constant_count++] =
        (struct constant_update){.action = compilation->action_count, .effect = effect};
}

static void mark_rows(struct compilation *compilation, const struct plan_expression *expression) {
    if (!expression)
        return;
    if (expression->op == PLAN_OP_ROW_CELL)
        compilation->counters[expression->counter].read_early = true;
    for (int i = 0; i < 3; i++)
        mark_rows(compilation, expression->operand[i]);
}

/* Reports that are written while the program runs read tables then. */
static void mark_reports(struct compilation *compilation) {
    for (uint32_t i = 0; i < compilation->report_count; i++) {
        const struct plan_report *report = &compilation->reports[i];
        if (report->every == PLAN_EVERY_END)
            continue;
        mark_rows(compilation, report->filter);
        mark_rows(compilation, report->key);
        for (uint32_t k = 0; k < report->column_count; k++)
            mark_rows(compilation, report->columns[k].value);
        for (uint32_t k = 0; k < report->loop_count; k++)
            if (report->loops[k].domain == PLAN_DOMAIN_KEYS || report->loops[k].domain == PLAN_DOMAIN_BUCKETS)
                compilation->counters[report->loops[k].histogram].read_early = true;
    }
}

/* ---- cells ---------------------------------------------------------------------------------- */

static struct plan_expression *argument_of(struct compilation *compilation, enum plan_operator op,
                                           enum plan_type type, const struct plan_action *action) {
    return make_expression(compilation, op, type, &action->where);
}

static uint32_t array_of_keys(struct compilation *compilation, const struct plan_action *action,
                              uint32_t places, const struct plan_expression *key) {
    VECTOR_RESERVE(compilation->arrays, compilation->array_count, compilation->array_capacity);
    compilation->arrays[compilation->array_count] = (struct plan_array){
        .name = "keys",
        .where = action->where,
        .loop = {.name = "v", .kind = action->place, .domain = PLAN_DOMAIN_SET, .set = places},
        .value = of_place(compilation, action, key)};
    return compilation->array_count++;
}

/* The call that adds the cells to the table: the table, the number of places, the cells, the amount of an
   update, and for each key an array with its value for each place. */
static void add_call_after(struct compilation *compilation, const struct plan_action *update,
                           const struct plan_effect *effect, uint32_t places, uint32_t cells) {
    enum { TABLE, COUNT, CELLS, AMOUNT, KEYS };
    const struct plan_counter *counter = &compilation->counters[effect->counter].counter;
    struct plan_expression **arguments =
        arena_allocate(compilation->arena, (KEYS + counter->key_count) * sizeof(struct plan_expression *));
    struct plan_action call = {.where = update->where,
                               .statement = compilation->action_statements++,
                               .place = PLAN_PROGRAM,
                               .when = PLAN_AFTER,
                               .kind = PLAN_ACTION_CALL,
                               .routine = own_routine(compilation, "atomc_add_places"),
                               .argument_count = KEYS,
                               .arguments = (const struct plan_expression *const *)arguments};
    arguments[TABLE] = argument_of(compilation, PLAN_OP_BUFFER, PLAN_TYPE_INTEGER, update);
    arguments[TABLE]->buffer = counter->table;
    arguments[COUNT] = argument_of(compilation, PLAN_OP_COUNT, PLAN_TYPE_INTEGER, update);
    arguments[COUNT]->set = places;
    arguments[CELLS] = argument_of(compilation, PLAN_OP_CELLS, PLAN_TYPE_ARRAY, update);
    arguments[CELLS]->counter = cells;
    arguments[AMOUNT] = argument_of(compilation, PLAN_OP_INTEGER, PLAN_TYPE_INTEGER, update);
    arguments[AMOUNT]->integer = effect->amount->integer;
    for (const struct plan_expression *key = effect->keys; key; key = key->operand[1]) {
        struct plan_expression *array = argument_of(compilation, PLAN_OP_ARRAY, PLAN_TYPE_ARRAY, update);
        array->array = array_of_keys(compilation, update, places, key->operand[0]);
        arguments[call.argument_count++] = array;
    }
    VECTOR_RESERVE(compilation->actions, compilation->action_count, compilation->action_capacity);
    compilation->actions[compilation->action_count++] = call;
}

/* Makes the action an update of a cell of its place. */
static void count_in_cells(struct compilation *compilation, uint32_t number,
                           const struct plan_effect *effect) {
    struct plan_action *action = &compilation->actions[number];
    const char *name = arena_format(compilation->arena, "%s.places%u",
                                    compilation->counters[effect->counter].counter.name, (unsigned)number);
    const uint32_t places = places_of(compilation, action, name);
    const uint32_t cells = add_counter(
        compilation,
        (struct plan_counter){.name = name, .where = action->where, .kind = PLAN_COUNTER, .set = places});
    compilation->counters[cells].used = compilation->counters[cells].read = true;
    struct plan_expression *place =
        make_expression(compilation, PLAN_OP_VARIABLE, plan_place_type(action->place), &action->where);
    place->variable = action->place_variable;
    struct plan_expression *index =
        make_operator(compilation, PLAN_OP_INDEX, PLAN_TYPE_INTEGER, &action->where, place, NULL);
    index->set = places;
    action->kind = PLAN_ACTION_UPDATE;
    action->counter = cells;
    action->cell = index;
    action->amount = effect->amount;
    const struct plan_action update = *action;
    add_call_after(compilation, &update, effect, places, cells);
}

void settle_constant_keys(struct compilation *compilation) {
    const uint32_t first = compilation->action_count;
    mark_reports(compilation);
    for (uint32_t i = 0; i < compilation->constant_count; i++) {
        const struct constant_update *update = &compilation->constants[i];
        if (compilation->counters[update->effect->counter].read_early) {
            struct plan_action *action = &compilation->actions[update->action];
            make_command(compilation, action,
                         &(struct plan_command){.effect_count = 1, .effects = update->effect});
        } else {
            count_in_cells(compilation, update->action, update->effect);
        }
    }
    move_last_actions(compilation, first);
}
