/* every.c: reports that are written while the program runs. After an update of a counter on which such a
   report depends, inserted code compares the counter, and calls the runtime when a row is due. For reports on
   signals the runtime needs no inserted code. Requires checked statements. */
#include "compiler/internal.h"

#include <stdlib.h>
#include <string.h>

static int64_t check_number(struct compilation *compilation, const struct expression *expression) {
    const struct plan_expression *number = check_expression(compilation, expression);
    if (number->type == PLAN_TYPE_ERROR)
        return 0;
    if (is_constant(number) && number->type == PLAN_TYPE_INTEGER && number->integer > 0 &&
        number->integer <= INT32_MAX)
        return number->integer;
    diagnose(compilation->diagnostics, &number->where, MESSAGE_EVERY_NUMBER);
    diagnose_hint(compilation->diagnostics, "every 500 ms, every 1000000 of COUNTER");
    return 0;
}

static uint32_t hidden_counter(struct compilation *compilation, const struct plan_report *report,
                               const char *what) {
    const char *name =
        arena_format(compilation->arena, "every%u.%s", (unsigned)compilation->report_count, what);
    return add_counter(
        compilation, (struct plan_counter){
                         .name = name, .where = report->where, .kind = PLAN_SAMPLE, .set = PLAN_SINGLE_CELL});
}

void check_every(struct compilation *compilation, const struct statement *statement,
                 struct plan_report *report) {
    const char *unit = statement->name.text;
    compilation->context = (struct expression_context){.static_role = "the number after 'every'"};
    report->every_count = check_number(compilation, statement->value);
    bool seconds = strcmp(unit, "s") == 0, counted = statement->every && strcmp(unit, "of") == 0;
    if (!counted && (statement->every || (!seconds && strcmp(unit, "ms") != 0))) {
        diagnose(compilation->diagnostics, &statement->name.where, MESSAGE_EVERY_UNIT, unit);
        diagnose_hint(compilation->diagnostics, "every 1 s report ..., every 1000 of COUNTER report ...");
        return;
    }
    if (report->is_text || report->joins)
        diagnose(compilation->diagnostics, &statement->keyword, MESSAGE_EVERY_TEXT);
    if (seconds)
        report->every_count *= 1000;
    report->every = counted ? PLAN_EVERY_EVENTS : PLAN_EVERY_MILLISECONDS;
    if (counted) {
        compilation->context = (struct expression_context){.static_role = "a counter", .report = true};
        const struct plan_expression *counter = check_expression(compilation, statement->every);
        if (counter->type == PLAN_TYPE_ERROR)
            return;
        if (counter->op != PLAN_OP_CELL || plan_has_cells(&compilation->counters[counter->counter].counter)) {
            diagnose(compilation->diagnostics, &statement->every->where, MESSAGE_EVERY_COUNTER);
            diagnose_hint(compilation->diagnostics, "count in another, without [], what is counted there");
            return;
        }
        report->every_counter = counter->counter;
    } else {
        report->every_counter = hidden_counter(compilation, report, "events");
    }
    report->every_due = hidden_counter(compilation, report, "due");
}

enum signal_use { REPORTED, NEVER, CAUSED };
static const struct signal {
    const char *name;
    int number;
    enum signal_use use;
} signals[] = {
#define SIGNAL(number, name, use) {#name, number, use},
#include "plan/signals.def"
#undef SIGNAL
};
enum { SIGNALS = sizeof signals / sizeof *signals };

static const struct signal *find_signal(const char *name) {
    if (strncmp(name, "SIG", 3) == 0)
        name += 3;
    for (int i = 0; i < SIGNALS; i++)
        if (strcmp(signals[i].name, name) == 0)
            return &signals[i];
    return NULL;
}

static void hint_signals(struct compilation *compilation) {
    const char *names = "";
    for (int i = 0; i < SIGNALS; i++)
        if (signals[i].use == REPORTED)
            names = arena_format(compilation->scratch, "%s %s", names, signals[i].name);
    diagnose_hint(compilation->diagnostics, "reports are written on%s", names);
}

