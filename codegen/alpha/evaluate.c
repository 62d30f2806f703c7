/* evaluate.c: the operators and conditions of Alpha's integer instructions. Is linked into the runtime, too:
   requires only the opcode names and codegen/operators.c. */
#include "codegen/alpha/alpha.h"

enum integer_operator alpha_operator(enum alpha_opcode opcode) {
    switch (opcode) {
#define ALPHA_OPERATOR(operation, instruction)                                                               \
    case ALPHA_##instruction##r:                                                                             \
        return OPERATOR_##operation;
#include "codegen/alpha/operators.def"
#undef ALPHA_OPERATOR
    default:
        return OPERATOR_NONE;
    }
}

enum branch_condition alpha_condition_of(enum alpha_opcode opcode) {
    switch (opcode) {
    case ALPHA_BEQ:
    case ALPHA_CMOVEQr:
        return CONDITION_ZERO;
    case ALPHA_BNE:
    case ALPHA_CMOVNEr:
        return CONDITION_NONZERO;
    case ALPHA_BLT:
    case ALPHA_CMOVLTr:
        return CONDITION_NEGATIVE;
    case ALPHA_BGE:
    case ALPHA_CMOVGEr:
        return CONDITION_NOT_NEGATIVE;
    case ALPHA_BLE:
    case ALPHA_CMOVLEr:
        return CONDITION_NOT_POSITIVE;
    case ALPHA_BGT:
    case ALPHA_CMOVGTr:
        return CONDITION_POSITIVE;
    case ALPHA_BLBS:
    case ALPHA_CMOVLBSr:
        return CONDITION_ODD;
    case ALPHA_BLBC:
    case ALPHA_CMOVLBCr:
        return CONDITION_EVEN;
    default:
        return CONDITION_NONE;
    }
}

bool alpha_evaluate(enum alpha_opcode opcode, uint64_t a, uint64_t b, uint64_t *result) {
    return operator_evaluate(alpha_operator(opcode), a, b, result);
}

bool alpha_condition(enum alpha_opcode opcode, uint64_t value, bool *holds) {
    enum branch_condition condition = alpha_condition_of(opcode);
    if (condition == CONDITION_NONE)
        return false;
    *holds = condition_holds(condition, value);
    return true;
}
