/* inline_graph.c: nodes of a graph, each expression once, folded as it is made.
   Requires integer operate instructions without traps; ranges are unsigned and conservative. */
#include <stdlib.h>
#include <string.h>

#include "engine/inline.h"

const char *const inline_reasons[INLINE_REASON_COUNT] = {
#define INLINE_REASON(id, text) text,
#include "inline_reasons.def"
#undef INLINE_REASON
};

void graph_fail(struct graph *graph, enum inline_reason reason) {
    if (!graph->failed)
        graph->failed = (uint8_t)reason;
}

void graph_clear(struct graph *graph) {
    graph->node_count = 0;
    graph->access_count = 0;
    graph->load_count = 0;
    graph->failed = INLINE_NONE;
    if (!graph->nodes) /* once for all: pointers to nodes stay good while nodes are added */
        graph->nodes = allocate(MOST_NODES * sizeof *graph->nodes);
    memset(graph->buckets, 0xff, sizeof graph->buckets);
}

void graph_free(struct graph *graph) {
    free(graph->nodes);
    free(graph->accesses);
    graph->nodes = NULL;
    graph->accesses = NULL;
}

/* ---- nodes ---------------------------------------------------------------------------------------------------- */

static uint32_t bucket_of(const struct node *node) {
    uint64_t mixed = node->kind + 8 * (uint64_t)node->opcode + ((uint64_t)node->a << 20) +
                     ((uint64_t)node->b << 34) + ((uint64_t)node->c << 48);
    mixed = (mixed ^ node->number * UINT64_C(0xff51afd7ed558ccd)) * UINT64_C(0x9e3779b97f4a7c15);
    return (uint32_t)(mixed >> 56) % GRAPH_BUCKETS;
}

uint32_t graph_add(struct graph *graph, struct node node) {
    uint32_t bucket = bucket_of(&node);
    for (uint32_t i = graph->buckets[bucket]; i != NO_INDEX; i = graph->nodes[i].next) {
        const struct node *other = &graph->nodes[i];
        if (other->kind == node.kind && other->opcode == node.opcode && other->a == node.a &&
            other->b == node.b && other->c == node.c && other->number == node.number)
            return i;
    }
    if (graph->node_count >= MOST_NODES) {
        graph_fail(graph, INLINE_TOO_LARGE);
        return 0;
    }
    node.next = graph->buckets[bucket];
    graph->buckets[bucket] = graph->node_count;
    graph->nodes[graph->node_count] = node;
    return graph->node_count++;
}

uint32_t graph_constant(struct graph *graph, uint64_t number) {
    return graph_add(graph, (struct node){.kind = NODE_CONSTANT,
                                          .zeros = number ? (uint8_t)__builtin_ctzll(number) : 64,
                                          .number = number,
                                          .low = number,
                                          .high = number});
}

uint32_t graph_leaf(struct graph *graph, enum node_kind kind, uint64_t number) {
    return graph_add(graph, (struct node){.kind = (uint8_t)kind, .number = number, .high = UINT64_MAX});
}

/* ---- what is known of a node ----------------------------------------------------------------------------------- */

static bool is(const struct graph *graph, uint32_t node, enum alpha_opcode opcode) {
    return graph->nodes[node].kind == NODE_OPERATE && graph->nodes[node].opcode == opcode;
}

static bool is_number(const struct graph *graph, uint32_t node, uint64_t number) {
    return graph->nodes[node].kind == NODE_CONSTANT && graph->nodes[node].number == number;
}

static bool is_boolean(const struct graph *graph, uint32_t node) {
    return graph->nodes[node].high <= 1;
}

/* Is the value the sign extension of its low 32 bits? */
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

static uint64_t all_below(uint64_t number) { /* the least 2^n - 1 that is not less */
    return number ? UINT64_MAX >> __builtin_clzll(number) : 0;
}

static uint8_t least(unsigned a, unsigned b) {
    return (uint8_t)(a < b ? a : b);
}

/* a + b, or a range of everything if that may wrap around. */
static void add_ranges(struct node *node, uint64_t a_low, uint64_t a_high, uint64_t b_low, uint64_t b_high) {
    if (__builtin_add_overflow(a_high, b_high, &node->high))
        node->high = UINT64_MAX;
    else
        node->low = a_low + b_low;
}

static void find_shifted(struct node *node, const struct node *a, uint64_t shift) {
    node->zeros = least(64, a->zeros + (unsigned)shift);
    if (shift == 0 || a->high >> (64 - shift) == 0) {
        node->low = a->low << shift;
        node->high = a->high << shift;
    }
}

