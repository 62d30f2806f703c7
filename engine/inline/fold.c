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
        return node->operation == FORM_INT;
    case NODE_SELECT:
        return is_long(graph, node->b) && is_long(graph, node->c);
    case NODE_OPERATE:
        switch (node->operation) {
        case OPERATOR_ADD_INT:
        case OPERATOR_SUBTRACT_INT:
        case OPERATOR_INDEX_4_INT:
        case OPERATOR_INDEX_8_INT:
        case OPERATOR_SUBTRACT_4_INT:
        case OPERATOR_SUBTRACT_8_INT:
        case OPERATOR_MULTIPLY_INT:
            return true;
        default:
            return false;
        }
    default:
        return false;
    }
}

static bool is_commutative(enum integer_operator operation) {
    switch (operation) {
    case OPERATOR_ADD:
    case OPERATOR_ADD_INT:
    case OPERATOR_MULTIPLY:
    case OPERATOR_MULTIPLY_INT:
    case OPERATOR_MULTIPLY_HIGH:
    case OPERATOR_AND:
    case OPERATOR_OR:
    case OPERATOR_XOR:
    case OPERATOR_XOR_NOT:
    case OPERATOR_EQUAL:
        return true;
    default:
        return false;
    }
}

/* Sums: constants move outwards, where they become displacements. */
static uint32_t fold_sum(struct graph *graph, enum integer_operator operation, uint32_t a, uint32_t b) {
    const struct node *left = &graph->nodes[a], *right = &graph->nodes[b];
    unsigned shift = operation == OPERATOR_INDEX_4 ? 2 : operation == OPERATOR_INDEX_8 ? 3 : 0;
    uint64_t number;
    if (shift && node_is_constant(graph, a, &number))
        return with_number(graph, OPERATOR_ADD, b, number << shift);
    if (shift && is(graph, a, OPERATOR_ADD) && node_is_constant(graph, left->b, &number)) {
        uint32_t inner = left->a;
        return with_number(graph, OPERATOR_ADD, graph_operate(graph, operation, inner, b), number << shift);
    }
    if (shift && node_is_constant(graph, b, &number))
        return with_number(graph, OPERATOR_ADD, with_number(graph, OPERATOR_SHIFT_LEFT, a, shift), number);
    if (is(graph, b, OPERATOR_ADD) && node_is_constant(graph, right->b, &number)) {
        uint32_t inner = right->a;
        return with_number(graph, OPERATOR_ADD, graph_operate(graph, operation, a, inner), number);
    }
    if (shift)
        return NO_INDEX;
    if (is_number(graph, b, 0))
        return a;
    if (is(graph, a, OPERATOR_ADD) && node_is_constant(graph, left->b, &number)) {
        uint64_t other;
        uint32_t inner = left->a;
        if (node_is_constant(graph, b, &other))
            return with_number(graph, OPERATOR_ADD, inner, number + other);
        return with_number(graph, OPERATOR_ADD, graph_operate(graph, OPERATOR_ADD, inner, b), number);
    }
    if (right->kind == NODE_CONSTANT)
        return NO_INDEX;
    for (int swap = 0; swap < 2; swap++, left = right, right = &graph->nodes[a]) {
        uint32_t other = swap ? a : b;
        if (left->kind == NODE_OPERATE && left->operation == OPERATOR_SHIFT_LEFT &&
            (is_number(graph, left->b, 2) || is_number(graph, left->b, 3)))
            return graph_operate(graph, is_number(graph, left->b, 2) ? OPERATOR_INDEX_4 : OPERATOR_INDEX_8,
                                 left->a, other);
    }
    return NO_INDEX;
}

