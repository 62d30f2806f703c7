/* operator_names.c: names of operators and conditions, as dumps show them. */
#include "codegen/operators.h"

const char *operator_name(enum integer_operator operation) {
    static const char *const names[OPERATOR_COUNT] = {
        [OPERATOR_NONE] = "none",
#define OPERATOR(id, name, value) [OPERATOR_##id] = (name),
#include "codegen/operators.def"
#undef OPERATOR
    };
    return names[operation];
}

const char *condition_name(enum branch_condition condition) {
    static const char *const names[CONDITION_COUNT] = {
        [CONDITION_NONE] = "never",
        [CONDITION_ZERO] = "zero",
        [CONDITION_NONZERO] = "nonzero",
        [CONDITION_NEGATIVE] = "negative",
        [CONDITION_NOT_NEGATIVE] = "not-negative",
        [CONDITION_POSITIVE] = "positive",
        [CONDITION_NOT_POSITIVE] = "not-positive",
        [CONDITION_ODD] = "odd",
        [CONDITION_EVEN] = "even",
    };
    return names[condition];
}
