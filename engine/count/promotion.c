/* promotion.c: counts that a loop makes in registers which the program does not use there: each takes one
   instruction instead of four. The registers become 0 where control enters the loop, and are added to their
   cells on each outgoing path. Requires placed counts, loops and liveness; code that is inserted into such
   loops treats the registers as live. If the program is interrupted, the runtime finds these counts by
   tables: runtime/counts/counting.c. */
#include <stdlib.h>
#include <string.h>

#include "engine/count/internal.h"
#include "support/search.h"

enum {
    GAIN_EACH = 3,   /* instructions gained by each count; machine.h has those lost by each pass */
    GAIN_THREAD = 6, /* the gain for thread-local counts */
    PASS_THREAD = 9,
    FARTHEST = 3000, /* instructions in the loop: up to this size its branches are never far ones */
    SPARE = 2,       /* registers reserved for counts in memory, */
    SPARE_SITES = 4, /* ... and for other inserted code */
};

/* ---- which loops ---------------------------------------------------------------------------------------- */

static bool is_near_block(const struct program *program, uint32_t block, uint32_t other) {
    int64_t distance = (int64_t)program->blocks[block].first - program->blocks[other].first;
    return distance < FARTHEST && -distance < FARTHEST;
}

/* True if code can be inserted on the edge between the two blocks. */
static bool can_pass(const struct counting *counting, const struct program *program, uint32_t from,
                     uint32_t to) {
    if (counting->facts[from] & (LOCKED_BRANCH | CALLS_BRANCH))
        return false;
    return to != from + 1 || !falls_through(program, from) || !(counting->facts[to] & LOCKED_HEAD);
}

static bool can_leave(const struct counting *counting, const struct program *program, uint32_t index,
                      uint32_t block) {
    const struct basic_block *from = &program->blocks[block];
    if (from->end != END_FALLTHROUGH && from->end != END_COND_BRANCH && from->end != END_BRANCH)
        return false;
    if (from->end != END_BRANCH && !falls_through(program, block))
        return false;
    if (from->end == END_COND_BRANCH) {
        uint32_t target = branch_target(program, block_last(from));
        if (target == NO_INDEX || program->blocks[block_at(program, target)].procedure != from->procedure)
            return false;
    }
    for (uint32_t e = from->first_successor; e < from->first_successor + from->successor_count; e++)
        if (!block_in_loop(program, program->edges[e].to, index) &&
            !can_pass(counting, program, block, program->edges[e].to))
            return false;
    return true;
}

static bool can_enter(const struct counting *counting, const struct program *program, uint32_t index) {
    uint32_t header = program->loops[index].header;
    const struct basic_block *to = &program->blocks[header];
    for (uint32_t i = to->first_predecessor; i < to->first_predecessor + to->predecessor_count; i++) {
        uint32_t from = program->edges[program->incoming[i]].from;
        uint8_t end = program->blocks[from].end;
        if (block_in_loop(program, from, index))
            continue;
        if ((end != END_FALLTHROUGH && end != END_COND_BRANCH && end != END_BRANCH) ||
            program->blocks[from].procedure != to->procedure || !is_near_block(program, from, header) ||
            !can_pass(counting, program, from, header))
            return false;
    }
    return true;
}

/* Registers that the program does not need anywhere in the loop; 0 if no count can be in one. */
static register_set free_in_loop(const struct counting *counting, const struct program *program,
                                 uint32_t index) {
    const struct loop *loop = &program->loops[index];
    const uint16_t obstacles = LOCKED_HEAD | LOCKED_BRANCH | LOCKED | CALLS | CALLS_ENTRY | CALLS_BRANCH;
    const struct conventions_of_machine *registers = &program->architecture->registers;
    register_set used = set_of(registers->spill) | set_of(registers->data_base);
    for (uint32_t i = loop->first_block; i < loop->first_block + loop->block_count; i++) {
        uint32_t at = program->loop_blocks[i];
        const struct basic_block *block = &program->blocks[at];
        if (counting->facts[at] & obstacles || entered_from_outside(program, at) ||
            !is_near_block(program, at, loop->header) || !can_leave(counting, program, index, at))
            return 0;
        used |= block->live_in | block->live_out;
        for (uint32_t k = block->first; k <= block_last(block); k++) {
            if (is_locked(counting, k))
                return 0;
            used |= facts_of(program, k)->read | facts_of(program, k)->written;
        }
    }
    return can_enter(counting, program, index) ? count_registers(&program->architecture->registers, used) : 0;
}