static uint32_t fold_logic(struct graph *graph, enum integer_operator operation, uint32_t a, uint32_t b) {
    const struct node *left = &graph->nodes[a];
    uint64_t number, other;
    bool constant = node_is_constant(graph, b, &number);
    if (operation == OPERATOR_OR || operation == OPERATOR_XOR) {
        if (is_number(graph, b, 0))
            return a;
        if (a == b)
            return operation == OPERATOR_OR ? a : graph_constant(graph, 0);
        if (operation == OPERATOR_XOR && constant && is(graph, a, OPERATOR_XOR) &&
            node_is_constant(graph, left->b, &other))
            return with_number(graph, OPERATOR_XOR, left->a, number ^ other);
        return NO_INDEX;
    }
    if (operation == OPERATOR_AND_NOT && constant)
        return with_number(graph, OPERATOR_AND, a, ~number);
    if (operation == OPERATOR_AND_NOT)
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
    if (is(graph, a, OPERATOR_AND) && node_is_constant(graph, left->b, &other))
        return with_number(graph, OPERATOR_AND, left->a, number & other);
    /* Of a constant that is ORed or XORed in, only these bits matter. */
    if ((is(graph, a, OPERATOR_XOR) || is(graph, a, OPERATOR_OR)) &&
        node_is_constant(graph, left->b, &other) && (other & ~number)) {
        uint32_t mixed = with_number(graph, left->operation, left->a, other & number);
        return with_number(graph, OPERATOR_AND, mixed, number);
    }
    uint32_t low = number <= UINT32_MAX ? graph_low_half(graph, a) : a;
    if (low != a)
        return with_number(graph, OPERATOR_AND, low, number);
    if (is(graph, a, OPERATOR_ADD) && node_is_constant(graph, left->b, &other) &&
        (other & all_below(number)) == 0) /* it adds nothing to these bits */
        return with_number(graph, OPERATOR_AND, left->a, number);
    /* If the other summand has no low bits, the low bits of the sum are those of the constant. */
    if (is(graph, a, OPERATOR_ADD) && node_is_constant(graph, left->b, &other) &&
        graph->nodes[left->a].zeros >= 64 - __builtin_clzll(number))
        return graph_constant(graph, number & other);
    return NO_INDEX;
}

static uint32_t fold_shift(struct graph *graph, enum integer_operator operation, uint32_t a, uint32_t b) {
    const struct node *left = &graph->nodes[a];
    uint64_t number, other;
    if (!node_is_constant(graph, b, &number))
        return NO_INDEX;
    if (number > 63)
        return with_number(graph, operation, a, number & 63);
    if (number == 0)
        return a;
    if (operation == OPERATOR_SHIFT_RIGHT_SIGNED && left->high <= INT64_MAX)
        return graph_operate(graph, OPERATOR_SHIFT_RIGHT, a, b);
    /* A summand that only meets zero bits, and is then shifted out, has no carry. */
    if (operation != OPERATOR_SHIFT_LEFT && is(graph, a, OPERATOR_ADD) &&
        node_is_constant(graph, left->b, &other)) {
        unsigned zeros = least(graph->nodes[left->a].zeros, (unsigned)number);
        uint64_t lost = other & ((UINT64_C(1) << zeros) - 1);
        if (lost)
            return graph_operate(graph, operation, with_number(graph, OPERATOR_ADD, left->a, other - lost),
                                 b);
    }
    if (left->kind != NODE_OPERATE || !node_is_constant(graph, left->b, &other))
        return NO_INDEX;
    if (operation == OPERATOR_SHIFT_LEFT && left->operation == OPERATOR_ADD)
        return with_number(graph, OPERATOR_ADD, with_number(graph, OPERATOR_SHIFT_LEFT, left->a, number),
                           other << number);
    /* A shift to the right and back clears these bits. A mask in between is shifted as well. */
    if (operation == OPERATOR_SHIFT_LEFT && left->operation == OPERATOR_AND &&
        is(graph, left->a, OPERATOR_SHIFT_RIGHT) && is_number(graph, graph->nodes[left->a].b, number))
        return with_number(graph, OPERATOR_AND, with_number(graph, OPERATOR_SHIFT_LEFT, left->a, number),
                           other << number);
    if (other > 63)
        return NO_INDEX;
    if (operation == OPERATOR_SHIFT_LEFT && number == other && number < 16 &&
        (left->operation == OPERATOR_SHIFT_RIGHT || left->operation == OPERATOR_SHIFT_RIGHT_SIGNED))
        return with_number(graph, OPERATOR_AND, left->a, ~UINT64_C(0) << number);
    /* A shift to the left and a longer one back leave the low bits of a value shifted to the right. */
    if (operation == OPERATOR_SHIFT_RIGHT && left->operation == OPERATOR_SHIFT_LEFT && number > other &&
        number > 32) {
        uint32_t inner = left->a;
        uint32_t shifted = with_number(graph, OPERATOR_SHIFT_RIGHT, inner, number - other);
        return with_number(graph, OPERATOR_AND, shifted, ~UINT64_C(0) >> number);
    }
    if (left->operation == operation) {
        if (number + other < 64)
            return with_number(graph, operation, left->a, number + other);
        return operation == OPERATOR_SHIFT_RIGHT_SIGNED ? with_number(graph, operation, left->a, 63)
                                                        : graph_constant(graph, 0);
    }
    if (left->operation != OPERATOR_SHIFT_LEFT || number != other)
        return NO_INDEX;
    if (operation == OPERATOR_SHIFT_RIGHT && graph->nodes[left->a].high >> (64 - number) == 0)
        return left->a;
    if (operation == OPERATOR_SHIFT_RIGHT_SIGNED && graph->nodes[left->a].high >> (63 - number) == 0)
        return left->a;
    if (operation == OPERATOR_SHIFT_RIGHT_SIGNED && number == 32)
        return with_number(graph, OPERATOR_ADD_INT, left->a, 0);
    return NO_INDEX;
}

