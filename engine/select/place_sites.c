/* place_sites.c: the points of the program at which each kind of place has its sites (docs/language.md,
   Places). Requires an analysed program, its loops and places, and an action that allows the place. */
#include "engine/select/internal.h"
#include "engine/object/object.h"
#include "engine/cfg/cfg.h"
#include "engine/rewrite.h"

/* ---- what a statement needs ------------------------------------------------------------------------------ */

/* Values that a statement may need when it is executed (bit set), and registers named by their numbers. */
struct needs {
    uint64_t values;
    register_set registers;
};

static bool is_one_of(const struct plan_expression *value, register_set registers) {
    const struct plan_expression *number = value->operand[0];
    return value->op == PLAN_OP_VALUE && value->value == PLAN_VALUE_REGISTER &&
           number->op == PLAN_OP_INTEGER && number->integer >= 0 && number->integer < 64 &&
           registers >> number->integer & 1;
}

/* True if the expression has one of these values. */
static bool asks_for(const struct plan_expression *expression, const struct needs *needs) {
    if (!expression || !expression->dynamic)
        return false;
    if (is_one_of(expression, needs->registers))
        return true;
    return (expression->op == PLAN_OP_VALUE && needs->values >> expression->value & 1) ||
           asks_for(expression->operand[0], needs) || asks_for(expression->operand[1], needs) ||
           asks_for(expression->operand[2], needs);
}

static bool statement_asks_for(const struct expansion *expansion, const struct needs *needs) {
    bool asks = asks_for(expansion->first->guard, needs);
    for (uint32_t i = 0; i < expansion->together; i++) {
        const struct plan_action *action = &expansion->first[i];
        asks |= asks_for(action->cell, needs) || asks_for(action->amount, needs) ||
                asks_for(action->value, needs);
        for (uint32_t k = 0; k < action->argument_count; k++)
            asks |= asks_for(action->arguments[k], needs);
    }
    return asks;
}

static const struct site_expression *new_site_expression(struct expansion *expansion, enum plan_operator op,
                                                         const struct site_expression *left,
                                                         const struct site_expression *right) {
    struct site_expression made = {.op = op, .operand = {left, right}};
    return sites_share(expansion->sites, &made, sizeof made);
}

/* $target == address, or another comparison. */
static const struct site_expression *compares_target(const struct program *program,
                                                     struct expansion *expansion, enum plan_operator op,
                                                     uint64_t address) {
    struct site_expression made = {.op = PLAN_OP_VALUE,
                                   .leaf = {.kind = SITE_VALUE, .value = PLAN_VALUE_TARGET}};
    const struct site_expression *target = sites_share(expansion->sites, &made, sizeof made);
    return new_site_expression(expansion, op, make_static(program, expansion, target),
                               make_constant(expansion, (int64_t)address));
}

/* ---- procedures ------------------------------------------------------------------------------------------ */

/* Calls that skip the ldgp also count as entering at the first entry. */
static void add_entry_sites(struct selection *selection, struct expansion *expansion,
                            const struct entry *entry) {
    const struct procedure *procedure = &selection->program->procedures[entry->procedure];
    add_sites(selection, expansion, entry->instruction, SITE_ENTRY);
    if (entry->instruction == procedure->first && entry_after_base(procedure) != NO_INDEX)
        add_sites(selection, expansion, entry_after_base(procedure), SITE_ENTRY);
}

static void add_entries(struct selection *selection, struct expansion *expansion, uint32_t procedure) {
    uint32_t first, count;
    places_inside(selection->program, PLAN_PROCEDURE, procedure, PLAN_ENTRY, &first, &count);
    for (uint32_t i = 0; i < count; i++)
        add_entry_sites(selection, expansion, &selection->program->entries[first + i]);
}

static bool branches_out(const struct program *program, const struct basic_block *block) {
    uint32_t target = block->end == END_COND_BRANCH ? branch_target(program, block_last(block)) : NO_INDEX;
    return target != NO_INDEX && procedure_at(program, target) != block->procedure;
}

/* True if the statement sets the procedure's result. */
static bool sets_result(const struct expansion *expansion) {
    for (uint32_t i = 0; i < expansion->together; i++)
        if (expansion->first[i].kind == PLAN_ACTION_SET &&
            expansion->first[i].value->value == PLAN_VALUE_RETURN)
            return true;
    return false;
}

