/* operators.c: makes a tool that computes each operator of plan/operators.def while the program runs, from
   cells that it sets before: with both operands in cells, and with a constant on each side. `operators tool`
   prints the tool, `operators values` the values that it must report, by the host's evaluator. */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "plan/operators.h"
#include "tests/operators/operators.h"

enum form { IN_CELLS, RIGHT_CONSTANT, LEFT_CONSTANT, FORMS };

static const char *constant(long value, char text[32]) {
    if (value == INT64_MIN)
        return "-9223372036854775807 - 1";
    snprintf(text, 32, "%ld", value);
    return text;
}

static bool is_asked(const struct plan_operator_info *operator, enum form form, long right) {
    if (operator->limit == PLAN_SHIFT)
        return right >= 0 && right < 64;
    if (operator->limit == PLAN_DIVISOR)
        return form != RIGHT_CONSTANT || right != 0;
    return true;
}

static void print_statement(const char *word, unsigned operands, enum form form, long left, long right,
                            unsigned number) {
    char a[32], b[32];
    printf("    before p x = %s, y = %s, results[%u] = ", constant(left, a), constant(right, b), number);
    if (operands == 1)
        printf("(%s $x)\n", word);
    else if (form == IN_CELLS)
        printf("($x %s $y)\n", word);
    else if (form == RIGHT_CONSTANT)
        printf("($x %s (%s))\n", word, constant(right, b));
    else
        printf("((%s) %s $y)\n", constant(left, a), word);
}

int main(int count, char **words) {
    bool makes_tool = count > 1 && strcmp(words[1], "tool") == 0;
    unsigned number = 0;
    if (makes_tool)
        printf("tool operators \"every operator\"\ncounter x, y, results[20000]\nfor p in procs where p.name "
               "== \"main\" {\n");
    for (unsigned op = 0; op < PLAN_OP_TOTAL; op++) {
        const struct plan_operator_info *operator= & plan_operators[op];
        if (!operator->word || operator->kind == PLAN_STRINGS)
            continue;
        for (long i = 0; i < OPERAND_COUNT; i++)
            for (long k = 0; k < (operator->operands == 1 ? 1 : OPERAND_COUNT); k++)
                for (unsigned form = 0; form < (operator->operands == 1 ? 1 : FORMS); form++) {
                    if (!is_asked(operator,(enum form) form, operands[k]))
                        continue;
                    if (makes_tool)
                        print_statement(operator->word, operator->operands, (enum form)form, operands[i],
                                        operands[k], number);
                    else
                        printf("%u %" PRId64 "\n", number,
                               plan_operate(op, operands[i], operator->operands == 1 ? 0 : operands[k]));
                    number++;
                }
    }
    if (makes_tool)
        printf(
            "}\nreport \"values\" for c in results where c.number < %u as \"\", c.number, \" \", c.count\n",
            number);
}
