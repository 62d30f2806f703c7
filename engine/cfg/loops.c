/* loops.c: dominators and natural loops of each procedure. Requires blocks and edges. Blocks that control
   may enter other than by edges are roots: only they dominate themselves. Blocks that no known path leads
   to are in no loop, and their edges are ignored.

   Dominators: T. Lengauer and R. Tarjan, "A fast algorithm for finding dominators in a flowgraph" (1979), the
   simpler version with path compression: O(edges * log blocks) for all graphs. */
#include <string.h>

#include "engine/cfg/internal.h"

/* Used for one procedure at a time. Nodes are numbered from 1 in depth-first order; 0 is the root, the origin
   of all entries. */
struct flow {
    struct program *program;
    uint32_t first_block, block_count; /* of the procedure */
    uint32_t count;                    /* nodes reached */
    uint32_t *number;                  /* per block of the procedure: its node, 0: not reached */
    uint32_t *vertex;                  /* per node: its block in the procedure */
    uint32_t *parent;                  /* per node: in the depth-first tree */
    uint32_t *semidominator, *dominator;
    uint32_t *label, *ancestor;        /* the forest of path compression; ancestor NO_INDEX: a root of it */
    uint32_t *bucket, *next_in_bucket; /* nodes by semidominator; lists that end with 0 */
    uint32_t *begin, *size;            /* per node: its dominator subtree as a range */
    uint32_t *stack, *successor;       /* of the depth-first walk, and of path compression */
    uint32_t *outer;                   /* per loop of the program: a known loop around it, or itself */
    uint32_t *pending;                 /* blocks of a loop whose predecessors are still to be processed */
    size_t pending_count, pending_capacity, outer_capacity, loop_capacity, edge_capacity;
};

/* ---- dominators -------------------------------------------------------------------------------- */

/* The block's number in the procedure, or NO_INDEX if it is in another. */
static uint32_t local_number(const struct flow *flow, uint32_t block) {
    uint32_t at = block - flow->first_block;
    return at < flow->block_count ? at : NO_INDEX;
}

static void reach_block(struct flow *flow, uint32_t block, uint32_t parent) {
    uint32_t node = ++flow->count;
    flow->number[block] = node;
    flow->vertex[node] = block;
    flow->parent[node] = parent;
}

static void walk_from(struct flow *flow, uint32_t root) {
    const struct program *program = flow->program;
    uint32_t depth = 0;
    reach_block(flow, root, 0);
    flow->stack[depth] = root;
    flow->successor[depth++] = 0;
    while (depth > 0) {
        uint32_t block = flow->stack[depth - 1];
        const struct basic_block *from = &program->blocks[flow->first_block + block];
        if (flow->successor[depth - 1] == from->successor_count) {
            depth--;
            continue;
        }
        uint32_t edge = from->first_successor + flow->successor[depth - 1]++;
        uint32_t to = local_number(flow, program->edges[edge].to);
        if (to == NO_INDEX || flow->number[to])
            continue;
        reach_block(flow, to, flow->number[block]);
        flow->stack[depth] = to;
        flow->successor[depth++] = 0;
    }
}

/* The node with the least semidominator on the path from `node` up its tree of the forest, except for the
   root.
 */
static uint32_t least_semidominator(struct flow *flow, uint32_t node) {
    uint32_t depth = 0, at = node;
    if (flow->ancestor[node] == NO_INDEX)
        return node;
    for (; flow->ancestor[flow->ancestor[at]] != NO_INDEX; at = flow->ancestor[at])
        flow->stack[depth++] = at;
    while (depth-- > 0) { /* from the top down: each node's ancestor becomes the root */
        uint32_t low = flow->stack[depth], high = flow->ancestor[low];
        if (flow->semidominator[flow->label[high]] < flow->semidominator[flow->label[low]])
            flow->label[low] = flow->label[high];
        flow->ancestor[low] = flow->ancestor[high];
    }
    return flow->label[node];
}

