/* switches.c: switches, which actions turn on and off, and sampling: effects at each n-th event only.
   Requires the switches defined so far. Both are hidden counters in the plan. */
#include "compiler/internal.h"

#include <stdlib.h>
#include <string.h>

/* True if `turn off s` was written for `turn s off`. */
static bool is_backwards(struct compilation *compilation, const struct name *name, const struct name *state) {
    const struct declaration *declaration = find_declaration(compilation, state->text);
    return strcmp(name->text, "off") == 0 && declaration && declaration->kind == STATEMENT_SWITCH;
}

/* `on` or `off`; returns false after an error. `name`: the switch; NULL if none was given. */
static bool check_state(struct compilation *compilation, const struct name *name, const struct name *state,
                        int64_t *value) {
    static const char *const words[] = {"off", "on"};
    for (int i = 0; i < 2; i++)
        if (strcmp(state->text, words[i]) == 0) {
            *value = i;
            return true;
        }
    diagnose(compilation->diagnostics, &state->where, MESSAGE_SWITCH_STATE, state->text);
    if (name && is_backwards(compilation, name, state))
        diagnose_hint(compilation->diagnostics, "the state comes last: turn %s off", state->text);
    else if (strcmp(state->text, "true") == 0 || strcmp(state->text, "yes") == 0)
        diagnose_hint(compilation->diagnostics, "write 'on'");
    else if (strcmp(state->text, "false") == 0 || strcmp(state->text, "no") == 0)
        diagnose_hint(compilation->diagnostics, "write 'off'");
    return false;
}

void check_switch_statement(struct compilation *compilation, const struct statement *statement) {
    bool new = check_new_name(compilation, statement->kind, &statement->name);
    const char *word = arena_format(compilation->scratch, "$%s", statement->name.text);
    if (new &&is_dynamic_word(word)) /* $NAME could not be read */
        diagnose(compilation->diagnostics, &statement->name.where, MESSAGE_RESERVED_NAME, word,
                 "a dynamic value");
    struct plan_counter counter = {.name = copy_text(compilation, statement->name.text),
                                   .where = statement->name.where,
                                   .kind = PLAN_SWITCH,
                                   .set = PLAN_SINGLE_CELL,
                                   .update = PLAN_UPDATE_SET};
    if (statement->state.text)
        check_state(compilation, NULL, &statement->state, &counter.initial);
    uint32_t index = add_counter(compilation, counter);
    compilation->counters[index].used = !new; /* reported already */
    if (new)
        find_declaration(compilation, statement->name.text)->index = index;
}

static const char *nearest_switch(struct compilation *compilation, const char *name) {
    const char **words = allocate((compilation->counter_count + 1) * sizeof *words);
    size_t count = 0;
    for (uint32_t i = 0; i < compilation->counter_count; i++)
        if (compilation->counters[i].counter.kind == PLAN_SWITCH)
            words[count++] = compilation->counters[i].counter.name;
    const char *nearest = nearest_name(name, words, count);
    free(words);
    return nearest;
}

/* The counter that is the switch, NO_COUNTER after reporting. */
static uint32_t find_switch(struct compilation *compilation, const struct name *name) {
    struct diagnostics *diagnostics = compilation->diagnostics;
    const struct declaration *declaration = find_declaration(compilation, name->text);
    if (!declaration) {
        const char *nearest = nearest_switch(compilation, name->text);
        diagnose(diagnostics, &name->where, MESSAGE_UNKNOWN_SWITCH, name->text);
        if (nearest)
            diagnose_hint(diagnostics, "did you mean '%s'?", nearest);
        else
            diagnose_hint(diagnostics, "define it above: switch %s", name->text);
    } else if (declaration->kind != STATEMENT_SWITCH) {
        diagnose(diagnostics, &name->where, MESSAGE_NOT_A_SWITCH, name->text,
                 declaration_phrase(declaration));
    } else if (!declaration->reached) {
        report_used_early(compilation, declaration, "switch", name);
    } else {
        return declaration->index;
    }
    return NO_COUNTER;
}

void check_turn(struct compilation *compilation, const struct effect *effect, struct plan_effect *action) {
    struct plan_expression *amount =
        make_expression(compilation, PLAN_OP_INTEGER, PLAN_TYPE_INTEGER, &effect->operator.where);
    check_state(compilation, &effect->name, &effect->operator, & amount->integer);
    action->amount = amount;
    action->counter = is_backwards(compilation, &effect->name, &effect->operator)
                          ? NO_COUNTER
                          : find_switch(compilation, &effect->name);
    if (action->counter != NO_COUNTER)
        compilation->counters[action->counter].used = true;
}

void check_sample(struct compilation *compilation, const struct expression *expression,
                  struct plan_action *action, bool place_known) {
    struct expression_context saved = compilation->context;
    compilation->context.static_role = "the number after 'sample'";
    const struct plan_expression *number = check_expression(compilation, expression);
    compilation->context = saved;
    if (number->type == PLAN_TYPE_ERROR)
        return;
    if (!is_constant(number) || number->type != PLAN_TYPE_INTEGER || number->integer <= 0) {
        diagnose(compilation->diagnostics, &number->where, MESSAGE_SAMPLE_NUMBER);
        return;
    }
    if (place_known && action->place <= PLAN_OBJECT) {
        diagnose(compilation->diagnostics, &number->where, MESSAGE_SAMPLE_PLACE,
                 action->when == PLAN_BEFORE ? "before" : "after",
                 action->place == PLAN_PROGRAM ? "the program: that happens once"
                                               : "an object: that is rare");
        return;
    }
    if (number->integer == 1)
        return;
    action->sample = number->integer;
    action->sample_counter = add_counter(
        compilation,
        (struct plan_counter){.where = number->where, .kind = PLAN_SAMPLE, .set = PLAN_SINGLE_CELL});
}