/* The number of times that control leaves the loop, by the estimate. */
static uint64_t leaving_frequency(const struct flow *flow, uint32_t index) {
    const struct program *program = flow->rewrite->program;
    const struct loop *loop = &program->loops[index];
    uint64_t sum = 0;
    for (uint32_t i = loop->first_block; i < loop->first_block + loop->block_count; i++) {
        const struct basic_block *block = &program->blocks[program->loop_blocks[i]];
        for (uint32_t e = block->first_successor; e < block->first_successor + block->successor_count; e++)
            if (!block_in_loop(program, program->edges[e].to, index))
                sum += edge_frequency(&flow->frequencies, program, &program->edges[e]);
    }
    return sum;
}

/* ---- which counts --------------------------------------------------------------------------------------- */

struct candidate {
    uint32_t edge;
    uint32_t blocks[2]; /* both blocks are in the loop */
    uint64_t often;
    bool promoted;
};
struct candidates {
    struct candidate *list;
    uint32_t count, capacity;
};

static int most_often_first(const void *left, const void *right) {
    const struct candidate *a = left, *b = right;
    if (a->often != b->often)
        return a->often > b->often ? -1 : 1;
    return (a->edge > b->edge) - (a->edge < b->edge);
}

static uint32_t promoted_cell(const struct counting *counting, const struct flow *flow,
                              const struct flow_edge *edge) {
    const struct block_counts *counts = &counting->blocks[flow->procedure->first_block + edge->block];
    return edge->kind == FLOW_EXECUTED ? counts->executed
           : edge->kind == FLOW_TAKEN  ? counts->taken
                                       : counts->through;
}

/* Collects the counts of the procedure, except counts of entries from outside. */
static void collect_counts(struct candidates *candidates, const struct counting *counting,
                           const struct flow *flow) {
    const struct frequencies *frequencies = &flow->frequencies;
    for (uint32_t i = 0; i < flow->edge_count; i++) {
        const struct flow_edge *edge = &flow->edges[i];
        uint32_t block = flow->procedure->first_block + edge->block, other = block;
        uint64_t often = frequencies->block[edge->block];
        bool is_count = edge->kind == FLOW_EXECUTED || edge->kind == FLOW_TAKEN || edge->kind == FLOW_THROUGH;
        if (!is_count || edge->value == NO_INDEX || promoted_cell(counting, flow, edge) == NO_INDEX ||
            flow->rewrite->program->blocks[block].loop == NO_INDEX)
            continue;
        if (edge->kind == FLOW_TAKEN) {
            if (edge->to == NODE_OUTSIDE)
                continue;
            other = flow->procedure->first_block + (edge->to - 1) / 2;
            often = frequencies->taken[edge->block];
        } else if (edge->kind == FLOW_THROUGH) {
            other = block - 1;
            often = frequencies->block[other - flow->procedure->first_block];
            often -= frequencies->taken[other - flow->procedure->first_block];
        }
        ARENA_RESERVE(flow->arena, candidates->list, candidates->count, candidates->capacity);
        candidates->list[candidates->count++] = (struct candidate){i, {block, other}, often, false};
    }
    if (candidates->count > 0)
        qsort(candidates->list, candidates->count, sizeof *candidates->list, most_often_first);
}

static bool is_in_loop(const struct program *program, const struct candidate *candidate, uint32_t loop) {
    return !candidate->promoted && block_in_loop(program, candidate->blocks[0], loop) &&
           block_in_loop(program, candidate->blocks[1], loop);
}

static bool loop_has_sites(const struct flow *flow, const struct loop *loop) {
    const struct program *program = flow->rewrite->program;
    for (uint32_t i = loop->first_block; i < loop->first_block + loop->block_count; i++)
        if (flow->counting->facts[program->loop_blocks[i]] & MAKES)
            return true;
    return false;
}

static void add_held(struct counting *counting, const struct program *program, const struct loop *loop,
                     unsigned reg, uint32_t cell) {
    uint32_t parent = counting->promoted_in[loop->header];
    ARENA_RESERVE(counting->arena, counting->promoted_sets, counting->promoted_count,
                  counting->promoted_capacity);
    counting->promoted_sets[counting->promoted_count] =
        (struct promoted_set){.parent = parent,
                              .cell = cell,
                              .reg = (uint8_t)reg,
                              .registers = counting->promoted_sets[parent].registers | REGISTER_BIT(reg)};
    for (uint32_t i = loop->first_block; i < loop->first_block + loop->block_count; i++)
        counting->promoted_in[program->loop_blocks[i]] = counting->promoted_count;
    counting->promoted_count++;
    counting->promoted_registers |= REGISTER_BIT(reg);
    counting->promoted++;
}

