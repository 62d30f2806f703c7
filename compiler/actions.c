/* actions.c: the statements `before` and `after`: the place, the guard, and the effects there. Requires that
   the loops around the statement are in force as scopes; each effect becomes an action of the plan. */
#include "compiler/internal.h"

#include <stdlib.h>
#include <string.h>

static const char fork_word[] = "fork";

static void report_no_target(struct compilation *compilation, const struct name *target) {
    struct diagnostics *diagnostics = compilation->diagnostics;
    enum plan_place place;
    const struct declaration *declaration = find_declaration(compilation, target->text);
    bool set = declaration && declaration->kind == STATEMENT_SET;
    if (set || place_from_word(target->text, &place)) {
        diagnose(diagnostics, &target->where, MESSAGE_TARGET_IS_SET, target->text,
                 set ? "a set" : "a kind of place");
        const char *kind = set ? target->text : plan_place_plurals[place];
        diagnose_hint(diagnostics, "loop over it: for v in %s { %s v call ... }", kind,
                      set                  ? "before"
                      : place == PLAN_EDGE ? "on"
                      : place == PLAN_LOOP ? "on entry"
                                           : "before");
        return;
    }
    const char **words = allocate((compilation->scope_count + 3) * sizeof *words);
    size_t count = 0;
    for (uint32_t i = 0; i < compilation->scope_count; i++)
        words[count++] = compilation->scopes[i].loop.name;
    words[count++] = plan_place_words[PLAN_PROGRAM];
    words[count++] = fork_word;
    words[count++] = signal_word;
    const char *nearest = nearest_name(target->text, words, count);
    free(words);
    diagnose(diagnostics, &target->where, MESSAGE_UNKNOWN_TARGET, target->text);
    if (nearest)
        diagnose_hint(diagnostics, "did you mean '%s'?", nearest);
    else
        diagnose_hint(diagnostics,
                      "name the program, or the variable of an enclosing loop: for %s in procs { ... }",
                      strlen(target->text) == 1 ? target->text : "p");
}

/* The loops in force, outermost first. */
static const struct plan_loop *copy_open_loops(struct compilation *compilation) {
    struct plan_loop *loops = arena_allocate(compilation->arena, compilation->scope_count * sizeof *loops);
    for (uint32_t i = 0; i < compilation->scope_count; i++)
        loops[i] = compilation->scopes[i].loop;
    return loops;
}

/* The text in the statement. */
static const char *when_word(const struct statement *statement) {
    static const char *const spelled[] = {[ON_NOTHING] = "on",
                                          [ON_ENTRY] = "on entry",
                                          [ON_BACK] = "on back",
                                          [ON_EXIT] = "on exit",
                                          [ON_UNWIND] = "on unwind"};
    return statement->on != ON_NOTHING || statement->when == PLAN_ON
               ? spelled[statement->on]
               : plan_when_words(PLAN_PROGRAM, statement->when);
}

static void report_when(struct compilation *compilation, const struct statement *statement,
                        const struct plan_action *action) {
    const char *place = statement->place.text;
    diagnose(compilation->diagnostics, &statement->keyword, MESSAGE_PLACE_WHEN, when_word(statement),
             type_phrase(plan_place_type(action->place)));
    if (statement->on == ON_UNWIND)
        diagnose_hint(compilation->diagnostics, "procedures are unwound: for p in procs { on unwind p ... }");
    else if (action->place == PLAN_PROCEDURE && statement->when == PLAN_ON)
        diagnose_hint(compilation->diagnostics, "write before %s, after %s or on unwind %s", place, place,
                      place);
    else if (action->place == PLAN_ENTRY)
        diagnose_hint(compilation->diagnostics, "write: before %s", place);
    else if (action->place == PLAN_DATA)
        diagnose_hint(compilation->diagnostics, "watch loads and stores: before i when $addr in %s", place);
    else if (action->place == PLAN_POSITION)
        diagnose_hint(compilation->diagnostics, "act at blocks, and report %s.block", place);
    else if (action->place == PLAN_EDGE)
        diagnose_hint(compilation->diagnostics, "write: on %s", place);
    else if (action->place == PLAN_LOOP)
        diagnose_hint(compilation->diagnostics, "write on entry %s, on back %s or on exit %s", place, place,
                      place);
    else
        diagnose_hint(compilation->diagnostics, "write before %s or after %s", place, place);
}

