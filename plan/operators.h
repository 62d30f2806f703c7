/* operators.h: the operators of expressions, and their values for integers: used by the compiler, the engine
   and, compiled for the target, the runtime. Requires nothing. */
#ifndef ATOMC_PLAN_OPERATORS_H
#define ATOMC_PLAN_OPERATORS_H

#include <stdint.h>

/* Operators of static expressions, folded by the engine for each site. */
enum plan_operator {
    PLAN_OP_INTEGER,   /* .integer; also booleans (0/1), classes and registers */
    PLAN_OP_STRING,    /* .string */
    PLAN_OP_REGISTER,  /* the register that the program's machine calls .string */
    PLAN_OP_VARIABLE,  /* .variable: index into the action's loops; the loop's current place */
    PLAN_OP_ATTRIBUTE, /* .attribute of operand[0], a place; the program is PLAN_OP_INTEGER 0 of its type;
                          operand[1]: the register, if it takes one */
    PLAN_OP_INDEX,     /* dense number (from 0) of the place operand[0] in set .set */
    PLAN_OP_COUNT,     /* number of members of set .set */
    /* address of the data object named operand[0]; operand[1], if given: a file or an object whose name
       must match */
    PLAN_OP_DATA_ADDRESS,
    PLAN_OP_DATA_SIZE, /* its size in bytes */
    PLAN_OP_MEMBER,    /* true if place operand[0] is in set .set */
    PLAN_OP_LISTED,    /* true if operand[0], an integer or a string, is in .list */
#define OPERATOR(id, word, level, operands, kind, limit, value) PLAN_OP_##id,
#include "operators.def"
#undef OPERATOR
    PLAN_OP_CONDITIONAL, /* operand[0] ? operand[1] : operand[2] */
    PLAN_OP_VALUE,       /* dynamic: .value, operand[0] its operand if it takes one */
    PLAN_OP_MEMORY,      /* dynamic: operand[1] (static: 1, 2, 4, 8) bytes of memory at address operand[0] */
    /* dynamic: what .path leads to from operand[0], $arg, $ret, or an address */
    PLAN_OP_FIELD,
    PLAN_OP_STATIC, /* dynamic: the static address for address operand[0] */
    PLAN_OP_CELL,   /* the cell of counter .counter with number operand[0], an integer; dynamic in actions */
    /* dynamic: the value of keyed counter .counter for the keys operand[0], PLAN_OP_ARGUMENTs */
    PLAN_OP_KEYED,
    PLAN_OP_TEXT, /* dynamic: the program's text at address operand[0]; at most operand[1] bytes, if given */
    /* the name of address operand[0]: .value is PLAN_VALUE_SYMBOL, _OBJECT_NAME or _LINE; dynamic in actions
     */
    PLAN_OP_NAMED,
    PLAN_OP_ROW_KEY, /* in reports: key number .integer of the row, -1: its thread */
    /* in reports: the value of keyed counter .counter for the row's keys; for a histogram, in
       bucket    operand[0], or, without one, in all */
    PLAN_OP_ROW_CELL,
    PLAN_OP_ARRAY,         /* the address of array .array in the instrumented program */
    PLAN_OP_CELLS,         /* the address of the cells of counter .counter; only in calls after the program */
    PLAN_OP_BUCKET_LOW,    /* least value of bucket number operand[0] of histogram .counter */
    PLAN_OP_BUCKET_HIGH,   /* greatest */
    PLAN_OP_SYSTEM_CALL,   /* the name of Linux's system call number operand[0] */
    PLAN_OP_REGISTER_NAME, /* the name of register operand[0], or of the register with that number */
    PLAN_OP_BUFFER,        /* the address of buffer .buffer in the instrumented program */
    PLAN_OP_ROUTINE,       /* the address of routine .routine, for commands that call it */
    /* result of C function .function, called while instrumenting; operand[0]: its arguments
     */
    PLAN_OP_FOREIGN,
    PLAN_OP_ARGUMENT, /* operand[0]; operand[1]: the following arguments */
    PLAN_OP_REPLACED, /* argument of a replaced procedure: enum plan_replaced in .integer */
    PLAN_OP_PERCENT,  /* in report columns: operand[0] in percent of its sum over the rows, in hundredths */
    PLAN_OP_QUOTIENT, /* in report columns: operand[0] / operand[1], a real number */
    PLAN_OP_ELEMENT,  /* in sites, not in plans: the element of a table with number operand[0] */
    PLAN_OP_TOTAL
};

/* The types of an operator's operands, and of its result. */
enum plan_operator_kind {
    PLAN_ARITHMETIC = 1, /* integers: an integer */
    PLAN_ORDER,          /* integers: a boolean */
    PLAN_EQUALITY, /* two operands of one type: a boolean. Integers, booleans, classes, registers, strings,
                      places */
    PLAN_LOGIC,    /* conditions: a boolean; the second is not evaluated if the first decides */
    PLAN_STRINGS,  /* strings, the right one a pattern, of fnmatch (LIKE), or in a PLAN_OP_STRING a regular
                      expression (POSIX, extended; MATCH): a boolean */
};

/* The condition on a static second operand. */
enum plan_operator_limit { PLAN_ANY, PLAN_DIVISOR /* not 0 */, PLAN_SHIFT /* 0 to 63 */ };

struct plan_operator_info {
    const char *word; /* NULL: not in operators.def */
    uint8_t operands, kind, limit;
};

extern const struct plan_operator_info plan_operators[PLAN_OP_TOTAL];

/* The value of an operator of operators.def for integers; a single operand is `a`. */
int64_t plan_operate(enum plan_operator op, int64_t a, int64_t b);
/* True if the result is the same for both values of the second operand, a condition. For operators of
   PLAN_LOGIC. */
static inline int plan_decides(enum plan_operator op, int64_t a) {
    return plan_operate(op, a, 0) == plan_operate(op, a, 1);
}
/* True if it is 0 or 1. */
static inline int plan_gives_truth(enum plan_operator op) {
    return plan_operators[op].kind > PLAN_ARITHMETIC;
}

#endif
