/* shown_names.c: values as reports and C are given them: with --demangle, names of procedures as C++ writes
   them. Conditions see symbols. */
#include <stdlib.h>
#include <string.h>

#include "engine/select/internal.h"

/* What was demangled: a hash table by symbols, at most half full. */
struct shown_names {
    struct shown_name {
        const char *symbol, *shown;
    } * slots;
    size_t count, size; /* a power of two */
};

static size_t hash_name(const char *text) {
    size_t value = 14695981039346656037U;
    for (; *text; text++)
        value = (value ^ (unsigned char)*text) * 1099511628211U;
    return value ^ value >> 32;
}

/* The symbol's slot, or the free one for it. */
static struct shown_name *name_slot(struct shown_names *names, const char *symbol) {
    for (size_t at = hash_name(symbol);; at++) {
        struct shown_name *slot = &names->slots[at & (names->size - 1)];
        if (!slot->symbol || strcmp(slot->symbol, symbol) == 0)
            return slot;
    }
}

static void grow_names(struct arena *arena, struct shown_names *names) {
    struct shown_names old = *names;
    names->size = old.size ? 2 * old.size : 1024;
    names->slots = arena_allocate(arena, names->size * sizeof *names->slots);
    for (size_t i = 0; i < old.size; i++)
        if (old.slots[i].symbol)
            *name_slot(names, old.slots[i].symbol) = old.slots[i];
}

/* The strings live as long as the program. */
const char *shown_name(struct selection *selection, const char *symbol) {
    struct arena *arena = selection->program->arena;
    struct shown_names *names = selection->shown_names;
    if (strncmp(symbol, "_Z", 2) != 0)
        return symbol;
    if (!names)
        names = selection->shown_names = arena_allocate(selection->arena, sizeof *names);
    if (2 * names->count >= names->size)
        grow_names(selection->arena, names);
    struct shown_name *slot = name_slot(names, symbol);
    if (!slot->symbol) {
        char *demangled = demangled_name(symbol);
        slot->symbol = arena_string(arena, symbol, strlen(symbol));
        slot->shown = demangled ? arena_string(arena, demangled, strlen(demangled)) : slot->symbol;
        names->count++;
        free(demangled);
    }
    return slot->shown;
}

bool is_name(const struct plan_expression *expression) {
    const enum plan_attribute attribute = expression->attribute;
    if (expression->op != PLAN_OP_ATTRIBUTE)
        return false;
    return attribute == PLAN_ATTRIBUTE_PROC_NAME || attribute == PLAN_ATTRIBUTE_ENTRY_NAME ||
           attribute == PLAN_ATTRIBUTE_CALLSITE_CALLEE || attribute == PLAN_ATTRIBUTE_INST_CALLEE;
}

bool is_file(const struct plan_expression *expression) {
    return expression->op == PLAN_OP_ATTRIBUTE &&
           strcmp(plan_attributes[expression->attribute].word, "file") == 0;
}

struct attribute_value fold_shown(struct selection *selection, const struct plan_expression *expression) {
    while (expression->op == PLAN_OP_CONDITIONAL)
        expression = expression->operand[fold(selection, expression->operand[0]).integer ? 1 : 2];
    struct attribute_value value = fold(selection, expression);
    if (selection->program->demangle && value.string && is_name(expression))
        value.string = shown_name(selection, value.string);
    return value;
}