/* The loops around this loop have been handled; the loops inside it have not. */
static void promote_in(struct counting *counting, const struct flow *flow, struct candidates *candidates,
                       uint32_t index) {
    const struct program *program = flow->rewrite->program;
    const struct loop *loop = &program->loops[index];
    uint32_t inside = 0;
    for (uint32_t i = 0; i < candidates->count; i++)
        inside += is_in_loop(program, &candidates->list[i], index);
    if (inside == 0)
        return;
    register_set left = free_in_loop(counting, program, index) & ~flow->rewrite->observed &
                        ~counting->reserved &
                        ~counting->promoted_sets[counting->promoted_in[loop->header]].registers;
    bool by_thread = counts_by_thread(flow->rewrite);
    uint64_t pass =
        (by_thread ? PASS_THREAD : flow->rewrite->machine->promotion_cost) * leaving_frequency(flow, index);
    uint64_t gain = by_thread ? GAIN_THREAD : GAIN_EACH;
    bool sites = loop_has_sites(flow, loop);
    for (uint32_t i = 0; i < candidates->count; i++) {
        struct candidate *candidate = &candidates->list[i];
        unsigned registers = (unsigned)__builtin_popcountll(left);
        unsigned spare = sites ? SPARE_SITES : registers >= inside ? 0 : SPARE;
        if (!is_in_loop(program, candidate, index))
            continue;
        if (registers <= spare || gain * candidate->often <= pass)
            return;
        unsigned reg = free_register(machine_registers(flow->rewrite), ~left);
        add_held(counting, program, loop, reg, promoted_cell(counting, flow, &flow->edges[candidate->edge]));
        left &= ~REGISTER_BIT(reg);
        candidate->promoted = true;
        inside--;
    }
}

/* The procedure's first loop: loops are sorted by header. */
static uint32_t first_loop(const struct program *program, uint32_t block) {
    return FIRST_NOT(0, program->loop_count, at, program->loops[at].header < block);
}

void promotion_choose(struct counting *counting, const struct flow *flow) {
    const struct program *program = flow->rewrite->program;
    const struct rewrite_options *options = flow->rewrite->options;
    uint32_t end = flow->procedure->first_block + flow->procedure->block_count, deepest = 0;
    uint32_t first = first_loop(program, flow->procedure->first_block), after = first;
    struct candidates candidates = {0};
    for (; after < program->loop_count && program->loops[after].header < end; after++)
        if (program->loops[after].depth > deepest)
            deepest = program->loops[after].depth;
    if (options->without[WITHOUT_PROMOTION] || options->without[WITHOUT_LIVENESS] || deepest == 0)
        return;
    collect_counts(&candidates, counting, flow);
    for (uint32_t depth = 1; depth <= deepest; depth++)
        for (uint32_t i = first; i < after; i++)
            if (program->loops[i].depth == depth)
                promote_in(counting, flow, &candidates, i);
}

/* A site may need the program's value of a register that holds counts. This is known only after the site has
   been emitted; then all counts are made in memory. */
void promotion_start(struct rewrite *rewrite) {
    struct counting *counting = rewrite->counting;
    counting->promoted_table_count = 0;
    if (!((rewrite->observed | rewrite->program->observed | rewrite->program->aside) &
          counting->promoted_registers))
        return;
    memset(counting->promoted_in, 0, rewrite->program->block_count * sizeof *counting->promoted_in);
    counting->promoted_registers = 0;
    counting->promoted = 0;
}

/* ---- code ----------------------------------------------------------------------------------------------- */

uint32_t promoted_set_of(const struct rewrite *rewrite, uint32_t block) {
    const struct counting *counting = rewrite->counting;
    return counting->promoted_in && block != NO_INDEX ? counting->promoted_in[block] : 0;
}

register_set promoted_registers(const struct rewrite *rewrite, uint32_t block) {
    uint32_t set = promoted_set_of(rewrite, block);
    return set ? rewrite->counting->promoted_sets[set].registers : 0;
}

unsigned promoted_register(const struct rewrite *rewrite, uint32_t block, uint32_t cell) {
    const struct promoted_set *promoted = rewrite->counting->promoted_sets;
    for (uint32_t set = promoted_set_of(rewrite, block); set; set = promoted[set].parent)
        if (promoted[set].cell == cell)
            return promoted[set].reg;
    return NO_INDEX;
}

bool promoted_changes(const struct rewrite *rewrite, uint32_t from, uint32_t to) {
    return promoted_set_of(rewrite, from) != promoted_set_of(rewrite, to);
}
