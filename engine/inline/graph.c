/* graph.c: nodes of a graph, each expression once, and the facts known of them. Requires integer operate
   instructions without traps; ranges are unsigned and conservative. */
#include <string.h>

#include "engine/inline/internal.h"

const char *const inline_reasons[INLINE_REASON_COUNT] = {
#define INLINE_REASON(id, text) text,
#include "engine/inline/inline_reasons.def"
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
    graph->origin = NO_INDEX;
    graph->failed = INLINE_NONE;
    graph->slow.entry = 0;
    if (!graph->nodes) { /* allocated one time: pointers to nodes remain valid while nodes are added */
        graph->nodes = arena_allocate_unset(graph->arena, MOST_NODES * sizeof *graph->nodes);
        graph->accesses = arena_allocate(graph->arena, MOST_ACCESSES * sizeof *graph->accesses);
    }
    memset(graph->buckets, 0xff, sizeof graph->buckets);
}

/* ---- nodes ---------------------------------------------------------------------------------------------------- */

static uint32_t bucket_of(const struct node *node) {
    uint64_t mixed = node->kind + 8 * (uint64_t)node->operation + ((uint64_t)node->a << 20) +
                     ((uint64_t)node->b << 34) + ((uint64_t)node->c << 48);
    mixed = (mixed ^ node->number * UINT64_C(0xff51afd7ed558ccd)) * UINT64_C(0x9e3779b97f4a7c15);
    return (uint32_t)(mixed >> 56) % GRAPH_BUCKETS;
}

uint32_t graph_add(struct graph *graph, struct node node) {
    uint32_t bucket = bucket_of(&node);
    for (uint32_t i = graph->buckets[bucket]; i != NO_INDEX; i = graph->nodes[i].next) {
        const struct node *other = &graph->nodes[i];
        if (other->kind == node.kind && other->operation == node.operation && other->a == node.a &&
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

/* The range of a + b, or of everything if that may wrap around. */
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

static void find_sum_range(struct node *node, const struct node *a, const struct node *b, unsigned shift) {
    struct node shifted = {.high = UINT64_MAX};
    find_shifted(&shifted, a, shift);
    node->zeros = least(shifted.zeros, b->zeros);
    if (shifted.high == UINT64_MAX && shifted.low == 0)
        return;
    add_ranges(node, shifted.low, shifted.high, b->low, b->high);
}

static void find_shifted_right(struct node *node, const struct node *a, uint64_t shift) {
    node->low = a->low >> shift;
    node->high = a->high >> shift;
}

static void find_cleared_bits(struct node *node, const struct node *a, const struct node *b) {
    node->high = a->high;
    node->zeros = a->zeros;
    if (b->kind == NODE_CONSTANT && ~b->number)
        node->zeros = (uint8_t)__builtin_ctzll(~b->number);
}

/* Keeps the bytes of `a` whose bits are set. */
static void find_kept_bytes(struct node *node, const struct node *a, unsigned bytes) {
    if (bytes == 0xff)
        return;
    node->high = bytes ? UINT64_MAX >> (8 * (__builtin_clz(bytes) - 24)) : 0;
    if (a->high < node->high)
        node->high = a->high;
}

void node_find_facts(const struct graph *graph, struct node *node) {
    const struct node *a = &graph->nodes[node->a], *b = &graph->nodes[node->b];
    node->low = 0;
    node->high = UINT64_MAX;
    node->zeros = 0;
    switch (node->operation) {
    case OPERATOR_EQUAL:
    case OPERATOR_LESS:
    case OPERATOR_LESS_EQUAL:
    case OPERATOR_BELOW:
    case OPERATOR_BELOW_EQUAL:
        node->high = 1;
        break;
    case OPERATOR_AND:
        node->high = a->high < b->high ? a->high : b->high;
        node->zeros = a->zeros > b->zeros ? a->zeros : b->zeros;
        break;
    case OPERATOR_AND_NOT:
        find_cleared_bits(node, a, b);
        break;
    case OPERATOR_OR:
    case OPERATOR_XOR:
        node->high = all_below(a->high | b->high);
        node->zeros = least(a->zeros, b->zeros);
        break;
    case OPERATOR_EXTRACT_BYTE:
        node->high = 0xff;
        break;
    case OPERATOR_EXTRACT_WORD:
        node->high = 0xffff;
        break;
    case OPERATOR_EXTRACT_INT:
        node->high = 0xffffffff;
        break;
    case OPERATOR_SHIFT_RIGHT:
        if (b->kind == NODE_CONSTANT)
            find_shifted_right(node, a, b->number & 63);
        break;
    case OPERATOR_KEEP_BYTES:
        if (b->kind == NODE_CONSTANT)
            find_kept_bytes(node, a, b->number & 0xff);
        break;
    case OPERATOR_SHIFT_LEFT:
        if (b->kind == NODE_CONSTANT)
            find_shifted(node, a, b->number & 63);
        break;
    case OPERATOR_ADD:
        find_sum_range(node, a, b, 0);
        break;
    case OPERATOR_INDEX_4:
        find_sum_range(node, a, b, 2);
        break;
    case OPERATOR_INDEX_8:
        find_sum_range(node, a, b, 3);
        break;
    default:
        break;
    }
}