/* True if before, after or on has a meaning for this kind of place. */
static bool check_when(struct compilation *compilation, const struct statement *statement,
                       const struct plan_action *action) {
    bool unwinds = action->place == PLAN_PROCEDURE && statement->when == PLAN_ON;
    if (plan_allows(action->place, statement->when) &&
        (unwinds ? statement->on == ON_UNWIND : statement->on == ON_NOTHING || action->place == PLAN_LOOP) &&
        (unwinds || statement->on != ON_UNWIND))
        return true;
    report_when(compilation, statement, action);
    return false;
}

/* Resolves the place that is instrumented. Returns false after an error, which is reported here or was
   reported before. */
static bool check_place(struct compilation *compilation, const struct statement *statement,
                        struct plan_action *action) {
    const struct name *place = &statement->place;
    uint32_t variable = 0;
    if (find_scope(compilation, place->text, &variable)) {
        compilation->scopes[variable].uses++;
        if (is_register_loop(&compilation->scopes[variable].loop) && !compilation->scopes[variable].broken) {
            diagnose(compilation->diagnostics, &statement->keyword, MESSAGE_PLACE_WHEN, when_word(statement),
                     type_phrase(PLAN_TYPE_REGISTER));
            diagnose_hint(compilation->diagnostics, "the instruction is the place: %s %s",
                          when_word(statement),
                          compilation->scopes[compilation->scopes[variable].loop.container].loop.name);
            return false;
        }
        action->place = compilation->scopes[variable].loop.kind;
        action->place_variable = variable;
        return !compilation->scopes[variable].broken && check_when(compilation, statement, action);
    }
    if (strcmp(place->text, signal_word) == 0) {
        action->place = PLAN_PROGRAM;
        if (statement->on == ON_UNWIND || (statement->on == ON_NOTHING && statement->when <= PLAN_AFTER))
            return true;
        diagnose(compilation->diagnostics, &statement->keyword, MESSAGE_PLACE_WHEN, when_word(statement),
                 "a signal");
        diagnose_hint(compilation->diagnostics, "write before signal, after signal or on unwind signal");
        return false;
    }
    bool fork = strcmp(place->text, fork_word) == 0;
    if (fork && statement->when != PLAN_ON) {
        diagnose(compilation->diagnostics, &statement->keyword, MESSAGE_PLACE_WHEN, when_word(statement),
                 "a fork");
        diagnose_hint(compilation->diagnostics, "write: on fork; that is in the new process");
        return false;
    }
    if (fork || strcmp(place->text, plan_place_words[PLAN_PROGRAM]) == 0) {
        action->place = PLAN_PROGRAM;
        if (statement->on != ON_UNWIND && (fork || statement->when != PLAN_ON))
            return check_when(compilation, statement, action);
        report_when(compilation, statement, action);
        return false;
    }
    report_no_target(compilation, place);
    return false;
}

/* True if the guard is false at every place. */
static bool is_never(const struct plan_expression *guard) {
    if (guard && guard->op == PLAN_OP_AND)
        return is_never(guard->operand[0]) || is_never(guard->operand[1]);
    return guard && is_constant(guard) && guard->integer == 0;
}

/* Before and after an object it is the runtime that acts, and it does not compute. */
static void check_alone(struct compilation *compilation, const struct plan_expression *expression,
                        bool alone) {
    if (!expression || !expression->dynamic || expression->type == PLAN_TYPE_ERROR ||
        (alone && expression->op == PLAN_OP_VALUE))
        return;
    diagnose(compilation->diagnostics, &expression->where, MESSAGE_BASE_ALONE);
    diagnose_hint(compilation->diagnostics, "compute in the C routine, or in the columns of a report");
}

static void check_object_action(struct compilation *compilation, const struct plan_action *action) {
    for (uint32_t i = 0; action->command && i < action->argument_count; i++)
        check_alone(compilation, action->arguments[i], true);
    if (action->command)
        return;
    check_alone(compilation, action->cell, false);
    check_alone(compilation, action->value, false);
    check_alone(compilation, action->amount, true);
    for (uint32_t i = 0; i < action->argument_count; i++)
        check_alone(compilation, action->arguments[i], true);
}

