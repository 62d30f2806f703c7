/* switches.c: switches, which actions turn on and off; `detach`, which turns a hidden one off, on which all
   actions depend; and sampling: effects at each n-th event only. Requires the switches defined so far. All
   are hidden counters in the plan. */
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

/* ---- detach ---- */

static bool detaches(const struct statement *statement) {
    for (; statement; statement = statement->next) {
        if (statement->kind == STATEMENT_FOR && detaches(statement->body))
            return true;
        for (const struct statement *part = statement; statement->kind == STATEMENT_ACTION && part;
             part = part->otherwise)
            for (const struct effect *effect = part->effects; effect; effect = effect->next)
                if (effect->kind == EFFECT_DETACH)
                    return true;
    }
    return false;
}

void find_detach(struct compilation *compilation) {
    compilation->attached = NO_COUNTER;
    if (!detaches(compilation->tool->statements))
        return;
    compilation->attached =
        add_counter(compilation, (struct plan_counter){.name = "attached",
                                                       .where = compilation->tool->statements->where,
                                                       .kind = PLAN_SWITCH,
                                                       .set = PLAN_SINGLE_CELL,
                                                       .update = PLAN_UPDATE_SET,
                                                       .initial = 1});
}

void check_detach(struct compilation *compilation, const struct effect *effect, struct plan_effect *made) {
    enum plan_place place = compilation->context.place;
    made->amount = make_expression(compilation, PLAN_OP_INTEGER, PLAN_TYPE_INTEGER, &effect->where);
    made->counter = compilation->attached;
    if (place > PLAN_OBJECT || compilation->context.is_event)
        return;
    bool fork = place == PLAN_PROGRAM && compilation->context.when == PLAN_ON;
    diagnose(compilation->diagnostics, &effect->where, MESSAGE_DETACH_PLACE,
             plan_when_words(place, compilation->context.when), fork ? "" : " ",
             fork ? "" : type_phrase(plan_place_type(place)));
    diagnose_hint(compilation->diagnostics,
                  "no instruction of the program is executed then: detach before a proc or an inst");
}

const struct plan_expression *while_attached(struct compilation *compilation,
                                             const struct plan_expression *condition) {
    if (compilation->attached == NO_COUNTER)
        return condition;
    const struct source_span *where = &compilation->tool->statements->where;
    struct plan_expression *attached = make_expression(compilation, PLAN_OP_CELL, PLAN_TYPE_BOOLEAN, where);
    attached->counter = compilation->attached;
    attached->dynamic = true;
    attached->operand[0] = make_expression(compilation, PLAN_OP_INTEGER, PLAN_TYPE_INTEGER, where);
    return condition ? both(compilation, both(compilation, NULL, condition), attached) : attached;
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
