/* fold.c: operations on nodes, folded as they are made by means of constants, ranges and other nodes.
   Requires inline/graph.c's facts. */
#include "engine/inline/internal.h"

/* True if the value is the sign extension of its low 32 bits. */
static bool is_long(const struct graph *graph, uint32_t index) {
    const struct node *node = &graph->nodes[index];
    if (node->high <= INT32_MAX || node->low >= (uint64_t)INT32_MIN)
        return true;
    switch (node->kind) {
    case NODE_LOAD:
        return node->opcode == ALPHA_LDL;
    case NODE_SELECT:
        return is_long(graph, node->b) && is_long(graph, node->c);
    case NODE_OPERATE:
        switch (node->opcode) {
        case ALPHA_ADDLr:
        case ALPHA_SUBLr:
        case ALPHA_S4ADDLr:
        case ALPHA_S8ADDLr:
        case ALPHA_S4SUBLr:
        case ALPHA_S8SUBLr:
        case ALPHA_MULLr:
            return true;
        default:
            return false;
        }
    default:
        return false;
    }
}

static bool is_commutative(enum alpha_opcode opcode) {
    switch (opcode) {
    case ALPHA_ADDQr:
    case ALPHA_ADDLr:
    case ALPHA_MULQr:
    case ALPHA_MULLr:
    case ALPHA_UMULHr:
    case ALPHA_ANDr:
    case ALPHA_BISr:
    case ALPHA_XORr:
    case ALPHA_EQVr:
    case ALPHA_CMPEQr:
        return true;
    default:
        return false;
    }
}

/* Sums: constants move outwards, where they become displacements. */
static uint32_t fold_sum(struct graph *graph, enum alpha_opcode opcode, uint32_t a, uint32_t b) {
    const struct node *left = &graph->nodes[a], *right = &graph->nodes[b];
    unsigned shift = opcode == ALPHA_S4ADDQr ? 2 : opcode == ALPHA_S8ADDQr ? 3 : 0;
    uint64_t number;
    if (shift && node_is_constant(graph, a, &number))
        return with_number(graph, ALPHA_ADDQr, b, number << shift);
    if (shift && is(graph, a, ALPHA_ADDQr) && node_is_constant(graph, left->b, &number)) {
        uint32_t inner = left->a;
        return with_number(graph, ALPHA_ADDQr, graph_operate(graph, opcode, inner, b), number << shift);
    }
    if (shift && node_is_constant(graph, b, &number))
        return with_number(graph, ALPHA_ADDQr, with_number(graph, ALPHA_SLLr, a, shift), number);
    if (is(graph, b, ALPHA_ADDQr) && node_is_constant(graph, right->b, &number)) {
        uint32_t inner = right->a;
        return with_number(graph, ALPHA_ADDQr, graph_operate(graph, opcode, a, inner), number);
    }
    if (shift)
        return NO_INDEX;
    if (is_number(graph, b, 0))
        return a;
    if (is(graph, a, ALPHA_ADDQr) && node_is_constant(graph, left->b, &number)) {
        uint64_t other;
        uint32_t inner = left->a;
        if (node_is_constant(graph, b, &other))
            return with_number(graph, ALPHA_ADDQr, inner, number + other);
        return with_number(graph, ALPHA_ADDQr, graph_operate(graph, ALPHA_ADDQr, inner, b), number);
    }
    if (right->kind == NODE_CONSTANT)
        return NO_INDEX;
    for (int swap = 0; swap < 2; swap++, left = right, right = &graph->nodes[a]) {
        uint32_t other = swap ? a : b;
        if (left->kind == NODE_OPERATE && left->opcode == ALPHA_SLLr &&
            (is_number(graph, left->b, 2) || is_number(graph, left->b, 3)))
            return graph_operate(graph, is_number(graph, left->b, 2) ? ALPHA_S4ADDQr : ALPHA_S8ADDQr, left->a,
                                 other);
    }
    return NO_INDEX;
}

