/* events.c: actions at events that the runtime finds, at no instruction of the program: a procedure is
   unwound, a signal is handled. Each statement becomes a command (commands.c) that is given to the runtime
   before the program starts. Requires a checked place and condition. */
#include "compiler/internal.h"

#include <stdlib.h>
#include <string.h>

const char signal_word[] = "signal";

enum command_event event_of(const struct statement *statement, bool is_signal) {
    if (statement->on == ON_UNWIND)
        return is_signal ? COMMAND_SIGNAL_UNWIND : COMMAND_UNWIND;
    if (!is_signal)
        return COMMAND_EVENTS;
    return statement->when == PLAN_BEFORE ? COMMAND_SIGNAL_BEFORE : COMMAND_SIGNAL_AFTER;
}

static const char *const event_words[] = {[COMMAND_UNWIND] = "on unwind of",
                                          [COMMAND_SIGNAL_BEFORE] = "before",
                                          [COMMAND_SIGNAL_AFTER] = "after",
                                          [COMMAND_SIGNAL_UNWIND] = "on unwind of"};

bool check_event_value(struct compilation *compilation, const struct source_span *where, const char *word,
                       enum plan_value value) {
    switch (value) {
    case PLAN_VALUE_THREAD:
    case PLAN_VALUE_THREAD_NUMBER:
    case PLAN_VALUE_PROCESS_NUMBER:
    case PLAN_VALUE_STACK:
    case PLAN_VALUE_DEPTH:
    case PLAN_VALUE_NANOSECONDS:
    case PLAN_VALUE_THREAD_NAME:
    case PLAN_VALUE_STRING:
    case PLAN_VALUE_STATIC:
    case PLAN_VALUE_SYMBOL:
    case PLAN_VALUE_OBJECT_NAME:
    case PLAN_VALUE_LINE:
        return true;
    case PLAN_VALUE_SIGNAL:
    case PLAN_VALUE_HANDLER:
    case PLAN_VALUE_PC:
        if (compilation->context.event != COMMAND_UNWIND)
            return true;
        break;
    default:
        break;
    }
    bool unwind = compilation->context.event == COMMAND_UNWIND;
    diagnose(compilation->diagnostics, where, MESSAGE_DYNAMIC_PLACE, word,
             event_words[compilation->context.event], unwind ? "a procedure" : "a signal");
    diagnose_hint(
        compilation->diagnostics,
        unwind ? "the frame is gone: $depth, $stack, $tid, $ns, $comm, counters and attributes are known"
               : "$signal, $handler, $pc, $depth, $stack, $tid, $ns, $comm and counters are known");
    return false;
}

/* Splits the condition at each `and`: the part that is known for each place, and the part of the command. */
static void split_event_guard(struct compilation *compilation, const struct plan_expression *guard,
                              struct plan_expression **place, struct plan_expression **command) {
    if (guard->op == PLAN_OP_AND && guard->dynamic) {
        split_event_guard(compilation, guard->operand[0], place, command);
        split_event_guard(compilation, guard->operand[1], place, command);
        return;
    }
    struct plan_expression **side = guard->dynamic ? command : place;
    *side = both(compilation, *side, guard);
}

/* An effect that the runtime cannot have there. */
static bool refuses_effect(struct compilation *compilation, const struct effect *effect) {
    struct diagnostics *diagnostics = compilation->diagnostics;
    const char *at =
        compilation->context.event == COMMAND_UNWIND ? "where a procedure is unwound" : "at a signal";
    if (effect->kind == EFFECT_CALL) {
        check_arguments(compilation, effect, NO_ROUTINE);
        diagnose(diagnostics, &effect->where, MESSAGE_EVENT_EFFECT, "no routine can be called", at);
        diagnose_hint(diagnostics, "count or print, or call the routine at an instruction");
    } else if (effect->kind == EFFECT_EXIT) {
        diagnose(diagnostics, &effect->where, MESSAGE_EVENT_EFFECT, "the program cannot be ended", at);
        diagnose_hint(diagnostics, "turn a switch on, and exit before a proc or an inst when it is on");
    } else if (effect->kind == EFFECT_SET) {
        diagnose(diagnostics, &effect->where, MESSAGE_EVENT_EFFECT, "no register can be set", at);
    } else if (effect->kind == EFFECT_SKIP) {
        diagnose(diagnostics, &effect->where, MESSAGE_EVENT_EFFECT, "nothing can be skipped", at);
    } else {
        return false;
    }
    return true;
}

/* A hidden action at the procedure, with the loops around the statement: it is left by a return or a branch.
   Such actions are kept until all of the tool is checked: they go before the tool's own (stacks.c). */
static void watch_procedure(struct compilation *compilation, const struct plan_action *action) {
    const char *name = compilation->scopes[action->place_variable].loop.name;
    uint32_t first = compilation->action_count;
    const struct plan_expression *guard = action->guard;
    struct expression_context saved = compilation->context;
    check_statements(
        compilation,
        parsed_statement(compilation,
                         arena_format(compilation->arena,
                                      "after %s call atomc_stack_left(index(%s, procs), $thread)\n", name,
                                      name)));
    compilation->context = saved;
    for (uint32_t i = first; i < compilation->action_count; i++) {
        struct plan_action watch = compilation->actions[i];
        if (guard)
            watch.guard =
                watch.guard ? both(compilation, both(compilation, NULL, guard), watch.guard) : guard;
        VECTOR_RESERVE(compilation->watches, compilation->watch_count, compilation->watch_capacity);
        compilation->watches[compilation->watch_count++] = watch;
    }
    compilation->action_count = first;
}

void add_event(struct compilation *compilation, struct plan_action action, const struct effect *effects) {
    struct plan_expression *place = NULL, *commanded = NULL;
    uint32_t count = 0, first;
    if (action.guard && action.guard->type == PLAN_TYPE_ERROR)
        action.guard = NULL;
    if (action.guard)
        split_event_guard(compilation, action.guard, &place, &commanded);
    action.guard = place;
    for (const struct effect *effect = effects; effect; effect = effect->next)
        count++;
    struct plan_effect *made = arena_allocate(compilation->arena, count * sizeof *made);
    struct plan_command command = {.guard = commanded, .sample = action.sample, .effects = made};
    for (const struct effect *effect = effects; effect; effect = effect->next)
        if (!refuses_effect(compilation, effect))
            made[command.effect_count++] = check_effect(compilation, effect);
    enum command_event event = compilation->context.event;
    const struct plan_expression *procedure = NULL;
    if (event == COMMAND_UNWIND) {
        compilation->uses_stack = true;
        watch_procedure(compilation, &action);
        procedure = procedure_number(compilation, &action, &action.where);
    } else if (event == COMMAND_SIGNAL_UNWIND) {
        compilation->uses_stack = compilation->unwinds_signals = true;
    }
    action.sample = 0;
    make_event_command(compilation, &action, &command, event, procedure);
    action.event = event == COMMAND_UNWIND
                       ? arena_format(compilation->arena, "on unwind %s",
                                      compilation->scopes[action.place_variable].loop.name)
                       : arena_format(compilation->arena, "%s signal",
                                      event == COMMAND_SIGNAL_UNWIND ? "on unwind" : event_words[event]);
    action.place = PLAN_PROGRAM;
    action.when = PLAN_BEFORE;
    first = compilation->action_count;
    VECTOR_RESERVE(compilation->actions, compilation->action_count, compilation->action_capacity);
    compilation->actions[compilation->action_count++] = action;
    open_prints(compilation, first);
}