/* Jumps through $27 or to a known procedure leave the procedure, too. */
static bool leaves_by_branch(const struct program *program, const struct basic_block *block) {
    uint32_t last = block_last(block);
    return block->end == END_TAIL_BRANCH ||
           (block->end == END_JUMP_UNKNOWN &&
            (facts_of(program, last)->target == program->architecture->registers.procedure_value ||
             call_target(program, last, NULL) != NO_INDEX));
}

/* A branch between a procedure and its nameless parts does not leave it, except to one of its entries. */
static bool stays_in_whole(const struct program *program, const struct basic_block *block, uint32_t whole) {
    uint32_t target = block->end == END_COND_BRANCH || block->end == END_TAIL_BRANCH
                          ? branch_target(program, block_last(block))
                          : NO_INDEX;
    if (target == NO_INDEX)
        return false;
    const struct basic_block *to = &program->blocks[block_at(program, target)];
    return to->procedure == whole ? to->from_part : program->procedures[to->procedure].whole == whole;
}

enum leaving { LEAVES_NOT, LEAVES_BY_RETURN, LEAVES_BY_BRANCH, LEAVES_BY_CONDITION };

/* How control leaves the procedure at the end of the block, which is in the procedure or in a part of
   it. */
static enum leaving leaving_of(const struct program *program, const struct basic_block *block,
                               uint32_t procedure) {
    if (block->end == END_RETURN)
        return LEAVES_BY_RETURN;
    bool branches = leaves_by_branch(program, block);
    if ((!branches && !branches_out(program, block)) || stays_in_whole(program, block, procedure))
        return LEAVES_NOT;
    return branches ? LEAVES_BY_BRANCH : LEAVES_BY_CONDITION;
}

/* The next of the procedure and its parts; NO_INDEX after the last. A part has no parts. */
static uint32_t part_after(const struct program *program, uint32_t procedure, uint32_t part) {
    return program->procedures[procedure].whole == procedure ? program->procedures[part].next_part : NO_INDEX;
}

/* True if code can be inserted that runs after the call, and only then. */
static bool returns_alone(const struct program *program, uint32_t call) {
    return call + 1 < program->instruction_count && !program->blocks[block_at(program, call)].never_returns &&
           !is_shared_return_point(program->blocks[block_at(program, call + 1)].leaders);
}

/* The calls of each procedure, by number, as far as the callees are known. */
static void find_procedure_calls(struct selection *selection) {
    struct program *program = selection->program;
    uint32_t count = place_count(program, PLAN_CALLSITE);
    selection->calls_of = arena_allocate(selection->arena, program->procedure_count * sizeof(uint32_t));
    selection->next_call = arena_allocate(selection->arena, count * sizeof(uint32_t));
    for (uint32_t i = 0; i < program->procedure_count; i++)
        selection->calls_of[i] = NO_INDEX;
    for (uint32_t i = count; i-- > 0;) {
        uint32_t call = place_instruction(program, PLAN_CALLSITE, i),
                 callee = call_target(program, call, NULL);
        if (callee == NO_INDEX || !returns_alone(program, call))
            continue;
        selection->next_call[i] = selection->calls_of[callee];
        selection->calls_of[callee] = i;
    }
}

/* The most calls with which a return is compared. */
enum { MOST_CALLS = 16 };

static uint32_t calls_of(struct selection *selection, uint32_t procedure, uint32_t *calls) {
    uint32_t count = 0;
    if (!selection->calls_of)
        find_procedure_calls(selection);
    for (uint32_t i = selection->calls_of[procedure]; i != NO_INDEX; i = selection->next_call[i]) {
        if (count < MOST_CALLS)
            calls[count] = place_instruction(selection->program, PLAN_CALLSITE, i);
        count++;
    }
    return count;
}

/* Adds sites after the calls of the procedure. */
static void add_calls(struct selection *selection, struct expansion *expansion, uint32_t procedure) {
    if (!selection->calls_of)
        find_procedure_calls(selection);
    for (uint32_t i = selection->calls_of[procedure]; i != NO_INDEX; i = selection->next_call[i])
        add_sites(selection, expansion, place_instruction(selection->program, PLAN_CALLSITE, i), SITE_AFTER);
}

