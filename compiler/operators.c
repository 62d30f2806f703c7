/* operators.c: the types that operators take and give, and the folding of constants.
   Requires checked operands; an operand of type PLAN_TYPE_ERROR makes the result one, silently. */
#include "compiler/internal.h"

#include <fnmatch.h>
#include <regex.h>
#include <string.h>

/* NOLINTBEGIN(clang-analyzer-core.NullDereference): an operator has all operands of its kind. */

static const char *const spellings[] = {
    [PLAN_OP_NOT] = "not",        [PLAN_OP_NEGATE] = "-",         [PLAN_OP_COMPLEMENT] = "~",
    [PLAN_OP_MULTIPLY] = "*",     [PLAN_OP_DIVIDE] = "/",         [PLAN_OP_REMAINDER] = "%",
    [PLAN_OP_ADD] = "+",          [PLAN_OP_SUBTRACT] = "-",       [PLAN_OP_SHIFT_LEFT] = "<<",
    [PLAN_OP_SHIFT_RIGHT] = ">>", [PLAN_OP_LESS] = "<",           [PLAN_OP_LESS_EQUAL] = "<=",
    [PLAN_OP_GREATER] = ">",      [PLAN_OP_GREATER_EQUAL] = ">=", [PLAN_OP_EQUAL] = "==",
    [PLAN_OP_NOT_EQUAL] = "!=",   [PLAN_OP_BIT_AND] = "&",        [PLAN_OP_BIT_XOR] = "^",
    [PLAN_OP_BIT_OR] = "|",       [PLAN_OP_AND] = "and",          [PLAN_OP_OR] = "or",
    [PLAN_OP_CONDITIONAL] = "?",  [PLAN_OP_GLOB] = "like",        [PLAN_OP_MATCH] = "~",
};

bool is_constant(const struct plan_expression *expression) {
    return expression->op == PLAN_OP_INTEGER;
}

static bool is_place(enum plan_type type) {
    return type >= PLAN_TYPE_PROGRAM;
}

bool is_number(enum plan_type type) {
    return type == PLAN_TYPE_INTEGER || type == PLAN_TYPE_BOOLEAN;
}

struct plan_expression *make_operator(struct compilation *compilation, enum plan_operator op,
                                      enum plan_type type, const struct source_span *where,
                                      const struct plan_expression *left,
                                      const struct plan_expression *right) {
    struct plan_expression *result = make_expression(compilation, op, type, where);
    result->operand[0] = left;
    result->operand[1] = right;
    result->dynamic = left->dynamic || (right && right->dynamic);
    return result;
}

struct plan_expression *both(struct compilation *compilation, struct plan_expression *left,
                             const struct plan_expression *right) {
    if (left)
        return make_operator(compilation, PLAN_OP_AND, PLAN_TYPE_BOOLEAN, &right->where, left, right);
    struct plan_expression *copy = make_expression(compilation, right->op, right->type, &right->where);
    *copy = *right;
    return copy;
}

bool has_cells(const struct plan_expression *expression) {
    if (expression->op == PLAN_OP_CELL)
        return true;
    for (int i = 0; i < 3; i++)
        if (expression->operand[i] && has_cells(expression->operand[i]))
            return true;
    return false;
}

/* ---- folding -------------------------------------------------------------------------------- */

