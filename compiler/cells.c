/* cells.c: the number of cells of a counter or histogram: a cell for each member of a set, or a number known
   before the program runs. Requires the sets and parameters defined so far. */
#include "compiler/internal.h"

#include <string.h>

/* True if the expression is a number, false if it is a set. The names in it decide; unknown ones are
   assumed to be sets. */
static bool is_number_of_cells(const struct compilation *compilation, const struct expression *expression) {
    switch (expression->kind) {
    case EXPRESSION_NAME: {
        const struct declaration *declaration = find_declaration(compilation, expression->name.text);
        return declaration && declaration->kind == STATEMENT_PARAMETER;
    }
    case EXPRESSION_ATTRIBUTE: { /* program.nblocks; but p.blocks is the set of blocks in a place */
        enum plan_place kind;
        return !place_from_word(expression->name.text, &kind);
    }
    case EXPRESSION_OPERATOR:
        if (expression->op != PLAN_OP_BIT_OR && expression->op != PLAN_OP_BIT_AND &&
            expression->op != PLAN_OP_SUBTRACT)
            return true;
        return is_number_of_cells(compilation, expression->operand[0]) &&
               is_number_of_cells(compilation, expression->operand[1]);
    default:
        return true;
    }
}

bool check_cells(struct compilation *compilation, const struct statement *statement,
                 struct plan_counter *counter) {
    if (!is_number_of_cells(compilation, statement->set)) {
        counter->set = check_set(compilation, statement->set);
        return counter->set != NO_SET;
    }
    const char *word = statement->kind == STATEMENT_HISTOGRAM ? "histogram" : "counter";
    struct expression_context saved = compilation->context;
    compilation->context.static_role = "the number of cells";
    struct plan_expression *size = check_expression(compilation, statement->set);
    compilation->context = saved;
    counter->size = size;
    if (size->type == PLAN_TYPE_ERROR)
        return false;
    if (size->type != PLAN_TYPE_INTEGER) {
        diagnose(compilation->diagnostics, &size->where, MESSAGE_CELLS_TYPE, word, type_phrase(size->type));
        return false;
    }
    if (!is_constant(size) || (size->integer > 0 && size->integer <= PLAN_MOST_CELLS))
        return true;
    diagnose(compilation->diagnostics, &size->where, MESSAGE_CELLS_COUNT, word, counter->name,
             (long long)size->integer, PLAN_MOST_CELLS);
    if (size->integer > 0)
        diagnose_hint(compilation->diagnostics,
                      "a counter with keys has a cell for each number that comes up: counter %s[int]",
                      counter->name);
    return false;
}
