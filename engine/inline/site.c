/* site.c: the code at a site as a graph: arguments, guards and counters' updates together with the
   routines' templates. Where there may be threads, counters are updated atomically (cells.c) and not here,
   even if there is no lock. */
#include <string.h>

#include "engine/inline/internal.h"
#include "engine/profile/profile.h"
#include "engine/object/object.h"
#include "engine/cfg/cfg.h"
#include "plan/system_calls.h"

/* The most instructions that are inlined for a site; a call takes 45, and as much time as 200. */
enum { MOST_PUT_IN = 64 };
/* The cost of a branch in qemu-alpha, in instructions: it ends a translation block. Measured with and
   without branches on caches in C and of counters (docs/internals/benchmark.md). */
enum { QEMU_BRANCH = 7 };

/* True if the system call loads the stack pointer from a context other than a signal's on the stack itself.
   setcontext does this: makecontext sets the end of a stack at any address that the caller chooses. */
static bool sets_context(const struct program *program, uint32_t instruction) {
    enum { FAR_BEFORE = 4 };
    const struct conventions_of_machine *registers = &program->architecture->registers;
    bool returns = false;
    for (uint32_t k = 1; k <= FAR_BEFORE && k <= instruction; k++) {
        const struct facts *facts = facts_of(program, instruction - k);
        if (facts->flags & FACT_MOVE && facts->operand[2] == registers->first_argument &&
            source_of_move(facts, registers->zero) == registers->stack)
            return false; /* its own frame */
        if (facts->flags & FACT_CONSTANT && facts->operand[0] == registers->system_call_number) {
            int64_t number = constants_of(program, instruction - k).value;
            returns |= number == CALL_sigreturn || number == CALL_rt_sigreturn;
        }
    }
    return returns;
}

/* By the calling standard the stack pointer is a multiple of 16, and after a procedure's prologue its data
   base is fixed: sites rely on that where no instruction contradicts it. */
static void find_fixed(struct inliner *inliner, const struct program *program, struct arena *arena) {
    const struct conventions_of_machine *registers = &program->architecture->registers;
    inliner->aligned_stack = true;
    inliner->fixed_gp = arena_allocate(arena, (program->procedure_count + 1) * sizeof *inliner->fixed_gp);
    for (uint32_t p = 0; p < program->procedure_count; p++) {
        const struct procedure *procedure = &program->procedures[p];
        inliner->fixed_gp[p] =
            procedure->sets_data_base && procedure->data_base != 0 && procedure->first < program->own_count;
        for (uint32_t i = procedure->first; i < procedure->first + procedure->count; i++) {
            const struct facts *facts = facts_of(program, i);
            if (facts->written & set_of(registers->data_base) && !adds_constant(facts))
                inliner->fixed_gp[p] = false;
            if (facts->written & set_of(registers->stack) && adds_constant(facts) &&
                facts->operand[1] == registers->stack &&
                constants_of(program, i).value % STACK_ALIGNMENT != 0)
                inliner->aligned_stack = false;
            if (facts->transfer == TRANSFER_SYSTEM_CALL && sets_context(program, i))
                inliner->aligned_stack = false;
        }
    }
}

void inliner_create(struct rewrite *rewrite) {
    enum call_tier tier = rewrite->options->call;
    if ((tier != CALL_AUTOMATIC && tier != CALL_INLINE) || rewrite->machine->only_counts)
        return;
    struct inliner *inliner = arena_allocate(rewrite->arena, sizeof *inliner);
    inliner->template_count = rewrite->plan->routine_count;
    inliner->templates =
        arena_allocate(rewrite->arena, (inliner->template_count + 1) * sizeof *inliner->templates);
    for (uint32_t r = 0; r < inliner->template_count; r++)
        template_make(&inliner->templates[r], rewrite, rewrite->routines->addresses[r]);
    inliner->graph.arena = rewrite->arena;
    inliner->graph.rewrite = rewrite;
    inliner->graph.machine = rewrite->machine;
    find_fixed(inliner, rewrite->program, rewrite->arena);
    if (rewrite->sites && !rewrite->program->threads)
        passing_find(inliner, rewrite);
    rewrite->inliner = inliner;
}

