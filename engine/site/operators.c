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
    { ALPHA_CMPEQr, LEFT_WITH(0) }

/* Division is handled elsewhere. */
static const struct operation operators[PLAN_OP_TOTAL][MOST_OPERATIONS] = {
    [PLAN_OP_NEGATE] = {{ALPHA_SUBQr, OF_ZERO}},
    [PLAN_OP_COMPLEMENT] = {{ALPHA_ORNOTr, OF_ZERO}},
    [PLAN_OP_MULTIPLY] = {{ALPHA_MULQr, ALL}},
    [PLAN_OP_ADD] = {{ALPHA_ADDQr, ALL}},
    [PLAN_OP_SUBTRACT] = {{ALPHA_SUBQr, ALL}},
    [PLAN_OP_SHIFT_LEFT] = {{ALPHA_SLLr, ALL}},
    [PLAN_OP_SHIFT_RIGHT] = {{ALPHA_SRAr, ALL}},
    [PLAN_OP_BIT_AND] = {{ALPHA_ANDr, ALL}},
    [PLAN_OP_BIT_XOR] = {{ALPHA_XORr, ALL}},
    [PLAN_OP_BIT_OR] = {{ALPHA_BISr, ALL}},
    [PLAN_OP_LESS] = {{ALPHA_CMPLTr, ALL}},
    [PLAN_OP_LESS_EQUAL] = {{ALPHA_CMPLEr, ALL}},
    [PLAN_OP_GREATER] = {{ALPHA_CMPLEr, ALL}, NEGATED},
    [PLAN_OP_GREATER_EQUAL] = {{ALPHA_CMPLTr, ALL}, NEGATED},
    [PLAN_OP_EQUAL] = {{ALPHA_CMPEQr, ALL}},
    [PLAN_OP_NOT_EQUAL] = {{ALPHA_CMPEQr, ALL}, NEGATED},
    [PLAN_OP_NOT] = {NEGATED},
    [PLAN_OP_AND] = {{ALPHA_CMPULTr, OF_ZERO}, {ALPHA_CMPULTr, OF_ZERO_RIGHT}, {ALPHA_ANDr, ALL}},
    [PLAN_OP_OR] = {{ALPHA_CMPULTr, OF_ZERO}, {ALPHA_CMPULTr, OF_ZERO_RIGHT}, {ALPHA_BISr, ALL}},
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
            *list++ = (struct operation){ALPHA_BISr, OPERATION_ZERO, OPERATION_ZERO, OPERATION_LEFT, 0};
        *list = (struct operation){.opcode = ALPHA_INVALID};
        return;
    }
    const struct operation made[] = {
        {ALPHA_SRAr, OPERATION_LEFT, OPERATION_LITERAL, OPERATION_SPARE, 63},
        {ALPHA_SRLr, OPERATION_SPARE, OPERATION_LITERAL, OPERATION_SPARE, (uint8_t)(64 - shift)},
        {ALPHA_ADDQr, OPERATION_LEFT, OPERATION_SPARE, OPERATION_SPARE, 0},
        {ALPHA_SRAr, OPERATION_SPARE, OPERATION_LITERAL, quotient, (uint8_t)shift},
        {remainder ? ALPHA_SLLr : ALPHA_INVALID, OPERATION_SPARE, OPERATION_LITERAL, OPERATION_SPARE,
         (uint8_t)shift},
        {ALPHA_SUBQr, OPERATION_LEFT, OPERATION_SPARE, OPERATION_LEFT, 0},
        {.opcode = ALPHA_INVALID}};
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
    assert(rule->opcode != ALPHA_INVALID);
    memcpy(list, rule, sizeof operators[0]);
}

void narrowing_operations(const struct plan_parameter *parameter, struct operation list[MOST_OPERATIONS]) {
    enum alpha_opcode back = parameter->is_unsigned ? ALPHA_SRLr : ALPHA_SRAr;
    uint8_t shift = parameter->type == PLAN_C_CHAR ? 56 : 48;
    memset(list, 0, MOST_OPERATIONS * sizeof *list);
    if (parameter->type == PLAN_C_INT) {
        list[0] = (struct operation){ALPHA_ADDLr, LEFT_WITH(0)};
    } else if (parameter->type == PLAN_C_CHAR || parameter->type == PLAN_C_SHORT) {
        list[0] = (struct operation){ALPHA_SLLr, LEFT_WITH(shift)};
        list[1] = (struct operation){back, LEFT_WITH(shift)};
    }
}

bool operations_use(const struct operation *list, enum operation_value value) {
    for (; list->opcode != ALPHA_INVALID; list++)
        if (list->a == value || list->b == value)
            return true;
    return false;
}

bool operations_take_literal(const struct operation *list) {
    for (; list->opcode != ALPHA_INVALID; list++)
        if (list->a == OPERATION_RIGHT || list->to == OPERATION_RIGHT)
            return false;
    return true;
}