/* Two's complement arithmetic that wraps, as the analysis code's machine does. */
static int64_t fold(enum plan_operator op, int64_t a, int64_t b) {
    uint64_t x = (uint64_t)a, y = (uint64_t)b;
    switch (op) {
    case PLAN_OP_NOT:
        return !a;
    case PLAN_OP_NEGATE:
        return (int64_t)(0 - x);
    case PLAN_OP_COMPLEMENT:
        return ~a;
    case PLAN_OP_MULTIPLY:
        return (int64_t)(x * y);
    case PLAN_OP_DIVIDE:
        return b == -1 ? (int64_t)(0 - x) : a / b;
    case PLAN_OP_REMAINDER:
        return b == -1 ? 0 : a % b;
    case PLAN_OP_ADD:
        return (int64_t)(x + y);
    case PLAN_OP_SUBTRACT:
        return (int64_t)(x - y);
    case PLAN_OP_SHIFT_LEFT:
        return (int64_t)(x << (y & 63));
    case PLAN_OP_SHIFT_RIGHT:
        return a >> (y & 63);
    case PLAN_OP_LESS:
        return a < b;
    case PLAN_OP_LESS_EQUAL:
        return a <= b;
    case PLAN_OP_GREATER:
        return a > b;
    case PLAN_OP_GREATER_EQUAL:
        return a >= b;
    case PLAN_OP_EQUAL:
        return a == b;
    case PLAN_OP_NOT_EQUAL:
        return a != b;
    case PLAN_OP_BIT_AND:
        return a & b;
    case PLAN_OP_BIT_XOR:
        return a ^ b;
    case PLAN_OP_BIT_OR:
        return a | b;
    case PLAN_OP_AND:
        return a && b;
    default: /* PLAN_OP_OR */
        return a || b;
    }
}

static bool matches(const char *string, const char *pattern) {
    regex_t compiled;
    if (regcomp(&compiled, pattern, REG_EXTENDED | REG_NOSUB) != 0)
        return false; /* reported by check_pattern() */
    bool found = regexec(&compiled, string, 0, NULL, 0) == 0;
    regfree(&compiled);
    return found;
}

/* Replaces an operator on constants by its value; a condition that is known chooses its branch. */
static struct plan_expression *folded(struct plan_expression *expression) {
    const struct plan_expression *const *operand = expression->operand;
    if (expression->op == PLAN_OP_CONDITIONAL) {
        if (is_constant(operand[0])) {
            const struct plan_expression *chosen = operand[operand[0]->integer ? 1 : 2];
            enum plan_type type = expression->type;
            *expression = *chosen;
            expression->type = type;
        }
        return expression;
    }
    int64_t value;
    if (operand[1] && operand[0]->op == PLAN_OP_STRING && operand[1]->op == PLAN_OP_STRING) {
        const char *left = operand[0]->string, *right = operand[1]->string;
        value = expression->op == PLAN_OP_GLOB    ? fnmatch(right, left, 0) == 0
                : expression->op == PLAN_OP_MATCH ? matches(left, right)
                                                  : strcmp(left, right) == 0;
        if (expression->op == PLAN_OP_NOT_EQUAL)
            value = !value;
    } else if (is_constant(operand[0]) && (!operand[1] || is_constant(operand[1]))) {
        value = fold(expression->op, operand[0]->integer, operand[1] ? operand[1]->integer : 0);
    } else {
        return expression;
    }
    expression->op = PLAN_OP_INTEGER;
    expression->integer = value;
    memset(expression->operand, 0, sizeof expression->operand);
    return expression;
}

/* ---- types ---------------------------------------------------------------------------------- */

struct plan_expression *to_boolean(struct compilation *compilation, struct plan_expression *expression,
                                   const char *role) {
    if (expression->type == PLAN_TYPE_ERROR || expression->type == PLAN_TYPE_BOOLEAN)
        return expression;
    if (expression->type != PLAN_TYPE_INTEGER) {
        diagnose(compilation->diagnostics, &expression->where, MESSAGE_NO_CONDITION,
                 type_phrase(expression->type), role);
        diagnose_hint(compilation->diagnostics, is_place(expression->type)
                                                    ? "compare it, or use one of its attributes"
                                                    : "compare it with something");
        return make_expression(compilation, PLAN_OP_INTEGER, PLAN_TYPE_ERROR, &expression->where);
    }
    struct plan_expression *test =
        make_expression(compilation, PLAN_OP_NOT_EQUAL, PLAN_TYPE_BOOLEAN, &expression->where);
    test->operand[0] = expression;
    test->operand[1] = make_expression(compilation, PLAN_OP_INTEGER, PLAN_TYPE_INTEGER, &expression->where);
    test->dynamic = expression->dynamic;
    return folded(test);
}