/* Adds sites at a return that does not return to any call which has the sites after it. */
static void add_other_return(struct selection *selection, struct expansion *expansion, uint32_t last,
                             const uint32_t *calls, uint32_t count) {
    const struct program *program = selection->program;
    const struct site_expression *guard = make_guard(selection, expansion, last);
    if (guard && guard->op == PLAN_OP_INTEGER) {
        if (!guard->leaf.constant)
            return;
        guard = NULL;
    }
    for (uint32_t i = 0; i < count; i++) {
        const struct site_expression *other = compares_target(program, expansion, PLAN_OP_NOT_EQUAL,
                                                              instruction_address(program, calls[i] + 1));
        guard = guard ? new_site_expression(expansion, PLAN_OP_AND, other, guard) : other;
    }
    add_guarded_sites(selection, expansion, last, SITE_AFTER, guard);
}

/* True if there are returns. *others: control also leaves in other ways. */
static bool has_returns(const struct program *program, uint32_t procedure, bool *others) {
    bool returns = *others = false;
    for (uint32_t p = procedure; p != NO_INDEX; p = part_after(program, procedure, p))
        for (uint32_t b = 0; b < program->procedures[p].block_count; b++) {
            enum leaving leaving =
                leaving_of(program, &program->blocks[program->procedures[p].first_block + b], procedure);
            returns |= leaving == LEAVES_BY_RETURN;
            *others |= leaving > LEAVES_BY_RETURN;
        }
    return returns;
}

/* The result of a procedure that continues in another one is known after its calls. So a statement that needs
   the result has its sites after the known calls, and none before returns to these calls. */
static void add_results(struct selection *selection, struct expansion *expansion, uint32_t procedure) {
    const struct program *program = selection->program;
    uint32_t calls[MOST_CALLS], count = calls_of(selection, procedure, calls);
    bool others, returns = has_returns(program, procedure, &others);
    bool at_calls = others && (!returns || count <= MOST_CALLS) && !sets_result(expansion);
    for (uint32_t p = procedure; p != NO_INDEX; p = part_after(program, procedure, p))
        for (uint32_t b = 0; b < program->procedures[p].block_count; b++) {
            const struct basic_block *block = &program->blocks[program->procedures[p].first_block + b];
            uint32_t last = block_last(block);
            enum leaving leaving = leaving_of(program, block, procedure);
            if (leaving > LEAVES_BY_RETURN)
                skip_statement(expansion, last,
                               at_calls && count > 0 ? SKIP_RESULT_AT_CALLS : SKIP_RESULT_OF_OTHER);
            else if (leaving == LEAVES_BY_RETURN && at_calls)
                add_other_return(selection, expansion, last, calls, count);
            else if (leaving == LEAVES_BY_RETURN)
                add_sites(selection, expansion, last, SITE_AFTER);
        }
    if (at_calls)
        add_calls(selection, expansion, procedure);
}

/* Adds sites at returns, branches to other procedures, and jumps that leave. */
static void add_exits(struct selection *selection, struct expansion *expansion, uint32_t procedure) {
    const struct program *program = selection->program;
    const struct conventions_of_machine *registers = &program->architecture->registers;
    const struct needs results = {.values = UINT64_C(1) << PLAN_VALUE_RETURN | UINT64_C(1)
                                                                                   << PLAN_VALUE_FLOAT_RETURN,
                                  .registers = set_of(registers->result) | set_of(registers->float_result)};
    if (sets_result(expansion) || statement_asks_for(expansion, &results)) {
        add_results(selection, expansion, procedure);
        return;
    }
    for (uint32_t p = procedure; p != NO_INDEX; p = part_after(program, procedure, p))
        for (uint32_t b = 0; b < program->procedures[p].block_count; b++) {
            const struct basic_block *block = &program->blocks[program->procedures[p].first_block + b];
            enum leaving leaving = leaving_of(program, block, procedure);
            if (leaving != LEAVES_NOT)
                add_sites(selection, expansion, block_last(block),
                          leaving == LEAVES_BY_CONDITION ? SITE_TAKEN : SITE_AFTER);
        }
}

/* ---- edges ------------------------------------------------------------------------------------------------ */

/* True if this edge is the only way to its target, so that the sites of the edge can be at the target. */
static bool leads_alone(const struct program *program, const struct edge *edge) {
    const struct basic_block *to = &program->blocks[edge->to];
    return to->predecessor_count == 1 && !is_entered_besides_table(to->leaders);
}

/* $pc on an edge is the address of the instruction that it leaves. */
static bool statement_asks_for_pc(const struct expansion *expansion) {
    const struct needs pc = {.values = UINT64_C(1) << PLAN_VALUE_PC};
    return statement_asks_for(expansion, &pc);
}

