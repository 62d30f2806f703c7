/* flow.c: which blocks of a routine can be lifted, where loops are cut, and where the paths of its branches
   join. Requires the analysis image's blocks and edges. */
#include <string.h>

#include "engine/inline/internal.h"
#include "engine/cfg/cfg.h"

/* ---- instructions ----------------------------------------------------------------------------------------------- */

uint16_t form_of_access(const struct facts *facts) {
    const struct memory_operand *memory = &facts->memory[0];
    const uint32_t others = FACT_FLOAT | FACT_EXCLUSIVE_BEGIN | FACT_EXCLUSIVE_END;
    if (!(facts->flags & (FACT_LOAD | FACT_STORE)) || facts->flags & others || facts->memory_count != 1 ||
        memory->index != REGISTER_NONE || memory->writeback != WRITEBACK_NONE || memory->count != 1)
        return 0;
    return (uint16_t)(memory->size | (facts->flags & FACT_ROUNDS_DOWN ? FORM_ROUNDED_QUAD & ~FORM_QUAD : 0));
}

enum inline_reason reason_against(const struct program *program, uint32_t instruction) {
    const struct facts *facts = facts_of(program, instruction);
    if (facts->flags & FACT_NOP || adds_constant(facts) || form_of_access(facts))
        return INLINE_NONE;
    if (facts->transfer == TRANSFER_CALL || facts->class == CLASS_PAL)
        return INLINE_CALLS;
    if (facts->flags & FACT_FLOAT)
        return INLINE_FLOATING;
    if (facts->transfer == TRANSFER_COND_BRANCH || facts->transfer == TRANSFER_BRANCH ||
        facts->transfer == TRANSFER_RETURN)
        return INLINE_NONE;
    struct computation computation = program->architecture->compute(program->text[instruction]);
    return computation.operation != OPERATOR_NONE || computation.condition != CONDITION_NONE
               ? INLINE_NONE
               : INLINE_INSTRUCTION;
}

static enum inline_reason block_reason(const struct program *program, const struct basic_block *block) {
    for (uint32_t i = block->first; i < block->first + block->count; i++) {
        enum inline_reason reason = reason_against(program, i);
        if (reason != INLINE_NONE)
            return reason;
    }
    switch (block->end) {
    case END_FALLTHROUGH:
    case END_COND_BRANCH:
    case END_BRANCH:
        return INLINE_NONE;
    case END_RETURN:
        return facts_of(program, block_last(block))->target == program->architecture->registers.link
                   ? INLINE_NONE
                   : INLINE_CALLS;
    default:
        return INLINE_CALLS;
    }
}

/* ---- the flow graph ---------------------------------------------------------------------------------------------- */

static uint8_t lifted_number(struct lift *lift, uint32_t block) {
    for (uint32_t i = 0; i < lift->count; i++)
        if (lift->blocks[i] == block)
            return (uint8_t)i;
    if (lift->count == MOST_BLOCKS_LIFTED) {
        graph_fail(lift->graph, INLINE_TOO_LARGE);
        return 0;
    }
    lift->blocks[lift->count] = block;
    return (uint8_t)lift->count++;
}

/* Numbers the blocks that can be reached without passing one that cannot be lifted. */
static void find_lifted_blocks(struct lift *lift) {
    const struct program *program = lift->program;
    lifted_number(lift, block_at(program, lift->first));
    for (uint32_t i = 0; i < lift->count && !lift->graph->failed; i++) {
        const struct basic_block *block = &program->blocks[lift->blocks[i]];
        uint32_t ways = block->end == END_RETURN ? 0 : block->end == END_COND_BRANCH ? 2 : 1;
        lift->reasons[i] = (uint8_t)block_reason(program, block);
        lift->next[i] = lift->taken[i] = EXIT;
        if (lift->reasons[i] == INLINE_NONE && block->successor_count != ways)
            lift->reasons[i] = INLINE_CALLS; /* it leads to another procedure */
        if (lift->reasons[i] != INLINE_NONE)
            continue;
        for (uint32_t e = 0; e < block->successor_count; e++) {
            const struct edge *edge = &program->edges[block->first_successor + e];
            uint8_t to = lifted_number(lift, edge->to);
            if (edge->kind == EDGE_TAKEN || ways == 1)
                lift->taken[i] = to;
            if (edge->kind == EDGE_FALLTHROUGH || ways == 1)
                lift->next[i] = to;
            lift->successors[i] |= UINT64_C(1) << to;
        }
    }
}

/* Computes the blocks that each block reaches. */
static void find_reached(const struct lift *lift, uint64_t *reached) {
    memcpy(reached, lift->successors, sizeof lift->successors);
    for (uint32_t middle = 0; middle < lift->count; middle++)
        for (uint32_t i = 0; i < lift->count; i++)
            if (reached[i] >> middle & 1)
                reached[i] |= reached[middle];
}

