/* operators.c: instructions for the operators of expressions, for compute.c, which emits them unchanged,
   and inline/site.c, whose graph folds them. Requires nothing. */
#include <assert.h>
#include <string.h>

#include "engine/site/site.h"

#define ALL               OPERATION_LEFT, OPERATION_RIGHT, OPERATION_LEFT
#define LEFT_WITH(number) OPERATION_LEFT, OPERATION_LITERAL, OPERATION_LEFT, number
#define OF_ZERO           OPERATION_ZERO, OPERATION_LEFT, OPERATION_LEFT
#define OF_ZERO_RIGHT     OPERATION_ZERO, OPERATION_RIGHT, OPERATION_RIGHT
#define NEGATED                                                                                              \
    { OPERATOR_EQUAL, LEFT_WITH(0) }

/* Division is handled elsewhere. */
static const struct operation operators[PLAN_OP_TOTAL][MOST_OPERATIONS] = {
    [PLAN_OP_NEGATE] = {{OPERATOR_SUBTRACT, OF_ZERO}},
    [PLAN_OP_COMPLEMENT] = {{OPERATOR_OR_NOT, OF_ZERO}},
    [PLAN_OP_MULTIPLY] = {{OPERATOR_MULTIPLY, ALL}},
    [PLAN_OP_ADD] = {{OPERATOR_ADD, ALL}},
    [PLAN_OP_SUBTRACT] = {{OPERATOR_SUBTRACT, ALL}},
    [PLAN_OP_SHIFT_LEFT] = {{OPERATOR_SHIFT_LEFT, ALL}},
    [PLAN_OP_SHIFT_RIGHT] = {{OPERATOR_SHIFT_RIGHT_SIGNED, ALL}},
    [PLAN_OP_BIT_AND] = {{OPERATOR_AND, ALL}},
    [PLAN_OP_BIT_XOR] = {{OPERATOR_XOR, ALL}},
    [PLAN_OP_BIT_OR] = {{OPERATOR_OR, ALL}},
    [PLAN_OP_LESS] = {{OPERATOR_LESS, ALL}},
    [PLAN_OP_LESS_EQUAL] = {{OPERATOR_LESS_EQUAL, ALL}},
    [PLAN_OP_GREATER] = {{OPERATOR_LESS_EQUAL, ALL}, NEGATED},
    [PLAN_OP_GREATER_EQUAL] = {{OPERATOR_LESS, ALL}, NEGATED},
    [PLAN_OP_EQUAL] = {{OPERATOR_EQUAL, ALL}},
    [PLAN_OP_NOT_EQUAL] = {{OPERATOR_EQUAL, ALL}, NEGATED},
    [PLAN_OP_NOT] = {NEGATED},
    [PLAN_OP_AND] = {{OPERATOR_BELOW, OF_ZERO}, {OPERATOR_BELOW, OF_ZERO_RIGHT}, {OPERATOR_AND, ALL}},
    [PLAN_OP_OR] = {{OPERATOR_BELOW, OF_ZERO}, {OPERATOR_BELOW, OF_ZERO_RIGHT}, {OPERATOR_OR, ALL}},
};

int power_of_two(const struct site_expression *expression) {
    int64_t value = expression->leaf.constant;
    bool power = expression->op == PLAN_OP_INTEGER && value > 0 && (value & (value - 1)) == 0;
    return power ? __builtin_ctzll((uint64_t)value) : -1;
}

bool expression_divides(const struct site_expression *expression) {
    return plan_operators[expression->op].limit == PLAN_DIVISOR;
}

/* Divides by 2^shift, rounding to zero: (x + (x < 0 ? 2^shift - 1 : 0)) >> shift. */
static void divide_by_power(bool remainder, unsigned shift, struct operation *list) {
    uint8_t quotient = remainder ? OPERATION_SPARE : OPERATION_LEFT;
    if (shift == 0) {
        if (remainder)
            *list++ = (struct operation){OPERATOR_OR, OPERATION_ZERO, OPERATION_ZERO, OPERATION_LEFT, 0};
        *list = (struct operation){.kind = OPERATOR_NONE};
        return;
    }
    const struct operation made[] = {
        {OPERATOR_SHIFT_RIGHT_SIGNED, OPERATION_LEFT, OPERATION_LITERAL, OPERATION_SPARE, 63},
        {OPERATOR_SHIFT_RIGHT, OPERATION_SPARE, OPERATION_LITERAL, OPERATION_SPARE, (uint8_t)(64 - shift)},
        {OPERATOR_ADD, OPERATION_LEFT, OPERATION_SPARE, OPERATION_SPARE, 0},
        {OPERATOR_SHIFT_RIGHT_SIGNED, OPERATION_SPARE, OPERATION_LITERAL, quotient, (uint8_t)shift},
        {remainder ? OPERATOR_SHIFT_LEFT : OPERATOR_NONE, OPERATION_SPARE, OPERATION_LITERAL, OPERATION_SPARE,
         (uint8_t)shift},
        {OPERATOR_SUBTRACT, OPERATION_LEFT, OPERATION_SPARE, OPERATION_LEFT, 0},
        {.kind = OPERATOR_NONE}};
    memcpy(list, made, sizeof made);
}

bool operator_is_called(const struct site_expression *expression) {
    return expression_divides(expression) && power_of_two(expression->operand[1]) < 0;
}

void operator_operations(const struct site_expression *expression, struct operation list[MOST_OPERATIONS]) {
    const struct operation *rule = operators[expression->op];
    if (expression_divides(expression)) {
        unsigned shift = (unsigned)power_of_two(expression->operand[1]);
        divide_by_power(expression->op == PLAN_OP_REMAINDER, shift, list);
        return;
    }
    assert(rule->kind != OPERATOR_NONE);
    memcpy(list, rule, sizeof operators[0]);
}

void narrowing_operations(const struct plan_parameter *parameter, struct operation list[MOST_OPERATIONS]) {
    enum integer_operator back = parameter->is_unsigned ? OPERATOR_SHIFT_RIGHT : OPERATOR_SHIFT_RIGHT_SIGNED;
    uint8_t shift = parameter->type == PLAN_C_CHAR ? 56 : 48;
    memset(list, 0, MOST_OPERATIONS * sizeof *list);
    if (parameter->type == PLAN_C_INT) {
        list[0] = (struct operation){OPERATOR_ADD_INT, LEFT_WITH(0)};
    } else if (parameter->type == PLAN_C_CHAR || parameter->type == PLAN_C_SHORT) {
        list[0] = (struct operation){OPERATOR_SHIFT_LEFT, LEFT_WITH(shift)};
        list[1] = (struct operation){back, LEFT_WITH(shift)};
    }
}

bool operations_use(const struct operation *list, enum operation_value value) {
    for (; list->kind != OPERATOR_NONE; list++)
        if (list->a == value || list->b == value)
            return true;
    return false;
}

bool operations_take_literal(const struct operation *list) {
    for (; list->kind != OPERATOR_NONE; list++)
        if (list->a == OPERATION_RIGHT || list->to == OPERATION_RIGHT)
            return false;
    return true;
}