static void add_edge_sites(struct selection *selection, struct expansion *expansion,
                           const struct edge *edge) {
    const struct program *program = selection->program;
    uint32_t last = block_last(&program->blocks[edge->from]);
    if (edge->kind != EDGE_TABLE) {
        add_sites(selection, expansion, last, edge->kind == EDGE_TAKEN ? SITE_TAKEN : SITE_FALLTHROUGH);
        return;
    }
    if (leads_alone(program, edge) && !statement_asks_for_pc(expansion)) {
        add_sites(selection, expansion, program->blocks[edge->to].first, SITE_ARRIVE);
        return;
    }
    const struct site_expression *own = make_guard(selection, expansion, last);
    const struct site_expression *guard = compares_target(
        program, expansion, PLAN_OP_EQUAL, instruction_address(program, program->blocks[edge->to].first));
    add_guarded_sites(selection, expansion, last, SITE_TAKEN,
                      own ? new_site_expression(expansion, PLAN_OP_AND, guard, own) : guard);
}

/* ---- loops ------------------------------------------------------------------------------------------------ */

/* True if control passes through the map, as to a return point or from a table. */
static bool is_indirect(const struct program *program, const struct edge *edge) {
    return edge->kind == EDGE_TABLE ||
           (edge->kind == EDGE_FALLTHROUGH && program->blocks[edge->from].end == END_CALL);
}

/* Decides if all control that reaches the header through the map counts as entries of the loop
   (OUTSIDE_ENTERS), or belongs to known edges (OUTSIDE_KNOWN), or cannot be distinguished. */
enum outside { OUTSIDE_ENTERS, OUTSIDE_KNOWN, OUTSIDE_UNCLEAR };
static enum outside outside_of(const struct program *program, const struct loop *loop) {
    const struct basic_block *header = &program->blocks[loop->header];
    bool goes_back = false;
    if (!has_unseen_predecessor(header->leaders))
        return OUTSIDE_KNOWN;
    for (uint32_t i = 0; i < loop->back_edge_count; i++)
        goes_back |= is_indirect(program, &program->edges[program->back_edges[loop->first_back_edge + i]]);
    if (!goes_back)
        return OUTSIDE_ENTERS;
    /* a label that is only in tables whose jumps are known */
    return has_unseen_predecessor_besides_labels(header->leaders) ? OUTSIDE_UNCLEAR : OUTSIDE_KNOWN;
}

static void add_loop_entries(struct selection *selection, struct expansion *expansion, uint32_t index) {
    const struct program *program = selection->program;
    const struct loop *loop = &program->loops[index];
    const struct basic_block *header = &program->blocks[loop->header];
    enum outside outside = outside_of(program, loop);
    bool first = header->first == program->procedures[loop->procedure].first;
    for (uint32_t i = 0; i < header->predecessor_count; i++) {
        const struct edge *edge = &program->edges[program->incoming[header->first_predecessor + i]];
        bool by_entry = outside == OUTSIDE_ENTERS && is_indirect(program, edge);
        /* control that falls into a procedure passes its entry */
        bool falls_in = first && edge->kind == EDGE_FALLTHROUGH;
        if (!block_in_loop(program, edge->from, index) && !by_entry && !falls_in)
            add_edge_sites(selection, expansion, edge);
    }
    if (outside == OUTSIDE_ENTERS)
        add_sites(selection, expansion, header->first, SITE_ENTRY);
    else if (outside == OUTSIDE_UNCLEAR)
        skip_statement(expansion, header->first, SKIP_LOOP_ENTRY_SHARED);
}

static void add_loop_exits(struct selection *selection, struct expansion *expansion, uint32_t index) {
    const struct program *program = selection->program;
    const struct loop *loop = &program->loops[index];
    for (uint32_t i = 0; i < loop->block_count; i++) {
        const struct basic_block *block = &program->blocks[program->loop_blocks[loop->first_block + i]];
        for (uint32_t e = 0; e < block->successor_count; e++) {
            const struct edge *edge = &program->edges[block->first_successor + e];
            if (!block_in_loop(program, edge->to, index))
                add_edge_sites(selection, expansion, edge);
        }
        if (branches_out(program, block))
            add_sites(selection, expansion, block_last(block), SITE_TAKEN);
    }
}

static void add_loop_backs(struct selection *selection, struct expansion *expansion,
                           const struct loop *loop) {
    const struct program *program = selection->program;
    for (uint32_t i = 0; i < loop->back_edge_count; i++)
        add_edge_sites(selection, expansion, &program->edges[program->back_edges[loop->first_back_edge + i]]);
}

/* ---- all places -------------------------------------------------------------------------------------------- */