/* True for a search loop, which is left from several places, and usually in the first iteration. */
static bool loop_searches(const struct lift *lift, const uint64_t *reached, uint32_t head) {
    unsigned exits = 0;
    uint64_t body = 0;
    for (uint32_t i = 0; i < lift->count; i++)
        if (reached[head] >> i & 1 && reached[i] >> head & 1)
            body |= UINT64_C(1) << i;
    for (uint32_t i = 0; i < lift->count; i++)
        if (body >> i & 1)
            exits += (unsigned)__builtin_popcountll(lift->successors[i] & ~body);
    return exits >= 2;
}

/* Cuts loops: search loops at their back edges, others at their head. */
static void cut_loops(struct lift *lift, uint32_t block, uint64_t path, uint64_t *seen,
                      const uint64_t *reached) {
    path |= UINT64_C(1) << block;
    *seen |= UINT64_C(1) << block;
    for (uint64_t left = lift->successors[block]; left; left &= left - 1) {
        uint32_t to = (uint32_t)__builtin_ctzll(left);
        if (!(path >> to & 1)) {
            if (!(*seen >> to & 1))
                cut_loops(lift, to, path, seen, reached);
            continue;
        }
        if (lift->no_searches || !loop_searches(lift, reached, to))
            lift->heads |= UINT64_C(1) << to;
        if (lift->heads >> to & 1)
            lift->reasons[to] = INLINE_LOOP;
        lift->successors[block] &= ~(UINT64_C(1) << to);
        if (lift->taken[block] == to)
            lift->taken[block] = AGAIN;
        if (lift->next[block] == to)
            lift->next[block] = AGAIN;
        if (lift->successors[block] == 0 && lift->reasons[block] == INLINE_NONE)
            lift->reasons[block] = INLINE_LOOP;
    }
}

bool leads_into_loop(const struct lift *lift, uint8_t block) {
    if (block == AGAIN || lift->heads >> block & 1)
        return block != AGAIN;
    uint64_t next = lift->successors[block];
    return next && !(next & ~lift->heads) && lift->program->blocks[lift->blocks[block]].count <= 10;
}

bool is_slow(const struct lift *lift, uint8_t block) {
    return block == AGAIN || (block != EXIT && lift->slow >> block & 1);
}

/* True if from there on the routine only returns. */
bool only_returns(const struct lift *lift, uint8_t block) {
    if (block == EXIT)
        return true;
    if (block == AGAIN || lift->next[block] != EXIT || lift->taken[block] != EXIT || is_slow(lift, block))
        return false;
    const struct basic_block *code = &lift->program->blocks[lift->blocks[block]];
    for (uint32_t i = code->first; i < code->first + code->count; i++)
        if (facts_of(lift->program, i)->flags & FACT_STORE)
            return false;
    return true;
}

/* If one path of a branch only returns, and the other may go through a loop or a call, without a short path
   past them, the other one is rare work: all of it is a slow path. `reached`: the sets before loops were
   cut. */
static bool is_rare_work(const struct lift *lift, const uint64_t *reached, uint8_t way, uint8_t other) {
    enum { MUCH = 24 };
    if (way >= lift->count || (other < lift->count && lift->reasons[other] != INLINE_NONE) ||
        !only_returns(lift, other))
        return false;
    uint64_t slow = 0, region = reached[way] | UINT64_C(1) << way;
    for (uint32_t i = 0; i < lift->count; i++)
        if ((reached[i] >> i & 1) || lift->reasons[i] != INLINE_NONE)
            slow |= UINT64_C(1) << i;
    uint32_t shortest[MOST_BLOCKS_LIFTED],
        least = NO_INDEX; /* instructions up to the end of each block; the fewest on any path */
    memset(shortest, 0xff, sizeof shortest);
    if (!(slow >> way & 1))
        shortest[way] = lift->program->blocks[lift->blocks[way]].count;
    for (bool again = true; again;) {
        again = false;
        for (uint32_t i = 0; i < lift->count; i++)
            for (uint64_t left = lift->successors[i] & ~slow; left && shortest[i] != NO_INDEX;
                 left &= left - 1) {
                uint32_t to = (uint32_t)__builtin_ctzll(left);
                uint32_t length = shortest[i] + lift->program->blocks[lift->blocks[to]].count;
                again |= length < shortest[to];
                if (length < shortest[to])
                    shortest[to] = length;
            }
    }
    for (uint32_t i = 0; i < lift->count; i++)
        if (lift->successors[i] == 0 && shortest[i] < least)
            least = shortest[i];
    return (region & slow) && least > MUCH;
}