static void find_semidominator(struct flow *flow, uint32_t node) {
    const struct program *program = flow->program;
    uint32_t block = flow->first_block + flow->vertex[node], least = node;
    if (has_unseen_predecessor(program->blocks[block].leaders))
        least = 0;
    for (uint32_t i = 0; i < program->blocks[block].predecessor_count; i++) {
        const struct edge *edge =
            &program->edges[program->incoming[program->blocks[block].first_predecessor + i]];
        uint32_t from = local_number(flow, edge->from);
        if (from == NO_INDEX || !flow->number[from])
            continue;
        uint32_t candidate = flow->semidominator[least_semidominator(flow, flow->number[from])];
        least = candidate < least ? candidate : least;
    }
    flow->semidominator[node] = least;
}

static void find_dominators(struct flow *flow) {
    for (uint32_t node = 0; node <= flow->count; node++) {
        flow->semidominator[node] = flow->label[node] = node;
        flow->ancestor[node] = NO_INDEX;
        flow->bucket[node] = 0;
    }
    for (uint32_t node = flow->count; node > 0; node--) {
        find_semidominator(flow, node);
        uint32_t *bucket = &flow->bucket[flow->semidominator[node]], parent = flow->parent[node];
        flow->next_in_bucket[node] = *bucket;
        *bucket = node;
        flow->ancestor[node] = parent;
        for (uint32_t at = flow->bucket[parent]; at; at = flow->next_in_bucket[at]) {
            uint32_t low = least_semidominator(flow, at);
            flow->dominator[at] = flow->semidominator[low] < flow->semidominator[at] ? low : parent;
        }
        flow->bucket[parent] = 0;
    }
    for (uint32_t node = 1; node <= flow->count; node++)
        if (flow->dominator[node] != flow->semidominator[node])
            flow->dominator[node] = flow->dominator[flow->dominator[node]];
}

/* Numbers the dominator tree so that a subtree is a range. A dominator has a lower number than its nodes. */
static void find_ranges(struct flow *flow) {
    for (uint32_t node = 0; node <= flow->count; node++)
        flow->size[node] = 1;
    for (uint32_t node = flow->count; node > 0; node--)
        flow->size[flow->dominator[node]] += flow->size[node];
    uint32_t *next = flow->label; /* no longer in use */
    flow->begin[0] = 0;
    next[0] = 1;
    for (uint32_t node = 1; node <= flow->count; node++) {
        uint32_t dominator = flow->dominator[node];
        flow->begin[node] = next[dominator];
        next[dominator] += flow->size[node];
        next[node] = flow->begin[node] + 1;
    }
}

static bool dominates(const struct flow *flow, uint32_t dominator, uint32_t node) {
    return flow->begin[node] - flow->begin[dominator] < flow->size[dominator];
}

/* ---- loops --------------------------------------------------------------------------------------- */

/* The outermost known loop around a loop. */
static uint32_t outermost_known_loop(const struct flow *flow, uint32_t loop) {
    uint32_t *outer = flow->outer;
    while (outer[loop] != loop) {
        outer[loop] = outer[outer[loop]];
        loop = outer[loop];
    }
    return loop;
}

static void push_block(struct flow *flow, uint32_t block) {
    ARENA_RESERVE(flow->program->scratch, flow->pending, flow->pending_count, flow->pending_capacity);
    flow->pending[flow->pending_count++] = block;
}

static void push_predecessors(struct flow *flow, uint32_t block) {
    const struct program *program = flow->program;
    const struct basic_block *to = &program->blocks[block];
    for (uint32_t i = 0; i < to->predecessor_count; i++) {
        uint32_t from = program->edges[program->incoming[to->first_predecessor + i]].from;
        uint32_t at = local_number(flow, from);
        if (at != NO_INDEX && flow->number[at])
            push_block(flow, from);
    }
}

/* Collects all blocks from which the pending blocks are reached without passing the header. A block that is
   in a loop already belongs to an inner one, which is skipped in one step. */