static void find_sum(struct node *node, const struct node *a, const struct node *b, unsigned shift) {
    struct node shifted = {.high = UINT64_MAX};
    find_shifted(&shifted, a, shift);
    node->zeros = least(shifted.zeros, b->zeros);
    if (shifted.high == UINT64_MAX && shifted.low == 0)
        return;
    add_ranges(node, shifted.low, shifted.high, b->low, b->high);
}

static void find_facts(const struct graph *graph, struct node *node) {
    const struct node *a = &graph->nodes[node->a], *b = &graph->nodes[node->b];
    node->low = 0;
    node->high = UINT64_MAX;
    node->zeros = 0;
    switch (node->opcode) {
    case ALPHA_CMPEQr:
    case ALPHA_CMPLTr:
    case ALPHA_CMPLEr:
    case ALPHA_CMPULTr:
    case ALPHA_CMPULEr:
        node->high = 1;
        break;
    case ALPHA_ANDr:
        node->high = a->high < b->high ? a->high : b->high;
        node->zeros = a->zeros > b->zeros ? a->zeros : b->zeros;
        break;
    case ALPHA_BICr:
        node->high = a->high;
        node->zeros = a->zeros;
        if (b->kind == NODE_CONSTANT && ~b->number)
            node->zeros = (uint8_t)__builtin_ctzll(~b->number);
        break;
    case ALPHA_BISr:
    case ALPHA_XORr:
        node->high = all_below(a->high | b->high);
        node->zeros = least(a->zeros, b->zeros);
        break;
    case ALPHA_EXTBLr:
        node->high = 0xff;
        break;
    case ALPHA_EXTWLr:
        node->high = 0xffff;
        break;
    case ALPHA_EXTLLr:
        node->high = 0xffffffff;
        break;
    case ALPHA_SRLr:
        if (b->kind == NODE_CONSTANT) {
            node->low = a->low >> (b->number & 63);
            node->high = a->high >> (b->number & 63);
        }
        break;
    case ALPHA_ZAPNOTr:
        if (b->kind == NODE_CONSTANT && (b->number & 0xff) != 0xff) {
            unsigned bytes = b->number & 0xff;
            node->high = bytes ? UINT64_MAX >> (8 * (__builtin_clz(bytes) - 24)) : 0;
            if (a->high < node->high)
                node->high = a->high;
        }
        break;
    case ALPHA_SLLr:
        if (b->kind == NODE_CONSTANT)
            find_shifted(node, a, b->number & 63);
        break;
    case ALPHA_ADDQr:
        find_sum(node, a, b, 0);
        break;
    case ALPHA_S4ADDQr:
        find_sum(node, a, b, 2);
        break;
    case ALPHA_S8ADDQr:
        find_sum(node, a, b, 3);
        break;
    default:
        break;
    }
}

/* ---- folding --------------------------------------------------------------------------------------------------- */

