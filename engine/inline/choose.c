/* choose.c: conditions in their simplest form, and selections by them, as arithmetic if that is shorter.
   Requires folded nodes. */
#include "engine/inline/internal.h"

static struct condition negate_condition(struct condition condition) {
    condition.negated = !condition.negated;
    return condition;
}

/* One step towards the simplest test: replaces a comparison with zero by a test of the compared value. */
static bool simplify_condition(const struct graph *graph, struct condition *condition) {
    const struct node *node = &graph->nodes[condition->node];
    if (condition->test != CONDITION_NONZERO || node->kind != NODE_OPERATE)
        return false;
    if (node->operation == OPERATOR_EQUAL && is_number(graph, node->b, 0)) {
        *condition = negate_condition((struct condition){CONDITION_NONZERO, condition->negated, node->a});
        return true;
    }
    bool strict = node->operation == OPERATOR_LESS;
    if (strict || node->operation == OPERATOR_LESS_EQUAL) {
        if (is_number(graph, node->b, 0)) {
            *condition = (struct condition){strict ? CONDITION_NEGATIVE : CONDITION_NOT_POSITIVE,
                                            condition->negated, node->a};
            return true;
        }
        if (is_number(graph, node->a, 0)) { /* 0 < b means not b <= 0 */
            *condition = negate_condition((struct condition){
                strict ? CONDITION_NOT_POSITIVE : CONDITION_NEGATIVE, condition->negated, node->b});
            return true;
        }
    }
    if (node->operation == OPERATOR_BELOW && is_number(graph, node->a, 0)) {
        condition->node = node->b;
        return true;
    }
    if (node->operation == OPERATOR_AND && is_number(graph, node->b, 1)) {
        *condition = (struct condition){CONDITION_ODD, condition->negated, node->a};
        return true;
    }
    if (node->operation == OPERATOR_XOR && is_number(graph, node->b, 1) && is_boolean(graph, node->a)) {
        *condition = negate_condition((struct condition){CONDITION_NONZERO, condition->negated, node->a});
        return true;
    }
    if (node->operation == OPERATOR_SHIFT_RIGHT && is_number(graph, node->b, 63)) {
        *condition = (struct condition){CONDITION_NEGATIVE, condition->negated, node->a};
        return true;
    }
    return false;
}

struct condition graph_condition(struct graph *graph, enum branch_condition test, uint32_t node) {
    struct condition condition = {.test = (uint8_t)test, .node = node};
    if (test == CONDITION_ZERO || test == CONDITION_NOT_NEGATIVE || test == CONDITION_POSITIVE ||
        test == CONDITION_EVEN) {
        condition.test = (uint8_t)opposite_condition(test);
        condition.negated = true;
    }
    /* If the range determines the sign, or there is only one bit, all tests compare with zero. */
    const struct node *tested = &graph->nodes[node];
    if (condition.test == CONDITION_ODD && tested->high <= 1)
        condition.test = CONDITION_NONZERO;
    if (condition.test == CONDITION_NOT_POSITIVE && tested->high <= INT64_MAX)
        condition = negate_condition((struct condition){CONDITION_NONZERO, condition.negated, node});
    while (simplify_condition(graph, &condition))
        ;
    return condition;
}

bool graph_is_settled(const struct graph *graph, struct condition condition, bool *holds) {
    const struct node *node = &graph->nodes[condition.node];
    bool plain = false, settled = true;
    if (node->kind == NODE_CONSTANT)
        plain = condition_holds(condition.test, node->number);
    else if (condition.test == CONDITION_NONZERO && node->low > 0)
        plain = true;
    else if (condition.test == CONDITION_NEGATIVE && node->high <= INT64_MAX)
        plain = false;
    else
        settled = false;
    *holds = plain != condition.negated;
    return settled;
}

uint32_t graph_boolean(struct graph *graph, struct condition condition) {
    uint32_t zero = graph_constant(graph, 0), node = condition.node;
    bool holds, negated = condition.negated;
    if (graph_is_settled(graph, condition, &holds))
        return graph_constant(graph, holds);
    switch (condition.test) {
    case CONDITION_NONZERO:
        return negated ? graph_operate(graph, OPERATOR_EQUAL, node, zero)
                       : graph_operate(graph, OPERATOR_BELOW, zero, node);
    case CONDITION_NEGATIVE:
        return negated ? graph_operate(graph, OPERATOR_LESS_EQUAL, zero, node)
                       : with_number(graph, OPERATOR_SHIFT_RIGHT, node, 63);
    case CONDITION_NOT_POSITIVE:
        return negated ? graph_operate(graph, OPERATOR_LESS, zero, node)
                       : graph_operate(graph, OPERATOR_LESS_EQUAL, node, zero);
    default:
        node = with_number(graph, OPERATOR_AND, node, 1);
        return negated ? with_number(graph, OPERATOR_XOR, node, 1) : node;
    }
}