static void collect_blocks(struct flow *flow, uint32_t loop) {
    struct program *program = flow->program;
    while (flow->pending_count > 0) {
        uint32_t block = flow->pending[--flow->pending_count];
        if (program->blocks[block].loop == NO_INDEX) {
            program->blocks[block].loop = loop;
            push_predecessors(flow, block);
            continue;
        }
        uint32_t inner = outermost_known_loop(flow, program->blocks[block].loop);
        if (inner == loop)
            continue;
        flow->outer[inner] = program->loops[inner].parent = loop;
        push_predecessors(flow, program->loops[inner].header);
    }
}

/* The loop with this header, if some edge leads back to it. */
static void find_loop(struct flow *flow, uint32_t node) {
    struct program *program = flow->program;
    uint32_t header = flow->first_block + flow->vertex[node], first_edge = program->back_edge_count;
    const struct basic_block *block = &program->blocks[header];
    for (uint32_t i = 0; i < block->predecessor_count; i++) {
        uint32_t edge = program->incoming[block->first_predecessor + i];
        uint32_t from = local_number(flow, program->edges[edge].from);
        if (from == NO_INDEX || !flow->number[from] || !dominates(flow, node, flow->number[from]))
            continue;
        ARENA_RESERVE(program->flow, program->back_edges, program->back_edge_count, flow->edge_capacity);
        program->back_edges[program->back_edge_count++] = edge;
        push_block(flow, program->edges[edge].from);
    }
    if (program->back_edge_count == first_edge)
        return;
    uint32_t loop = program->loop_count;
    ARENA_RESERVE(program->scratch, program->loops, program->loop_count, flow->loop_capacity);
    ARENA_RESERVE(program->scratch, flow->outer, loop, flow->outer_capacity);
    flow->outer[loop] = loop;
    program->loops[program->loop_count++] = (struct loop){
        .header = header,
        .procedure = block->procedure,
        .parent = NO_INDEX,
        .first_back_edge = first_edge,
        .back_edge_count = program->back_edge_count - first_edge,
    };
    program->blocks[header].loop = loop;
    collect_blocks(flow, loop);
}

static void find_procedure_loops(struct flow *flow, const struct procedure *procedure) {
    struct program *program = flow->program;
    flow->first_block = procedure->first_block;
    flow->block_count = procedure->block_count;
    flow->count = 0;
    memset(flow->number, 0, procedure->block_count * sizeof *flow->number);
    bool goes_back = false; /* a cycle has an edge to an address that is not higher */
    for (uint32_t i = 0; i < procedure->block_count; i++) {
        const struct basic_block *block = &program->blocks[procedure->first_block + i];
        for (uint32_t e = 0; e < block->successor_count; e++)
            goes_back |= program->edges[block->first_successor + e].to <= procedure->first_block + i;
    }
    if (!goes_back)
        return;
    for (uint32_t i = 0; i < procedure->block_count; i++)
        if (!flow->number[i] && has_unseen_predecessor(program->blocks[procedure->first_block + i].leaders))
            walk_from(flow, i);
    find_dominators(flow);
    find_ranges(flow);
    for (uint32_t node = flow->count; node > 0; node--) /* inner headers have higher numbers */
        find_loop(flow, node);
}

/* ---- the result ---------------------------------------------------------------------------------- */

/* Depths, and the blocks of each loop as a range: its own blocks, the header first, then the blocks of inner
   loops. An inner loop was found before the loop around it. */
