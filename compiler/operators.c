/* operators.c: the operand and result types of operators, and the folding of constants. Requires checked
   operands; an operand of type PLAN_TYPE_ERROR makes the result one, silently. */
#include "compiler/internal.h"

#include <fnmatch.h>
#include <regex.h>
#include <string.h>

/* NOLINTBEGIN(clang-analyzer-core.NullDereference): an operator has all operands of its kind. */

bool is_constant(const struct plan_expression *expression) {
    return expression->op == PLAN_OP_INTEGER;
}

static bool is_place_type(enum plan_type type) {
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
    if (expression->op == PLAN_OP_CELL || expression->op == PLAN_OP_ROW_KEY ||
        expression->op == PLAN_OP_ROW_CELL || expression->op == PLAN_OP_NAMED)
        return true;
    for (int i = 0; i < 3; i++)
        if (expression->operand[i] && has_cells(expression->operand[i]))
            return true;
    return false;
}

/* ---- folding -------------------------------------------------------------------------------- */

static bool string_matches(const char *string, const char *pattern) {
    regex_t compiled;
    if (regcomp(&compiled, pattern, REG_EXTENDED | REG_NOSUB) != 0)
        return false; /* reported by check_pattern() */
    bool found = regexec(&compiled, string, 0, NULL, 0) == 0;
    regfree(&compiled);
    return found;
}

/* Replaces an operator on constants by its value; a constant condition selects its branch. */
static struct plan_expression *folded_expression(struct plan_expression *expression, struct arena *arena) {
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
    if (expression->op == PLAN_OP_ADD && expression->type == PLAN_TYPE_STRING) {
        const char *joined = arena_format(arena, "%s%s", operand[0]->string, operand[1]->string);
        expression->op = PLAN_OP_STRING;
        memset(expression->operand, 0, sizeof expression->operand);
        expression->string = joined;
        return expression;
    }
    if (operand[1] && operand[0]->op == PLAN_OP_STRING && operand[1]->op == PLAN_OP_STRING) {
        const char *left = operand[0]->string, *right = operand[1]->string;
        value = expression->op == PLAN_OP_LIKE    ? fnmatch(right, left, 0) == 0
                : expression->op == PLAN_OP_MATCH ? string_matches(left, right)
                                                  : strcmp(left, right) == 0;
        if (expression->op == PLAN_OP_NOT_EQUAL)
            value = !value;
    } else if (is_constant(operand[0]) && (!operand[1] || is_constant(operand[1]))) {
        value = plan_operate(expression->op, operand[0]->integer, operand[1] ? operand[1]->integer : 0);
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
        diagnose_hint(compilation->diagnostics,
                      is_place_type(expression->type)       ? "compare it, or use one of its attributes"
                      : expression->type == PLAN_TYPE_CLASS ? "compare it, as in i.class == load"
                      : expression->type == PLAN_TYPE_EDGE_KIND
                          ? "compare it, as in e.kind == taken; what a branch does is $taken"
                          : "compare it with something");
        return make_expression(compilation, PLAN_OP_INTEGER, PLAN_TYPE_ERROR, &expression->where);
    }
    struct plan_expression *test =
        make_expression(compilation, PLAN_OP_NOT_EQUAL, PLAN_TYPE_BOOLEAN, &expression->where);
    test->operand[0] = expression;
    test->operand[1] = make_expression(compilation, PLAN_OP_INTEGER, PLAN_TYPE_INTEGER, &expression->where);
    test->dynamic = expression->dynamic;
    return folded_expression(test, compilation->arena);
}

/* Reports that an operator does not take this operand. */
static void bad_operand(struct compilation *compilation, const struct expression *expression,
                        const struct plan_expression *operand, const char *wanted) {
    diagnose(compilation->diagnostics, &operand->where, MESSAGE_BAD_OPERAND,
             plan_operators[expression->op].word, wanted, type_phrase(operand->type));
    if (is_place_type(operand->type))
        diagnose_hint(compilation->diagnostics, "use one of its attributes, for instance its pc");
    else if (operand->dynamic && plan_operators[expression->op].kind == PLAN_STRINGS)
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
    else if (string->op == PLAN_OP_STRING && is_place_type(other->type))
        diagnose_hint(compilation->diagnostics, "did you mean its name, or another attribute of it?");
    else if (string->op == PLAN_OP_STRING && other->op == PLAN_OP_ATTRIBUTE && is_number(other->type))
        diagnose_hint(compilation->diagnostics, "%s",
                      other->attribute == PLAN_ATTRIBUTE_INST_OPCODE
                          ? "the opcode is a number; the instruction's name is its mnemonic"
                          : "that attribute is a number: atomc info attributes lists those that are strings");
    return false;
}

