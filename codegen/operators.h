/* operators.h: the operators of integer registers and the conditions of branches, as all instruction sets
   have them: what inserted code computes with, and what graphs of inlined code consist of. Each machine has a
   table from its instructions to these. */
#ifndef ATOMC_OPERATORS_H
#define ATOMC_OPERATORS_H

#include <stdbool.h>
#include <stdint.h>

enum integer_operator {
    OPERATOR_NONE,
#define OPERATOR(id, name, value) OPERATOR_##id,
#include "codegen/operators.def"
#undef OPERATOR
    OPERATOR_COUNT
};

/* Sets the result of a OPERATOR b. Returns false for OPERATOR_NONE. */
bool operator_evaluate(enum integer_operator operation, uint64_t a, uint64_t b, uint64_t *result);
/* The conditions of a conditional branch or move on an integer register. */
enum branch_condition {
    CONDITION_NONE,
    CONDITION_ZERO,
    CONDITION_NONZERO,
    CONDITION_NEGATIVE,
    CONDITION_NOT_NEGATIVE,
    CONDITION_POSITIVE,
    CONDITION_NOT_POSITIVE,
    CONDITION_ODD,
    CONDITION_EVEN,
    CONDITION_COUNT
};

/* True if the condition holds for the value. CONDITION_NONE holds for none. */
bool condition_holds(enum branch_condition condition, uint64_t value);
/* The condition that holds exactly if this one does not. */
enum branch_condition opposite_condition(enum branch_condition condition);

/* ---- operator_names.c ---- */

const char *operator_name(enum integer_operator operation);
const char *condition_name(enum branch_condition condition);
#endif
