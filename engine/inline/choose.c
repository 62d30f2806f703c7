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
    if (condition->opcode != ALPHA_CMOVNEr || node->kind != NODE_OPERATE)
        return false;
    if (node->opcode == ALPHA_CMPEQr && is_number(graph, node->b, 0)) {
        *condition = negate_condition((struct condition){ALPHA_CMOVNEr, condition->negated, node->a});
        return true;
    }
    bool strict = node->opcode == ALPHA_CMPLTr;
    if (strict || node->opcode == ALPHA_CMPLEr) {
        if (is_number(graph, node->b, 0)) {
            *condition =
                (struct condition){strict ? ALPHA_CMOVLTr : ALPHA_CMOVLEr, condition->negated, node->a};
            return true;
        }
        if (is_number(graph, node->a, 0)) { /* 0 < b means not b <= 0 */
            *condition = negate_condition(
                (struct condition){strict ? ALPHA_CMOVLEr : ALPHA_CMOVLTr, condition->negated, node->b});
            return true;
        }
    }
    if (node->opcode == ALPHA_CMPULTr && is_number(graph, node->a, 0)) {
        condition->node = node->b;
        return true;
    }
    if (node->opcode == ALPHA_ANDr && is_number(graph, node->b, 1)) {
        *condition = (struct condition){ALPHA_CMOVLBSr, condition->negated, node->a};
        return true;
    }
    if (node->opcode == ALPHA_XORr && is_number(graph, node->b, 1) && is_boolean(graph, node->a)) {
        *condition = negate_condition((struct condition){ALPHA_CMOVNEr, condition->negated, node->a});
        return true;
    }
    if (node->opcode == ALPHA_SRLr && is_number(graph, node->b, 63)) {
        *condition = (struct condition){ALPHA_CMOVLTr, condition->negated, node->a};
        return true;
    }
    return false;
}

struct condition graph_condition(struct graph *graph, enum alpha_opcode opcode, uint32_t node) {
    struct condition condition = {.node = node};
    switch (opcode) {
    case ALPHA_BNE:
    case ALPHA_BEQ:
    case ALPHA_CMOVNEr:
    case ALPHA_CMOVEQr:
        condition.opcode = ALPHA_CMOVNEr;
        condition.negated = opcode == ALPHA_BEQ || opcode == ALPHA_CMOVEQr;
        break;
    case ALPHA_BLT:
    case ALPHA_BGE:
    case ALPHA_CMOVLTr:
    case ALPHA_CMOVGEr:
        condition.opcode = ALPHA_CMOVLTr;
        condition.negated = opcode == ALPHA_BGE || opcode == ALPHA_CMOVGEr;
        break;
    case ALPHA_BLE:
    case ALPHA_BGT:
    case ALPHA_CMOVLEr:
    case ALPHA_CMOVGTr:
        condition.opcode = ALPHA_CMOVLEr;
        condition.negated = opcode == ALPHA_BGT || opcode == ALPHA_CMOVGTr;
        break;
    default:
        condition.opcode = ALPHA_CMOVLBSr;
        condition.negated = opcode == ALPHA_BLBC || opcode == ALPHA_CMOVLBCr;
        break;
    }
    /* If the range determines the sign, or there is only one bit, all tests compare with zero. */
    const struct node *tested = &graph->nodes[node];
    if (condition.opcode == ALPHA_CMOVLBSr && tested->high <= 1)
        condition.opcode = ALPHA_CMOVNEr;
    if (condition.opcode == ALPHA_CMOVLEr && tested->high <= INT64_MAX)
        condition = negate_condition((struct condition){ALPHA_CMOVNEr, condition.negated, node});
    while (simplify_condition(graph, &condition))
        ;
    return condition;
}