static void lay_out_loops(struct program *program) {
    struct loop *loops = program->loops;
    uint32_t count = program->loop_count, total = 0;
    uint32_t *own = arena_allocate(program->scratch, ((size_t)count + 1) * sizeof *own);
    uint32_t *next_inner = arena_allocate(program->scratch, ((size_t)count + 1) * sizeof *next_inner);
    for (uint32_t i = 0; i < program->block_count; i++)
        if (program->blocks[i].loop != NO_INDEX) {
            own[program->blocks[i].loop]++;
            total++;
        }
    for (uint32_t i = 0; i < count; i++) {
        loops[i].block_count += own[i];
        if (loops[i].parent != NO_INDEX)
            loops[loops[i].parent].block_count += loops[i].block_count;
    }
    program->loop_blocks = arena_allocate(program->flow, ((size_t)total + 1) * sizeof *program->loop_blocks);
    for (uint32_t i = count, next_outer = 0; i-- > 0;) {
        uint32_t parent = loops[i].parent;
        uint32_t *next = parent == NO_INDEX ? &next_outer : &next_inner[parent];
        loops[i].depth = parent == NO_INDEX ? 1 : loops[parent].depth + 1;
        loops[i].first_block = *next;
        *next += loops[i].block_count;
        next_inner[i] = loops[i].first_block + own[i];
        program->loop_blocks[loops[i].first_block] = loops[i].header;
        own[i] = loops[i].first_block + 1; /* the position of the next block */
    }
    for (uint32_t i = 0; i < program->block_count; i++)
        if (program->blocks[i].loop != NO_INDEX && loops[program->blocks[i].loop].header != i)
            program->loop_blocks[own[program->blocks[i].loop]++] = i;
}

/* Numbers the loops in the order of their headers' addresses. */
static void sort_loops(struct program *program) {
    size_t blocks = program->block_count, loops = program->loop_count;
    uint32_t *by_header = arena_allocate(program->scratch, (blocks + 1) * sizeof *by_header), next = 0;
    uint32_t *renamed = arena_allocate(program->scratch, (loops + 1) * sizeof *renamed);
    struct loop *sorted = arena_allocate(program->flow, (loops + 1) * sizeof *sorted);
    memset(by_header, 0xff, program->block_count * sizeof *by_header);
    for (uint32_t i = 0; i < program->loop_count; i++)
        by_header[program->loops[i].header] = i;
    for (uint32_t i = 0; i < program->block_count; i++)
        if (by_header[i] != NO_INDEX) {
            renamed[by_header[i]] = next;
            sorted[next++] = program->loops[by_header[i]];
        }
    for (uint32_t i = 0; i < program->loop_count; i++)
        if (sorted[i].parent != NO_INDEX)
            sorted[i].parent = renamed[sorted[i].parent];
    for (uint32_t i = 0; i < program->block_count; i++)
        if (program->blocks[i].loop != NO_INDEX)
            program->blocks[i].loop = renamed[program->blocks[i].loop];
    program->loops = sorted;
}

void loops_find(struct program *program) {
    struct flow flow = {.program = program};
    struct arena_mark mark = arena_mark(program->scratch);
    uint32_t most = 0;
    for (uint32_t i = 0; i < program->procedure_count; i++)
        if (program->procedures[i].block_count > most)
            most = program->procedures[i].block_count;
    uint32_t **arrays[] = {&flow.number,    &flow.vertex, &flow.parent,   &flow.semidominator,
                           &flow.dominator, &flow.label,  &flow.bucket,   &flow.next_in_bucket,
                           &flow.begin,     &flow.size,   &flow.ancestor, &flow.stack,
                           &flow.successor};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++)
        *arrays[i] = arena_allocate(program->scratch, ((size_t)most + 1) * sizeof **arrays[i]);
    for (uint32_t i = 0; i < program->procedure_count; i++)
        find_procedure_loops(&flow, &program->procedures[i]);
    lay_out_loops(program);
    sort_loops(program);
    arena_release(program->scratch, mark);
}

uint32_t block_loop_depth(const struct program *program, uint32_t block) {
    return program->blocks[block].loop == NO_INDEX ? 0 : program->loops[program->blocks[block].loop].depth;
}

bool block_in_loop(const struct program *program, uint32_t block, uint32_t loop) {
    uint32_t at = program->blocks[block].loop;
    while (at != NO_INDEX && program->loops[at].depth > program->loops[loop].depth)
        at = program->loops[at].parent;
    return at == loop;
}
