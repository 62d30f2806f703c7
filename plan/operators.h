/* operators.h: the operators of expressions, and what they compute of integers: for the compiler, the engine
   and, compiled for the target, the runtime. Requires nothing. */
#ifndef ATOMC_PLAN_OPERATORS_H
#define ATOMC_PLAN_OPERATORS_H

#include <stdint.h>

/* Operators of static expressions, folded by the engine for each site. */
enum plan_operator {
    PLAN_OP_INTEGER,      /* .integer; also booleans (0/1), classes and registers */
    PLAN_OP_STRING,       /* .string */
    PLAN_OP_VARIABLE,     /* .variable: index into the action's loops; the loop's current place */
    PLAN_OP_ATTRIBUTE,    /* .attribute of operand[0], a place; the program is PLAN_OP_INTEGER 0 of its type;
                             operand[1]: the register, if it takes one */
    PLAN_OP_INDEX,        /* dense number (from 0) of the place operand[0] in set .set */
    PLAN_OP_COUNT,        /* number of members of set .set */
    PLAN_OP_DATA_ADDRESS, /* of the object of data that is called operand[0]; operand[1], if there is one: in
                             a file, or an object, whose name it matches */
    PLAN_OP_DATA_SIZE,    /* its bytes */
    PLAN_OP_MEMBER,       /* is the place operand[0] in set .set? */
    PLAN_OP_LISTED,       /* is operand[0], an integer or a string, in .list? */
#define OPERATOR(id, word, level, operands, kind, limit, value) PLAN_OP_##id,
#include "operators.def"
#undef OPERATOR
    PLAN_OP_CONDITIONAL, /* operand[0] ? operand[1] : operand[2] */
    PLAN_OP_VALUE,       /* dynamic: .value, operand[0] its operand if it takes one */
    PLAN_OP_MEMORY,      /* dynamic: operand[1] (static: 1, 2, 4, 8) bytes of memory at address operand[0] */
    PLAN_OP_STATIC,      /* dynamic: the static address of what is at address operand[0] */
    PLAN_OP_CELL,  /* the cell of counter .counter that operand[0], an integer, numbers; dynamic in actions */
    PLAN_OP_KEYED, /* dynamic: what keyed counter .counter has for the keys operand[0], PLAN_OP_ARGUMENTs */
    PLAN_OP_TEXT,  /* dynamic: the program's text at address operand[0]; at most operand[1] bytes, if given */
    PLAN_OP_ROW_KEY,     /* in reports: key number .integer of the row, -1: its thread */
    PLAN_OP_ROW_CELL,    /* in reports: what keyed counter .counter has for the row's keys, of a histogram in
                            bucket    operand[0], or, without one, in all */
    PLAN_OP_ARRAY,       /* the address of array .array in the instrumented program */
    PLAN_OP_CELLS,       /* the address of the cells of counter .counter; only in calls after the program */
    PLAN_OP_BUCKET_LOW,  /* least value of bucket number operand[0] of histogram .counter */
    PLAN_OP_BUCKET_HIGH, /* greatest */
    PLAN_OP_SYSTEM_CALL, /* the name of Linux's system call number operand[0] */
    PLAN_OP_BUFFER,      /* the address of buffer .buffer in the instrumented program */
    PLAN_OP_FOREIGN,  /* result of C function .function, called while instrumenting; operand[0] its arguments
                       */
    PLAN_OP_ARGUMENT, /* operand[0], and in operand[1] the arguments after it */
    PLAN_OP_REPLACED, /* of a procedure that is replaced: enum plan_replaced in .integer */
    PLAN_OP_PERCENT,  /* in report columns: operand[0] as hundredths of its sum over the rows */
    PLAN_OP_QUOTIENT, /* in report columns: operand[0] / operand[1], a real number */
    PLAN_OP_ELEMENT,  /* of sites, not in plans: the element of a table that operand[0] numbers */
    PLAN_OP_TOTAL
};

/* What an operator takes, and gives. */
enum plan_operator_kind {
    PLAN_ARITHMETIC = 1, /* integers: an integer */
    PLAN_ORDER,          /* integers: a boolean */
    PLAN_EQUALITY, /* two of one type: a boolean. Integers, booleans, classes, registers, strings, places */
    PLAN_LOGIC,    /* conditions: a boolean; the second is not asked where the first decides */
    PLAN_STRINGS,  /* strings, the right one a pattern, of fnmatch (LIKE), or in a PLAN_OP_STRING a regular
                      expression (POSIX, extended; MATCH): a boolean */
};

/* What a static second operand has to be. */
enum plan_operator_limit { PLAN_ANY, PLAN_DIVISOR /* not 0 */, PLAN_SHIFT /* 0 to 63 */ };

struct plan_operator_info {
    const char *word; /* NULL: not of operators.def */
    uint8_t operands, kind, limit;
};

extern const struct plan_operator_info plan_operators[PLAN_OP_TOTAL];

/* What an operator of operators.def on integers gives; one operand is `a`. */
int64_t plan_operate(enum plan_operator op, int64_t a, int64_t b);
/* True if it is the same whatever condition the second operand, if any, is. Of PLAN_LOGIC. */
static inline int plan_decides(enum plan_operator op, int64_t a) {
    return plan_operate(op, a, 0) == plan_operate(op, a, 1);
}
/* True if it is 0 or 1. */
static inline int plan_gives_truth(enum plan_operator op) {
    return plan_operators[op].kind > PLAN_ARITHMETIC;
}

#endif