void inliner_start(struct rewrite *rewrite) {
    struct inliner *inliner = rewrite->inliner;
    if (!inliner)
        return;
}

/* ---- values ----------------------------------------------------------------------------------------------------- */

struct site_graph {
    struct rewrite *rewrite;
    struct graph *graph;
    const struct call_context *context;
    uint32_t word; /* the instruction */
    bool skips;    /* rarely executed code may be after branches */
};

static uint32_t constant_node(struct site_graph *site, uint64_t number) {
    return graph_constant(site->graph, number);
}

static uint32_t operate_node(struct site_graph *site, enum integer_operator operation, uint32_t a,
                             uint32_t b) {
    return graph_operate(site->graph, operation, a, b);
}

static uint32_t register_node(struct site_graph *site, unsigned reg) {
    return (reg & 31) == site->rewrite->machine->registers->zero
               ? constant_node(site, 0)
               : graph_leaf(site->graph, NODE_REGISTER, reg);
}

/* The base of the effective address. */
static uint32_t base_node(struct site_graph *site, unsigned base) {
    const struct inliner *inliner = site->rewrite->inliner;
    const struct program *program = site->rewrite->program;
    if (base == program->architecture->registers.stack && inliner->aligned_stack)
        return graph_add(
            site->graph,
            (struct node){.kind = NODE_REGISTER, .number = base, .zeros = 4, .high = UINT64_MAX});
    if (base == program->architecture->registers.data_base) {
        uint32_t p = procedure_at(program, site->context->instruction);
        if (inliner->fixed_gp[p] && site->context->instruction >= program->procedures[p].first + 2)
            return constant_node(site, program->procedures[p].data_base);
    }
    return register_node(site, base);
}

/* Values that compute.c computes; the thread pointer is the same for all sites. */
static uint32_t other_value(struct site_graph *site, const struct site_argument *value) {
    static const struct site_argument thread = {.kind = SITE_VALUE, .value = PLAN_VALUE_THREAD};
    if (value->value == PLAN_VALUE_THREAD && !value->floating && !value->single)
        value = &thread;
    return graph_leaf(site->graph, NODE_VALUE, (uintptr_t)value);
}

static const struct facts *site_facts(const struct site_graph *site) {
    return facts_of(site->rewrite->program, site->context->instruction);
}

static uint32_t taken_value(struct site_graph *site, const struct site_argument *value) {
    const struct facts *facts = site_facts(site);
    if (site->context->taken >= 0)
        return constant_node(site, (uint64_t)site->context->taken);
    if (facts->flags & FACT_FLOAT)
        return operate_node(site, OPERATOR_AND, other_value(site, value), constant_node(site, 1));
    return graph_boolean(site->graph,
                         graph_condition(site->graph, facts->condition, register_node(site, facts->tested)));
}

/* The value loaded or stored by an integer instruction: the register, narrowed as a load of this size
   would. */
static uint32_t moved_value(struct site_graph *site) {
    const struct facts *facts = site_facts(site);
    const unsigned size = facts->memory[0].size;
    uint32_t value = register_node(site, facts->operand[0]);
    if (!(facts->flags & FACT_STORE) || size == 8)
        return value;
    if (size == 4)
        return operate_node(site, OPERATOR_ADD_INT, value, constant_node(site, 0));
    return operate_node(site, OPERATOR_AND, value, constant_node(site, size == 1 ? 255 : 65535));
}

