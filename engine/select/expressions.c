/* expressions.c: what a site's expressions are, for all who ask something of each. Requires nothing. */
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
