/* inline_lift.c: a routine's machine code as a graph: executed with unknown arguments, both ways of each
   branch, which then become one. Requires the analysis image's blocks and edges. */
#include <stdlib.h>
#include <string.h>

#include "engine/inline.h"

enum { MOST_BLOCKS_LIFTED = 64, MOST_SLOTS = 32, EXIT = 64, AGAIN = 65 };

/* The part of a routine that can be lifted; blocks numbered as they are found, sets of them as bits. */
struct lift {
    const struct program *program;
    struct graph *graph;
    uint32_t first;                      /* instruction */
    uint32_t blocks[MOST_BLOCKS_LIFTED]; /* indices into program->blocks */
    uint8_t next[MOST_BLOCKS_LIFTED];    /* where it falls or branches to; EXIT; AGAIN: back into a loop */
    uint8_t taken[MOST_BLOCKS_LIFTED];   /* the taken way of a conditional branch; else = next */
    uint64_t successors[MOST_BLOCKS_LIFTED], slow; /* slow: those that lead to nothing but a call */
    uint8_t join[MOST_BLOCKS_LIFTED];              /* where the ways of a branch meet again, or EXIT */
    uint8_t reasons[MOST_BLOCKS_LIFTED];           /* why a block cannot be lifted, or INLINE_NONE */
    uint32_t count;
    bool leaves, leaves_for_loop;
    bool no_searches; /* all loops are cut at their heads */
};

/* Registers, and what is stored in the routine's frame: by offset from where $30 stood. */
struct lift_state {
    uint32_t registers[32];
    int64_t offsets[MOST_SLOTS];
    uint32_t slots[MOST_SLOTS];
    uint32_t slot_count;
};

/* ---- instructions ----------------------------------------------------------------------------------------------- */

static enum alpha_opcode register_form(const struct alpha_descriptor *descriptor) {
    if (descriptor->format != ALPHA_FORMAT_LITERAL)
        return descriptor->opcode_id;
    return alpha_decode(descriptor->match & ~(1u << 12))->opcode_id;
}

static bool is_plain_access(const struct alpha_descriptor *descriptor) {
    switch (descriptor->opcode_id) {
    case ALPHA_LDQ:
    case ALPHA_LDL:
    case ALPHA_LDQ_U:
    case ALPHA_LDBU:
    case ALPHA_LDWU:
    case ALPHA_STQ:
    case ALPHA_STL:
    case ALPHA_STQ_U:
    case ALPHA_STB:
    case ALPHA_STW:
        return true;
    default:
        return false;
    }
}

static enum inline_reason reason_against(uint32_t word) {
    const struct alpha_descriptor *descriptor = alpha_decode(word);
    uint64_t result;
    if (alpha_is_nop(word) || descriptor->opcode_id == ALPHA_LDA || descriptor->opcode_id == ALPHA_LDAH ||
        is_plain_access(descriptor))
        return INLINE_NONE;
    if (descriptor->flags & ALPHA_CALL || descriptor->format == ALPHA_FORMAT_PAL)
        return INLINE_CALLS;
    if (descriptor->flags & ALPHA_FLOATING)
        return INLINE_FLOATING;
    if (descriptor->flags & (ALPHA_COND_BRANCH | ALPHA_UNCOND_BRANCH | ALPHA_RETURN | ALPHA_COND_MOVE))
        return INLINE_NONE;
    bool operates = descriptor->format == ALPHA_FORMAT_OPERATE || descriptor->format == ALPHA_FORMAT_LITERAL;
    return operates && alpha_evaluate(register_form(descriptor), 0, 0, &result) ? INLINE_NONE
                                                                                : INLINE_INSTRUCTION;
}

static enum inline_reason block_reason(const struct program *program, const struct basic_block *block) {
    for (uint32_t i = block->first; i < block->first + block->count; i++) {
        enum inline_reason reason = reason_against(program->text[i]);
        if (reason != INLINE_NONE)
            return reason;
    }
    uint32_t last = program->text[block->first + block->count - 1];
    switch (block->end) {
    case END_FALLTHROUGH:
    case END_COND_BRANCH:
    case END_BRANCH:
        return INLINE_NONE;
    case END_RETURN:
        return alpha_rb(last) == ALPHA_RA ? INLINE_NONE : INLINE_CALLS;
    default:
        return INLINE_CALLS;
    }
}

/* ---- the flow graph ---------------------------------------------------------------------------------------------- */