static uint32_t dynamic_value(struct site_graph *site, const struct site_argument *value) {
    const struct program *program = site->rewrite->program;
    const uint64_t here = instruction_address(program, site->context->instruction);
    const struct facts *facts = site_facts(site);
    uint32_t address;
    unsigned base;
    bool overwritten;
    switch (value->value) {
    case PLAN_VALUE_ADDRESS:
        overwritten = address_is_overwritten(facts);
        if (overwritten && (site->context->old_on_stack || site->context->old_in_frame))
            return other_value(site, value);
        base = overwritten && site->context->old ? site->context->old : facts->operand[1];
        address = operate_node(
            site, OPERATOR_ADD, base_node(site, base),
            constant_node(site, (uint64_t)(int64_t)address_displacement(site->rewrite, site->context)));
        return facts->flags & FACT_ROUNDS_DOWN
                   ? operate_node(site, OPERATOR_AND_NOT, address, constant_node(site, 7))
                   : address;
    case PLAN_VALUE_TAKEN:
        return taken_value(site, value);
    case PLAN_VALUE_PC:
        return constant_node(site, here);
    case PLAN_VALUE_TARGET:
        if (facts->flags & FACT_INDIRECT)
            return operate_node(site, OPERATOR_AND_NOT, register_node(site, facts->target),
                                constant_node(site, 3));
        return constant_node(site, here + (uint64_t)constants_of(program, site->context->instruction).value);
    case PLAN_VALUE_RETURN:
        return register_node(site, program->architecture->registers.result);
    case PLAN_VALUE_REGISTER:
        return register_node(site, value->operand);
    case PLAN_VALUE_VALUE:
        return facts->flags & FACT_FLOAT ? other_value(site, value) : moved_value(site);
    case PLAN_VALUE_OLD:
        return site->context->old == 0 || site->context->old >= 32 ? other_value(site, value)
                                                                   : register_node(site, site->context->old);
    default:
        return other_value(site, value);
    }
}

static uint32_t truth_node(struct site_graph *site, uint32_t node) {
    return graph_boolean(site->graph, graph_condition(site->graph, CONDITION_NONZERO, node));
}

static uint32_t expression_node(struct site_graph *site, const struct site_expression *expression);

/* True if the remainder by a power of two is compared with 0, that is, if these bits are tested for 0. */
static bool is_alignment_test(const struct site_expression *expression) {
    const struct site_expression *left = expression->operand[0], *right = expression->operand[1];
    return (expression->op == PLAN_OP_EQUAL || expression->op == PLAN_OP_NOT_EQUAL) &&
           left->op == PLAN_OP_REMAINDER && power_of_two(left->operand[1]) >= 0 &&
           right->op == PLAN_OP_INTEGER && right->leaf.constant == 0;
}

static uint32_t operations_node(struct site_graph *site, const struct operation *list, uint32_t left,
                                uint32_t right) {
    uint32_t zero = constant_node(site, 0), values[OPERATION_LITERAL] = {left, right, zero, zero};
    for (; list->kind != OPERATOR_NONE; list++) {
        uint32_t a = values[list->a];
        uint32_t b = list->b == OPERATION_LITERAL ? constant_node(site, list->literal) : values[list->b];
        bool tests = list->kind == OPERATOR_BELOW && list->a == OPERATION_ZERO;
        values[list->to] = tests ? truth_node(site, b) : operate_node(site, list->kind, a, b);
    }
    return values[OPERATION_LEFT];
}

/* The bits that an alignment test reads. */
static uint32_t low_bits(struct site_graph *site, const struct site_expression *remainder) {
    uint64_t mask = (UINT64_C(1) << power_of_two(remainder->operand[1])) - 1;
    uint32_t value = expression_node(site, remainder->operand[0]);
    return operate_node(site, OPERATOR_AND, value, constant_node(site, mask));
}

static uint32_t operator_node(struct site_graph *site, const struct site_expression *expression) {
    struct operation list[MOST_OPERATIONS];
    if (operator_is_called(expression)) {
        graph_fail(site->graph, INLINE_CALLS);
        return 0;
    }
    operator_operations(expression, list);
    uint32_t left = is_alignment_test(expression) ? low_bits(site, expression->operand[0])
                                                  : expression_node(site, expression->operand[0]);
    bool takes_right = operations_use(list, OPERATION_RIGHT);
    return operations_node(site, list, left,
                           takes_right ? expression_node(site, expression->operand[1]) : left);
}

/* The value of a counter's cell; 0 if there is no cell of this number, or it has never been updated. */
static uint32_t cell_node(struct site_graph *site, const struct site_expression *expression) {
    struct graph *graph = site->graph;
    const struct site_cell *cell = expression->cell;
    uint32_t zero = constant_node(site, 0), number = expression_node(site, expression->operand[0]);
    uint32_t inside = operate_node(site, OPERATOR_BELOW, number, constant_node(site, cell->count));
    struct condition exists = graph_condition(graph, CONDITION_NONZERO, inside);
    uint32_t address = operate_node(site, OPERATOR_INDEX_8, number,
                                    constant_node(site, cell_address(site->rewrite->machine, cell->base)));
    address =
        graph_select(graph, exists, address, constant_node(site, site->rewrite->machine->layout->scratch));
    graph->origin = NO_INDEX;
    uint32_t value = graph_select(graph, exists, graph_load(graph, FORM_QUAD, address), zero);
    if (!cell->unset_is_zero)
        return value;
    uint32_t unset = operate_node(site, OPERATOR_EQUAL, value, constant_node(site, (uint64_t)cell->initial));
    return graph_select(graph, graph_condition(graph, CONDITION_NONZERO, unset), zero, value);
}

