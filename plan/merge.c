/* merge.c: merges several plans, so that several tools instrument a program together. Requires finished
   plans, which are not changed and must outlive the merged one: it refers to their strings and spans.
 */
#include "plan/plan.h"

#include <string.h>

/* The indices, in the merged plan, at which the parts of the current plan begin. */
struct merge {
    struct arena *arena;
    const char *prefix; /* for its names */
    bool prints_events; /* one of the tools has such events */
    uint32_t sets, routines, arrays, counters, functions, buffers, statements;
};

static const char *prefixed_name(const struct merge *merge, const char *name) {
    return arena_format(merge->arena, "%s.%s", merge->prefix, name);
}

/* ---- copies with other numbers ---------------------------------------------------------------- */

static const struct plan_expression *copy_expression(const struct merge *merge,
                                                     const struct plan_expression *expression) {
    if (!expression)
        return NULL;
    struct plan_expression *copy = arena_allocate(merge->arena, sizeof *copy);
    *copy = *expression;
    switch (expression->op) {
    case PLAN_OP_INDEX:
    case PLAN_OP_COUNT:
    case PLAN_OP_MEMBER:
        copy->set += merge->sets;
        break;
    case PLAN_OP_FOREIGN:
        copy->function += merge->functions;
        break;
    case PLAN_OP_BUFFER:
        copy->buffer += merge->buffers;
        break;
    case PLAN_OP_ROUTINE:
        copy->routine += merge->routines;
        break;
    case PLAN_OP_ARRAY:
        copy->array += merge->arrays;
        break;
    case PLAN_OP_CELL:
    case PLAN_OP_CELLS:
    case PLAN_OP_KEYED:
    case PLAN_OP_ROW_CELL:
    case PLAN_OP_BUCKET_LOW:
    case PLAN_OP_BUCKET_HIGH:
        copy->counter += merge->counters;
        break;
    default:
        break;
    }
    for (int i = 0; i < 3; i++)
        copy->operand[i] = copy_expression(merge, expression->operand[i]);
    return copy;
}

static struct plan_loop copy_loop(const struct merge *merge, const struct plan_loop *loop) {
    struct plan_loop copy = *loop;
    if (loop->domain == PLAN_DOMAIN_SET)
        copy.set += merge->sets;
    if (loop->domain == PLAN_DOMAIN_BUCKETS || loop->domain == PLAN_DOMAIN_KEYS)
        copy.histogram += merge->counters;
    copy.condition = copy_expression(merge, loop->condition);
    return copy;
}

static const struct plan_loop *copy_merged_loops(const struct merge *merge, const struct plan_loop *loops,
                                                 uint32_t count) {
    struct plan_loop *copy = arena_allocate(merge->arena, count * sizeof *copy);
    for (uint32_t i = 0; i < count; i++)
        copy[i] = copy_loop(merge, &loops[i]);
    return copy;
}

static struct plan_set copy_set(const struct merge *merge, const struct plan_set *set) {
    struct plan_set copy = *set;
    copy.name = prefixed_name(merge, set->name);
    copy.loops = copy_merged_loops(merge, set->loops, set->loop_count);
    copy.left += merge->sets;
    copy.right += merge->sets;
    return copy;
}

/* The routine of the tool whose actions follow calls executes the events of all tools. */
const char *plan_unwind_routine(bool with_texts) {
    return with_texts ? "atomc_stack_unwind_with_texts" : "atomc_stack_unwind";
}

static struct plan_routine copy_merged_routine(const struct merge *merge,
                                               const struct plan_routine *routine) {
    struct plan_routine copy = *routine;
    if (!routine->own)
        copy.name = prefixed_name(merge, routine->name);
    else if (merge->prints_events && strcmp(routine->name, plan_unwind_routine(false)) == 0)
        copy.name = plan_unwind_routine(true);
    return copy;
}

static struct plan_array copy_array(const struct merge *merge, const struct plan_array *array) {
    struct plan_array copy = *array;
    copy.name = prefixed_name(merge, array->name);
    copy.loop = copy_loop(merge, &array->loop);
    copy.value = copy_expression(merge, array->value);
    return copy;
}

static struct plan_counter copy_counter(const struct merge *merge, const struct plan_counter *counter) {
    struct plan_counter copy = *counter;
    copy.name = counter->name ? prefixed_name(merge, counter->name) : NULL;
    if (counter->set != PLAN_SINGLE_CELL)
        copy.set += merge->sets;
    copy.size = copy_expression(merge, counter->size);
    copy.table += merge->buffers;
    return copy;
}

