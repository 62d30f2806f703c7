/* expressions.c: queries on a site's expressions, for all passes. Requires nothing. */
#include "engine/select/sites.h"

bool expression_any(const struct site_expression *expression, expression_predicate *holds, void *context) {
    if (!expression || holds(expression, context))
        return expression != NULL;
    for (int i = 0; i < 3; i++)
        if (expression_any(expression->operand[i], holds, context))
            return true;
    return false;
}

bool argument_any(const struct site_argument *argument, expression_predicate *holds, void *context) {
    if (argument->kind == SITE_COMPUTED)
        return expression_any(argument->computed, holds, context);
    const struct site_expression value = {.op = PLAN_OP_VALUE, .leaf = *argument};
    return argument->kind == SITE_VALUE && holds(&value, context);
}

bool site_any(const struct site *site, expression_predicate *holds, void *context) {
    const struct site_expression *const own[] = {site->action->guard, site->action->cell,
                                                 site->action->amount, site->action->value};
    for (size_t i = 0; i < sizeof own / sizeof own[0]; i++)
        if (expression_any(own[i], holds, context))
            return true;
    for (uint32_t i = 0; i < site->action->argument_count; i++)
        if (argument_any(&site->arguments[i], holds, context))
            return true;
    return false;
}

bool expression_is_below(const struct site_expression *number, uint64_t count) {
    switch (number->op) {
    case PLAN_OP_INTEGER:
        return (uint64_t)number->leaf.constant < count;
    case PLAN_OP_BIT_AND: /* a bitwise and is not greater than a non-negative operand */
        return (number->operand[0]->op == PLAN_OP_INTEGER &&
                expression_is_below(number->operand[0], count)) ||
               (number->operand[1]->op == PLAN_OP_INTEGER && expression_is_below(number->operand[1], count));
    case PLAN_OP_CONDITIONAL:
        return expression_is_below(number->operand[1], count) &&
               expression_is_below(number->operand[2], count);
    case PLAN_OP_ELEMENT: {
        const int32_t *elements = number->leaf.array->bytes;
        for (uint32_t i = 0; i < number->leaf.array->count; i++)
            if ((uint64_t)elements[i] >= count)
                return false;
        return true;
    }
    default:
        return false;
    }
}