static bool commutes(enum alpha_opcode opcode) {
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

static uint32_t with_number(struct graph *graph, enum alpha_opcode opcode, uint32_t a, uint64_t number) {
    return graph_operate(graph, opcode, a, graph_constant(graph, number));
}

/* Sums: constants go outwards, where they become displacements. */
static uint32_t fold_sum(struct graph *graph, enum alpha_opcode opcode, uint32_t a, uint32_t b) {
    const struct node *left = &graph->nodes[a], *right = &graph->nodes[b];
    unsigned shift = opcode == ALPHA_S4ADDQr ? 2 : opcode == ALPHA_S8ADDQr ? 3 : 0;
    uint64_t number;
    if (shift && node_is_constant(graph, a, &number))
        return with_number(graph, ALPHA_ADDQr, b, number << shift);
    if (shift && node_is_constant(graph, b, &number))
        return with_number(graph, ALPHA_ADDQr, with_number(graph, ALPHA_SLLr, a, shift), number);
    if (shift && is(graph, a, ALPHA_ADDQr) && node_is_constant(graph, left->b, &number)) {
        uint32_t inner = left->a;
        return with_number(graph, ALPHA_ADDQr, graph_operate(graph, opcode, inner, b), number << shift);
    }
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
    if (opcode == ALPHA_BICr)
        return is_number(graph, b, 0) ? a : a == b ? graph_constant(graph, 0) : NO_INDEX;
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
    uint32_t low = number <= UINT32_MAX ? graph_low_half(graph, a) : a;
    if (low != a)
        return with_number(graph, ALPHA_ANDr, low, number);
    /* The low bits of a sum with what has none are those of the constant. */
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
    if (left->kind != NODE_OPERATE || !node_is_constant(graph, left->b, &other) || other > 63)
        return NO_INDEX;
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

/* The comparison that holds when this one does not, operands swapped; ALPHA_INVALID if there is none. */
static enum alpha_opcode opposite(enum alpha_opcode opcode) {
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

/* node == 0, which is `not` of a boolean. */
static uint32_t fold_not(struct graph *graph, uint32_t index) {
    const struct node *node = &graph->nodes[index];
    if (node->kind != NODE_OPERATE)
        return NO_INDEX;
    uint32_t a = node->a, b = node->b;
    if (node->opcode == ALPHA_CMPULTr && is_number(graph, a, 0))
        return with_number(graph, ALPHA_CMPEQr, b, 0);
    if (opposite(node->opcode) != ALPHA_INVALID)
        return graph_operate(graph, opposite(node->opcode), b, a);
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

/* Of the second operand of byte operations, the low three bits count. */
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
        return is_number(graph, b, 0) && is_long(graph, a) ? a : NO_INDEX;
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
        if (node_is_constant(graph, b, &number) && ((number == 15 && graph->nodes[a].high <= UINT32_MAX) ||
                                                    (number == 3 && graph->nodes[a].high <= 0xffff) ||
                                                    (number == 1 && graph->nodes[a].high <= 0xff)))
            return a;
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
    if (commutes(opcode) && (constant || (a < b && graph->nodes[b].kind != NODE_CONSTANT))) {
        uint32_t swap = a;
        a = b;
        b = swap;
    }
    uint32_t folded = graph->failed ? NO_INDEX : fold_operate(graph, opcode, a, b);
    if (folded != NO_INDEX)
        return folded;
    struct node node = {.kind = NODE_OPERATE, .opcode = (uint16_t)opcode, .a = a, .b = b};
    find_facts(graph, &node);
    return graph_add(graph, node);
}

/* ---- conditions ------------------------------------------------------------------------------------------------ */

static struct condition negate(struct condition condition) {
    condition.negated = !condition.negated;
    return condition;
}

/* One step towards the plainest test: of what a comparison with zero compares. */
static bool simplify_condition(const struct graph *graph, struct condition *condition) {
    const struct node *node = &graph->nodes[condition->node];
    if (condition->opcode != ALPHA_CMOVNEr || node->kind != NODE_OPERATE)
        return false;
    if (node->opcode == ALPHA_CMPEQr && is_number(graph, node->b, 0)) {
        *condition = negate((struct condition){ALPHA_CMOVNEr, condition->negated, node->a});
        return true;
    }
    bool strict = node->opcode == ALPHA_CMPLTr;
    if (strict || node->opcode == ALPHA_CMPLEr) {
        if (is_number(graph, node->b, 0)) {
            *condition =
                (struct condition){strict ? ALPHA_CMOVLTr : ALPHA_CMOVLEr, condition->negated, node->a};
            return true;
        }
        if (is_number(graph, node->a, 0)) { /* 0 < b: not b <= 0 */
            *condition = negate(
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
        *condition = negate((struct condition){ALPHA_CMOVNEr, condition->negated, node->a});
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
    /* Where the range settles the sign, or there is but one bit, all tests are of zero. */
    const struct node *tested = &graph->nodes[node];
    if (condition.opcode == ALPHA_CMOVLBSr && tested->high <= 1)
        condition.opcode = ALPHA_CMOVNEr;
    if (condition.opcode == ALPHA_CMOVLEr && tested->high <= INT64_MAX)
        condition = negate((struct condition){ALPHA_CMOVNEr, condition.negated, node});
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

/* A choice between values a fixed distance apart is arithmetic on the condition. */
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
        condition = negate(condition);
    }
    uint64_t distance = a_number - b_number;
    bool scales = distance == 1 || distance == 4 || distance == 8;
    if (!scales && !(numbers && b_number == 0 && (distance & (distance - 1)) == 0))
        return NO_INDEX;
    if (distance == 1 && !numbers && a_number == 0) /* x or x - 1 */
        return graph_operate(graph, ALPHA_SUBQr, a_base, graph_boolean(graph, negate(condition)));
    uint32_t base =
        numbers ? graph_constant(graph, b_number) : with_number(graph, ALPHA_ADDQr, a_base, b_number);
    uint32_t scaled =
        with_number(graph, ALPHA_SLLr, graph_boolean(graph, condition), (unsigned)__builtin_ctzll(distance));
    return graph_operate(graph, ALPHA_ADDQr, base, scaled);
}

/* A choice between operations that differ in one operand is the operation on a choice. */
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

/* Does the node tell whether these two are equal? */
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
        is_equal_test(graph, condition.node, yes, no)) /* of equals, either */
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
