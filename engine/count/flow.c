/* flow.c: the control-flow graph of one procedure, for deriving counts: nodes, edges, the cost of counting
   each edge. Requires loops, liveness and counting.facts. An edge that is not counted and does not follow
   from other edges is a leak: no value is derived at its nodes. */
#include <string.h>

#include "engine/count/internal.h"

/* The number of instructions of a count: in line; with registers saved; with a branch to the point where
   execution continues. */
enum { COST_COUNT = 4, COST_SPILLED = 10, COST_BRANCH = 1 };
/* The same if there may be threads: in thread-local cells; or atomically, in equivalent instructions. */
enum { COST_THREAD = 7, COST_THREAD_KEPT = 9, COST_ATOMIC_SPILLED = 26 };
static const uint64_t never_counted = UINT64_C(1) << 62;

/* ---- what the program does ------------------------------------------------------------------------------ */

/* ---- what counting costs -------------------------------------------------------------------------------- */

/* An estimate of the block's executions. */
static uint64_t block_frequency(const struct flow *flow, uint32_t local) {
    return flow->frequencies.block[local];
}

static uint64_t cost_in_line(const struct flow *flow, register_set live) {
    if (flow->rewrite->options->without[WITHOUT_LIVENESS])
        return COST_SPILLED;
    if (counts_by_thread(flow->rewrite))
        return __builtin_popcountll(count_registers(machine_registers(flow->rewrite), live)) < 2
                   ? COST_ATOMIC_SPILLED
               : live & flow->rewrite->program->architecture->registers.thread_pointer ? COST_THREAD_KEPT
                                                                                       : COST_THREAD;
    return __builtin_popcountll(count_registers(machine_registers(flow->rewrite), live)) >= 2 ? COST_COUNT
                                                                                              : COST_SPILLED;
}

/* Nearly always, some instruction of a block has two free registers. */
static uint64_t cost_of_block(const struct flow *flow, uint32_t local) {
    return block_frequency(flow, local) * (flow->rewrite->options->without[WITHOUT_LIVENESS] ? COST_SPILLED
                                           : counts_by_thread(flow->rewrite)                 ? COST_THREAD
                                                                                             : COST_COUNT);
}

/* ---- edges ---------------------------------------------------------------------------------------------- */

static void add_count_edge(struct flow *flow, uint32_t from, uint32_t to, enum flow_kind kind, uint32_t block,
                           uint64_t cost) {
    ARENA_RESERVE(flow->arena, flow->edges, flow->edge_count, flow->edge_capacity);
    flow->edges[flow->edge_count++] = (struct flow_edge){
        .from = from, .to = to, .block = block, .kind = (uint8_t)kind, .cost = cost, .value = NO_INDEX};
}

/* Adds an edge from the block to another of its procedure: countable, or like the block's own edge, or
   unknown. */
static void add_flow_way(struct flow *flow, bool *leaks, uint32_t from, uint32_t to, enum flow_kind kind,
                         bool countable, uint64_t cost) {
    uint32_t block = kind == FLOW_THROUGH ? to : from;
    if (countable) {
        add_count_edge(flow, end_node(from), head_node(to), kind, block, cost);
    } else {
        leaks[end_node(from)] = true;
        leaks[head_node(to)] = true;
    }
}

/* Adds the edges of a block that ends in a conditional branch. True if control may leave it in a way that is
   not counted. */
static bool add_conditional_edges(struct flow *flow, bool *leaks, uint32_t local, bool countable_fall) {
    const struct program *program = flow->rewrite->program;
    const struct counting *counting = flow->counting;
    const uint32_t block = flow->procedure->first_block + local;
    const uint64_t often = block_frequency(flow, local);
    const bool falls = falls_through(program, block);
    bool leak = false;
    uint32_t target = taken_target(program, block);
    uint32_t to = target == NO_INDEX ? NO_INDEX : block_at(program, target) - flow->procedure->first_block;
    bool inside = target != NO_INDEX && to < flow->procedure->block_count;
    uint64_t often_taken = flow->frequencies.taken[local];
    if (falls)
        add_flow_way(flow, leaks, local, local + 1, FLOW_THROUGH, countable_fall,
                     (often - often_taken) * cost_in_line(flow, program->blocks[block + 1].live_in));
    uint64_t cost = inside ? cost_in_line(flow, program->blocks[flow->procedure->first_block + to].live_in)
                           : COST_SPILLED;
    if (inside)
        add_flow_way(flow, leaks, local, to, FLOW_TAKEN, can_count_taken(program, counting, block),
                     often_taken * (cost + COST_BRANCH));
    else if (can_count_taken(program, counting, block))
        add_count_edge(flow, end_node(local), NODE_OUTSIDE, FLOW_TAKEN, local,
                       often_taken * (cost + COST_BRANCH));
    else
        leak = true;
    return leak || !falls;
}

