/* make.c: make tool: a tool that computes every operator of plan/operators.def on integers, of operands known
   when the program runs and of constants, in code at places and in reports; make values: what its report is
   to be by plan_operate(), computed on the host. */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "operators.h"
#include "plan/operators.h"

static const char *const identifiers[PLAN_OP_TOTAL] = {
#define OPERATOR(id, word, level, operands, kind, limit, value) [PLAN_OP_##id] = #id,
#include "plan/operators.def"
#undef OPERATOR
};

/* Static operands for which the operator has no meaning are errors. */
static bool takes_constant(enum plan_operator op, long operand) {
    int limit = plan_operators[op].limit;
    return limit == PLAN_DIVISOR ? operand != 0 : limit == PLAN_SHIFT ? operand >= 0 && operand < 64 : true;
}

static void print_expression(enum plan_operator op, const char *a, const char *b) {
    const char *word = plan_operators[op].word;
    if (plan_operators[op].operands == 1)
        printf("(%s (%s))", word, a);
    else
        printf("((%s) %s (%s))", a, word, b);
}

static const char *constant(long value) {
    static char text[40];
    if (value == INT64_MIN)
        return "-9223372036854775807 - 1";
    snprintf(text, sizeof text, "%ld", value);
    return text;
}

/* Of the calls so far, and with a cell for each what comes out. */
static void print_counters(enum plan_operator op) {
    const char *id = identifiers[op];
    printf("counter at_%s, on_%s, pair_%s[%ld]\n", id, id, id, OPERAND_COUNT * OPERAND_COUNT);
    for (long i = 0; i < OPERAND_COUNT && plan_operators[op].operands == 2; i++) {
        printf("counter left_%s_%ld[%ld]\n", id, i, OPERAND_COUNT);
        if (takes_constant(op, operands[i]))
            printf("counter right_%s_%ld[%ld]\n", id, i, OPERAND_COUNT);
    }
}

static void print_actions(enum plan_operator op) {
    const char *id = identifiers[op];
    printf("for p in procs where p.name == \"pair_%s\" {\n    before p  pair_%s[$at_%s] = ", id, id, id);
    print_expression(op, "$a0", "$a1");
    printf(", at_%s++\n}\nfor p in procs where p.name == \"one_%s\" {\n", id, id);
    for (long i = 0; i < OPERAND_COUNT && plan_operators[op].operands == 2; i++) {
        printf("    before p  left_%s_%ld[$on_%s] = ", id, i, id);
        print_expression(op, constant(operands[i]), "$a0");
        if (takes_constant(op, operands[i])) {
            printf(", right_%s_%ld[$on_%s] = ", id, i, id);
            print_expression(op, "$a0", constant(operands[i]));
        }
        printf("\n");
    }
    printf("    before p  on_%s++\n}\n", id);
}

static void print_reports(enum plan_operator op) {
    const char *id = identifiers[op];
    printf("report \"values\" for c in pair_%s as \"%s \", left[c.number], \" \", right[c.number], \" \", c.count, "
           "\" \", ",
           id, id);
    print_expression(op, "left[c.number]", "right[c.number]");
    printf("\n");
    for (long i = 0; i < OPERAND_COUNT && plan_operators[op].operands == 2; i++) {
        printf("report \"values\" for c in left_%s_%ld as \"%s \", %s, \" . \", c.count\n", id, i, id,
               constant(operands[i]));
        if (takes_constant(op, operands[i]))
            printf("report \"values\" for c in right_%s_%ld as \"%s . \", %s, \" \", c.count\n", id, i, id,
                   constant(operands[i]));
    }
}

static void print_tool(void) {
    printf("tool operators \"every operator\"\ncounter calls, left[%ld], right[%ld]\n",
           OPERAND_COUNT * OPERAND_COUNT, OPERAND_COUNT * OPERAND_COUNT);
    printf("for p in procs where p.name == \"pair\" {\n"
           "    before p  left[$calls] = $a0, right[$calls] = $a1, calls++\n}\n");
    for (int op = 0; op < PLAN_OP_TOTAL; op++)
        if (plan_operators[op].word && plan_operators[op].kind != PLAN_STRINGS) {
            print_counters(op);
            print_actions(op);
            print_reports(op);
        }
}

static void print_values(enum plan_operator op) {
    const char *id = identifiers[op];
    for (long i = 0; i < OPERAND_COUNT; i++)
        for (long k = 0; k < OPERAND_COUNT; k++) {
            long value = plan_operate(op, operands[i], operands[k]);
            printf("%s %ld %ld %ld %ld\n", id, operands[i], operands[k], value, value);
        }
    for (long i = 0; i < OPERAND_COUNT && plan_operators[op].operands == 2; i++) {
        for (long k = 0; k < OPERAND_COUNT; k++)
            printf("%s %ld . %" PRId64 "\n", id, operands[i], plan_operate(op, operands[i], operands[k]));
        for (long k = 0; k < OPERAND_COUNT && takes_constant(op, operands[i]); k++)
            printf("%s . %ld %" PRId64 "\n", id, operands[i], plan_operate(op, operands[k], operands[i]));
    }
}

int main(int count, char **arguments) {
    if (count == 2 && strcmp(arguments[1], "tool") == 0) {
        print_tool();
    } else {
        for (int op = 0; op < PLAN_OP_TOTAL; op++)
            if (plan_operators[op].word && plan_operators[op].kind != PLAN_STRINGS)
                print_values(op);
    }
    return 0;
}
