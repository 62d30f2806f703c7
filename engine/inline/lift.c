/* lift.c: turns a routine's machine code into a graph, by executing it with unknown arguments: both paths
   of each branch, which are then merged. Requires the analysis image's blocks and edges. */
#include <string.h>

#include "engine/inline/internal.h"
#include "engine/object/object.h"
#include "engine/cfg/cfg.h"

/* Registers, and values stored in the routine's frame: by offset from the stack pointer at the entry. */
struct lift_state {
    uint32_t registers[32];
    int64_t offsets[MOST_SLOTS];
    uint32_t slots[MOST_SLOTS];
    uint32_t slot_count;
};

/* ---- execution --------------------------------------------------------------------------------------------------- */

static uint32_t read_register(const struct lift *lift, const struct lift_state *state, unsigned reg) {
    return reg == lift->program->architecture->registers.zero ? graph_constant(lift->graph, 0)
                                                              : state->registers[reg];
}

static void write_register(const struct lift *lift, struct lift_state *state, unsigned reg, uint32_t node) {
    if (reg != lift->program->architecture->registers.zero)
        state->registers[reg] = node;
}

/* True if it is an address in the stack frame. *offset: from the stack pointer at the entry. */
static bool is_stack_address(const struct lift *lift, uint32_t address, int64_t *offset) {
    const struct graph *graph = lift->graph;
    const struct node *node = &graph->nodes[address];
    uint64_t number = 0;
    if (node->kind == NODE_OPERATE && node->operation == OPERATOR_ADD &&
        node_is_constant(graph, node->b, &number))
        node = &graph->nodes[node->a];
    else
        number = 0;
    *offset = (int64_t)number;
    return node->kind == NODE_UNKNOWN && node->number == lift->program->architecture->registers.stack;
}

static uint32_t load_from_stack(struct lift *lift, const struct lift_state *state, uint16_t form,
                                int64_t offset) {
    struct graph *graph = lift->graph;
    uint32_t value = NO_INDEX;
    for (uint32_t i = 0; i < state->slot_count; i++)
        if (state->offsets[i] == offset)
            value = state->slots[i];
    if (value == NO_INDEX && offset >= 0 && offset % 8 == 0) /* an argument after the sixth */
        value = graph_leaf(graph, NODE_ARGUMENT, REGISTER_ARGUMENTS + (uint64_t)offset / 8);
    if (value == NO_INDEX || (form != FORM_QUAD && form != FORM_INT)) {
        graph_fail(graph, INLINE_STACK);
        return 0;
    }
    return form == FORM_INT ? graph_operate(graph, OPERATOR_ADD_INT, value, graph_constant(graph, 0)) : value;
}

static void store_to_stack(struct lift *lift, struct lift_state *state, uint16_t form, int64_t offset,
                           uint32_t value) {
    uint32_t i = 0;
    while (i < state->slot_count && state->offsets[i] != offset)
        i++;
    if (form != FORM_QUAD || offset >= 0 || offset % 8 != 0 || i == MOST_SLOTS) {
        graph_fail(lift->graph, INLINE_STACK);
        return;
    }
    state->offsets[i] = offset;
    state->slots[i] = value;
    if (i == state->slot_count)
        state->slot_count++;
}

static void execute_access(struct lift *lift, struct lift_state *state, uint32_t instruction) {
    const struct facts *facts = facts_of(lift->program, instruction);
    const struct memory_operand *memory = &facts->memory[0];
    struct graph *graph = lift->graph;
    int64_t displacement = constants_of(lift->program, instruction).displacement, offset;
    uint32_t address = graph_operate(graph, OPERATOR_ADD, read_register(lift, state, memory->base),
                                     graph_constant(graph, (uint64_t)displacement));
    bool stack = is_stack_address(lift, address, &offset);
    uint16_t form = form_of_access(facts);
    if (facts->flags & FACT_LOAD)
        write_register(lift, state, memory->data,
                       stack ? load_from_stack(lift, state, form, offset) : graph_load(graph, form, address));
    else if (stack)
        store_to_stack(lift, state, form, offset, read_register(lift, state, memory->data));
    else
        graph_store(graph, form, address, read_register(lift, state, memory->data));
}

static void execute_computation(struct lift *lift, struct lift_state *state, uint32_t instruction) {
    struct graph *graph = lift->graph;
    const struct computation computation =
        lift->program->architecture->compute(lift->program->text[instruction]);
    uint32_t a = read_register(lift, state, computation.a);
    uint32_t b = computation.b == REGISTER_NONE ? graph_constant(graph, (uint64_t)computation.constant)
                                                : read_register(lift, state, computation.b);
    uint32_t result = computation.condition != CONDITION_NONE
                          ? graph_select(graph, graph_condition(graph, computation.condition, a), b,
                                         read_register(lift, state, computation.result))
                          : graph_operate(graph, computation.operation, a, b);
    write_register(lift, state, computation.result, result);
}

