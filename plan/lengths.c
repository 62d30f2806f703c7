/* lengths.c: the written form of amounts that count instructions of executed blocks (plan.h). Requires
   nothing. */
#include <stddef.h>

#include "plan/plan.h"

/* True for operators that compute numbers; the other operators are conditions or choices. */
static bool is_arithmetic(const struct plan_expression *expression) {
    return plan_operators[expression->op].kind == PLAN_ARITHMETIC;
}

bool plan_counts_length(const struct plan_expression *amount) {
    if (!amount)
        return false;
    if (amount->op == PLAN_OP_ATTRIBUTE)
        return amount->attribute == PLAN_ATTRIBUTE_BLOCK_NINSTS ||
               amount->attribute == PLAN_ATTRIBUTE_BLOCK_NLOADS ||
               amount->attribute == PLAN_ATTRIBUTE_BLOCK_NSTORES;
    if (amount->op == PLAN_OP_CONDITIONAL)
        return plan_counts_length(amount->operand[1]) || plan_counts_length(amount->operand[2]);
    return is_arithmetic(amount) &&
           (plan_counts_length(amount->operand[0]) || plan_counts_length(amount->operand[1]));
}

uint32_t plan_noted_values(const struct plan_expression *amount, plan_visitor *visit, void *context) {
    uint32_t count = 0;
    if (!amount || !amount->dynamic)
        return 0;
    bool chooses = amount->op == PLAN_OP_CONDITIONAL;
    if (!plan_counts_length(amount)) {
        if (visit)
            visit(amount, context);
        return 1;
    }
    if (chooses && amount->operand[0]->dynamic) {
        if (visit)
            visit(amount->operand[0], context);
        count++;
    }
    for (int i = chooses ? 1 : 0; i < 3; i++)
        count += plan_noted_values(amount->operand[i], visit, context);
    return count;
}
