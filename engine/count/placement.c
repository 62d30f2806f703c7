/* placement.c: chooses the events of a procedure that are counted, and the equations for the others: the
   edges of a spanning tree of the flow graph, one of maximum cost, are not counted (D. E. Knuth and F. R.
   Stevenson, "Optimal measurement points for program frequency counts", 1973; T. Ball and J. R. Larus,
   "Optimally profiling and tracing programs", 1994). Requires a flow. If counting just the needed events
   costs less, only sums are derived. */
#include <stdlib.h>
#include <string.h>

#include "engine/count/internal.h"

/* Instructions of a count of an entry. */
enum { COST_AGAIN = 4 };

/* ---- the tree ------------------------------------------------------------------------------------------- */

static uint32_t find_tree_root(uint32_t *set, uint32_t node) {
    while (set[node] != node) {
        set[node] = set[set[node]];
        node = set[node];
    }
    return node;
}

struct ranked_edge {
    uint64_t cost;
    uint32_t edge;
};

static int dearest_first(const void *left, const void *right) {
    const struct ranked_edge *a = left, *b = right;
    if (a->cost != b->cost)
        return a->cost > b->cost ? -1 : 1;
    return (a->edge > b->edge) - (a->edge < b->edge);
}

static void choose_tree(struct flow *flow) {
    struct arena_mark mark = arena_mark(flow->arena);
    struct ranked_edge *ranked = arena_allocate(flow->arena, flow->edge_count * sizeof *ranked);
    for (uint32_t i = 0; i < flow->edge_count; i++)
        ranked[i] = (struct ranked_edge){flow->edges[i].cost, i};
    qsort(ranked, flow->edge_count, sizeof *ranked, dearest_first);
    for (uint32_t node = 0; node < flow->node_count; node++)
        flow->set[node] = node;
    for (uint32_t i = 0; i < flow->edge_count; i++) {
        struct flow_edge *edge = &flow->edges[ranked[i].edge];
        uint32_t from = find_tree_root(flow->set, edge->from), to = find_tree_root(flow->set, edge->to);
        edge->tree = from != to;
        flow->set[from] = to;
    }
    arena_release(flow->arena, mark);
}

uint32_t flow_next(const struct flow *flow, uint32_t node, uint32_t edge) {
    if (edge == NO_INDEX)
        return flow->first[node];
    return flow->edges[edge].next[flow->edges[edge].from == node ? 0 : 1];
}

/* Orders the nodes from the roots of the trees down. The outside node is a root: its own sum is never used.
 */
static void order_flow_nodes(struct flow *flow) {
    uint32_t count = 0, done = 0;
    struct arena_mark mark = arena_mark(flow->arena);
    bool *reached = arena_allocate(flow->arena, flow->node_count * sizeof *reached);
    for (uint32_t root = 0; root < flow->node_count; root++) {
        if (reached[root])
            continue;
        reached[root] = true;
        flow->parent[root] = NO_INDEX;
        flow->order[count++] = root;
        for (; done < count; done++) {
            uint32_t node = flow->order[done];
            for (uint32_t i = flow_next(flow, node, NO_INDEX); i != NO_INDEX; i = flow_next(flow, node, i)) {
                const struct flow_edge *edge = &flow->edges[i];
                uint32_t other = edge->from == node ? edge->to : edge->from;
                if (!edge->tree || reached[other])
                    continue;
                reached[other] = true;
                flow->parent[other] = i;
                flow->order[count++] = other;
            }
        }
    }
    arena_release(flow->arena, mark);
}

/* ---- what is needed ------------------------------------------------------------------------------------- */

static uint16_t edge_event(const struct flow_edge *edge) {
    switch ((enum flow_kind)edge->kind) {
    case FLOW_EXECUTED:
        return WANT_EXECUTED;
    case FLOW_OUTSIDE:
    case FLOW_CALLED:
    case FLOW_AGAIN:
        return WANT_OUTSIDE;
    case FLOW_TAKEN:
        return WANT_TAKEN;
    default:
        return 0;
    }
}

static void find_wanted(struct flow *flow) {
    for (uint32_t i = 0; i < flow->edge_count; i++) {
        struct flow_edge *edge = &flow->edges[i];
        uint32_t local = edge->kind == FLOW_AGAIN ? (edge->to - 1) / 2 : edge->block;
        uint16_t facts = flow->counting->facts[flow->procedure->first_block + local];
        edge->wanted = edge->kind != FLOW_LEAK && facts & edge_event(edge);
        edge->needed = edge->wanted;
    }
}

/* The value of a tree edge follows from all other edges at the node to which it leads. */
static void find_needed_edges(struct flow *flow) {
    for (uint32_t at = 0; at < flow->node_count; at++) {
        uint32_t node = flow->order[at], parent = flow->parent[node];
        if (parent == NO_INDEX || !flow->edges[parent].needed)
            continue;
        for (uint32_t i = flow_next(flow, node, NO_INDEX); i != NO_INDEX; i = flow_next(flow, node, i))
            flow->edges[i].needed = true;
    }
}

/* Edges whose values follow from counts that are made anyway: edges of the tree, from its leaves up. */
static void find_known(struct flow *flow) {
    for (uint32_t i = 0; i < flow->edge_count; i++) {
        struct flow_edge *edge = &flow->edges[i];
        edge->known = !edge->tree && (edge->needed || edge->kind == FLOW_CALLED);
    }
    for (uint32_t at = flow->node_count; at-- > 0;) {
        uint32_t node = flow->order[at], parent = flow->parent[node];
        if (parent == NO_INDEX || flow->edges[parent].kind == FLOW_LEAK)
            continue;
        bool known = true;
        for (uint32_t i = flow_next(flow, node, NO_INDEX); i != NO_INDEX; i = flow_next(flow, node, i))
            known &= i == parent || flow->edges[i].known;
        flow->edges[parent].known = known;
    }
}