/* A number outside of a table selects element 0. */
static uint32_t element_node(struct site_graph *site, const struct site_expression *expression) {
    struct graph *graph = site->graph;
    struct site_array *table = expression->leaf.array;
    uint32_t number = expression_node(site, expression->operand[0]), zero = constant_node(site, 0);
    if (!expression_is_below(expression->operand[0], table->count)) {
        uint32_t inside = operate_node(site, OPERATOR_BELOW, number, constant_node(site, table->count));
        number = graph_select(graph, graph_condition(graph, CONDITION_NONZERO, inside), number, zero);
    }
    uint32_t address =
        operate_node(site, OPERATOR_INDEX_4, number, constant_node(site, table_array(site->rewrite, table)));
    graph->origin = NO_INDEX;
    return graph_load(graph, FORM_INT, address);
}

static uint32_t expression_node(struct site_graph *site, const struct site_expression *expression) {
    uint32_t zero = constant_node(site, 0), a, b;
    switch (expression->op) {
    case PLAN_OP_INTEGER:
        return constant_node(site, (uint64_t)expression->leaf.constant);
    case PLAN_OP_VALUE:
        return dynamic_value(site, &expression->leaf);
    case PLAN_OP_CELL:
        return cell_node(site, expression);
    case PLAN_OP_ELEMENT:
        return element_node(site, expression);
    case PLAN_OP_MEMORY: /* compute.c computes it */
    case PLAN_OP_STATIC:
        graph_fail(site->graph, INLINE_CALLS);
        return zero;
    case PLAN_OP_CONDITIONAL:
        a = expression_node(site, expression->operand[1]);
        b = expression_node(site, expression->operand[2]);
        return graph_select(
            site->graph,
            graph_condition(site->graph, CONDITION_NONZERO, expression_node(site, expression->operand[0])), a,
            b);
    default:
        return operator_node(site, expression);
    }
}

/* ---- calls and updates -------------------------------------------------------------------------------------------- */

static uint32_t narrow_node(struct site_graph *site, const struct plan_parameter *parameter, uint32_t node) {
    struct operation list[MOST_OPERATIONS];
    narrowing_operations(parameter, list);
    return operations_node(site, list, node, node);
}

static uint32_t argument_node(struct site_graph *site, const struct site *call, uint32_t number) {
    const struct site_argument *argument = &call->arguments[number];
    const struct plan_routine *routine = &site->rewrite->plan->routines[call->action->routine];
    uint32_t node;
    if (argument->kind == SITE_CONSTANT)
        return constant_node(site, (uint64_t)argument->constant);
    if (argument->kind == SITE_STRING)
        return constant_node(site, table_string(site->rewrite, argument->string));
    if (argument->kind == SITE_BUFFER) { /* while sums are only tried, buffers have no address yet */
        const uint32_t *addresses = site->rewrite->code->tables.buffer_addresses;
        return constant_node(site, addresses ? addresses[argument->constant]
                                             : site->rewrite->machine->layout->tables);
    }
    if (argument->kind == SITE_ROUTINE)
        return constant_node(site, site->rewrite->routines->addresses[argument->constant]);
    if (argument->kind == SITE_ARRAY)
        return constant_node(site, table_array(site->rewrite, argument->array));
    node = argument->kind == SITE_COMPUTED ? expression_node(site, argument->computed)
                                           : dynamic_value(site, argument);
    return number < routine->parameter_count ? narrow_node(site, &routine->parameters[number], node) : node;
}

bool inline_is_elsewhere(const struct rewrite *rewrite, const struct site *call, const struct graph *routine,
                         const struct access *access) {
    uint64_t address;
    return call->counted && (access->kind == ACCESS_LOAD || access->kind == ACCESS_STORE) &&
           node_is_constant(routine, access->address, &address) &&
           sum_is_taken_out(rewrite->inliner, call, address);
}

