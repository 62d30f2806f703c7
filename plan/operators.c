/* operators.c: the table of operators.def, and the engine's evaluation of operators. The runtime evaluates
   operators in report.c, from the same list. Requires nothing. */
#include "plan/operators.h"

#include <stddef.h>

const struct plan_operator_info plan_operators[PLAN_OP_TOTAL] = {
#define OPERATOR(id, word, level, operands, kind, limit, value)                                              \
    [PLAN_OP_##id] = {word, operands, PLAN_##kind, PLAN_##limit},
#include "plan/operators.def"
#undef OPERATOR
};

int64_t plan_operate(enum plan_operator op, int64_t a, int64_t b) {
    uint64_t x = (uint64_t)a, y = (uint64_t)b;
    switch (op) {
#define OPERATOR(id, word, level, operands, kind, limit, value)                                              \
    case PLAN_OP_##id:                                                                                       \
        return (int64_t)(value);
#include "plan/operators.def"
#undef OPERATOR
    default:
        return 0;
    }
}
