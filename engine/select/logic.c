/* logic.c: conditions of which a part is known when a site is made: `when stores and ...`.
   Requires the operands made (select.c). */
#include "engine/select/expansion.h"

static bool is_truth(const struct site_expression *expression) {
    switch (expression->op) {
    case PLAN_OP_NOT:
    case PLAN_OP_AND:
    case PLAN_OP_OR:
    case PLAN_OP_EQUAL:
    case PLAN_OP_NOT_EQUAL:
    case PLAN_OP_LESS:
    case PLAN_OP_LESS_EQUAL:
    case PLAN_OP_GREATER:
    case PLAN_OP_GREATER_EQUAL:
        return true;
    case PLAN_OP_VALUE:
        return expression->leaf.value == PLAN_VALUE_TAKEN;
    default:
        return false;
    }
}

/* `and`, `or` of which one side is known here: all that is left is the other, or nothing. */
const struct site_expression *settled_logic(struct expansion *expansion,
                                            const struct site_expression *logic) {
    for (int i = 0; i < 2; i++) {
        const struct site_expression *side = logic->operand[i], *other = logic->operand[1 - i];
        if (side->op != PLAN_OP_INTEGER)
            continue;
        if ((side->leaf.constant != 0) == (logic->op == PLAN_OP_OR))
            return make_constant(expansion, logic->op == PLAN_OP_OR);
        if (is_truth(other))
            return other;
    }
    return logic;
}