static uint32_t fold_logic(struct graph *graph, enum alpha_opcode opcode, uint32_t a, uint32_t b) {
    const struct node *left = &graph->nodes[a];
    uint64_t number, other;
    bool constant = node_is_constant(graph, b, &number);
    if (opcode == ALPHA_BISr || opcode == ALPHA_XORr) {
        if (is_number(graph, b, 0))
            return a;
        if (a == b)
            return opcode == ALPHA_BISr ? a : graph_constant(graph, 0);
        if (opcode == ALPHA_XORr && constant && is(graph, a, ALPHA_XORr) &&
            node_is_constant(graph, left->b, &other))
            return with_number(graph, ALPHA_XORr, left->a, number ^ other);
        return NO_INDEX;
    }
    if (opcode == ALPHA_BICr && constant)
        return with_number(graph, ALPHA_ANDr, a, ~number);
    if (opcode == ALPHA_BICr)
        return a == b ? graph_constant(graph, 0) : NO_INDEX;
    if (a == b)
        return a;
    if (!constant)
        return NO_INDEX;
    if (number == 0)
        return b;
    if ((number & (number + 1)) == 0 && left->high <= number) /* 2^n - 1 */
        return a;
    if (left->zeros >= 64 - __builtin_clzll(number))
        return graph_constant(graph, 0);
    if (is(graph, a, ALPHA_ANDr) && node_is_constant(graph, left->b, &other))
        return with_number(graph, ALPHA_ANDr, left->a, number & other);
    /* Of a constant that is ORed or XORed in, only these bits matter. */
    if ((is(graph, a, ALPHA_XORr) || is(graph, a, ALPHA_BISr)) && node_is_constant(graph, left->b, &other) &&
        (other & ~number)) {
        uint32_t mixed = with_number(graph, left->opcode, left->a, other & number);
        return with_number(graph, ALPHA_ANDr, mixed, number);
    }
    uint32_t low = number <= UINT32_MAX ? graph_low_half(graph, a) : a;
    if (low != a)
        return with_number(graph, ALPHA_ANDr, low, number);
    if (is(graph, a, ALPHA_ADDQr) && node_is_constant(graph, left->b, &other) &&
        (other & all_below(number)) == 0) /* it adds 0 to these bits */
        return with_number(graph, ALPHA_ANDr, left->a, number);
    /* If the other summand has no low bits, the low bits of the sum are the low bits of the constant. */
    if (is(graph, a, ALPHA_ADDQr) && node_is_constant(graph, left->b, &other) &&
        graph->nodes[left->a].zeros >= 64 - __builtin_clzll(number))
        return graph_constant(graph, number & other);
    return NO_INDEX;
}

static uint32_t fold_shift(struct graph *graph, enum alpha_opcode opcode, uint32_t a, uint32_t b) {
    const struct node *left = &graph->nodes[a];
    uint64_t number, other;
    if (!node_is_constant(graph, b, &number))
        return NO_INDEX;
    if (number > 63)
        return with_number(graph, opcode, a, number & 63);
    if (number == 0)
        return a;
    if (opcode == ALPHA_SRAr && left->high <= INT64_MAX)
        return graph_operate(graph, ALPHA_SRLr, a, b);
    /* A summand that only meets zero bits, and is then shifted out, has no carry. */
    if (opcode != ALPHA_SLLr && is(graph, a, ALPHA_ADDQr) && node_is_constant(graph, left->b, &other)) {
        unsigned zeros = least(graph->nodes[left->a].zeros, (unsigned)number);
        uint64_t lost = other & ((UINT64_C(1) << zeros) - 1);
        if (lost)
            return graph_operate(graph, opcode, with_number(graph, ALPHA_ADDQr, left->a, other - lost), b);
    }
    if (left->kind != NODE_OPERATE || !node_is_constant(graph, left->b, &other))
        return NO_INDEX;
    if (opcode == ALPHA_SLLr && left->opcode == ALPHA_ADDQr)
        return with_number(graph, ALPHA_ADDQr, with_number(graph, ALPHA_SLLr, left->a, number),
                           other << number);
    /* A shift to the right and back clears these bits. A mask in between is shifted as well. */
    if (opcode == ALPHA_SLLr && left->opcode == ALPHA_ANDr && is(graph, left->a, ALPHA_SRLr) &&
        is_number(graph, graph->nodes[left->a].b, number))
        return with_number(graph, ALPHA_ANDr, with_number(graph, ALPHA_SLLr, left->a, number),
                           other << number);
    if (other > 63)
        return NO_INDEX;
    if (opcode == ALPHA_SLLr && number == other && number < 16 &&
        (left->opcode == ALPHA_SRLr || left->opcode == ALPHA_SRAr))
        return with_number(graph, ALPHA_ANDr, left->a, ~UINT64_C(0) << number);
    /* A shift to the left and a longer one back leave the low bits of a value shifted to the right. */
    if (opcode == ALPHA_SRLr && left->opcode == ALPHA_SLLr && number > other && number > 32) {
        uint32_t inner = left->a;
        uint32_t shifted = with_number(graph, ALPHA_SRLr, inner, number - other);
        return with_number(graph, ALPHA_ANDr, shifted, ~UINT64_C(0) >> number);
    }
    if (left->opcode == opcode) {
        if (number + other < 64)
            return with_number(graph, opcode, left->a, number + other);
        return opcode == ALPHA_SRAr ? with_number(graph, opcode, left->a, 63) : graph_constant(graph, 0);
    }
    if (left->opcode != ALPHA_SLLr || number != other)
        return NO_INDEX;
    if (opcode == ALPHA_SRLr && graph->nodes[left->a].high >> (64 - number) == 0)
        return left->a;
    if (opcode == ALPHA_SRAr && graph->nodes[left->a].high >> (63 - number) == 0)
        return left->a;
    if (opcode == ALPHA_SRAr && number == 32)
        return with_number(graph, ALPHA_ADDLr, left->a, 0);
    return NO_INDEX;
}