bool graph_is_settled(const struct graph *graph, struct condition condition, bool *holds) {
    const struct node *node = &graph->nodes[condition.node];
    bool plain = false, settled = true;
    if (node->kind == NODE_CONSTANT)
        alpha_condition(condition.opcode, node->number, &plain);
    else if (condition.opcode == ALPHA_CMOVNEr && node->low > 0)
        plain = true;
    else if (condition.opcode == ALPHA_CMOVLTr && node->high <= INT64_MAX)
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
    switch (condition.opcode) {
    case ALPHA_CMOVNEr:
        return negated ? graph_operate(graph, ALPHA_CMPEQr, node, zero)
                       : graph_operate(graph, ALPHA_CMPULTr, zero, node);
    case ALPHA_CMOVLTr:
        return negated ? graph_operate(graph, ALPHA_CMPLEr, zero, node)
                       : with_number(graph, ALPHA_SRLr, node, 63);
    case ALPHA_CMOVLEr:
        return negated ? graph_operate(graph, ALPHA_CMPLTr, zero, node)
                       : graph_operate(graph, ALPHA_CMPLEr, node, zero);
    default:
        node = with_number(graph, ALPHA_ANDr, node, 1);
        return negated ? with_number(graph, ALPHA_XORr, node, 1) : node;
    }
}

/* A selection between values at a fixed distance is arithmetic on the condition. */
static uint32_t select_distance(struct graph *graph, struct condition condition, uint32_t yes, uint32_t no) {
    const struct node *a = &graph->nodes[yes], *b = &graph->nodes[no];
    bool a_sum = is(graph, yes, ALPHA_ADDQr) && graph->nodes[a->b].kind == NODE_CONSTANT;
    bool b_sum = is(graph, no, ALPHA_ADDQr) && graph->nodes[b->b].kind == NODE_CONSTANT;
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
        return graph_operate(graph, ALPHA_SUBQr, a_base, graph_boolean(graph, negate_condition(condition)));
    uint32_t base =
        numbers ? graph_constant(graph, b_number) : with_number(graph, ALPHA_ADDQr, a_base, b_number);
    uint32_t scaled =
        with_number(graph, ALPHA_SLLr, graph_boolean(graph, condition), (unsigned)__builtin_ctzll(distance));
    return graph_operate(graph, ALPHA_ADDQr, base, scaled);
}

/* A selection between operations that differ in one operand is the operation on a selection. */
static uint32_t select_operand(struct graph *graph, struct condition condition, uint32_t yes, uint32_t no) {
    const struct node *a = &graph->nodes[yes], *b = &graph->nodes[no];
    if (a->kind != NODE_OPERATE || b->kind != NODE_OPERATE || a->opcode != b->opcode)
        return NO_INDEX;
    if (a->a == b->a)
        return graph_operate(graph, a->opcode, a->a, graph_select(graph, condition, a->b, b->b));
    if (a->b == b->b)
        return graph_operate(graph, a->opcode, graph_select(graph, condition, a->a, b->a), a->b);
    return NO_INDEX;
}

/* True if the node tests whether these two are equal. */
static bool is_equal_test(const struct graph *graph, uint32_t test, uint32_t a, uint32_t b) {
    const struct node *node = &graph->nodes[test];
    return is(graph, test, ALPHA_CMPEQr) &&
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
    if (condition.opcode == ALPHA_CMOVNEr &&
        is_equal_test(graph, condition.node, yes, no)) /* if equal, either will do */
        return no;
    /* condition and x, not condition and x */
    if (is_number(graph, no, 0) && is_boolean(graph, yes))
        return graph_operate(graph, ALPHA_ANDr, yes, graph_boolean(graph, condition));
    if (is_number(graph, yes, 1) && is_boolean(graph, no))
        return graph_operate(graph, ALPHA_BISr, no, graph_boolean(graph, condition));
    folded = select_operand(graph, condition, yes, no);
    if (folded != NO_INDEX)
        return folded;
    const struct node *a = &graph->nodes[yes], *b = &graph->nodes[no];
    return graph_add(graph, (struct node){.kind = NODE_SELECT,
                                          .opcode = condition.opcode,
                                          .zeros = least(a->zeros, b->zeros),
                                          .a = condition.node,
                                          .b = yes,
                                          .c = no,
                                          .low = a->low < b->low ? a->low : b->low,
                                          .high = a->high > b->high ? a->high : b->high});
}