/* The arguments of the routine's slow call: at most one has to be computed before it. */
static void find_slow_arguments(struct site_graph *site, const struct site *call, struct graph_copy *copy) {
    const struct template *template = &site->rewrite->inliner->templates[call->action->routine];
    const struct slow_nodes *slow = &copy->from->slow;
    struct slow_call found = {.entry = slow->entry};
    uint32_t computed = NO_INDEX;
    if (slow->entry == 0 || site->rewrite->program->threads || template->sum_count > 0 ||
        !routine_helps(site->rewrite, slow->entry))
        return;
    for (uint32_t i = 0; i < slow->count; i++) {
        uint32_t node = slow->nodes[i];
        if (node == NO_INDEX)
            continue;
        const struct node *passed = &copy->from->nodes[node];
        if (passed->kind == NODE_ARGUMENT && passed->number >= call->action->argument_count)
            continue; /* the routine itself would find an arbitrary value there */
        found.count = i + 1;
        if (passed->kind == NODE_ARGUMENT) {
            found.arguments[i].kind = SLOW_ARGUMENT;
            found.arguments[i].number = passed->number;
            continue;
        }
        node = graph_copy_node(copy, node);
        if (node_is_constant(site->graph, node, &found.arguments[i].number)) {
            found.arguments[i].kind = SLOW_CONSTANT;
            continue;
        }
        if (computed != NO_INDEX)
            return;
        found.arguments[i].kind = SLOW_COMPUTED;
        computed = node;
    }
    site->graph->slow.entry = slow->entry;
    site->graph->slow.nodes[0] = computed;
    site->graph->slow_call = found;
}

/* `last`: it is the last at the point. */
static void add_call(struct site_graph *site, const struct site *call, bool last) {
    struct inliner *inliner = site->rewrite->inliner;
    const struct template *template = &inliner->templates[call->action->routine];
    const struct graph *routine = last && template->skips ? &template->skipping : &template->graph;
    struct graph_copy copy = {.from = routine, .to = site->graph, .map = inliner->map};
    memset(inliner->map, 0xff, routine->node_count * sizeof *inliner->map);
    for (uint32_t i = 0; i < routine->node_count; i++) {
        const struct node *node = &routine->nodes[i];
        if (node->kind != NODE_ARGUMENT)
            continue;
        if (node->number < call->action->argument_count)
            inliner->map[i] = argument_node(site, call, (uint32_t)node->number);
        else /* an arbitrary value */
            inliner->map[i] = graph_leaf(site->graph, NODE_UNKNOWN, node->number);
    }
    for (uint32_t i = 0; i < routine->access_count && !site->graph->failed; i++)
        if (!inline_is_elsewhere(site->rewrite, call, routine, &routine->accesses[i]) &&
            !graph_copy_access(&copy, routine->accesses[i]))
            return;
    if (!site->graph->failed)
        find_slow_arguments(site, call, &copy);
}

void graph_add_call(struct rewrite *rewrite, const struct site *call, const struct call_context *context) {
    struct site_graph site = {.rewrite = rewrite,
                              .graph = &rewrite->inliner->graph,
                              .context = context,
                              .word = rewrite->program->text[context->instruction]};
    add_call(&site, call, false);
}

static uint32_t combined_node(struct site_graph *site, const struct site *update, uint32_t old,
                              uint32_t amount) {
    if (update->update == PLAN_UPDATE_SET)
        return amount;
    if (update->update == PLAN_UPDATE_ADD)
        return operate_node(site, OPERATOR_ADD, old, amount);
    bool maximum = update->update == PLAN_UPDATE_MAXIMUM;
    uint32_t less = operate_node(site, OPERATOR_LESS, maximum ? old : amount, maximum ? amount : old);
    return graph_select(site->graph, graph_condition(site->graph, CONDITION_NONZERO, less), amount, old);
}