/* A selection between values at a fixed distance is arithmetic on the condition. */
static uint32_t select_distance(struct graph *graph, struct condition condition, uint32_t yes, uint32_t no) {
    const struct node *a = &graph->nodes[yes], *b = &graph->nodes[no];
    bool a_sum = is(graph, yes, OPERATOR_ADD) && graph->nodes[a->b].kind == NODE_CONSTANT;
    bool b_sum = is(graph, no, OPERATOR_ADD) && graph->nodes[b->b].kind == NODE_CONSTANT;
    bool numbers = a->kind == NODE_CONSTANT && b->kind == NODE_CONSTANT;
    uint32_t a_base = a_sum ? a->a : yes, b_base = b_sum ? b->a : no;
    if (!numbers && a_base != b_base)
        return NO_INDEX;
    uint64_t a_number = numbers ? a->number : a_sum ? graph->nodes[a->b].number : 0;
    uint64_t b_number = numbers ? b->number : b_sum ? graph->nodes[b->b].number : 0;
    if ((int64_t)(a_number - b_number) < 0) {
        uint64_t swap = a_number;
        a_number = b_number;
        b_number = swap;
        condition = negate_condition(condition);
    }
    uint64_t distance = a_number - b_number;
    bool scales = distance == 1 || distance == 4 || distance == 8;
    if (!scales && !(numbers && b_number == 0 && (distance & (distance - 1)) == 0))
        return NO_INDEX;
    if (distance == 1 && !numbers && a_number == 0) /* x or x - 1 */
        return graph_operate(graph, OPERATOR_SUBTRACT, a_base,
                             graph_boolean(graph, negate_condition(condition)));
    uint32_t base =
        numbers ? graph_constant(graph, b_number) : with_number(graph, OPERATOR_ADD, a_base, b_number);
    uint32_t scaled = with_number(graph, OPERATOR_SHIFT_LEFT, graph_boolean(graph, condition),
                                  (unsigned)__builtin_ctzll(distance));
    return graph_operate(graph, OPERATOR_ADD, base, scaled);
}

/* A selection between operations that differ in one operand is the operation on a selection. */
static uint32_t select_operand(struct graph *graph, struct condition condition, uint32_t yes, uint32_t no) {
    const struct node *a = &graph->nodes[yes], *b = &graph->nodes[no];
    if (a->kind != NODE_OPERATE || b->kind != NODE_OPERATE || a->operation != b->operation)
        return NO_INDEX;
    if (a->a == b->a)
        return graph_operate(graph, a->operation, a->a, graph_select(graph, condition, a->b, b->b));
    if (a->b == b->b)
        return graph_operate(graph, a->operation, graph_select(graph, condition, a->a, b->a), a->b);
    return NO_INDEX;
}

/* True if the node tests whether these two are equal. */
static bool is_equal_test(const struct graph *graph, uint32_t test, uint32_t a, uint32_t b) {
    const struct node *node = &graph->nodes[test];
    return is(graph, test, OPERATOR_EQUAL) &&
           ((node->a == a && node->b == b) || (node->a == b && node->b == a));
}

uint32_t graph_select(struct graph *graph, struct condition condition, uint32_t yes, uint32_t no) {
    bool holds;
    if (yes == no)
        return yes;
    if (graph_is_settled(graph, condition, &holds))
        return holds ? yes : no;
    if (condition.negated) {
        uint32_t swap = yes;
        yes = no;
        no = swap;
        condition.negated = false;
    }
    uint32_t folded = select_distance(graph, condition, yes, no);
    if (folded != NO_INDEX)
        return folded;
    if (condition.test == CONDITION_NONZERO &&
        is_equal_test(graph, condition.node, yes, no)) /* if equal, either will do */
        return no;
    /* condition and x, not condition and x */
    if (is_number(graph, no, 0) && is_boolean(graph, yes))
        return graph_operate(graph, OPERATOR_AND, yes, graph_boolean(graph, condition));
    if (is_number(graph, yes, 1) && is_boolean(graph, no))
        return graph_operate(graph, OPERATOR_OR, no, graph_boolean(graph, condition));
    folded = select_operand(graph, condition, yes, no);
    if (folded != NO_INDEX)
        return folded;
    const struct node *a = &graph->nodes[yes], *b = &graph->nodes[no];
    return graph_add(graph, (struct node){.kind = NODE_SELECT,
                                          .operation = condition.test,
                                          .zeros = least(a->zeros, b->zeros),
                                          .a = condition.node,
                                          .b = yes,
                                          .c = no,
                                          .low = a->low < b->low ? a->low : b->low,
                                          .high = a->high > b->high ? a->high : b->high});
}
