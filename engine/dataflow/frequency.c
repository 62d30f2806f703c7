/* frequency.c: estimates, from the code alone, how often the blocks of a procedure are executed, relative
   to each other, and which way their branches go (T. Ball and J. R. Larus, "Branch prediction for free",
   1993; Y. Wu and J. R. Larus, "Static branch frequency and program profile analysis", 1994). Requires
   loops and, for calls that never return, liveness. The computation uses integers, so that all machines get
   equal results. */
#include <stdlib.h>
#include <string.h>

#include "engine/dataflow/internal.h"

/* The chance that a branch with one known property is taken, in 256ths; measured on compilers' output, in
   which the likely case falls through. */
enum chance {
    CHANCE_EVEN = 128,
    CHANCE_STAYS = 225,     /* the edge stays in the loop, or leads back; otherwise it leaves */
    CHANCE_FORWARD = 87,    /* to a higher address, */
    CHANCE_FAR = 66,        /* ... by more than FAR instructions */
    CHANCE_NEGATIVE = 84,   /* if a value is negative, or may be 0 */
    CHANCE_DEAD = 8,        /* to a call that never returns */
    CHANCE_CALL = 58,       /* to a call that no other path leads to */
    CHANCE_RETURN = 160,    /* to a return that no other path leads to */
    CHANCE_OVER = 180,      /* over a block that then continues at the same point: `if` without `else` */
    CHANCE_OVER_JUMP = 157, /* over a block that jumps forward: `if` with `else` */
};
enum {
    FAR = 200,
    PAD_ENTERED = 1 << 6,
    LEAST_LEFT = 8, /* at least this many 256ths of a loop's iterations are the last */
};
static const uint64_t most_often = UINT64_C(1) << 44;

/* ---- the way of a branch -------------------------------------------------------------------------------- */

/* Combines two independent properties. */
static unsigned combine_chances(unsigned chance, unsigned other) {
    unsigned both = chance * other, neither = (CERTAIN - chance) * (CERTAIN - other);
    return (both * CERTAIN + (both + neither) / 2) / (both + neither);
}

static unsigned by_condition(const struct facts *facts) {
    bool is_float = facts->flags & FACT_FLOAT;
    bool negative =
        !is_float && (facts->condition == CONDITION_NEGATIVE || facts->condition == CONDITION_NOT_POSITIVE);
    return negative || (is_float && facts->condition == CONDITION_ZERO) ? CHANCE_NEGATIVE : CHANCE_EVEN;
}

/* The chance that a path is taken, by its first block. */
static unsigned by_successor(const struct program *program, uint32_t index) {
    const struct basic_block *block = &program->blocks[index];
    bool only_way = block->predecessor_count == 1;
    if (block->end == END_CALL && block->never_returns)
        return CHANCE_DEAD;
    if (block->end == END_CALL && only_way)
        return CHANCE_CALL;
    return block->end == END_RETURN && only_way ? CHANCE_RETURN : CHANCE_EVEN;
}

static unsigned by_loops(const struct program *program, uint32_t block, uint32_t taken, uint32_t next) {
    uint32_t here = block_loop_depth(program, block), there = block_loop_depth(program, taken),
             after = block_loop_depth(program, next);
    if (there < here && after >= here)
        return CERTAIN - CHANCE_STAYS;
    return after < here && there >= here ? CHANCE_STAYS : CHANCE_EVEN;
}

static unsigned by_layout(const struct program *program, uint32_t block, uint32_t taken, uint32_t next) {
    const struct basic_block *over = &program->blocks[next];
    if (taken <= block)
        return CHANCE_EVEN;
    uint32_t distance = program->blocks[taken].first - block_last(&program->blocks[block]);
    unsigned chance = distance > FAR ? CHANCE_FAR : CHANCE_FORWARD;
    if (over->predecessor_count != 1 || over->successor_count != 1)
        return chance;
    uint32_t then = program->edges[over->first_successor].to;
    if (then == taken)
        return combine_chances(chance, CHANCE_OVER);
    return over->end == END_BRANCH && then > next ? combine_chances(chance, CHANCE_OVER_JUMP) : chance;
}

