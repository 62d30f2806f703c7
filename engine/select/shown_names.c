/* shown_names.c: values in the format of reports and C: with --demangle, procedures have their C++ names.
   Conditions use symbols. */
#include <string.h>

#include "engine/select/internal.h"
#include "support/demangle.h"

/* The strings live as long as the program. */
const char *shown_name(struct selection *selection, const char *symbol) {
    if (!selection->shown_names)
        selection->shown_names = demangled_names_create(selection->arena, selection->program->arena);
    return demangled_text(selection->shown_names, symbol, false);
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