/* The comparison that holds exactly if this one does not, with operands swapped; ALPHA_INVALID if there is
   none. */
static enum alpha_opcode opposite_comparison(enum alpha_opcode opcode) {
    switch (opcode) {
    case ALPHA_CMPLTr:
        return ALPHA_CMPLEr;
    case ALPHA_CMPLEr:
        return ALPHA_CMPLTr;
    case ALPHA_CMPULTr:
        return ALPHA_CMPULEr;
    case ALPHA_CMPULEr:
        return ALPHA_CMPULTr;
    default:
        return ALPHA_INVALID;
    }
}

/* node == 0, which is the negation of a boolean. */
static uint32_t fold_not(struct graph *graph, uint32_t index) {
    const struct node *node = &graph->nodes[index];
    if (node->kind != NODE_OPERATE)
        return NO_INDEX;
    uint32_t a = node->a, b = node->b;
    if (node->opcode == ALPHA_CMPULTr && is_number(graph, a, 0))
        return with_number(graph, ALPHA_CMPEQr, b, 0);
    if (opposite_comparison(node->opcode) != ALPHA_INVALID)
        return graph_operate(graph, opposite_comparison(node->opcode), b, a);
    if (node->opcode == ALPHA_CMPEQr && is_number(graph, b, 0))
        return graph_operate(graph, ALPHA_CMPULTr, b, a);
    if (node->opcode == ALPHA_CMPEQr && is_boolean(graph, a) && is_boolean(graph, b))
        return graph_operate(graph, ALPHA_XORr, a, b);
    if (node->opcode == ALPHA_XORr && is_boolean(graph, a) && is_number(graph, b, 1))
        return a;
    return NO_INDEX;
}

static uint32_t fold_comparison(struct graph *graph, enum alpha_opcode opcode, uint32_t a, uint32_t b) {
    const struct node *left = &graph->nodes[a], *right = &graph->nodes[b];
    bool is_signed = opcode == ALPHA_CMPLTr || opcode == ALPHA_CMPLEr;
    if (a == b)
        return graph_constant(graph,
                              opcode == ALPHA_CMPEQr || opcode == ALPHA_CMPLEr || opcode == ALPHA_CMPULEr);
    if (opcode == ALPHA_CMPEQr) {
        if (left->high < right->low || right->high < left->low)
            return graph_constant(graph, 0);
        if (is_boolean(graph, a) && is_number(graph, b, 1))
            return a;
        return is_number(graph, b, 0) ? fold_not(graph, a) : NO_INDEX;
    }
    if (is_signed && (left->high > INT64_MAX || right->high > INT64_MAX))
        return NO_INDEX;
    bool or_equal = opcode == ALPHA_CMPLEr || opcode == ALPHA_CMPULEr;
    if (or_equal ? left->high <= right->low : left->high < right->low)
        return graph_constant(graph, 1);
    if (or_equal ? left->low > right->high : left->low >= right->high)
        return graph_constant(graph, 0);
    if (opcode == ALPHA_CMPULTr && is_number(graph, a, 0) && is_boolean(graph, b))
        return b;
    return NO_INDEX;
}