/* exit STATUS */
static void check_exit(struct compilation *compilation, const struct effect *effect,
                       struct plan_effect *made) {
    enum plan_place place = compilation->context.place;
    bool fork = place == PLAN_PROGRAM && compilation->context.when == PLAN_ON;
    made->kind = PLAN_EFFECT_EXIT;
    made->counter = NO_COUNTER;
    made->amount = check_expression(compilation, effect->amount);
    compilation->has_effect = true;
    if (made->amount->type != PLAN_TYPE_ERROR && !is_number(made->amount->type))
        diagnose(compilation->diagnostics, &made->amount->where, MESSAGE_EXIT_STATUS,
                 type_phrase(made->amount->type));
    if (place > PLAN_OBJECT)
        return;
    diagnose(compilation->diagnostics, &effect->where, MESSAGE_EXIT_PLACE,
             plan_when_words(place, compilation->context.when), fork ? "" : " ",
             fork ? "" : type_phrase(plan_place_type(place)));
    diagnose_hint(compilation->diagnostics,
                  "no instruction of the program is executed then: exit before a proc or an inst");
}

/* A statement of which the runtime decides whether anything is done, and does all of it. */
struct plan_effect check_effect(struct compilation *compilation, const struct effect *effect) {
    struct plan_effect made = {.kind = PLAN_EFFECT_UPDATE, .where = effect->where};
    if (effect->kind == EFFECT_TURN)
        check_turn(compilation, effect, &made);
    else if (effect->kind == EFFECT_DETACH)
        check_detach(compilation, effect, &made);
    else if (effect->kind == EFFECT_PUT)
        check_put(compilation, effect, &made);
    else if (effect->kind == EFFECT_PRINT)
        check_print(compilation, effect, &made);
    else if (effect->kind == EFFECT_EXIT)
        check_exit(compilation, effect, &made);
    else if (effect->kind == EFFECT_DELETE || effect->kind == EFFECT_CLEAR)
        check_removal(compilation, effect, &made);
    else
        check_update(compilation, effect, &made);
    return made;
}

/* True if the runtime executes it. */
static bool is_commanded(const struct compilation *compilation, const struct plan_effect *effect) {
    return effect->kind != PLAN_EFFECT_UPDATE ||
           (effect->counter != NO_COUNTER &&
            plan_is_keyed(&compilation->counters[effect->counter].counter)) ||
           needs_command(effect->cell) || needs_command(effect->amount) || needs_command(effect->value);
}

static void append_to_plan(struct compilation *compilation, const struct plan_action *action) {
    if (action->place == PLAN_OBJECT)
        check_object_action(compilation, action);
    VECTOR_RESERVE(compilation->actions, compilation->action_count, compilation->action_capacity);
    compilation->actions[compilation->action_count++] = *action;
}

/* True if the tool is marked as a tool that changes the behaviour of programs. */
static bool changes_program(const struct compilation *compilation) {
    for (const struct statement *at = compilation->tool->statements; at; at = at->next)
        if (at->kind == STATEMENT_TOOL && at->changes)
            return true;
    return false;
}

static void check_changes(struct compilation *compilation, const struct effect *effect) {
    if (changes_program(compilation))
        return;
    diagnose(compilation->diagnostics, &effect->where, MESSAGE_CHANGES_MISSING);
    diagnose_hint(compilation->diagnostics, "write 'changes' at the end of the tool line if it is meant to");
}

/* The register of `$ret`, `$arg(n)` or `$(register)`; false if it cannot be set. */
static bool is_settable(const struct plan_expression *target) {
    const struct plan_expression *number = target->operand[0];
    if (target->op != PLAN_OP_VALUE)
        return false;
    if (target->value == PLAN_VALUE_RETURN)
        return true;
    bool argument = target->value == PLAN_VALUE_ARGUMENT && is_constant(number) && number->integer < 6;
    return argument || target->value == PLAN_VALUE_REGISTER;
}

/* set $(register) = e */
static void check_set_register(struct compilation *compilation, const struct effect *effect,
                               struct plan_action *action) {
    struct diagnostics *diagnostics = compilation->diagnostics;
    action->kind = PLAN_ACTION_SET;
    action->value = check_expression(compilation, effect->value);
    action->amount = check_expression(compilation, effect->amount);
    check_changes(compilation, effect);
    if (action->value->type != PLAN_TYPE_ERROR && !is_settable(action->value)) {
        diagnose(diagnostics, &action->value->where, MESSAGE_SET_TARGET);
        diagnose_hint(diagnostics, "$(register), $ret, or $a0 to $a5");
    }
    if (needs_command(action->amount) && action->amount->type != PLAN_TYPE_ERROR)
        diagnose(diagnostics, &action->amount->where, MESSAGE_SET_COMMANDED,
                 spell_source(compilation, &action->amount->where));
    else if (action->amount->type != PLAN_TYPE_ERROR && !is_number(action->amount->type))
        diagnose(diagnostics, &action->amount->where, MESSAGE_SET_AMOUNT, type_phrase(action->amount->type));
}