/* Requires an instruction that reason_against() accepts. */
static void execute_instruction(struct lift *lift, struct lift_state *state, uint32_t instruction) {
    const struct facts *facts = facts_of(lift->program, instruction);
    struct graph *graph = lift->graph;
    if (facts->flags & (FACT_NOP | FACT_PREFETCH) || facts->transfer != TRANSFER_NONE)
        return;
    if (facts->memory_count > 0)
        execute_access(lift, state, instruction);
    else if (adds_constant(facts))
        write_register(
            lift, state, facts->operand[0],
            graph_operate(graph, OPERATOR_ADD, read_register(lift, state, facts->operand[1]),
                          graph_constant(graph, (uint64_t)constants_of(lift->program, instruction).value)));
    else
        execute_computation(lift, state, instruction);
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
    register_set read = read_on_slow_path(lift, slow);
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
    const struct conventions_of_machine *registers = &program->architecture->registers;
    for (int i = 0; i < 12 && instruction < program->instruction_count; i++, instruction++) {
        const struct facts *facts = facts_of(program, instruction);
        bool leaves =
            adds_constant(facts) || (form_of_access(facts) == FORM_QUAD && facts->flags & FACT_LOAD &&
                                     facts->memory[0].base == registers->stack);
        if (facts->transfer == TRANSFER_RETURN)
            return facts->target == registers->link;
        if (facts->transfer == TRANSFER_BRANCH && facts->link == REGISTER_NONE)
            instruction += (uint32_t)constants_of(program, instruction).displacement;
        else if (!leaves && !(facts->flags & FACT_NOP))
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
    const unsigned argument = program->architecture->registers.first_argument;
    uint32_t first = program->procedures[callee].first;
    register_set read = read_from_block(program, block_at(program, first));
    slow->count = 0;
    for (unsigned i = 0; i < REGISTER_ARGUMENTS; i++) {
        uint8_t seen[MOST_NODES] = {0};
        slow->nodes[i] = read >> (argument + i) & 1 ? state->registers[argument + i] : NO_INDEX;
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
    const struct facts *call = facts_of(program, last);
    uint32_t callee = call->transfer == TRANSFER_CALL ? call_target(program, last, &offset) : NO_INDEX;
    if (callee == NO_INDEX || (offset != 0 && offset != 2) ||
        call->link != program->architecture->registers.link || !returns_at_once(program, last + 1))
        return;
    struct lift_state there = *state;
    for (uint32_t i = block->first; i < last; i++) {
        if (reason_against(program, i) != INLINE_NONE)
            return;
        execute_instruction(lift, &there, i);
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
    return is(graph, condition.node, OPERATOR_EQUAL) && graph->nodes[node->b].kind != NODE_CONSTANT;
}

/* Executes from the start of a block to the start of another. */
static void lift_block(struct lift *lift, struct lift_state *state, uint8_t block, uint8_t stop) {
    struct graph *graph = lift->graph;
    while (block != stop && block != EXIT && !graph->failed) {
        const struct basic_block *code = &lift->program->blocks[lift->blocks[block]];
        uint32_t begin = block == 0 ? lift->first : code->first, end = code->first + code->count;
        for (uint32_t i = begin; i < end; i++) {
            lift->graph->origin = i;
            execute_instruction(lift, state, i);
        }
        const struct facts *last = facts_of(lift->program, end - 1);
        bool holds;
        if (lift->taken[block] == lift->next[block]) {
            block = lift->next[block];
            continue;
        }
        struct condition condition =
            graph_condition(graph, last->condition, read_register(lift, state, last->tested));
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
    const struct conventions_of_machine *registers = &lift->program->architecture->registers;
    struct lift_state state = {0};
    if (!find_flow(lift))
        return;
    for (unsigned r = 0; r < 32; r++)
        state.registers[r] = graph_leaf(graph, NODE_UNKNOWN, r);
    for (unsigned i = 0; i < REGISTER_ARGUMENTS; i++)
        state.registers[registers->first_argument + i] = graph_leaf(graph, NODE_ARGUMENT, i);
    state.registers[registers->procedure_value] =
        graph_constant(graph, instruction_address(lift->program, lift->first));
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
    graph->machine = rewrite->machine;
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