static void add_block_edges(struct flow *flow, bool *leaks, uint32_t local) {
    const struct program *program = flow->rewrite->program;
    const struct counting *counting = flow->counting;
    uint32_t block = flow->procedure->first_block + local;
    const struct basic_block *here = &program->blocks[block];
    uint16_t facts = counting->facts[block];
    uint64_t often = block_frequency(flow, local);
    bool leak_end = facts & CALLS;
    if (!can_count_executed(counting, block)) {
        leaks[head_node(local)] = true;
        leak_end = true;
    } else {
        add_count_edge(flow, head_node(local), end_node(local), FLOW_EXECUTED, local,
                       cost_of_block(flow, local));
    }
    if (entered_from_outside(program, block)) {
        uint64_t cost = cost_in_line(flow, here->live_in | flow->rewrite->observed) +
                        (outside_in_line(program, block) ? 0 : COST_BRANCH);
        if (can_count_outside(program, counting, block))
            add_count_edge(flow, NODE_OUTSIDE, head_node(local), FLOW_OUTSIDE, local, often * cost);
        else
            leaks[head_node(local)] = true;
    }
    bool falls = falls_through(program, block);
    bool countable_fall = falls && !(counting->facts[block + 1] & LOCKED_HEAD);
    if (here->end == END_COND_BRANCH) {
        leak_end |= add_conditional_edges(flow, leaks, local, countable_fall);
    } else if (falls) {
        add_flow_way(
            flow, leaks, local, local + 1, leak_end ? FLOW_THROUGH : FLOW_BRANCH, !leak_end || countable_fall,
            leak_end ? often * cost_in_line(flow, program->blocks[block + 1].live_in) : never_counted);
    } else if (here->end == END_BRANCH) {
        uint32_t to =
            block_at(program, branch_target(program, block_last(here))) - flow->procedure->first_block;
        add_flow_way(flow, leaks, local, to, FLOW_BRANCH, !leak_end, never_counted);
    } else {
        uint32_t again = sharing_enters_again(flow, block);
        if (again != NO_INDEX && !leak_end)
            add_count_edge(flow, end_node(local), head_node(again - flow->procedure->first_block), FLOW_AGAIN,
                           local, never_counted);
        leak_end |= again == NO_INDEX;
    }
    leaks[end_node(local)] |= leak_end;
}

static void link_edges(struct flow *flow) {
    memset(flow->first, 0xff, flow->node_count * sizeof *flow->first);
    for (uint32_t i = 0; i < flow->edge_count; i++) {
        struct flow_edge *edge = &flow->edges[i];
        edge->next[0] = flow->first[edge->from];
        flow->first[edge->from] = i;
        edge->next[1] = flow->first[edge->to];
        flow->first[edge->to] = i;
    }
}

void flow_build(struct flow *flow, const struct rewrite *rewrite, const struct counting *counting,
                uint32_t procedure) {
    flow->rewrite = rewrite;
    flow->counting = counting;
    flow->procedure = &rewrite->program->procedures[procedure];
    flow->edges = NULL;
    flow->edge_count = flow->edge_capacity = 0;
    flow->node_count = 1 + 2 * flow->procedure->block_count;
    size_t size = flow->node_count * sizeof(uint32_t);
    flow->first = arena_allocate(flow->arena, size);
    flow->set = arena_allocate(flow->arena, size);
    flow->order = arena_allocate(flow->arena, size);
    flow->parent = arena_allocate(flow->arena, size);
    flow->entered = arena_allocate(flow->arena, flow->node_count * sizeof *flow->entered);
    frequencies_find(&flow->frequencies, rewrite->program, procedure, flow->arena);
    bool *leaks = arena_allocate(flow->arena, flow->node_count * sizeof *leaks);
    for (uint32_t i = 0; i < flow->procedure->block_count; i++)
        add_block_edges(flow, leaks, i);
    uint32_t *called = arena_allocate(flow->arena, (flow->procedure->block_count + 1) * sizeof *called);
    uint32_t called_count = sharing_enter(flow, procedure, called);
    for (uint32_t i = 0; i < called_count; i++)
        add_count_edge(flow, NODE_OUTSIDE, head_node(called[i]), FLOW_CALLED, called[i], 0);
    for (uint32_t node = 1; node < flow->node_count; node++)
        if (leaks[node])
            add_count_edge(flow, node, NODE_OUTSIDE, FLOW_LEAK, (node - 1) / 2, UINT64_MAX);
    link_edges(flow);
}