static void add_site_update(struct site_graph *site, const struct site *update) {
    uint64_t first = cell_address(site->rewrite->machine, update->cell_base);
    struct graph *graph = site->graph;
    uint32_t before = graph->access_count;
    uint32_t number =
        update->action->cell ? expression_node(site, update->action->cell) : constant_node(site, 0);
    uint32_t amount = expression_node(site, update->action->amount);
    uint32_t address = operate_node(site, OPERATOR_INDEX_8, number, constant_node(site, first));
    graph->origin = NO_INDEX;
    uint32_t old = graph_load(graph, FORM_QUAD, address);
    graph_store(graph, FORM_QUAD, address, combined_node(site, update, old, amount));
    if (!update->action->cell)
        return;
    uint32_t inside =
        operate_node(site, OPERATOR_BELOW, number, constant_node(site, update->action->cell_count));
    struct condition condition = graph_condition(graph, CONDITION_NONZERO, inside);
    bool holds;
    if (!graph_is_settled(graph, condition, &holds))
        graph_merge(graph, condition, before, graph->access_count, NULL, 0);
    else if (!holds)
        graph->access_count = before;
}

/* Adds one statement at the point, under its guard; `all`: the number of sites that are inlined
   together. */
static void add_statement(struct site_graph *site, const struct site *const *sites, uint32_t count,
                          uint32_t all) {
    struct graph *graph = site->graph;
    uint32_t before = graph->access_count;
    struct condition condition = {0};
    bool holds = true, guarded = false;
    if (sites[0]->action->guard) {
        condition = graph_condition(graph, CONDITION_NONZERO, expression_node(site, sites[0]->action->guard));
        before = graph->access_count; /* it may read cells */
        guarded = !graph_is_settled(graph, condition, &holds);
    }
    holds |= guarded;
    bool alone = site->skips && count == all && inline_skips(site->rewrite, sites, count);
    if (guarded && alone) {
        graph_skip(graph, condition);
        guarded = false;
    }
    for (uint32_t i = 0; i < count && holds; i++) {
        if (sites[i]->kind == PLAN_ACTION_UPDATE)
            add_site_update(site, sites[i]);
        else
            add_call(site, sites[i], alone && i + 1 == count);
    }
    if (guarded && !graph->failed)
        graph_merge(graph, condition, before, graph->access_count, NULL, 0);
}

bool inline_skips(const struct rewrite *rewrite, const struct site *const *sites, uint32_t count) {
    const struct site_expression *guard = sites[0]->action->guard;
    const struct site *last = sites[count - 1];
    if (!rewrite->inliner || rewrite->options->without[WITHOUT_BRANCHES])
        return false;
    if (last->kind == PLAN_ACTION_CALL && rewrite->inliner->templates[last->action->routine].skips)
        return true;
    if (!guard)
        return false;
    /* Two values are rarely equal; for other conditions a single update is as cheap by arithmetic. */
    bool updates = count > 1 || guard->op == PLAN_OP_EQUAL;
    for (uint32_t i = 0; i < count; i++)
        updates &= sites[i]->kind == PLAN_ACTION_UPDATE;
    return updates || (guard->op == PLAN_OP_NOT_EQUAL && is_alignment_test(guard));
}

/* ---- the run ------------------------------------------------------------------------------------------------------ */

const char *inline_reason(const struct rewrite *rewrite, uint32_t routine) {
    enum inline_reason reason = rewrite->inliner->templates[routine].reason;
    return inline_reasons[reason == INLINE_NONE ? INLINE_TOO_LARGE : reason];
}

bool inline_bails_out(const struct rewrite *rewrite, const struct site *site) {
    return rewrite->inliner->templates[site->action->routine].bails_out;
}

uint64_t inline_sums_taken_out(const struct rewrite *rewrite) {
    return rewrite->inliner ? rewrite->inliner->sums_taken_out : 0;
}

bool inline_sums_undone(const struct rewrite *rewrite) {
    return rewrite->inliner && rewrite->inliner->sums_undone;
}

bool inline_passes_values(const struct rewrite *rewrite) {
    return rewrite->inliner && rewrite->inliner->passing_count > 0;
}

struct steps *inline_steps(struct rewrite *rewrite, uint32_t piece) {
    return &rewrite->inliner->steps[piece];
}

/* True if earlier runs never executed the site's code, or if there is little room. A call is shorter. A
   site whose sums are derived is inlined in any case: a call would make them again. */
