/* lift.c: turns a routine's machine code into a graph, by executing it with unknown arguments: both paths
   of each branch, which are then merged. Requires the analysis image's blocks and edges. */
#include <string.h>

#include "engine/inline/internal.h"
#include "engine/object/object.h"
#include "engine/cfg/cfg.h"

/* Registers, and values stored in the routine's frame: by offset from $30 at the entry. */
struct lift_state {
    uint32_t registers[32];
    int64_t offsets[MOST_SLOTS];
    uint32_t slots[MOST_SLOTS];
    uint32_t slot_count;
};

/* ---- execution --------------------------------------------------------------------------------------------------- */

static uint32_t read_register(const struct lift *lift, const struct lift_state *state, unsigned reg) {
    return reg == ALPHA_ZERO ? graph_constant(lift->graph, 0) : state->registers[reg];
}

static void write_register(struct lift_state *state, unsigned reg, uint32_t node) {
    if (reg != ALPHA_ZERO)
        state->registers[reg] = node;
}

/* True if it is an address in the stack frame. *offset: from $30 at the entry. */
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
        value = graph_leaf(graph, NODE_ARGUMENT, REGISTER_ARGUMENTS + (uint64_t)offset / 8);
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
    uint32_t address = graph_operate(graph, ALPHA_ADDQr, read_register(lift, state, alpha_rb(word)),
                                     graph_constant(graph, (uint64_t)displacement));
    bool stack = is_stack_address(graph, address, &offset);
    unsigned reg = alpha_ra(word);
    if (!(descriptor->flags & (ALPHA_LOAD | ALPHA_STORE)))
        write_register(state, reg, address);
    else if (descriptor->flags & ALPHA_LOAD)
        write_register(state, reg,
                       stack ? load_from_stack(lift, state, descriptor->opcode_id, offset)
                             : graph_load(graph, descriptor->opcode_id, address));
    else if (stack)
        store_to_stack(lift, state, descriptor->opcode_id, offset, read_register(lift, state, reg));
    else
        graph_store(graph, descriptor->opcode_id, address, read_register(lift, state, reg));
}

static void lift_word(struct lift *lift, struct lift_state *state, uint32_t word) {
    const struct alpha_descriptor *descriptor = alpha_decode(word);
    struct graph *graph = lift->graph;
    if (alpha_is_nop(word) || alpha_is_prefetch(word) || descriptor->format == ALPHA_FORMAT_BRANCH ||
        descriptor->format == ALPHA_FORMAT_JUMP)
        return;
    if (descriptor->format == ALPHA_FORMAT_MEMORY) {
        step_memory(lift, state, word);
        return;
    }
    uint32_t a = read_register(lift, state, alpha_ra(word));
    uint32_t b = descriptor->format == ALPHA_FORMAT_LITERAL ? graph_constant(graph, word >> 13 & 0xff)
                                                            : read_register(lift, state, alpha_rb(word));
    enum alpha_opcode opcode = alpha_register_form(descriptor);
    if (descriptor->flags & ALPHA_COND_MOVE)
        write_register(state, alpha_rc(word),
                       graph_select(graph, graph_condition(graph, opcode, a), b,
                                    read_register(lift, state, alpha_rc(word))));
    else
        write_register(state, alpha_rc(word), graph_operate(graph, opcode, a, b));
}

static void lift_block(struct lift *lift, struct lift_state *state, uint8_t block, uint8_t stop);