/* skip */
static void check_skip(struct compilation *compilation, const struct effect *effect,
                       struct plan_action *action) {
    enum plan_place place = compilation->context.place;
    bool single = place == PLAN_INSTRUCTION || place == PLAN_CALLSITE || place == PLAN_SYSTEM_CALL;
    action->kind = PLAN_ACTION_SKIP;
    if (place == PLAN_PLACE_COUNT || (single && action->when == PLAN_BEFORE)) {
        check_changes(compilation, effect);
        return;
    }
    bool fork = place == PLAN_PROGRAM && action->when == PLAN_ON;
    diagnose(compilation->diagnostics, &effect->where, MESSAGE_SKIP_PLACE,
             plan_when_words(place, action->when), fork ? "" : " ",
             fork ? "" : type_phrase(plan_place_type(place)));
    if (single)
        diagnose_hint(compilation->diagnostics, "it has been executed there: write before");
    else if (place == PLAN_PROCEDURE || place == PLAN_ENTRY)
        diagnose_hint(compilation->diagnostics, "before a callsite, or: replace p with ROUTINE");
    else
        diagnose_hint(compilation->diagnostics, "before an inst, a callsite or a syscall");
}

/* A call with values that only the runtime has: it makes the call. */
static void add_commanded_call(struct compilation *compilation, struct plan_action *action,
                               const struct effect *effect) {
    struct plan_effect *call = arena_allocate(compilation->arena, sizeof *call);
    *call = (struct plan_effect){.kind = PLAN_EFFECT_CALL,
                                 .where = effect->where,
                                 .counter = NO_COUNTER,
                                 .routine = action->routine,
                                 .value_count = action->argument_count,
                                 .values = action->arguments};
    make_command(compilation, action, &(struct plan_command){.effect_count = 1, .effects = call});
}

static void add_action(struct compilation *compilation, struct plan_action action,
                       const struct effect *effect) {
    compilation->has_effect |=
        effect->kind == EFFECT_CALL || effect->kind == EFFECT_SET || effect->kind == EFFECT_SKIP;
    if (effect->kind == EFFECT_CALL && is_never(action.guard) && is_missing(compilation, &effect->name)) {
        check_arguments(compilation, effect, NO_ROUTINE); /* for a file that is not used */
        return;
    }
    if (effect->kind == EFFECT_CALL) {
        action.kind = PLAN_ACTION_CALL;
        action.routine = check_routine(compilation, &effect->name);
        action.arguments = check_arguments(compilation, effect, action.routine);
        action.argument_count = effect->argument_count;
        if (pass_commanded(compilation, &action))
            add_commanded_call(compilation, &action, effect);
    } else if (effect->kind == EFFECT_SET) {
        check_set_register(compilation, effect, &action);
    } else if (effect->kind == EFFECT_SKIP) {
        check_skip(compilation, effect, &action);
    } else {
        struct plan_effect made = check_effect(compilation, effect);
        if (is_commanded(compilation, &made)) {
            struct plan_effect *kept = arena_allocate(compilation->arena, sizeof *kept);
            *kept = made;
            if (has_constant_keys(compilation, &action, kept))
                note_constant_keys(compilation, kept);
            else
                make_command(compilation, &action,
                             &(struct plan_command){.effect_count = 1, .effects = kept});
        } else {
            action.kind = PLAN_ACTION_UPDATE;
            action.counter = made.counter;
            action.cell = made.cell;
            action.amount = made.amount;
            action.value = made.value;
        }
    }
    append_to_plan(compilation, &action);
}

/* Splits a condition at each `and`: the part that inserted code computes, and the part that the runtime
   computes. */
static void split_guard(struct compilation *compilation, const struct plan_expression *guard,
                        struct plan_expression **site, struct plan_expression **command) {
    if (guard->op == PLAN_OP_AND && needs_command(guard)) {
        split_guard(compilation, guard->operand[0], site, command);
        split_guard(compilation, guard->operand[1], site, command);
        return;
    }
    struct plan_expression **side = needs_command(guard) ? command : site;
    *side = both(compilation, *side, guard);
}