/* Finds branches whose other path is rare work; inside of loops it is part of the loop. */
static void find_rare_work(struct lift *lift, const uint64_t *reached) {
    for (uint32_t i = 0; i < lift->count; i++) {
        uint8_t next = lift->next[i], taken = lift->taken[i];
        if (next == taken || reached[i] >> i & 1 || lift->reasons[i] != INLINE_NONE)
            continue;
        if (is_rare_work(lift, reached, next, taken))
            lift->reasons[next] = INLINE_LOOP;
        else if (is_rare_work(lift, reached, taken, next))
            lift->reasons[taken] = INLINE_LOOP;
    }
}

/* Finds the blocks that cannot be lifted, and blocks that lead only to them. */
static void find_slow(struct lift *lift) {
    uint64_t reached[MOST_BLOCKS_LIFTED], seen = 0;
    find_reached(lift, reached);
    cut_loops(lift, 0, 0, &seen, reached);
    find_rare_work(lift, reached);
    for (uint32_t i = 0; i < lift->count; i++)
        if (lift->reasons[i] != INLINE_NONE)
            lift->slow |= UINT64_C(1) << i;
    for (bool again = true; again;) {
        again = false;
        for (uint32_t i = 0; i < lift->count; i++) {
            bool only_slow = lift->successors[i] && !(lift->successors[i] & ~lift->slow);
            if (lift->slow >> i & 1 || !only_slow)
                continue;
            lift->slow |= UINT64_C(1) << i;
            lift->reasons[i] = lift->reasons[__builtin_ctzll(lift->successors[i])];
            again = true;
        }
    }
}

/* Computes post-dominators among the lifted blocks, then the nearest of each. */
static void find_joins(struct lift *lift) {
    uint64_t after[MOST_BLOCKS_LIFTED];
    for (uint32_t i = 0; i < lift->count; i++)
        after[i] = UINT64_MAX;
    for (bool again = true; again;) {
        again = false;
        for (uint32_t i = lift->count; i-- > 0;) {
            uint64_t left = lift->successors[i] & ~lift->slow;
            uint64_t common = left ? UINT64_MAX : 0;
            for (; left; left &= left - 1)
                common &= after[__builtin_ctzll(left)];
            common |= UINT64_C(1) << i;
            again |= common != after[i];
            after[i] = common;
        }
    }
    for (uint32_t i = 0; i < lift->count; i++) {
        uint64_t others = after[i] & ~(UINT64_C(1) << i);
        lift->join[i] = EXIT;
        for (uint64_t left = others; left; left &= left - 1)
            if (after[__builtin_ctzll(left)] == others)
                lift->join[i] = (uint8_t)__builtin_ctzll(left);
    }
}

/* Registers that are read from a block on before they are written. The routine's result and callee-saved
   registers are not counted; argument registers are, for any callee. */
register_set read_from_block(const struct program *program, uint32_t first) {
    const struct procedure *procedure = &program->procedures[program->blocks[first].procedure];
    const register_set arguments = program->architecture->registers.arguments;
    struct arena_mark mark = arena_mark(program->scratch);
    register_set *live = arena_allocate(program->scratch, (procedure->block_count + 1) * sizeof *live);
    for (bool again = true; again;) {
        again = false;
        for (uint32_t b = procedure->block_count; b-- > 0;) {
            const struct basic_block *block = &program->blocks[procedure->first_block + b];
            register_set set = 0;
            for (uint32_t e = 0; e < block->successor_count; e++) {
                uint32_t to = program->edges[block->first_successor + e].to - procedure->first_block;
                set |= to < procedure->block_count ? live[to] : arguments;
            }
            if (block->end != END_FALLTHROUGH && block->end != END_COND_BRANCH && block->end != END_RETURN)
                set |= arguments;
            for (uint32_t i = block->first + block->count; i-- > block->first;)
                set = (set & ~facts_of(program, i)->written) | facts_of(program, i)->read;
            again |= set != live[b];
            live[b] = set;
        }
    }
    register_set result = live[first - procedure->first_block];
    arena_release(program->scratch, mark);
    return result;
}

register_set read_on_slow_path(const struct lift *lift, uint8_t slow) {
    return slow < lift->count ? read_from_block(lift->program, lift->blocks[slow]) : UINT64_MAX;
}

bool find_flow(struct lift *lift) {
    find_lifted_blocks(lift);
    if (lift->graph->failed)
        return false;
    find_slow(lift);
    if (lift->slow & 1) {
        graph_fail(lift->graph, lift->reasons[0]);
        return false;
    }
    find_joins(lift);
    return true;
}