/* The chance that the block's conditional branch is taken. */
static unsigned chance_taken(const struct program *program, const struct procedure *procedure,
                             uint32_t index) {
    const struct basic_block *block = &program->blocks[index];
    uint32_t target = branch_target(program, block_last(block)), next = index + 1;
    uint32_t end = procedure->first_block + procedure->block_count;
    uint32_t taken = target == NO_INDEX ? NO_INDEX : block_at(program, target);
    if (taken == NO_INDEX || taken < procedure->first_block || taken >= end || next >= end)
        return CHANCE_EVEN;
    unsigned loops = by_loops(program, index, taken, next);
    if (loops != CHANCE_EVEN)
        return loops;
    unsigned chance = combine_chances(by_layout(program, index, taken, next),
                                      by_condition(facts_of(program, block_last(block))));
    chance = combine_chances(chance, by_successor(program, taken));
    return combine_chances(chance, CERTAIN - by_successor(program, next));
}

/* ---- an order ------------------------------------------------------------------------------------------- */

/* Depth-first search from the block, which fills the order from its end. */
static uint32_t walk_blocks(struct frequencies *frequencies, const struct program *program,
                            const struct procedure *procedure, uint32_t root, uint32_t free_places) {
    uint32_t depth = 0;
    if (frequencies->place[root] != NO_INDEX)
        return free_places;
    frequencies->place[root] = 0;
    frequencies->stack[depth] = root;
    frequencies->at[depth++] = 0;
    while (depth > 0) {
        uint32_t block = frequencies->stack[depth - 1];
        const struct basic_block *from = &program->blocks[procedure->first_block + block];
        if (frequencies->at[depth - 1] == from->successor_count) {
            frequencies->place[block] = --free_places;
            frequencies->order[free_places] = block;
            depth--;
            continue;
        }
        uint32_t edge = from->first_successor + frequencies->at[depth - 1]++;
        uint32_t to = program->edges[edge].to - procedure->first_block;
        if (to >= procedure->block_count || frequencies->place[to] != NO_INDEX)
            continue;
        frequencies->place[to] = 0;
        frequencies->stack[depth] = to;
        frequencies->at[depth++] = 0;
    }
    return free_places;
}

/* Blocks without predecessors are processed first, from the last block on: each is put before its
   successors. */
static void order_blocks(struct frequencies *frequencies, const struct program *program,
                         const struct procedure *procedure) {
    uint32_t free_places = procedure->block_count;
    memset(frequencies->place, 0xff, procedure->block_count * sizeof *frequencies->place);
    for (uint32_t i = procedure->block_count; i-- > 1;)
        if (has_unseen_predecessor(program->blocks[procedure->first_block + i].leaders))
            free_places = walk_blocks(frequencies, program, procedure, i, free_places);
    free_places = walk_blocks(frequencies, program, procedure, 0, free_places);
    for (uint32_t i = procedure->block_count; i-- > 1;)
        free_places = walk_blocks(frequencies, program, procedure, i, free_places);
}

/* ---- frequencies ---------------------------------------------------------------------------------------- */

static uint32_t loop_of_header(const struct program *program, uint32_t block) {
    uint32_t loop = program->blocks[block].loop;
    return loop != NO_INDEX && program->loops[loop].header == block ? loop : NO_INDEX;
}

uint64_t edge_frequency(const struct frequencies *frequencies, const struct program *program,
                        const struct edge *edge) {
    const struct basic_block *from = &program->blocks[edge->from];
    uint32_t local = edge->from - program->procedures[from->procedure].first_block;
    uint64_t often = frequencies->block[local], taken = frequencies->taken[local];
    if (from->end == END_COND_BRANCH)
        return edge->kind == EDGE_TAKEN ? taken : often - taken;
    return from->successor_count > 1 ? often / from->successor_count : often;
}

static void set_estimate(struct frequencies *frequencies, uint32_t local, uint64_t often) {
    frequencies->block[local] = often;
    frequencies->taken[local] = often * frequencies->chance[local] / CERTAIN;
}

/* The frequency with which control reaches the block from earlier blocks in the order, inside of `loop`
   (NO_INDEX: anywhere). Values of the loops around it may still be from an earlier step. */