/* Merges registers and slots after a branch whose paths have ended as *state and *other. */
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
            if (state->offsets[i] == other->offsets[k]) { /* slots known on one path only are dropped */
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

/* True if the path's code is worth a branch around it. A single update is as cheap by arithmetic. */
static bool is_worth_branch(const struct graph *graph, uint32_t first) {
    unsigned stores = 0;
    for (uint32_t i = first; i < graph->access_count; i++) {
        if (graph->accesses[i].kind == ACCESS_BAIL_OUT)
            return true;
        stores += graph->accesses[i].kind == ACCESS_STORE;
    }
    return stores > 1;
}

/* Puts the accesses from `first` on after a branch. */
static void skip_over(struct lift *lift, struct condition condition, uint32_t first) {
    struct graph *graph = lift->graph;
    uint32_t count = graph->access_count - first;
    struct access rest[MOST_ACCESSES];
    memcpy(rest, graph->accesses + first, count * sizeof *rest);
    graph->access_count = first;
    graph_skip(graph, condition); /* the condition is not constant */
    if (first + 1 + count > MOST_ACCESSES) {
        graph_fail(graph, INLINE_TOO_LARGE);
        return;
    }
    memcpy(graph->accesses + first + 1, rest, count * sizeof *rest);
    graph->access_count += count;
    lift->has_skipped = true;
}

static void execute_branch(struct lift *lift, struct lift_state *state, struct condition condition,
                           uint8_t block) {
    struct graph *graph = lift->graph;
    struct lift_state other = *state;
    uint32_t before = graph->access_count, count;
    bool skips = lift->skips && lift->depth == 0 && only_returns(lift, lift->join[block]);
    lift->depth++;
    lift_block(lift, state, lift->taken[block], lift->join[block]);
    struct access taken[MOST_ACCESSES];
    count = graph->access_count - before;
    if (count > 0)
        memcpy(taken, graph->accesses + before, count * sizeof *taken);
    graph->access_count = before; /* the other path does not see this one's stores */
    lift_block(lift, &other, lift->next[block], lift->join[block]);
    lift->depth--;
    uint32_t rest = graph->access_count - before;
    if (skips && !graph->failed && count == 0 && is_worth_branch(graph, before)) {
        condition.negated = !condition.negated;
        skip_over(lift, condition, before);
        return;
    }
    if (before + count + rest > MOST_ACCESSES) {
        graph_fail(graph, INLINE_TOO_LARGE);
        return;
    }
    if (count > 0) {
        memmove(graph->accesses + before + count, graph->accesses + before, rest * sizeof *taken);
        memcpy(graph->accesses + before, taken, count * sizeof *taken);
    }
    graph->access_count = before + count + rest;
    if (skips && rest == 0 && is_worth_branch(graph, before)) {
        skip_over(lift, condition, before);
        return;
    }
    merge_ways(lift, condition, before, before + count, state, &other);
}

static void note_used_slowly(struct lift *lift, uint32_t index) {
    const struct node *node = &lift->graph->nodes[index];
    if (lift->used_slowly[index])
        return;
    lift->used_slowly[index] = 1;
    if (node->kind != NODE_OPERATE && node->kind != NODE_SELECT)
        return;
    note_used_slowly(lift, node->a);
    note_used_slowly(lift, node->b);
    if (node->kind == NODE_SELECT)
        note_used_slowly(lift, node->c);
}

/* Notes the values where the slow path begins. On a path that will be merged with another, nodes change:
   all of them are noted. */
static void note_slow_path(struct lift *lift, const struct lift_state *state, uint8_t slow) {
    alpha_register_set read = read_on_slow_path(lift, slow);
    for (unsigned r = 0; r < 31; r++)
        if (read >> r & 1)
            note_used_slowly(lift, state->registers[r]);
    for (uint32_t i = 0; i < state->slot_count; i++)
        note_used_slowly(lift, state->slots[i]);
    if (lift->depth > 0)
        memset(lift->used_slowly, 1, sizeof lift->used_slowly);
}

/* True if from the instruction on the routine only leaves the frame and returns. */
static bool returns_at_once(const struct program *program, uint32_t instruction) {
    for (int i = 0; i < 12 && instruction < program->instruction_count; i++, instruction++) {
        uint32_t word = program->text[instruction];
        const struct alpha_descriptor *descriptor = alpha_decode(word);
        bool leaves = descriptor->opcode_id == ALPHA_LDA || descriptor->opcode_id == ALPHA_LDAH ||
                      (descriptor->opcode_id == ALPHA_LDQ && alpha_rb(word) == ALPHA_SP);
        if (descriptor->flags & ALPHA_RETURN)
            return alpha_rb(word) == ALPHA_RA;
        if (descriptor->opcode_id == ALPHA_BR && alpha_ra(word) == ALPHA_ZERO)
            instruction += (uint32_t)alpha_branch_displacement(word);
        else if (!leaves && !alpha_is_nop(word))
            return false;
    }
    return false;
}

static bool has_unknown(const struct graph *graph, uint32_t index, uint8_t *seen);

/* The values passed to the procedure in registers: known at the site, or NO_INDEX if the procedure does not
   read the register. Returns false if another value may be passed. */
static bool find_passed(const struct lift *lift, const struct lift_state *state, uint32_t callee,
                        struct slow_nodes *slow) {
    const struct program *program = lift->program;
    uint32_t first = program->procedures[callee].first;
    alpha_register_set read = read_from_block(program, block_at(program, first));
    slow->count = 0;
    for (unsigned i = 0; i < REGISTER_ARGUMENTS; i++) {
        uint8_t seen[MOST_NODES] = {0};
        slow->nodes[i] = read >> (ALPHA_A0 + i) & 1 ? state->registers[ALPHA_A0 + i] : NO_INDEX;
        if (slow->nodes[i] == NO_INDEX)
            continue;
        slow->count = i + 1;
        if (has_unknown(lift->graph, slow->nodes[i], seen))
            return false;
    }
    for (uint32_t i = 0; i < state->slot_count;
         i++) /* a slot that is not just a saved register may be an argument */
        if (lift->graph->nodes[state->slots[i]].kind != NODE_UNKNOWN)
            return false;
    return true;
}

/* Notes a slow path that only calls another procedure, with values known before it, and returns. */
static void lift_slow_call(struct lift *lift, const struct lift_state *state, uint8_t slow) {
    struct graph *graph = lift->graph;
    const struct program *program = lift->program;
    uint32_t accesses = graph->access_count, offset = 0;
    bool first = !lift->bails_out && lift->depth == 0 && slow < lift->count;
    graph->slow.entry = 0;
    for (uint32_t i = 0; i < accesses; i++) /* the stores would have to be made for it */
        first &= graph->accesses[i].kind == ACCESS_LOAD;
    if (!first)
        return;
    const struct basic_block *block = &program->blocks[lift->blocks[slow]];
    uint32_t last = block_last(block);
    const struct alpha_descriptor *call = alpha_decode(program->text[last]);
    uint32_t callee = call->flags & ALPHA_CALL ? call_target(program, last, &offset) : NO_INDEX;
    if (callee == NO_INDEX || (offset != 0 && offset != 2) || alpha_ra(program->text[last]) != ALPHA_RA ||
        !returns_at_once(program, last + 1))
        return;
    struct lift_state there = *state;
    for (uint32_t i = block->first; i < last; i++) {
        if (reason_against(program->text[i]) != INLINE_NONE)
            return;
        lift_word(lift, &there, program->text[i]);
        if (graph->failed || graph->access_count != accesses) {
            graph->failed = INLINE_NONE;
            graph->access_count = accesses;
            return;
        }
    }
    if (find_passed(lift, &there, callee, &graph->slow))
        graph->slow.entry = instruction_address(program, program->procedures[callee].first);
}

/* A test of two values for equality usually compares with the last value of a variable; routines make such
   tests before they count. */
static bool compares_two(const struct graph *graph, struct condition condition) {
    const struct node *node = &graph->nodes[condition.node];
    return is(graph, condition.node, ALPHA_CMPEQr) && graph->nodes[node->b].kind != NODE_CONSTANT;
}

/* Executes from the start of a block to the start of another. */
static void lift_block(struct lift *lift, struct lift_state *state, uint8_t block, uint8_t stop) {
    struct graph *graph = lift->graph;
    while (block != stop && block != EXIT && !graph->failed) {
        const struct basic_block *code = &lift->program->blocks[lift->blocks[block]];
        uint32_t begin = block == 0 ? lift->first : code->first, end = code->first + code->count;
        for (uint32_t i = begin; i < end; i++) {
            lift->graph->origin = i;
            lift_word(lift, state, lift->program->text[i]);
        }
        uint32_t last = lift->program->text[end - 1];
        bool holds;
        if (lift->taken[block] == lift->next[block]) {
            block = lift->next[block];
            continue;
        }
        struct condition condition =
            graph_condition(graph, alpha_decode(last)->opcode_id, read_register(lift, state, alpha_ra(last)));
        if (graph_is_settled(graph, condition, &holds)) {
            block = holds ? lift->taken[block] : lift->next[block];
            if (is_slow(lift, block))
                graph_fail(graph, INLINE_CALLS);
            continue;
        }
        bool slow_taken = is_slow(lift, lift->taken[block]), slow_next = is_slow(lift, lift->next[block]);
        if (slow_taken || slow_next) {
            condition.negated ^= slow_next;
            lift_slow_call(lift, state, slow_taken ? lift->taken[block] : lift->next[block]);
            graph_bail_out(graph, condition);
            lift->bails_out = true;
            note_slow_path(lift, state, slow_taken ? lift->taken[block] : lift->next[block]);
            if (slow_next && leads_into_loop(lift, lift->next[block]) && !compares_two(graph, condition))
                graph_fail(graph, INLINE_LOOP); /* GCC has put the likely case after the branch */
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
        bool has_address = access->kind == ACCESS_LOAD || access->kind == ACCESS_STORE,
             has_value = access->kind != ACCESS_LOAD;
        if ((has_address && has_unknown(graph, access->address, seen)) ||
            (has_value && has_unknown(graph, access->value, seen)))
            graph_fail(graph, INLINE_UNKNOWN);
    }
}

static void lift_routine(struct lift *lift) {
    struct graph *graph = lift->graph;
    struct lift_state state = {0};
    if (!find_flow(lift))
        return;
    for (unsigned r = 0; r < 32; r++)
        state.registers[r] = graph_leaf(graph, NODE_UNKNOWN, r);
    for (unsigned i = 0; i < REGISTER_ARGUMENTS; i++)
        state.registers[ALPHA_A0 + i] = graph_leaf(graph, NODE_ARGUMENT, i);
    state.registers[ALPHA_PV] = graph_constant(graph, instruction_address(lift->program, lift->first));
    lift_block(lift, &state, 0, EXIT);
    if (!graph->failed)
        check_known(graph);
    if (!graph->failed && !graph_bail_out_first(graph))
        graph_fail(graph, INLINE_EFFECT_FIRST);
    if (!graph->failed)
        graph_drop_dead_stores(graph);
}

/* Lifts with one choice of options. */
static struct lift try_to_lift(struct graph *graph, const struct rewrite *rewrite, uint64_t address,
                               bool no_searches, bool skips) {
    struct lift lift = {
        .program = rewrite->analysis->program, .graph = graph, .no_searches = no_searches, .skips = skips};
    graph->arena = rewrite->arena;
    graph->rewrite = rewrite;
    graph_clear(graph);
    lift.first = instruction_at(lift.program, address);
    if (lift.first == NO_INDEX)
        graph_fail(graph, INLINE_NOT_FOUND);
    else
        lift_routine(&lift);
    return lift;
}

void template_make(struct template *template, const struct rewrite *rewrite, uint64_t address) {
    bool no_searches = false;
    struct lift lift = try_to_lift(&template->graph, rewrite, address, no_searches, false);
    if (template->graph.failed != INLINE_NONE) {
        no_searches = true;
        lift = try_to_lift(&template->graph, rewrite, address, no_searches, false);
    }
    template->reason = template->graph.failed;
    template->bails_out = lift.bails_out;
    template->lifted = arena_allocate(rewrite->arena, (lift.count + 1) * sizeof *template->lifted);
    for (uint32_t i = 0; i < lift.count; i++)
        if (!is_slow(&lift, (uint8_t)i))
            template->lifted[template->lifted_count++] = lift.blocks[i];
    template->used_slowly = arena_allocate(rewrite->arena, sizeof lift.used_slowly);
    memcpy(template->used_slowly, lift.used_slowly, sizeof lift.used_slowly);
    if (template->reason == INLINE_NONE && !rewrite->options->without[WITHOUT_BRANCHES]) {
        lift = try_to_lift(&template->skipping, rewrite, address, no_searches, true);
        template->skips = lift.has_skipped &&template->skipping.failed == INLINE_NONE;
    }
}