static bool check_constant_operand(struct compilation *compilation, enum plan_operator op,
                                   const struct plan_expression *operand) {
    enum message complaint;
    if (!is_constant(operand) || plan_operand_fits(op, operand->integer, &complaint))
        return true;
    diagnose(compilation->diagnostics, &operand->where, complaint, (long long)operand->integer);
    if (complaint == MESSAGE_BAD_SHIFT)
        diagnose_hint(compilation->diagnostics, "integers have 64 bits: shift by 0 to 63");
    return false;
}

/* Checks a regular expression that is constant. */
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

/* Strings are joined here and now. */
static enum plan_type joined_type(struct compilation *compilation, struct plan_expression *const operand[3]) {
    for (int i = 0; i < 2; i++)
        if (operand[i]->op != PLAN_OP_STRING) {
            diagnose(compilation->diagnostics, &operand[i]->where, MESSAGE_JOINED_NOT_CONSTANT);
            diagnose_hint(compilation->diagnostics, "a string in quotes or a parameter");
            return PLAN_TYPE_ERROR;
        }
    return PLAN_TYPE_STRING;
}

/* At run time only integers are computed; but a report can choose between texts. */
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

static enum plan_type logic_type(struct compilation *compilation, enum plan_operator op,
                                 struct plan_expression *operand[3]) {
    char role[40];
    snprintf(role, sizeof role, "an operand of '%s'", plan_operators[op].word);
    for (int i = 0; i < 2 && operand[i]; i++) {
        operand[i] = to_boolean(compilation, operand[i], role);
        if (operand[i]->type == PLAN_TYPE_ERROR)
            return PLAN_TYPE_ERROR;
    }
    return PLAN_TYPE_BOOLEAN;
}

static enum plan_type strings_type(struct compilation *compilation, const struct expression *expression,
                                   struct plan_expression *const operand[3]) {
    for (int i = 0; i < 2; i++)
        if (operand[i]->type != PLAN_TYPE_STRING) {
            bad_operand(compilation, expression, operand[i], "strings");
            return PLAN_TYPE_ERROR;
        }
    if (expression->op == PLAN_OP_MATCH && operand[0]->dynamic) {
        diagnose(compilation->diagnostics, &operand[0]->where, MESSAGE_PATTERN_DYNAMIC);
        diagnose_hint(compilation->diagnostics, "use like, with * and ?");
        return PLAN_TYPE_ERROR;
    }
    return expression->op != PLAN_OP_MATCH || check_pattern(compilation, operand[1]) ? PLAN_TYPE_BOOLEAN
                                                                                     : PLAN_TYPE_ERROR;
}

static enum plan_type conditional_type(struct compilation *compilation, const struct expression *expression,
                                       struct plan_expression *operand[3]) {
    operand[0] = to_boolean(compilation, operand[0], "the condition of '?'");
    if (operand[0]->type == PLAN_TYPE_ERROR ||
        !require_same(compilation, expression, operand[1], operand[2]) || !check_choice(compilation, operand))
        return PLAN_TYPE_ERROR;
    return operand[1]->type == operand[2]->type ? operand[1]->type : PLAN_TYPE_INTEGER;
}

/* The type of the result, PLAN_TYPE_ERROR after reporting. */
static enum plan_type operator_type(struct compilation *compilation, const struct expression *expression,
                                    struct plan_expression *operand[3]) {
    bool good;
    switch (plan_operators[expression->op].kind) {
    case PLAN_LOGIC:
        return logic_type(compilation, expression->op, operand);
    case PLAN_EQUALITY:
        good = require_same(compilation, expression, operand[0], operand[1]);
        return good ? PLAN_TYPE_BOOLEAN : PLAN_TYPE_ERROR;
    case PLAN_ORDER:
        good = require_numbers(compilation, expression, operand);
        return good ? PLAN_TYPE_BOOLEAN : PLAN_TYPE_ERROR;
    case PLAN_ARITHMETIC:
        if (expression->op == PLAN_OP_ADD && operand[0]->type == PLAN_TYPE_STRING &&
            operand[1]->type == PLAN_TYPE_STRING)
            return joined_type(compilation, operand);
        good = require_numbers(compilation, expression, operand) &&
               (!operand[1] || check_constant_operand(compilation, expression->op, operand[1]));
        return good ? PLAN_TYPE_INTEGER : PLAN_TYPE_ERROR;
    case PLAN_STRINGS:
        return strings_type(compilation, expression, operand);
    default:
        return conditional_type(compilation, expression, operand);
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
    return result->type == PLAN_TYPE_ERROR ? result : folded_expression(result, compilation->arena);
}
/* NOLINTEND(clang-analyzer-core.NullDereference) */