static struct plan_report copy_report(const struct merge *merge, const struct plan_report *report) {
    struct plan_report copy = *report;
    struct plan_column *columns = arena_allocate(merge->arena, report->column_count * sizeof *columns);
    for (uint32_t i = 0; i < report->column_count; i++) {
        columns[i] = report->columns[i];
        columns[i].value = copy_expression(merge, report->columns[i].value);
    }
    copy.columns = columns;
    copy.loops = copy_merged_loops(merge, report->loops, report->loop_count);
    copy.filter = copy_expression(merge, report->filter);
    copy.key = copy_expression(merge, report->key);
    const struct plan_expression **groups =
        arena_allocate(merge->arena, (report->group_count + 1) * sizeof *groups);
    for (uint32_t i = 0; i < report->group_count; i++)
        groups[i] = copy_expression(merge, report->groups[i]);
    copy.groups = groups;
    copy.every_counter += merge->counters;
    copy.every_due += merge->counters;
    return copy;
}

/* For the printed form; the buffer contains no such numbers. */
static const struct plan_command *copy_command(const struct merge *merge,
                                               const struct plan_command *command) {
    if (!command)
        return NULL;
    struct plan_command *copy = arena_allocate(merge->arena, sizeof *copy);
    struct plan_effect *effects = arena_allocate(merge->arena, command->effect_count * sizeof *effects);
    *copy = *command;
    copy->guard = copy_expression(merge, command->guard);
    copy->effects = effects;
    for (uint32_t i = 0; i < command->effect_count; i++) {
        effects[i] = command->effects[i];
        effects[i].counter += merge->counters;
        effects[i].routine += merge->routines;
        effects[i].keys = copy_expression(merge, effects[i].keys);
        effects[i].cell = copy_expression(merge, effects[i].cell);
        effects[i].amount = copy_expression(merge, effects[i].amount);
        effects[i].value = copy_expression(merge, effects[i].value);
        const struct plan_expression **values =
            arena_allocate(merge->arena, (effects[i].value_count + 1) * sizeof *values);
        for (uint32_t k = 0; k < effects[i].value_count; k++)
            values[k] = copy_expression(merge, effects[i].values[k]);
        effects[i].values = values;
    }
    return copy;
}

static struct plan_action copy_action(const struct merge *merge, const struct plan_action *action) {
    struct plan_action copy = *action;
    copy.loops = copy_merged_loops(merge, action->loops, action->loop_count);
    copy.guard = copy_expression(merge, action->guard);
    copy.statement += merge->statements;
    copy.sample_counter += merge->counters;
    if (action->kind == PLAN_ACTION_SET) {
        copy.amount = copy_expression(merge, action->amount);
        copy.value = copy_expression(merge, action->value);
        return copy;
    }
    if (action->kind == PLAN_ACTION_SKIP)
        return copy;
    if (action->kind == PLAN_ACTION_UPDATE) {
        copy.counter += merge->counters;
        copy.cell = copy_expression(merge, action->cell);
        copy.amount = copy_expression(merge, action->amount);
        copy.value = copy_expression(merge, action->value);
        return copy;
    }
    const struct plan_expression **arguments =
        arena_allocate(merge->arena, action->argument_count * sizeof *arguments);
    for (uint32_t i = 0; i < action->argument_count; i++)
        arguments[i] = copy_expression(merge, action->arguments[i]);
    copy.routine += merge->routines;
    copy.arguments = arguments;
    copy.command = copy_command(merge, action->command);
    return copy;
}

/* ---- the actions -------------------------------------------------------------------------------- */

/* The tool whose actions follow calls for all tools: each return or entry must be followed once, also if
   other threads run between two tools' actions. UINT32_MAX: none. */
static uint32_t choose_follower(const struct plan *const *parts, uint32_t count) {
    uint32_t chosen = UINT32_MAX;
    for (uint32_t i = 0; i < count; i++)
        if (parts[i]->follows > (chosen == UINT32_MAX ? PLAN_FOLLOWS_NOTHING : parts[chosen]->follows))
            chosen = i;
    return chosen;
}

static const struct plan_expression *make_merged(const struct merge *merge, enum plan_operator op,
                                                 const struct plan_expression *left,
                                                 const struct plan_expression *right) {
    struct plan_expression *made = arena_allocate(merge->arena, sizeof *made);
    *made = (struct plan_expression){.op = op,
                                     .type = PLAN_TYPE_BOOLEAN,
                                     .dynamic = left->dynamic || right->dynamic,
                                     .where = left->where,
                                     .operand = {left, right}};
    return made;
}

/* The condition without the part that the tool is attached; NULL: nothing remains. */
static const struct plan_expression *without_cell(const struct merge *merge,
                                                  const struct plan_expression *condition, uint32_t counter) {
    if (condition->op == PLAN_OP_CELL)
        return condition->counter == counter ? NULL : condition;
    if (condition->op != PLAN_OP_AND)
        return condition;
    const struct plan_expression *left = without_cell(merge, condition->operand[0], counter),
                                 *right = without_cell(merge, condition->operand[1], counter);
    return left && right ? make_merged(merge, PLAN_OP_AND, left, right) : left ? left : right;
}