/* Reports that an operator does not take this operand. */
static void bad_operand(struct compilation *compilation, const struct expression *expression,
                        const struct plan_expression *operand, const char *wanted) {
    diagnose(compilation->diagnostics, &operand->where, MESSAGE_BAD_OPERAND, spellings[expression->op],
             wanted, type_phrase(operand->type));
    if (is_place(operand->type))
        diagnose_hint(compilation->diagnostics, "use one of its attributes, for instance its pc");
    else if (operand->dynamic && (expression->op == PLAN_OP_GLOB || expression->op == PLAN_OP_MATCH))
        diagnose_hint(compilation->diagnostics, "dynamic values are integers: compare strings in C");
}

static bool require_numbers(struct compilation *compilation, const struct expression *expression,
                            struct plan_expression *const operand[3]) {
    bool good = true;
    for (int i = 0; i < 2 && operand[i]; i++)
        if (!is_number(operand[i]->type)) {
            bad_operand(compilation, expression, operand[i], "integers");
            good = false;
        }
    return good;
}

/* Both operands of a comparison for equality, or both branches of a conditional, have one type. */
static bool require_same(struct compilation *compilation, const struct expression *expression,
                         const struct plan_expression *left, const struct plan_expression *right) {
    if (left->type == right->type || (is_number(left->type) && is_number(right->type)))
        return true;
    bool conditional = expression->op == PLAN_OP_CONDITIONAL;
    diagnose(compilation->diagnostics, &expression->where,
             conditional ? MESSAGE_BRANCH_TYPES : MESSAGE_COMPARED_TYPES, type_phrase(left->type),
             type_phrase(right->type));
    const struct plan_expression *string = left->type == PLAN_TYPE_STRING ? left : right;
    const struct plan_expression *other = string == left ? right : left;
    if (string->op == PLAN_OP_STRING && other->type == PLAN_TYPE_CLASS)
        diagnose_hint(compilation->diagnostics, "classes are written without quotes: %s", string->string);
    else if (string->op == PLAN_OP_STRING && is_place(other->type))
        diagnose_hint(compilation->diagnostics, "did you mean its name, or another attribute of it?");
    return false;
}

static bool check_divisor(struct compilation *compilation, const struct expression *expression,
                          const struct plan_expression *divisor) {
    if (!is_constant(divisor))
        return true;
    bool shift = expression->op == PLAN_OP_SHIFT_LEFT || expression->op == PLAN_OP_SHIFT_RIGHT;
    if (shift && (divisor->integer < 0 || divisor->integer > 63)) {
        diagnose(compilation->diagnostics, &divisor->where, MESSAGE_BAD_SHIFT, (long long)divisor->integer);
        diagnose_hint(compilation->diagnostics, "integers have 64 bits: shift by 0 to 63");
        return false;
    }
    if (!shift && divisor->integer == 0) {
        diagnose(compilation->diagnostics, &divisor->where, MESSAGE_DIVISION_BY_ZERO);
        return false;
    }
    return true;
}

/* A regular expression that is known here, and is one. */
static bool check_pattern(struct compilation *compilation, const struct plan_expression *pattern) {
    char reason[200];
    regex_t compiled;
    if (pattern->op != PLAN_OP_STRING) {
        diagnose(compilation->diagnostics, &pattern->where, MESSAGE_PATTERN_NOT_CONSTANT);
        diagnose_hint(compilation->diagnostics, "a string in quotes or a parameter");
        return false;
    }
    int error = regcomp(&compiled, pattern->string, REG_EXTENDED | REG_NOSUB);
    if (error == 0) {
        regfree(&compiled);
        return true;
    }
    regerror(error, &compiled, reason, sizeof reason);
    diagnose(compilation->diagnostics, &pattern->where, MESSAGE_BAD_PATTERN, reason);
    diagnose_hint(compilation->diagnostics,
                  "it is an extended regular expression, as in awk; 'like' takes * and ?");
    return false;
}

