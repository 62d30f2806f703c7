/* nodes.h: questions about the nodes of a graph; between inline/graph.c, inline/fold.c and
 * inline/choose.c. */
#ifndef ATOMC_INLINE_NODES_H
#define ATOMC_INLINE_NODES_H

#include "engine/inline/inline.h"

/* Range and zeros of a NODE_OPERATE, from its operands. */
void node_find_facts(const struct graph *graph, struct node *node);

static inline bool is(const struct graph *graph, uint32_t node, enum alpha_opcode opcode) {
    return graph->nodes[node].kind == NODE_OPERATE && graph->nodes[node].opcode == opcode;
}

static inline bool is_number(const struct graph *graph, uint32_t node, uint64_t number) {
    return graph->nodes[node].kind == NODE_CONSTANT && graph->nodes[node].number == number;
}

static inline bool is_boolean(const struct graph *graph, uint32_t node) {
    return graph->nodes[node].high <= 1;
}

static inline uint64_t all_below(uint64_t number) { /* the least 2^n - 1 that is not less */
    return number ? UINT64_MAX >> __builtin_clzll(number) : 0;
}

static inline uint8_t least(unsigned a, unsigned b) {
    return (uint8_t)(a < b ? a : b);
}

static inline uint32_t with_number(struct graph *graph, enum alpha_opcode opcode, uint32_t a,
                                   uint64_t number) {
    return graph_operate(graph, opcode, a, graph_constant(graph, number));
}

#endif