uint32_t graph_low_half(struct graph *graph, uint32_t index) {
    const struct node *node = &graph->nodes[index];
    if (node->kind == NODE_SELECT) {
        struct condition condition = {.opcode = node->opcode, .node = node->a};
        uint32_t yes = graph_low_half(graph, node->b), no = graph_low_half(graph, node->c);
        return yes == node->b && no == node->c ? index : graph_select(graph, condition, yes, no);
    }
    if (node->kind != NODE_OPERATE || (node->opcode != ALPHA_ADDLr && node->opcode != ALPHA_SUBLr))
        return index;
    uint32_t a = graph_low_half(graph, node->a), b = graph_low_half(graph, node->b);
    return graph_operate(graph, node->opcode == ALPHA_ADDLr ? ALPHA_ADDQr : ALPHA_SUBQr, a, b);
}

/* Only the low three bits of the second operand of byte operations matter. */
static uint32_t fold_bytes(struct graph *graph, enum alpha_opcode opcode, uint32_t a, uint32_t b) {
    const struct node *right = &graph->nodes[b];
    uint64_t number;
    uint32_t low = opcode == ALPHA_INSBLr ? graph_low_half(graph, a) : a;
    if (low != a)
        return graph_operate(graph, opcode, low, b);
    if (node_is_constant(graph, b, &number)) {
        if (number > 7)
            return with_number(graph, opcode, a, number & 7);
        if (opcode == ALPHA_EXTBLr && number == 0)
            return with_number(graph, ALPHA_ANDr, a, 0xff);
        return NO_INDEX;
    }
    if (is(graph, b, ALPHA_ADDQr) && node_is_constant(graph, right->b, &number) && number % 8 == 0)
        return graph_operate(graph, opcode, a, right->a);
    return NO_INDEX;
}

static uint32_t fold_operate(struct graph *graph, enum alpha_opcode opcode, uint32_t a, uint32_t b) {
    uint64_t number;
    switch (opcode) {
    case ALPHA_ADDQr:
    case ALPHA_S4ADDQr:
    case ALPHA_S8ADDQr:
        return fold_sum(graph, opcode, a, b);
    case ALPHA_SUBQr:
        if (node_is_constant(graph, b, &number))
            return with_number(graph, ALPHA_ADDQr, a, -number);
        return a == b ? graph_constant(graph, 0) : NO_INDEX;
    case ALPHA_ADDLr:
    case ALPHA_SUBLr:
        return is_number(graph, b, 0) && is_long(graph, a) ? a : NO_INDEX;
    case ALPHA_ANDr:
    case ALPHA_BICr:
    case ALPHA_BISr:
    case ALPHA_XORr:
        return fold_logic(graph, opcode, a, b);
    case ALPHA_SLLr:
    case ALPHA_SRLr:
    case ALPHA_SRAr:
        return fold_shift(graph, opcode, a, b);
    case ALPHA_CMPEQr:
    case ALPHA_CMPLTr:
    case ALPHA_CMPLEr:
    case ALPHA_CMPULTr:
    case ALPHA_CMPULEr:
        return fold_comparison(graph, opcode, a, b);
    case ALPHA_ZAPNOTr:
        if (node_is_constant(graph, b, &number) && (number == 1 || number == 3 || number == 15))
            return with_number(graph, ALPHA_ANDr, a, ~UINT64_C(0) >> (64 - 8 * __builtin_popcountll(number)));
        return NO_INDEX;
    case ALPHA_EXTBLr:
    case ALPHA_INSBLr:
    case ALPHA_MSKBLr:
        return fold_bytes(graph, opcode, a, b);
    default:
        return NO_INDEX;
    }
}

uint32_t graph_operate(struct graph *graph, enum alpha_opcode opcode, uint32_t a, uint32_t b) {
    uint64_t left, right, result;
    bool constant = node_is_constant(graph, a, &left);
    if (constant && node_is_constant(graph, b, &right) && alpha_evaluate(opcode, left, right, &result))
        return graph_constant(graph, result);
    if (is_commutative(opcode) && (constant || (a < b && graph->nodes[b].kind != NODE_CONSTANT))) {
        uint32_t swap = a;
        a = b;
        b = swap;
    }
    uint32_t folded = graph->failed ? NO_INDEX : fold_operate(graph, opcode, a, b);
    if (folded != NO_INDEX)
        return folded;
    struct node node = {.kind = NODE_OPERATE, .opcode = (uint16_t)opcode, .a = a, .b = b};
    node_find_facts(graph, &node);
    return graph_add(graph, node);
}