/* True while one of the tools that need calls is attached; NULL: always. */
static const struct plan_expression *any_attached(const struct merge *merges, const struct plan *const *parts,
                                                  uint32_t count) {
    const struct plan_expression *any = NULL;
    for (uint32_t i = 0; i < count; i++) {
        if (!parts[i]->follows)
            continue;
        if (!parts[i]->attached)
            return NULL;
        const struct plan_expression *attached = copy_expression(&merges[i], parts[i]->attached);
        any = any ? make_merged(&merges[i], PLAN_OP_OR, any, attached) : attached;
    }
    return any;
}

/* The actions that follow calls, before all others or after them. `attached`: when; NULL: always. */
static void append_followers(struct plan *plan, const struct plan *part, const struct merge *merge,
                             enum plan_follower follower, const struct plan_expression *attached) {
    struct plan_action *actions = (struct plan_action *)plan->actions;
    for (uint32_t i = 0; i < part->action_count; i++) {
        if (part->actions[i].follower != follower)
            continue;
        struct plan_action *copy = &actions[plan->action_count++];
        *copy = copy_action(merge, &part->actions[i]);
        if (!part->attached || !copy->guard)
            continue;
        const struct plan_expression *guard =
            without_cell(merge, copy->guard, part->attached->counter + merge->counters);
        if (guard != copy->guard)
            copy->guard = guard && attached ? make_merged(merge, PLAN_OP_AND, guard, attached)
                          : guard           ? guard
                                            : attached;
    }
}

/* Actions of one statement have one number, and the numbers are in order. */
static void number_statements(struct plan *plan) {
    struct plan_action *actions = (struct plan_action *)plan->actions;
    uint32_t number = 0;
    for (uint32_t i = 0, last = 0; i < plan->action_count; i++) {
        number += i > 0 && actions[i].statement != last;
        last = actions[i].statement;
        actions[i].statement = number;
    }
}

static void append_actions(struct plan *plan, const struct plan *const *parts, const struct merge *merges,
                           uint32_t count) {
    struct plan_action *actions = (struct plan_action *)plan->actions;
    uint32_t chosen = choose_follower(parts, count);
    const struct plan_expression *attached = any_attached(merges, parts, count);
    if (chosen != UINT32_MAX)
        append_followers(plan, parts[chosen], &merges[chosen], PLAN_FOLLOWER_FIRST, attached);
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < parts[i]->action_count; k++)
            if (parts[i]->actions[k].follower == PLAN_NO_FOLLOWER)
                actions[plan->action_count++] = copy_action(&merges[i], &parts[i]->actions[k]);
    if (chosen != UINT32_MAX)
        append_followers(plan, parts[chosen], &merges[chosen], PLAN_FOLLOWER_LAST, attached);
    number_statements(plan);
}

/* ---- the whole ---------------------------------------------------------------------------------- */

/* Appends all but the actions to the merged plan. */
static void append_plan(struct plan *plan, const struct plan *part, const struct merge *merge) {
    struct plan_set *sets = (struct plan_set *)plan->sets + plan->set_count;
    struct plan_routine *routines = (struct plan_routine *)plan->routines + plan->routine_count;
    struct plan_need *needs = (struct plan_need *)plan->needs + plan->need_count;
    struct plan_array *arrays = (struct plan_array *)plan->arrays + plan->array_count;
    struct plan_counter *counters = (struct plan_counter *)plan->counters + plan->counter_count;
    struct plan_function *functions = (struct plan_function *)plan->functions + plan->function_count;
    struct plan_report *reports = (struct plan_report *)plan->reports + plan->report_count;
    plan->address_names |= part->address_names;
    for (uint32_t i = 0; i < part->set_count; i++)
        sets[i] = copy_set(merge, &part->sets[i]);
    for (uint32_t i = 0; i < part->need_count; i++)
        needs[i] = part->needs[i], needs[i].set += merge->sets;
    plan->need_count += part->need_count;
    for (uint32_t i = 0; i < part->routine_count; i++)
        routines[i] = copy_merged_routine(merge, &part->routines[i]);
    struct plan_buffer *buffers = (struct plan_buffer *)plan->buffers + plan->buffer_count;
    for (uint32_t i = 0; i < part->buffer_count; i++)
        buffers[i] = part->buffers[i];
    plan->buffer_count += part->buffer_count;
    for (uint32_t i = 0; i < part->function_count; i++)
        functions[i] = part->functions[i];
    for (uint32_t i = 0; i < part->array_count; i++)
        arrays[i] = copy_array(merge, &part->arrays[i]);
    for (uint32_t i = 0; i < part->counter_count; i++)
        counters[i] = copy_counter(merge, &part->counters[i]);
    for (uint32_t i = 0; i < part->report_count; i++)
        reports[i] = copy_report(merge, &part->reports[i]);
    plan->set_count += part->set_count;
    plan->routine_count += part->routine_count;
    plan->function_count += part->function_count;
    plan->array_count += part->array_count;
    plan->counter_count += part->counter_count;
    plan->report_count += part->report_count;
}