/* The comparison that holds exactly if this one does not, with operands swapped; OPERATOR_NONE if there is
   none. */
static enum integer_operator opposite_comparison(enum integer_operator operation) {
    switch (operation) {
    case OPERATOR_LESS:
        return OPERATOR_LESS_EQUAL;
    case OPERATOR_LESS_EQUAL:
        return OPERATOR_LESS;
    case OPERATOR_BELOW:
        return OPERATOR_BELOW_EQUAL;
    case OPERATOR_BELOW_EQUAL:
        return OPERATOR_BELOW;
    default:
        return OPERATOR_NONE;
    }
}

/* node == 0, which is the negation of a boolean. */
static uint32_t fold_not(struct graph *graph, uint32_t index) {
    const struct node *node = &graph->nodes[index];
    if (node->kind != NODE_OPERATE)
        return NO_INDEX;
    uint32_t a = node->a, b = node->b;
    if (node->operation == OPERATOR_BELOW && is_number(graph, a, 0))
        return with_number(graph, OPERATOR_EQUAL, b, 0);
    if (opposite_comparison(node->operation) != OPERATOR_NONE)
        return graph_operate(graph, opposite_comparison(node->operation), b, a);
    if (node->operation == OPERATOR_EQUAL && is_number(graph, b, 0))
        return graph_operate(graph, OPERATOR_BELOW, b, a);
    if (node->operation == OPERATOR_EQUAL && is_boolean(graph, a) && is_boolean(graph, b))
        return graph_operate(graph, OPERATOR_XOR, a, b);
    if (node->operation == OPERATOR_XOR && is_boolean(graph, a) && is_number(graph, b, 1))
        return a;
    return NO_INDEX;
}

static uint32_t fold_comparison(struct graph *graph, enum integer_operator operation, uint32_t a,
                                uint32_t b) {
    const struct node *left = &graph->nodes[a], *right = &graph->nodes[b];
    bool is_signed = operation == OPERATOR_LESS || operation == OPERATOR_LESS_EQUAL;
    if (a == b)
        return graph_constant(graph, operation == OPERATOR_EQUAL || operation == OPERATOR_LESS_EQUAL ||
                                         operation == OPERATOR_BELOW_EQUAL);
    if (operation == OPERATOR_EQUAL) {
        if (left->high < right->low || right->high < left->low)
            return graph_constant(graph, 0);
        if (is_boolean(graph, a) && is_number(graph, b, 1))
            return a;
        return is_number(graph, b, 0) ? fold_not(graph, a) : NO_INDEX;
    }
    if (is_signed && (left->high > INT64_MAX || right->high > INT64_MAX))
        return NO_INDEX;
    bool or_equal = operation == OPERATOR_LESS_EQUAL || operation == OPERATOR_BELOW_EQUAL;
    if (or_equal ? left->high <= right->low : left->high < right->low)
        return graph_constant(graph, 1);
    if (or_equal ? left->low > right->high : left->low >= right->high)
        return graph_constant(graph, 0);
    if (operation == OPERATOR_BELOW && is_number(graph, a, 0) && is_boolean(graph, b))
        return b;
    return NO_INDEX;
}