static bool is_called_at_site(const struct rewrite *rewrite, const struct site *site) {
    const struct program *program = rewrite->program;
    if (rewrite->options->call != CALL_AUTOMATIC || site->counted || site->kind != PLAN_ACTION_CALL)
        return false;
    return rewrite->is_tight || (program->profile && site->instruction < program->instruction_count &&
                                 program->profile->executed[block_at(program, site->instruction)] == 0);
}

bool inline_possible(const struct rewrite *rewrite, const struct site *site) {
    if (!rewrite->inliner || site->kind == PLAN_ACTION_SET || site->skips)
        return false;
    if (site->kind == PLAN_ACTION_UPDATE)
        return !site->action->buckets && !rewrite->program->threads;
    for (uint32_t i = 0; i < site->action->argument_count; i++)
        if (site->arguments[i].floating)
            return false;
    return rewrite->inliner->templates[site->action->routine].reason == INLINE_NONE &&
           !is_called_at_site(rewrite, site);
}

static bool make_site_steps(struct rewrite *rewrite, const struct site *const *sites, uint32_t count,
                            const struct call_context *context, register_set fetched, bool skips,
                            struct steps *steps) {
    struct graph *graph = &rewrite->inliner->graph;
    struct site_graph site = {.rewrite = rewrite,
                              .graph = graph,
                              .context = context,
                              .word = rewrite->program->text[context->instruction],
                              .skips = skips};
    graph_clear(graph);
    for (uint32_t i = 0, size; i < count && !graph->failed; i += size) {
        for (size = 1; i + size < count && sites[i + size]->group == sites[i]->group;)
            size++;
        add_statement(&site, sites + i, size, count);
    }
    if (graph->failed)
        return false;
    graph_drop_dead_stores(graph);
    passing_drop_stores(site.rewrite->inliner, graph);
    steps->only_looks = rewrite->program->threads && only_looks(rewrite, graph);
    if (!steps_make(steps, graph, fetched) || steps->count > MOST_PUT_IN * count)
        return false;
    for (uint32_t i = 0; i < steps->count; i++) {
        if (steps->list[i].kind != STEP_VALUE)
            continue;
        const struct site_argument *value = (const struct site_argument *)(uintptr_t)steps->list[i].number;
        value_needs(rewrite, value, context->instruction, &steps->needs);
        steps->sources |= value_sources(rewrite, value, context);
    }
    /* Registers that the steps change and also read are read from where they are saved. */
    if (steps->needs.clobbers & steps->sources) {
        struct needs needs = steps->needs;
        register_set sources = steps->sources;
        if (!steps_make(steps, graph, fetched | needs.clobbers))
            return false;
        steps->sources |= sources;
        steps->needs.clobbers |= needs.clobbers;
        steps->needs.frame |= needs.frame;
        steps->needs.calls |= needs.calls;
        steps->needs.temporaries = needs.temporaries;
    }
    return true;
}

/* NO_INDEX if there is no such branch. */
static uint32_t steps_before_skip(const struct steps *steps) {
    for (uint32_t i = 0; i < steps->count; i++)
        if (steps->list[i].kind == STEP_SKIP)
            return i;
    return NO_INDEX;
}

bool inline_sites(struct rewrite *rewrite, const struct site *const *sites, uint32_t count,
                  const struct call_context *context, register_set fetched, struct steps *steps) {
    bool made = make_site_steps(rewrite, sites, count, context, fetched, true, steps);
    uint32_t before = made ? steps_before_skip(steps) : NO_INDEX;
    if (before != NO_INDEX && rewrite->options->machine == MACHINE_QEMU) {
        struct steps plain;
        if (make_site_steps(rewrite, sites, count, context, fetched, false, &plain) &&
            plain.count < before + QEMU_BRANCH)
            *steps = plain;
    }
    steps->lock = NO_INDEX;
    if (made && rewrite->program->threads && !steps->only_looks)
        lock_place(steps);
    return made;
}

bool template_adds_to(const struct template *template, uint64_t address) {
    for (uint32_t i = 0; i < template->sum_count; i++)
        if (template->sums[i].address == address)
            return true;
    return false;
}

bool sum_is_taken_out(const struct inliner *inliner, const struct site *site, uint64_t address) {
    return site->counted && template_adds_to(&inliner->templates[site->action->routine], address);
}