/* The runtime decides whether, so it does all. */
static void add_commanded(struct compilation *compilation, struct plan_action action,
                          const struct effect *effects, const struct plan_expression *guard) {
    uint32_t count = 0;
    for (const struct effect *effect = effects; effect; effect = effect->next)
        count++;
    struct plan_effect *made = arena_allocate(compilation->arena, count * sizeof *made);
    struct plan_command command = {.guard = guard, .sample = action.sample, .effects = made};
    for (const struct effect *effect = effects; effect; effect = effect->next) {
        if (effect->kind == EFFECT_SET) {
            diagnose(compilation->diagnostics, &effect->where, MESSAGE_SET_COMMANDED,
                     spell_source(compilation, &guard->where));
            continue;
        }
        if (effect->kind == EFFECT_SKIP) {
            diagnose(compilation->diagnostics, &effect->where, MESSAGE_SKIP_COMMANDED,
                     spell_source(compilation, &guard->where));
            diagnose_hint(compilation->diagnostics,
                          "turn a switch on where it holds, and skip when that is on");
            continue;
        }
        if (effect->kind != EFFECT_CALL) {
            made[command.effect_count++] = check_effect(compilation, effect);
            continue;
        }
        check_arguments(compilation, effect, NO_ROUTINE);
        diagnose(compilation->diagnostics, &effect->where, MESSAGE_COMMAND_CALL,
                 spell_source(compilation, &guard->where));
        diagnose_hint(compilation->diagnostics, "pass what it needs, and decide in the C routine");
    }
    action.sample = 0;
    make_command(compilation, &action, &command);
    append_to_plan(compilation, &action);
}

/* The first part of the condition that may have another value when it is evaluated again at the same point:
   other threads change counters, switches and memory, and so do the actions between. NULL: there is none. */
static const struct plan_expression *changing_part(const struct plan_expression *condition) {
    if (!condition || !condition->dynamic)
        return NULL;
    if (condition->op == PLAN_OP_CELL || condition->op == PLAN_OP_KEYED || condition->op == PLAN_OP_TEXT ||
        condition->op == PLAN_OP_MEMORY || condition->op == PLAN_OP_FIELD ||
        (condition->op == PLAN_OP_VALUE &&
         (condition->value == PLAN_VALUE_CYCLES || condition->value == PLAN_VALUE_NANOSECONDS)))
        return condition;
    for (int i = 0; i < 3; i++) {
        const struct plan_expression *found = changing_part(condition->operand[i]);
        if (found)
            return found;
    }
    return NULL;
}

/* The part after `else` is a statement with the opposite condition, which must have the same value there. */
static bool check_else(struct compilation *compilation, const struct statement *statement,
                       const struct plan_expression *condition) {
    struct diagnostics *diagnostics = compilation->diagnostics;
    const struct source_span *where = &statement->otherwise->keyword;
    if (!condition) {
        diagnose(diagnostics, where, MESSAGE_ELSE_ALONE);
        diagnose_hint(diagnostics, "before b when $taken n++ else m++");
        return false;
    }
    const struct plan_expression *changing = changing_part(condition);
    if (changing) {
        diagnose(diagnostics, &changing->where, MESSAGE_ELSE_CHANGING,
                 spell_source(compilation, &changing->where));
        diagnose_hint(diagnostics, "registers, $taken, $addr, $tid and static values stay as they are");
        return false;
    }
    for (const struct effect *effect = statement->effects; effect; effect = effect->next)
        if (effect->kind == EFFECT_SET || effect->kind == EFFECT_SKIP) {
            diagnose(diagnostics, &effect->where, MESSAGE_ELSE_CHANGED,
                     effect->kind == EFFECT_SET ? "set" : "skip");
            diagnose_hint(diagnostics, "exchange the two parts, if the other one only counts");
            return false;
        }
    return condition->type != PLAN_TYPE_ERROR;
}