static bool has_file(const struct plan_report *report) {
    return strcmp(report->path, "-") != 0 && strcmp(report->path, "!") != 0;
}

/* A report replaces an existing file: the first tool's file would be lost. */
static void check_files(const struct plan *plan, uint32_t own, struct diagnostics *diagnostics) {
    for (uint32_t i = own; i < plan->report_count; i++)
        for (uint32_t j = 0; j < own; j++)
            if (has_file(&plan->reports[i]) && strcmp(plan->reports[i].path, plan->reports[j].path) == 0) {
                diagnose(diagnostics, &plan->reports[i].where, MESSAGE_SAME_REPORT_FILE,
                         plan->reports[j].tool, plan->reports[i].tool, plan->reports[i].path);
                break;
            }
}

static void reserve_plan(struct plan *whole, const struct plan *const *parts, uint32_t count) {
    uint32_t sets = 0, routines = 0, arrays = 0, counters = 0, functions = 0, buffers = 0, reports = 0,
             actions = 0, needs = 0;
    for (uint32_t i = 0; i < count; i++) {
        sets += parts[i]->set_count;
        needs += parts[i]->need_count;
        routines += parts[i]->routine_count;
        arrays += parts[i]->array_count;
        counters += parts[i]->counter_count;
        functions += parts[i]->function_count;
        buffers += parts[i]->buffer_count;
        reports += parts[i]->report_count;
        actions += parts[i]->action_count;
    }
    whole->sets = arena_allocate(whole->arena, sets * sizeof *whole->sets);
    whole->needs = arena_allocate(whole->arena, needs * sizeof *whole->needs);
    whole->routines = arena_allocate(whole->arena, routines * sizeof *whole->routines);
    whole->arrays = arena_allocate(whole->arena, arrays * sizeof *whole->arrays);
    whole->counters = arena_allocate(whole->arena, counters * sizeof *whole->counters);
    whole->buffers = arena_allocate(whole->arena, buffers * sizeof *whole->buffers);
    whole->functions = arena_allocate(whole->arena, functions * sizeof *whole->functions);
    whole->reports = arena_allocate(whole->arena, reports * sizeof *whole->reports);
    whole->actions = arena_allocate(whole->arena, actions * sizeof *whole->actions);
}

struct plan *plans_merge(const struct plan *const *parts, const char *const *prefixes, uint32_t count,
                         struct diagnostics *diagnostics) {
    unsigned errors = diagnostics_errors(diagnostics);
    struct arena *arena = arena_create();
    struct plan *whole = arena_allocate(arena, sizeof *whole);
    whole->arena = arena;
    whole->description = "";
    whole->name = parts[0]->name;
    reserve_plan(whole, parts, count);
    struct plan_tool *tools = arena_allocate(arena, count * sizeof *tools);
    struct merge *merges = arena_allocate(arena, count * sizeof *merges);
    uint32_t statements = 0;
    whole->tools = tools;
    for (uint32_t i = 0; i < count; i++)
        whole->prints_events |= parts[i]->prints_events;
    for (uint32_t i = 0; i < count; i++) {
        if (parts[i]->tool_count) /* a plan made by C has no parameters */
            tools[whole->tool_count++] = parts[i]->tools[0];
        uint32_t reports = whole->report_count, actions = parts[i]->action_count;
        merges[i] = (struct merge){.arena = arena,
                                   .prefix = prefixes[i],
                                   .prints_events = whole->prints_events,
                                   .sets = whole->set_count,
                                   .routines = whole->routine_count,
                                   .arrays = whole->array_count,
                                   .counters = whole->counter_count,
                                   .functions = whole->function_count,
                                   .buffers = whole->buffer_count,
                                   .statements = statements};
        statements += actions ? parts[i]->actions[actions - 1].statement + 1 : 0;
        if (i > 0)
            whole->name = arena_format(arena, "%s+%s", whole->name, parts[i]->name);
        append_plan(whole, parts[i], &merges[i]);
        check_files(whole, reports, diagnostics);
    }
    append_actions(whole, parts, merges, count);
    if (diagnostics_errors(diagnostics) == errors)
        return whole;
    arena_destroy(arena);
    return NULL;
}