void check_on_signal(struct compilation *compilation, const struct statement *statement,
                     struct plan_report *report) {
    const struct name *name = &statement->signal;
    const struct signal *signal = find_signal(name->text);
    if (strcmp(statement->name.text, "signal") != 0) {
        diagnose(compilation->diagnostics, &statement->name.where, MESSAGE_ON_SIGNAL_WORD,
                 statement->name.text);
        diagnose_hint(compilation->diagnostics, "on signal \"USR1\" report ...");
        return;
    }
    if (report->is_text || report->joins)
        diagnose(compilation->diagnostics, &statement->keyword, MESSAGE_EVERY_TEXT);
    if (!signal || signal->use != REPORTED) {
        diagnose(compilation->diagnostics, &name->where,
                 !signal                ? MESSAGE_ON_SIGNAL_NAME
                 : signal->use == NEVER ? MESSAGE_ON_SIGNAL_NEVER
                                        : MESSAGE_ON_SIGNAL_CAUSED,
                 name->text);
        hint_signals(compilation);
        return;
    }
    report->every = PLAN_EVERY_SIGNAL;
    report->every_count = signal->number;
}

/* ---- actions -------------------------------------------------------------------------------- */

static void mark_shown(const struct plan_expression *expression, bool *shown) {
    if (!expression)
        return;
    if (expression->op == PLAN_OP_CELL)
        shown[expression->counter] = true;
    for (int i = 0; i < 3; i++)
        mark_shown(expression->operand[i], shown);
}

/* Rows over a counter's cells, or a histogram's buckets, depend on that counter as well. */
static bool *shown_by(struct compilation *compilation, const struct plan_report *report) {
    bool *shown =
        arena_allocate(compilation->scratch, ((size_t)compilation->counter_count + 1) * sizeof *shown);
    mark_shown(report->filter, shown);
    mark_shown(report->key, shown);
    for (uint32_t i = 0; i < report->column_count; i++)
        mark_shown(report->columns[i].value, shown);
    for (uint32_t i = 0; i < report->loop_count; i++)
        if (report->loops[i].domain == PLAN_DOMAIN_BUCKETS)
            shown[report->loops[i].histogram] = true;
    return shown;
}

static struct plan_expression *cell_expression(struct compilation *compilation,
                                               const struct plan_report *report, enum plan_operator op,
                                               uint32_t counter) {
    struct plan_expression *result = make_expression(
        compilation, op, op == PLAN_OP_CELL ? PLAN_TYPE_INTEGER : PLAN_TYPE_ARRAY, &report->where);
    result->counter = counter;
    result->dynamic = op == PLAN_OP_CELL;
    if (op == PLAN_OP_CELL) /* the only one */
        result->operand[0] = make_expression(compilation, PLAN_OP_INTEGER, PLAN_TYPE_INTEGER, &report->where);
    return result;
}

/* The runtime's routine, whose argument is the cell that has reached its limit. */
static uint32_t runtime_routine(struct compilation *compilation) {
    static const char name[] = "atomc_report_is_due";
    for (uint32_t i = 0; i < compilation->routine_count; i++)
        if (strcmp(compilation->routines[i].routine.name, name) == 0)
            return i;
    struct plan_parameter *parameter = arena_allocate(compilation->arena, sizeof *parameter);
    *parameter = (struct plan_parameter){
        .type = PLAN_C_POINTER, .element = PLAN_C_LONG, .name = "due", .spelled = "long *"};
    struct routine_entry entry = {.routine = {.name = name,
                                              .prototyped = true,
                                              .result = PLAN_C_VOID,
                                              .parameter_count = 1,
                                              .parameters = parameter,
                                              .own = true}};
    VECTOR_RESERVE(compilation->routines, compilation->routine_count, compilation->routine_capacity);
    compilation->routines[compilation->routine_count] = entry;
    return compilation->routine_count++;
}

static void append_sampled_action(struct compilation *compilation, struct plan_action action) {
    VECTOR_RESERVE(compilation->actions, compilation->action_count, compilation->action_capacity);
    compilation->actions[compilation->action_count++] = action;
}