/* The effects under a guard, NULL: always. */
static void add_effects(struct compilation *compilation, struct plan_action action,
                        const struct effect *effects) {
    struct plan_expression *commanded = NULL, *site = NULL;
    uint32_t first = compilation->action_count;
    if (action.guard && needs_command(action.guard) && action.guard->type != PLAN_TYPE_ERROR) {
        split_guard(compilation, action.guard, &site, &commanded);
        action.guard = site;
        add_commanded(compilation, action, effects, commanded);
        open_prints(compilation, first);
        return;
    }
    bool several = effects && effects->next;
    for (const struct effect *effect = effects; effect; effect = effect->next) {
        if (several)
            action.where = effect->where;
        add_action(compilation, action, effect);
    }
    open_prints(compilation, first);
}

/* `except`: the parts before `else` are executed where this does not hold; NULL: there are none. */
static void check_guarded_action(struct compilation *compilation, const struct statement *statement,
                                 const struct plan_expression *except) {
    struct plan_action action = {
        .where = statement->where, .when = statement->when, .statement = compilation->action_statements++};
    bool known = check_place(compilation, statement, &action);
    const struct plan_expression *condition = NULL;
    /* The place is unknown: any value may be meaningful, so no error is reported. */
    uint32_t variable;
    enum command_event event = event_of(statement, strcmp(statement->place.text, signal_word) == 0 &&
                                                       !find_scope(compilation, signal_word, &variable));
    bool is_event = known && event != COMMAND_EVENTS;
    compilation->context = (struct expression_context){.when = action.when,
                                                       .place = known ? action.place : PLAN_PLACE_COUNT,
                                                       .is_event = is_event,
                                                       .event = event};
    compilation->choosing++;
    if (statement->guard)
        condition = action.guard =
            to_boolean(compilation, check_expression(compilation, statement->guard), "a 'when' condition");
    compilation->choosing--;
    if (action.place == PLAN_OBJECT)
        check_alone(compilation, action.guard, false);
    if (except)
        action.guard = condition ? both(compilation, both(compilation, NULL, except), condition) : except;
    if (statement->sample)
        check_sample(compilation, statement->sample, &action, known && !is_event);
    action.loop_count = compilation->scope_count;
    action.loops = copy_open_loops(compilation);
    if (is_event || action.place > PLAN_OBJECT)
        action.guard = while_attached(compilation, action.guard);
    if (is_event)
        add_event(compilation, action, statement->effects);
    else
        add_effects(compilation, action, statement->effects);
    if (!statement->otherwise || !known || !check_else(compilation, statement, condition))
        return;
    const struct plan_expression *opposite =
        make_operator(compilation, PLAN_OP_NOT, PLAN_TYPE_BOOLEAN, &condition->where,
                      both(compilation, NULL, condition), NULL);
    check_guarded_action(compilation, statement->otherwise,
                         except ? both(compilation, both(compilation, NULL, except), opposite) : opposite);
}

void check_action(struct compilation *compilation, const struct statement *statement) {
    check_guarded_action(compilation, statement, NULL);
}

void check_replace(struct compilation *compilation, const struct statement *statement) {
    struct plan_action action = {.where = statement->where,
                                 .when = PLAN_BEFORE,
                                 .kind = PLAN_ACTION_REPLACE,
                                 .place = PLAN_PROCEDURE,
                                 .statement = compilation->action_statements++};
    uint32_t variable;
    if (!find_scope(compilation, statement->place.text, &variable)) {
        diagnose(compilation->diagnostics, &statement->place.where, MESSAGE_REPLACE_PLACE,
                 statement->place.text);
        diagnose_hint(compilation->diagnostics, "for p in procs where p.name == \"%s\" { replace p with %s }",
                      statement->place.text, statement->name.text);
        return;
    }
    struct scope *scope = &compilation->scopes[variable];
    scope->uses++;
    if (!scope->broken && scope->loop.kind != PLAN_PROCEDURE)
        diagnose(compilation->diagnostics, &statement->place.where, MESSAGE_REPLACE_KIND,
                 type_phrase((enum plan_type)(PLAN_TYPE_PROGRAM + scope->loop.kind)));
    action.place_variable = variable;
    action.loop_count = compilation->scope_count;
    action.loops = copy_open_loops(compilation);
    action.routine = check_routine(compilation, &statement->name);
    check_replacement(compilation, &statement->name, action.routine, statement->effects != NULL);
    if (statement->effects)
        check_given_arguments(compilation, statement, &action);
    VECTOR_RESERVE(compilation->actions, compilation->action_count, compilation->action_capacity);
    compilation->actions[compilation->action_count++] = action;
}