static void check_replaced_entry(struct selection *selection, const struct expansion *expansion,
                                 const struct site_replacement *replacement, bool twice) {
    const struct program *program = selection->program;
    const struct procedure *procedure = &program->procedures[replacement->procedure];
    unsigned link = procedure_link(program, replacement->procedure);
    unsigned long long address = instruction_address(program, procedure->first);
    if (twice)
        diagnose(selection->diagnostics, &expansion->action->where, MESSAGE_REPLACED_TWICE, procedure->name,
                 address);
    if (link != program->architecture->registers.link)
        diagnose(selection->diagnostics, &expansion->action->where, MESSAGE_REPLACED_NOT_STANDARD,
                 procedure->name, address, link);
    selection->failed |= twice || link != program->architecture->registers.link;
}

/* Sorted by procedure: an entry has one replacement. */
static void add_replacement(struct selection *selection, struct expansion *expansion, uint32_t place) {
    const struct plan_action *action = expansion->action;
    const struct program *program = selection->program;
    struct sites *sites = expansion->sites;
    bool entry = action->place == PLAN_ENTRY;
    uint32_t procedure = entry ? program->entries[place].procedure : place;
    uint32_t instruction = entry ? program->entries[place].instruction : program->procedures[procedure].first;
    struct site_replacement replacement = {.procedure = procedure,
                                           .routine = action->routine,
                                           .entry = entry ? instruction : NO_INDEX,
                                           .retains = action->retains,
                                           .has_arguments = action->has_arguments,
                                           .argument_count = action->argument_count};
    replacement.arguments = fill_arguments(selection, expansion, instruction);
    ARENA_RESERVE(sites->arena, sites->replacements, sites->replacement_count,
                  expansion->replacement_capacity);
    uint32_t at = sites->replacement_count;
    bool twice = false;
    for (uint32_t i = 0; i < sites->replacement_count; i++) {
        uint32_t other = sites->replacements[i].entry;
        twice |= sites->replacements[i].procedure == procedure &&
                 (other == replacement.entry || other == NO_INDEX || replacement.entry == NO_INDEX);
    }
    for (; at > 0 && sites->replacements[at - 1].procedure > procedure; at--)
        sites->replacements[at] = sites->replacements[at - 1];
    sites->replacements[at] = replacement;
    sites->replacement_count++;
    check_replaced_entry(selection, expansion, &replacement, twice);
}

static void add_selected(struct selection *selection, struct expansion *expansion, uint32_t place) {
    const struct program *program = selection->program;
    enum plan_when when = expansion->action->when;
    uint32_t instruction = place_instruction(program, expansion->action->place, place);
    enum site_point point = when == PLAN_BEFORE ? SITE_BEFORE : SITE_AFTER;
    if (expansion->action->kind == PLAN_ACTION_REPLACE) {
        add_replacement(selection, expansion, place);
        return;
    }
    switch (expansion->action->place) {
    case PLAN_PROCEDURE:
        if (when == PLAN_BEFORE)
            add_entries(selection, expansion, place);
        else
            add_exits(selection, expansion, place);
        break;
    case PLAN_ENTRY:
        add_entry_sites(selection, expansion, &program->entries[place]);
        break;
    case PLAN_LOOP:
        if (when == PLAN_BEFORE)
            add_loop_entries(selection, expansion, place);
        else if (when == PLAN_BACK)
            add_loop_backs(selection, expansion, &program->loops[place]);
        else
            add_loop_exits(selection, expansion, place);
        break;
    case PLAN_BLOCK:
        if (when == PLAN_AFTER)
            instruction = block_last(&program->blocks[place]);
        add_sites(selection, expansion, instruction, point);
        break;
    case PLAN_EDGE:
        add_edge_sites(selection, expansion, place_edge(program, place));
        break;
    case PLAN_CALLSITE:
    case PLAN_SYSTEM_CALL:
    case PLAN_INSTRUCTION:
        add_sites(selection, expansion, instruction, point);
        break;
    default:
        add_object_event(selection, expansion, place);
    }
}

void add_place(struct selection *selection, struct expansion *expansion) {
    const struct plan_action *action = expansion->action = expansion->first;
    uint32_t place = action->place == PLAN_PROGRAM ? 0 : selection->variables[action->place_variable];
    expansion->selected = true;
    expansion->sites->places_matched += expansion->together;
    if (!action->guard || action->guard->dynamic || fold(selection, action->guard).integer) {
        expansion->held = true;
        add_selected(selection, expansion, place);
    }
}