/* Only integers are computed when the program runs; a report can show one text or another. */
static bool check_choice(struct compilation *compilation, struct plan_expression *const operand[3]) {
    enum plan_type type = operand[1]->type;
    bool cells = has_cells(operand[0]);
    if (is_number(type) || (!operand[0]->dynamic && !cells) || (cells && type == PLAN_TYPE_STRING))
        return true;
    diagnose(compilation->diagnostics, &operand[0]->where, MESSAGE_DEPENDENT_CHOICE, type_phrase(type));
    diagnose_hint(compilation->diagnostics, cells ? "choose between integers or strings"
                                                  : "choose between integers, or in the C routine");
    return false;
}

/* The type of the result, PLAN_TYPE_ERROR after reporting. */
static enum plan_type operator_type(struct compilation *compilation, const struct expression *expression,
                                    struct plan_expression *operand[3]) {
    enum plan_operator op = expression->op;
    switch (op) {
    case PLAN_OP_NOT:
    case PLAN_OP_AND:
    case PLAN_OP_OR:
        for (int i = 0; i < 2 && operand[i]; i++) {
            operand[i] = to_boolean(compilation, operand[i],
                                    op == PLAN_OP_NOT   ? "an operand of 'not'"
                                    : op == PLAN_OP_AND ? "an operand of 'and'"
                                                        : "an operand of 'or'");
            if (operand[i]->type == PLAN_TYPE_ERROR)
                return PLAN_TYPE_ERROR;
        }
        return PLAN_TYPE_BOOLEAN;
    case PLAN_OP_EQUAL:
    case PLAN_OP_NOT_EQUAL:
        return require_same(compilation, expression, operand[0], operand[1]) ? PLAN_TYPE_BOOLEAN
                                                                             : PLAN_TYPE_ERROR;
    case PLAN_OP_LESS:
    case PLAN_OP_LESS_EQUAL:
    case PLAN_OP_GREATER:
    case PLAN_OP_GREATER_EQUAL:
        return require_numbers(compilation, expression, operand) ? PLAN_TYPE_BOOLEAN : PLAN_TYPE_ERROR;
    case PLAN_OP_GLOB:
    case PLAN_OP_MATCH:
        for (int i = 0; i < 2; i++)
            if (operand[i]->type != PLAN_TYPE_STRING) {
                bad_operand(compilation, expression, operand[i], "strings");
                return PLAN_TYPE_ERROR;
            }
        return op == PLAN_OP_GLOB || check_pattern(compilation, operand[1]) ? PLAN_TYPE_BOOLEAN
                                                                            : PLAN_TYPE_ERROR;
    case PLAN_OP_CONDITIONAL:
        operand[0] = to_boolean(compilation, operand[0], "the condition of '?'");
        if (operand[0]->type == PLAN_TYPE_ERROR ||
            !require_same(compilation, expression, operand[1], operand[2]) ||
            !check_choice(compilation, operand))
            return PLAN_TYPE_ERROR;
        return operand[1]->type == operand[2]->type ? operand[1]->type : PLAN_TYPE_INTEGER;
    default:
        if (!require_numbers(compilation, expression, operand))
            return PLAN_TYPE_ERROR;
        if ((op == PLAN_OP_DIVIDE || op == PLAN_OP_REMAINDER || op == PLAN_OP_SHIFT_LEFT ||
             op == PLAN_OP_SHIFT_RIGHT) &&
            !check_divisor(compilation, expression, operand[1]))
            return PLAN_TYPE_ERROR;
        return PLAN_TYPE_INTEGER;
    }
}

struct plan_expression *check_operator(struct compilation *compilation, const struct expression *expression,
                                       struct plan_expression *const checked[3]) {
    struct plan_expression *operand[3] = {checked[0], checked[1], checked[2]};
    struct plan_expression *result =
        make_expression(compilation, expression->op, PLAN_TYPE_ERROR, &expression->where);
    for (int i = 0; i < 3 && operand[i]; i++)
        if (operand[i]->type == PLAN_TYPE_ERROR)
            return result;
    result->type = operator_type(compilation, expression, operand);
    for (int i = 0; i < 3 && operand[i]; i++) {
        result->operand[i] = operand[i];
        result->dynamic |= operand[i]->dynamic;
    }
    return result->type == PLAN_TYPE_ERROR ? result : folded(result);
}
/* NOLINTEND(clang-analyzer-core.NullDereference) */