static uint64_t arriving_frequency(const struct frequencies *frequencies, const struct program *program,
                                   uint32_t first, uint32_t block, uint32_t loop) {
    const struct basic_block *to = &program->blocks[block];
    uint64_t sum = 0;
    for (uint32_t i = to->first_predecessor; i < to->first_predecessor + to->predecessor_count; i++) {
        const struct edge *edge = &program->edges[program->incoming[i]];
        if (program->blocks[edge->from].procedure == to->procedure &&
            frequencies->place[edge->from - first] < frequencies->place[block - first] &&
            (loop == NO_INDEX || block_in_loop(program, edge->from, loop)))
            sum += edge_frequency(frequencies, program, edge);
    }
    return sum;
}

static uint64_t goes_round(const struct frequencies *frequencies, uint32_t local, uint64_t arrivals) {
    uint64_t often = arrivals * CERTAIN / (CERTAIN - frequencies->again[local]);
    return often < most_often ? often : most_often;
}

/* The probability that the loop is repeated; the probabilities of inner loops are known. Its blocks are among
   first_place... in the order. */
static void find_again(struct frequencies *frequencies, const struct program *program, uint32_t first,
                       uint32_t index) {
    const struct loop *loop = &program->loops[index];
    uint32_t header = loop->header - first, left = loop->block_count - 1;
    uint64_t back = 0;
    set_estimate(frequencies, header, ENTERED);
    for (uint32_t place = frequencies->place[header] + 1; left > 0; place++) { /* all of them are after it */
        uint32_t local = frequencies->order[place];
        if (!block_in_loop(program, first + local, index))
            continue;
        uint64_t often = arriving_frequency(frequencies, program, first, first + local, index);
        bool heads_loop = loop_of_header(program, first + local) != NO_INDEX;
        set_estimate(frequencies, local, heads_loop ? goes_round(frequencies, local, often) : often);
        left--;
    }
    for (uint32_t i = 0; i < loop->back_edge_count; i++)
        back += edge_frequency(frequencies, program,
                               &program->edges[program->back_edges[loop->first_back_edge + i]]);
    back = back * CERTAIN / ENTERED;
    frequencies->again[header] = (uint16_t)(back < CERTAIN - LEAST_LEFT ? back : CERTAIN - LEAST_LEFT);
}

static uint64_t entry_frequency(const struct program *program, uint32_t block, bool first) {
    if (first || has_likely_unseen_predecessor(program->blocks[block].leaders))
        return ENTERED;
    return program->blocks[block].predecessor_count == 0 ? PAD_ENTERED : 0;
}

void frequencies_find(struct frequencies *frequencies, const struct program *program, uint32_t index,
                      struct arena *arena) {
    const struct procedure *procedure = &program->procedures[index];
    uint32_t first = procedure->first_block, count = procedure->block_count;
    *frequencies = (struct frequencies){
        .block = arena_allocate(arena, count * sizeof *frequencies->block),
        .taken = arena_allocate(arena, count * sizeof *frequencies->taken),
        .chance = arena_allocate(arena, count * sizeof *frequencies->chance),
        .entered = ENTERED,
        .entries = NOT_MEASURED,
        .again = arena_allocate(arena, count * sizeof *frequencies->again),
        .place = arena_allocate(arena, count * sizeof *frequencies->place),
        .order = arena_allocate(arena, count * sizeof *frequencies->order),
        .stack = arena_allocate(arena, count * sizeof *frequencies->stack),
        .at = arena_allocate(arena, count * sizeof *frequencies->at),
    };
    for (uint32_t i = 0; i < count; i++)
        frequencies->chance[i] = program->blocks[first + i].end == END_COND_BRANCH
                                     ? (uint16_t)chance_taken(program, procedure, first + i)
                                     : 0;
    order_blocks(frequencies, program, procedure);
    for (uint32_t place = count; place-- > 0;) { /* headers of inner loops are after headers of outer loops */
        uint32_t loop = loop_of_header(program, first + frequencies->order[place]);
        if (loop != NO_INDEX)
            find_again(frequencies, program, first, loop);
    }
    for (uint32_t place = 0; place < count; place++) {
        uint32_t local = frequencies->order[place];
        uint64_t often = arriving_frequency(frequencies, program, first, first + local, NO_INDEX) +
                         entry_frequency(program, first + local, local == 0);
        set_estimate(frequencies, local, goes_round(frequencies, local, often));
    }
    for (uint32_t i = 0; i < count; i++)
        frequencies->block[i] += frequencies->block[i] == 0;
    if (program->profile)
        frequencies_measure(frequencies, program, index, arena);
}