/* Adds the check after the update, at its place, with any condition that is not static. */
static void add_checks(struct compilation *compilation, const struct plan_action *update,
                       const struct plan_report *report) {
    struct plan_action action = *update;
    action.where = report->where;
    action.sample = 0;
    action.kind = PLAN_ACTION_UPDATE;
    action.command = NULL;
    action.arguments = NULL;
    action.argument_count = 0;
    action.cell = action.value = NULL;
    if (action.guard && action.guard->dynamic)
        action.guard = NULL;
    if (report->every == PLAN_EVERY_MILLISECONDS) {
        struct plan_expression *one =
            make_expression(compilation, PLAN_OP_INTEGER, PLAN_TYPE_INTEGER, &report->where);
        one->integer = 1;
        action.counter = report->every_counter;
        action.amount = one;
        action.statement = compilation->action_statements++;
        append_sampled_action(compilation, action);
    }
    const struct plan_expression **argument = arena_allocate(compilation->arena, sizeof *argument);
    *argument = cell_expression(compilation, report, PLAN_OP_CELLS, report->every_due);
    struct plan_expression *reached =
        make_operator(compilation, PLAN_OP_GREATER_EQUAL, PLAN_TYPE_BOOLEAN, &report->where,
                      cell_expression(compilation, report, PLAN_OP_CELL, report->every_counter),
                      cell_expression(compilation, report, PLAN_OP_CELL, report->every_due));
    action.guard = action.guard ? both(compilation, both(compilation, NULL, action.guard), reached) : reached;
    action.kind = PLAN_ACTION_CALL;
    action.amount = NULL;
    action.counter = 0;
    action.routine = runtime_routine(compilation);
    action.arguments = argument;
    action.argument_count = 1;
    action.statement = compilation->action_statements++;
    append_sampled_action(compilation, action);
}

static bool waits_for(const struct plan_report *report, const bool *shown, uint32_t counter) {
    return report->every == PLAN_EVERY_EVENTS ? counter == report->every_counter : shown[counter];
}

static bool updates_some(const struct plan_action *action, const struct plan_report *report,
                         const bool *shown) {
    if (action->kind == PLAN_ACTION_UPDATE)
        return waits_for(report, shown, action->counter);
    for (uint32_t i = 0;
         action->kind == PLAN_ACTION_CALL && action->command && i < action->command->effect_count; i++)
        if (action->command->effects[i].kind == PLAN_EFFECT_UPDATE &&
            waits_for(report, shown, action->command->effects[i].counter))
            return true;
    return false;
}

/* The first of the statement's `count` actions that updates a counter on which the report depends. */
static const struct plan_action *find_awaited_update(const struct plan_action *actions, uint32_t count,
                                                     const struct plan_report *report, const bool *shown) {
    for (uint32_t i = 0; i < count; i++)
        if (actions[i].place > PLAN_OBJECT && updates_some(&actions[i], report, shown))
            return &actions[i];
    return NULL;
}

void add_reports_while_running(struct compilation *compilation) {
    for (uint32_t r = 0; r < compilation->report_count; r++) {
        const struct plan_report *report = &compilation->reports[r];
        if (report->every == PLAN_EVERY_END || report->every == PLAN_EVERY_SIGNAL)
            continue;
        bool *shown = shown_by(compilation, report);
        struct plan_action *actions = compilation->actions;
        uint32_t count = compilation->action_count;
        for (uint32_t i = 0; i < compilation->counter_count; i++)
            compilation->counters[i].counter.live |= shown[i];
        compilation->counters[report->every_counter].counter.live = true;
        compilation->actions = NULL;
        compilation->action_count = compilation->action_capacity = compilation->action_statements = 0;
        for (uint32_t i = 0, end; i < count; i = end) {
            for (end = i + 1; end < count && actions[end].statement == actions[i].statement;)
                end++;
            uint32_t number = compilation->action_statements++;
            for (uint32_t k = i; k < end; k++) {
                append_sampled_action(compilation, actions[k]);
                compilation->actions[compilation->action_count - 1].statement = number;
            }
            const struct plan_action *update = find_awaited_update(actions + i, end - i, report, shown);
            if (update)
                add_checks(compilation, update, report);
        }
        free(actions);
    }
}