static bool derives_cheaper(const struct flow *flow) {
    uint64_t derived = 0, direct = 0;
    for (uint32_t i = 0; i < flow->edge_count; i++) {
        const struct flow_edge *edge = &flow->edges[i];
        if (edge->needed && !edge->tree)
            derived += edge->cost;
        if (edge->wanted) /* transfers that enter the procedure again would have to be counted there */
            direct +=
                edge->kind == FLOW_AGAIN ? COST_AGAIN * flow->frequencies.block[edge->block] : edge->cost;
    }
    return derived < direct;
}

/* ---- numbers ------------------------------------------------------------------------------ */

static void count_edge(struct counting *counting, const struct flow *flow, const struct flow_edge *edge) {
    struct block_counts *counts = &counting->blocks[flow->procedure->first_block + edge->block];
    uint32_t cell = (uint32_t)(counting->cells + edge->value); /* derived values are last */
    uint32_t *places[] = {[FLOW_EXECUTED] = &counts->executed,
                          [FLOW_THROUGH] = &counts->through,
                          [FLOW_OUTSIDE] = &counts->outside,
                          [FLOW_TAKEN] = &counts->taken};
    *places[edge->kind] = cell;
    counting->counted++;
}

/* The number of values of each kind. */
struct value_counts {
    uint32_t counted, called, derived;
};

/* The order of values: counted values, then values from callers' counts, then derived values in an order in
   which they can be computed. */
static struct value_counts number_flow_values(struct counting *counting, struct flow *flow, bool derive) {
    struct value_counts counts = {0};
    uint32_t next = 0;
    for (uint32_t i = 0; i < flow->edge_count; i++) {
        struct flow_edge *edge = &flow->edges[i];
        if (edge->kind != FLOW_CALLED && edge->kind != FLOW_AGAIN &&
            (derive ? edge->needed && !edge->tree : edge->wanted)) {
            edge->value = next++;
            count_edge(counting, flow, edge);
        }
    }
    counts.counted = next;
    for (uint32_t i = 0; i < flow->edge_count; i++) {
        struct flow_edge *edge = &flow->edges[i];
        if (edge->kind == FLOW_CALLED && (derive ? edge->needed : edge->wanted))
            edge->value = next++;
    }
    counts.called = next - counts.counted;
    for (uint32_t at = flow->node_count; derive && at-- > 0;) {
        uint32_t parent = flow->parent[flow->order[at]];
        if (parent != NO_INDEX && flow->edges[parent].needed)
            flow->edges[parent].value = next++;
    }
    counts.derived = next - counts.counted - counts.called;
    return counts;
}

/* If a transfer's block has a count from which its entries follow, the transfer skips the count of
   entries. */
static void mark_shared(struct counting *counting, const struct flow *flow, bool derive, uint32_t counted) {
    const struct sharing *sharing = flow->sharing;
    for (uint32_t i = 0; i < flow->edge_count; i++) {
        const struct flow_edge *edge = &flow->edges[i];
        uint32_t target = flow->procedure->first_block + (edge->to - 1) / 2;
        if (edge->kind == FLOW_AGAIN && derive) {
            counting->facts[flow->procedure->first_block + edge->block] |= SHARES;
            counting->facts[target] |= SHARED;
            counting->shared++;
        } else if (edge->kind == FLOW_CALLED && edge->value != NO_INDEX) {
            counting->facts[target] |= SHARED;
            for (uint32_t t = NO_INDEX; (t = sharing_next(sharing, flow, target, t)) != NO_INDEX;) {
                counting->facts[sharing->transfers[t].block] |= SHARES;
                counting->shared++;
                effects_tell(counting, sharing, t,
                             (uint32_t)counting->derived_values + edge->value - counted);
            }
        }
    }
}

uint32_t flow_next_counting(const struct flow *flow, const struct derived_update *update, uint32_t edge) {
    uint32_t local = update->block - flow->procedure->first_block;
    uint32_t node = update->event == WANT_TAKEN ? end_node(local) : head_node(local);
    while ((edge = flow_next(flow, node, edge)) != NO_INDEX) {
        const struct flow_edge *at = &flow->edges[edge];
        if (edge_event(at) == update->event && at->value != NO_INDEX &&
            (update->event == WANT_OUTSIDE ? at->to : at->from) == node)
            return edge;
    }
    return NO_INDEX;
}

/* ---- the whole ------------------------------------------------------------------------------------------ */

void placement_choose(struct counting *counting, struct flow *flow, const struct derived_update *updates,
                      uint32_t update_count) {
    choose_tree(flow);
    order_flow_nodes(flow);
    find_wanted(flow);
    find_needed_edges(flow);
    find_known(flow);
    sharing_want(flow);
    find_needed_edges(flow);
    bool derive = derives_cheaper(flow);
    struct value_counts counts = number_flow_values(counting, flow, derive);
    mark_shared(counting, flow, derive, counts.counted);
    promotion_choose(counting, flow);
    sharing_leave(flow);
    effects_write(counting, flow, counts.counted, counts.called + counts.derived, derive, updates,
                  update_count);
    counting->cells += counts.counted;
    counting->derived_values += counts.called + counts.derived;
}