uint32_t graph_low_half(struct graph *graph, uint32_t index) {
    const struct node *node = &graph->nodes[index];
    if (node->kind == NODE_SELECT) {
        struct condition condition = {.test = (uint8_t)node->operation, .node = node->a};
        uint32_t yes = graph_low_half(graph, node->b), no = graph_low_half(graph, node->c);
        return yes == node->b && no == node->c ? index : graph_select(graph, condition, yes, no);
    }
    if (node->kind != NODE_OPERATE ||
        (node->operation != OPERATOR_ADD_INT && node->operation != OPERATOR_SUBTRACT_INT))
        return index;
    uint32_t a = graph_low_half(graph, node->a), b = graph_low_half(graph, node->b);
    return graph_operate(graph, node->operation == OPERATOR_ADD_INT ? OPERATOR_ADD : OPERATOR_SUBTRACT, a, b);
}

/* Only the low three bits of the second operand of byte operations matter. */
static uint32_t fold_bytes(struct graph *graph, enum integer_operator operation, uint32_t a, uint32_t b) {
    const struct node *right = &graph->nodes[b];
    uint64_t number;
    uint32_t low = operation == OPERATOR_INSERT_BYTE ? graph_low_half(graph, a) : a;
    if (low != a)
        return graph_operate(graph, operation, low, b);
    if (node_is_constant(graph, b, &number)) {
        if (number > 7)
            return with_number(graph, operation, a, number & 7);
        if (operation == OPERATOR_EXTRACT_BYTE && number == 0)
            return with_number(graph, OPERATOR_AND, a, 0xff);
        return NO_INDEX;
    }
    if (is(graph, b, OPERATOR_ADD) && node_is_constant(graph, right->b, &number) && number % 8 == 0)
        return graph_operate(graph, operation, a, right->a);
    return NO_INDEX;
}

static uint32_t fold_operate(struct graph *graph, enum integer_operator operation, uint32_t a, uint32_t b) {
    uint64_t number;
    switch (operation) {
    case OPERATOR_ADD:
    case OPERATOR_INDEX_4:
    case OPERATOR_INDEX_8:
        return fold_sum(graph, operation, a, b);
    case OPERATOR_SUBTRACT:
        if (node_is_constant(graph, b, &number))
            return with_number(graph, OPERATOR_ADD, a, -number);
        return a == b ? graph_constant(graph, 0) : NO_INDEX;
    case OPERATOR_ADD_INT:
    case OPERATOR_SUBTRACT_INT:
        return is_number(graph, b, 0) && is_long(graph, a) ? a : NO_INDEX;
    case OPERATOR_AND:
    case OPERATOR_AND_NOT:
    case OPERATOR_OR:
    case OPERATOR_XOR:
        return fold_logic(graph, operation, a, b);
    case OPERATOR_SHIFT_LEFT:
    case OPERATOR_SHIFT_RIGHT:
    case OPERATOR_SHIFT_RIGHT_SIGNED:
        return fold_shift(graph, operation, a, b);
    case OPERATOR_EQUAL:
    case OPERATOR_LESS:
    case OPERATOR_LESS_EQUAL:
    case OPERATOR_BELOW:
    case OPERATOR_BELOW_EQUAL:
        return fold_comparison(graph, operation, a, b);
    case OPERATOR_KEEP_BYTES:
        if (node_is_constant(graph, b, &number) && (number == 1 || number == 3 || number == 15))
            return with_number(graph, OPERATOR_AND, a,
                               ~UINT64_C(0) >> (64 - 8 * __builtin_popcountll(number)));
        return NO_INDEX;
    case OPERATOR_EXTRACT_BYTE:
    case OPERATOR_INSERT_BYTE:
    case OPERATOR_MASK_BYTE:
        return fold_bytes(graph, operation, a, b);
    default:
        return NO_INDEX;
    }
}

uint32_t graph_operate(struct graph *graph, enum integer_operator operation, uint32_t a, uint32_t b) {
    uint64_t left, right, result;
    bool constant = node_is_constant(graph, a, &left);
    if (constant && node_is_constant(graph, b, &right) && operator_evaluate(operation, left, right, &result))
        return graph_constant(graph, result);
    if (is_commutative(operation) && (constant || (a < b && graph->nodes[b].kind != NODE_CONSTANT))) {
        uint32_t swap = a;
        a = b;
        b = swap;
    }
    uint32_t folded = graph->failed ? NO_INDEX : fold_operate(graph, operation, a, b);
    if (folded != NO_INDEX)
        return folded;
    struct node node = {.kind = NODE_OPERATE, .operation = (uint16_t)operation, .a = a, .b = b};
    node_find_facts(graph, &node);
    return graph_add(graph, node);
}