static uint8_t number_of(struct lift *lift, uint32_t block) {
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

/* Numbers the blocks that can be reached without going through one that cannot be lifted. */
static void find_blocks(struct lift *lift) {
    const struct program *program = lift->program;
    number_of(lift, block_at(program, lift->first));
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
            uint8_t to = number_of(lift, edge->to);
            if (edge->kind == EDGE_TAKEN || ways == 1)
                lift->taken[i] = to;
            if (edge->kind == EDGE_FALLTHROUGH || ways == 1)
                lift->next[i] = to;
            lift->successors[i] |= UINT64_C(1) << to;
        }
    }
}

/* What each block leads to. */
static void find_reached(const struct lift *lift, uint64_t *reached) {
    memcpy(reached, lift->successors, sizeof lift->successors);
    for (uint32_t middle = 0; middle < lift->count; middle++)
        for (uint32_t i = 0; i < lift->count; i++)
            if (reached[i] >> middle & 1)
                reached[i] |= reached[middle];
}

/* A loop that searches is left from several places, and mostly the first time round. */
static bool searches(const struct lift *lift, const uint64_t *reached, uint32_t head) {
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

/* Cuts loops: those that search where they go round again, others at their head. */
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
        if (lift->no_searches || !searches(lift, reached, to))
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

static bool is_slow(const struct lift *lift, uint8_t block) {
    return block == AGAIN || (block != EXIT && lift->slow >> block & 1);
}

/* Blocks that cannot be lifted, and those that lead only there. */
static void find_slow(struct lift *lift) {
    uint64_t reached[MOST_BLOCKS_LIFTED], seen = 0;
    find_reached(lift, reached);
    cut_loops(lift, 0, 0, &seen, reached);
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

/* Post-dominators among the blocks that are lifted, then the nearest of each. */
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

/* ---- execution --------------------------------------------------------------------------------------------------- */

static uint32_t get(const struct lift *lift, const struct lift_state *state, unsigned reg) {
    return reg == ALPHA_ZERO ? graph_constant(lift->graph, 0) : state->registers[reg];
}

static void set(struct lift_state *state, unsigned reg, uint32_t node) {
    if (reg != ALPHA_ZERO)
        state->registers[reg] = node;
}

/* Is it an address in the stack frame? Its offset from where $30 stood. */
static bool is_stack_address(const struct graph *graph, uint32_t address, int64_t *offset) {
    const struct node *node = &graph->nodes[address];
    uint64_t number = 0;
    if (node->kind == NODE_OPERATE && node->opcode == ALPHA_ADDQr &&
        node_is_constant(graph, node->b, &number))
        node = &graph->nodes[node->a];
    else
        number = 0;
    *offset = (int64_t)number;
    return node->kind == NODE_UNKNOWN && node->number == ALPHA_SP;
}

static uint32_t load_from_stack(struct lift *lift, const struct lift_state *state, enum alpha_opcode opcode,
                                int64_t offset) {
    struct graph *graph = lift->graph;
    uint32_t value = NO_INDEX;
    for (uint32_t i = 0; i < state->slot_count; i++)
        if (state->offsets[i] == offset)
            value = state->slots[i];
    if (value == NO_INDEX && offset >= 0 && offset % 8 == 0) /* an argument after the sixth */
        value = graph_leaf(graph, NODE_ARGUMENT, 6 + (uint64_t)offset / 8);
    if (value == NO_INDEX || (opcode != ALPHA_LDQ && opcode != ALPHA_LDL)) {
        graph_fail(graph, INLINE_STACK);
        return 0;
    }
    return opcode == ALPHA_LDL ? graph_operate(graph, ALPHA_ADDLr, value, graph_constant(graph, 0)) : value;
}

static void store_to_stack(struct lift *lift, struct lift_state *state, enum alpha_opcode opcode,
                           int64_t offset, uint32_t value) {
    uint32_t i = 0;
    while (i < state->slot_count && state->offsets[i] != offset)
        i++;
    if (opcode != ALPHA_STQ || offset >= 0 || offset % 8 != 0 || i == MOST_SLOTS) {
        graph_fail(lift->graph, INLINE_STACK);
        return;
    }
    state->offsets[i] = offset;
    state->slots[i] = value;
    if (i == state->slot_count)
        state->slot_count++;
}

static void step_memory(struct lift *lift, struct lift_state *state, uint32_t word) {
    const struct alpha_descriptor *descriptor = alpha_decode(word);
    struct graph *graph = lift->graph;
    int64_t displacement = alpha_memory_displacement(word), offset;
    if (descriptor->opcode_id == ALPHA_LDAH)
        displacement *= 65536;
    uint32_t address = graph_operate(graph, ALPHA_ADDQr, get(lift, state, alpha_rb(word)),
                                     graph_constant(graph, (uint64_t)displacement));
    bool stack = is_stack_address(graph, address, &offset);
    unsigned reg = alpha_ra(word);
    if (!(descriptor->flags & (ALPHA_LOAD | ALPHA_STORE)))
        set(state, reg, address);
    else if (descriptor->flags & ALPHA_LOAD)
        set(state, reg,
            stack ? load_from_stack(lift, state, descriptor->opcode_id, offset)
                  : graph_load(graph, descriptor->opcode_id, address));
    else if (stack)
        store_to_stack(lift, state, descriptor->opcode_id, offset, get(lift, state, reg));
    else
        graph_store(graph, descriptor->opcode_id, address, get(lift, state, reg));
}

static void step(struct lift *lift, struct lift_state *state, uint32_t word) {
    const struct alpha_descriptor *descriptor = alpha_decode(word);
    struct graph *graph = lift->graph;
    if (alpha_is_nop(word) || alpha_is_prefetch(word) || descriptor->format == ALPHA_FORMAT_BRANCH ||
        descriptor->format == ALPHA_FORMAT_JUMP)
        return;
    if (descriptor->format == ALPHA_FORMAT_MEMORY) {
        step_memory(lift, state, word);
        return;
    }
    uint32_t a = get(lift, state, alpha_ra(word));
    uint32_t b = descriptor->format == ALPHA_FORMAT_LITERAL ? graph_constant(graph, word >> 13 & 0xff)
                                                            : get(lift, state, alpha_rb(word));
    enum alpha_opcode opcode = register_form(descriptor);
    if (descriptor->flags & ALPHA_COND_MOVE)
        set(state, alpha_rc(word),
            graph_select(graph, graph_condition(graph, opcode, a), b, get(lift, state, alpha_rc(word))));
    else
        set(state, alpha_rc(word), graph_operate(graph, opcode, a, b));
}

static void execute(struct lift *lift, struct lift_state *state, uint8_t block, uint8_t stop);

/* Registers and slots after a branch whose ways have ended as *state and *other. */
static void merge_ways(struct lift *lift, struct condition condition, uint32_t before, uint32_t between,
                       struct lift_state *state, const struct lift_state *other) {
    uint32_t pairs[32 + MOST_SLOTS][2], count = 0, *place[32 + MOST_SLOTS];
    uint32_t kept = 0;
    for (unsigned r = 0; r < 31; r++)
        if (state->registers[r] != other->registers[r]) {
            pairs[count][0] = state->registers[r];
            pairs[count][1] = other->registers[r];
            place[count++] = &state->registers[r];
        }
    for (uint32_t i = 0; i < state->slot_count; i++)
        for (uint32_t k = 0; k < other->slot_count; k++)
            if (state->offsets[i] == other->offsets[k]) { /* those of one way only are forgotten */
                state->offsets[kept] = state->offsets[i];
                pairs[count][0] = state->slots[i];
                pairs[count][1] = other->slots[k];
                place[count++] = &state->slots[kept++];
            }
    state->slot_count = kept;
    graph_merge(lift->graph, condition, before, between, pairs, count);
    for (uint32_t i = 0; i < count; i++)
        *place[i] = pairs[i][0];
}

static void execute_branch(struct lift *lift, struct lift_state *state, struct condition condition,
                           uint8_t block) {
    struct graph *graph = lift->graph;
    struct lift_state other = *state;
    uint32_t before = graph->access_count, count;
    execute(lift, state, lift->taken[block], lift->join[block]);
    struct access taken[MOST_ACCESSES];
    count = graph->access_count - before;
    memcpy(taken, graph->accesses + before, count * sizeof *taken);
    graph->access_count = before; /* the other way does not see what this one has stored */
    execute(lift, &other, lift->next[block], lift->join[block]);
    uint32_t rest = graph->access_count - before;
    if (before + count + rest > MOST_ACCESSES) {
        graph_fail(graph, INLINE_TOO_LARGE);
        return;
    }
    while (graph->access_capacity < before + count + rest)
        VECTOR_RESERVE(graph->accesses, graph->access_capacity, graph->access_capacity);
    memmove(graph->accesses + before + count, graph->accesses + before, rest * sizeof *taken);
    memcpy(graph->accesses + before, taken, count * sizeof *taken);
    graph->access_count = before + count + rest;
    merge_ways(lift, condition, before, before + count, state, &other);
}

/* From the start of a block to the start of another. */
static void execute(struct lift *lift, struct lift_state *state, uint8_t block, uint8_t stop) {
    struct graph *graph = lift->graph;
    while (block != stop && block != EXIT && !graph->failed) {
        const struct basic_block *code = &lift->program->blocks[lift->blocks[block]];
        uint32_t begin = block == 0 ? lift->first : code->first, end = code->first + code->count;
        for (uint32_t i = begin; i < end; i++)
            step(lift, state, lift->program->text[i]);
        uint32_t last = lift->program->text[end - 1];
        bool holds;
        if (lift->taken[block] == lift->next[block]) {
            block = lift->next[block];
            continue;
        }
        struct condition condition =
            graph_condition(graph, alpha_decode(last)->opcode_id, get(lift, state, alpha_ra(last)));
        if (graph_is_settled(graph, condition, &holds)) {
            block = holds ? lift->taken[block] : lift->next[block];
            if (is_slow(lift, block))
                graph_fail(graph, INLINE_CALLS);
            continue;
        }
        bool slow_taken = is_slow(lift, lift->taken[block]), slow_next = is_slow(lift, lift->next[block]);
        if (slow_taken || slow_next) {
            condition.negated ^= slow_next;
            graph_leave(graph, graph_boolean(graph, condition));
            lift->leaves = true;
            uint8_t way = slow_taken ? lift->taken[block] : lift->next[block];
            lift->leaves_for_loop |= way == AGAIN || lift->reasons[way] == INLINE_LOOP;
            block = slow_taken ? lift->next[block] : lift->taken[block];
            continue;
        }
        execute_branch(lift, state, condition, block);
        block = lift->join[block];
    }
}

/* ---- the template ------------------------------------------------------------------------------------------------ */

static bool has_unknown(const struct graph *graph, uint32_t index, uint8_t *seen) {
    const struct node *node = &graph->nodes[index];
    if (seen[index])
        return false;
    seen[index] = 1;
    if (node->kind == NODE_UNKNOWN)
        return true;
    if (node->kind != NODE_OPERATE && node->kind != NODE_SELECT)
        return false;
    return has_unknown(graph, node->a, seen) || has_unknown(graph, node->b, seen) ||
           (node->kind == NODE_SELECT && has_unknown(graph, node->c, seen));
}

static void check_known(struct graph *graph) {
    uint8_t seen[MOST_NODES] = {0};
    for (uint32_t i = 0; i < graph->access_count; i++) {
        const struct access *access = &graph->accesses[i];
        bool has_address = access->kind != ACCESS_LEAVE, has_value = access->kind != ACCESS_LOAD;
        if ((has_address && has_unknown(graph, access->address, seen)) ||
            (has_value && has_unknown(graph, access->value, seen)))
            graph_fail(graph, INLINE_UNKNOWN);
    }
}

/* A test before a loop is mostly not what keeps the loop from running. */
static bool only_tests_for_loop(const struct lift *lift) {
    for (uint32_t i = 0; i < lift->graph->access_count; i++)
        if (lift->graph->accesses[i].kind == ACCESS_STORE)
            return false;
    return lift->leaves_for_loop;
}

static void lift_routine(struct lift *lift) {
    struct graph *graph = lift->graph;
    struct lift_state state = {0};
    find_blocks(lift);
    if (graph->failed)
        return;
    find_slow(lift);
    if (lift->slow & 1) {
        graph_fail(graph, lift->reasons[0]);
        return;
    }
    find_joins(lift);
    for (unsigned r = 0; r < 32; r++)
        state.registers[r] = graph_leaf(graph, NODE_UNKNOWN, r);
    for (unsigned i = 0; i < 6; i++)
        state.registers[ALPHA_A0 + i] = graph_leaf(graph, NODE_ARGUMENT, i);
    state.registers[ALPHA_PV] = graph_constant(graph, instruction_address(lift->program, lift->first));
    execute(lift, &state, 0, EXIT);
    if (!graph->failed)
        check_known(graph);
    if (!graph->failed && !graph_leave_first(graph))
        graph_fail(graph, INLINE_EFFECT_FIRST);
    if (!graph->failed && only_tests_for_loop(lift))
        graph_fail(graph, INLINE_LOOP);
    if (!graph->failed)
        graph_drop_dead_stores(graph);
}

/* One way to lift it. */
static void try_to_lift(struct template *template, const struct rewrite *rewrite, uint64_t address,
                        bool no_searches) {
    struct lift lift = {
        .program = rewrite->analysis->program, .graph = &template->graph, .no_searches = no_searches};
    template->graph.rewrite = rewrite;
    graph_clear(&template->graph);
    lift.first = instruction_at(lift.program, address);
    if (lift.first == NO_INDEX)
        graph_fail(&template->graph, INLINE_NOT_FOUND);
    else
        lift_routine(&lift);
    template->reason = template->graph.failed;
    template->leaves = lift.leaves;
}

void template_make(struct template *template, const struct rewrite *rewrite, uint64_t address) {
    try_to_lift(template, rewrite, address, false);
    if (template->reason != INLINE_NONE)
        try_to_lift(template, rewrite, address, true);
}
