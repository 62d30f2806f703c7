/* asks.c: one guard for several sites' routines that only read before their slow paths. Such a routine loads,
   compares, and takes its slow path or returns: it changes no state. So if no site of a block would take its
   slow path, all their guards can be evaluated ahead of the first one: one branch is enough
   (copy/shortcuts.c). Requires addresses that are known there. */
#include <string.h>

#include "engine/cfg/cfg.h"
#include "engine/inline/internal.h"

enum { WHOLE_ADDRESS = 64 };

/* Marks the nodes that the site's guard is computed from. Returns false if the site does more than read, or
   may read twice. */
static bool find_asked(const struct rewrite *rewrite, const struct site *site, bool used[MOST_NODES]) {
    const struct graph *graph = &rewrite->inliner->templates[site->action->routine].graph;
    uint32_t questions = 0;
    memset(used, 0, MOST_NODES * sizeof *used);
    for (uint32_t i = 0; i < graph->access_count; i++) {
        const struct access *access = &graph->accesses[i];
        if (inline_is_elsewhere(rewrite, site, graph, access))
            continue;
        if (access->kind == ACCESS_BAIL_OUT) {
            used[access->value] = true;
            questions++;
        } else if (access->kind != ACCESS_LOAD || questions > 0) {
            return false;
        }
    }
    for (uint32_t i = graph->access_count; i-- > 0;)
        if (graph->accesses[i].kind == ACCESS_LOAD &&
            !inline_is_elsewhere(rewrite, site, graph, &graph->accesses[i]))
            used[graph->accesses[i].address] = true;
    for (uint32_t i = graph->node_count; i-- > 0;) { /* operands precede their users */
        const struct node *node = &graph->nodes[i];
        if (!used[i] || (node->kind != NODE_OPERATE && node->kind != NODE_SELECT))
            continue;
        used[node->a] = used[node->b] = true;
        if (node->kind == NODE_SELECT)
            used[node->c] = true;
    }
    return questions == 1;
}

static bool is_whole_address(const struct site_argument *argument) {
    return argument->kind == SITE_VALUE && argument->value == PLAN_VALUE_ADDRESS && !argument->floating &&
           !argument->single;
}

/* The number of low bits of the node that the node using it ignores. */
static unsigned ignored_bits(const struct graph *graph, const struct node *user, uint32_t node) {
    uint64_t number;
    if (user->kind != NODE_OPERATE || user->a != node || user->b == node ||
        !node_is_constant(graph, user->b, &number))
        return 0;
    if (user->operation == OPERATOR_AND)
        return number ? (unsigned)__builtin_ctzll(number) : WHOLE_ADDRESS;
    if (user->operation == OPERATOR_AND_NOT) /* the ones at its end */
        return number == UINT64_MAX ? WHOLE_ADDRESS : (unsigned)__builtin_ctzll(~number);
    return user->operation == OPERATOR_SHIFT_RIGHT || user->operation == OPERATOR_SHIFT_RIGHT_SIGNED
               ? number & 63
               : 0;
}

bool inline_find_question(const struct rewrite *rewrite, const struct site *site, struct question *question) {
    bool used[MOST_NODES];
    *question = (struct question){.ignored = WHOLE_ADDRESS};
    if (site->kind != PLAN_ACTION_CALL || !inline_possible(rewrite, site) || site->action->guard ||
        site->action->sample || !inline_bails_out(rewrite, site) || !find_asked(rewrite, site, used))
        return false;
    const struct graph *graph = &rewrite->inliner->templates[site->action->routine].graph;
    question->routine = site->action->routine;
    for (uint32_t i = 0; i < graph->node_count; i++) {
        const struct node *node = &graph->nodes[i];
        if (!used[i] || node->kind == NODE_UNKNOWN)
            continue;
        if (node->kind == NODE_ARGUMENT && node->number >= site->action->argument_count)
            return false;
        if (node->kind == NODE_ARGUMENT && !is_whole_address(&site->arguments[node->number])) {
            if (site->arguments[node->number].kind != SITE_CONSTANT || node->number >= 64)
                return false;
            question->constants |= UINT64_C(1) << node->number;
        }
        for (uint32_t k = 0; node->kind == NODE_ARGUMENT && k < graph->node_count; k++) {
            const struct node *user = &graph->nodes[k];
            bool uses =
                used[k] && ((user->kind == NODE_OPERATE && (user->a == i || user->b == i)) ||
                            (user->kind == NODE_SELECT && (user->a == i || user->b == i || user->c == i)));
            if (!uses || !is_whole_address(&site->arguments[node->number]))
                continue;
            unsigned ignored = ignored_bits(graph, user, i);
            if (ignored < question->ignored)
                question->ignored = ignored;
        }
    }
    for (uint32_t i = 0; i < graph->access_count; i++) { /* the address itself is tested, or loaded from */
        const struct access *access = &graph->accesses[i];
        uint32_t node = access->kind == ACCESS_LOAD ? access->address : access->value;
        if (graph->nodes[node].kind == NODE_ARGUMENT)
            question->ignored = 0;
    }
    if (question->ignored == WHOLE_ADDRESS)
        question->ignored = 0;
    return true;
}

/* ---- which of them need to be asked ------------------------------------------------------------------------------ */

/* An address as a register (the one that is always 0 if it is known) plus an offset; parts of it that the
   guard does not distinguish are made equal. */
struct asked {
    uint32_t site;
    unsigned base;
    int64_t offset;
};

static struct asked asked_at(const struct rewrite *rewrite, const struct site *site, uint32_t number,
                             const struct question *question) {
    const struct program *program = rewrite->program;
    const struct inliner *inliner = rewrite->inliner;
    const struct conventions_of_machine *registers = &program->architecture->registers;
    const struct facts *facts = facts_of(program, site->instruction);
    uint32_t p = procedure_at(program, site->instruction);
    const int64_t granule = INT64_C(1) << question->ignored;
    struct asked asked = {number, facts->operand[1], constants_of(program, site->instruction).displacement};
    if (asked.base == registers->data_base && inliner->fixed_gp[p] &&
        site->instruction >= program->procedures[p].first + 2) {
        asked.base = registers->zero;
        asked.offset += (int64_t)program->procedures[p].data_base;
    }
    if (asked.base == registers->zero)
        asked.offset &= -granule;
    else if (facts->flags & FACT_ROUNDS_DOWN && question->ignored < 3)
        asked.base += 32; /* its own low bits are cleared */
    if (asked.base == registers->stack && inliner->aligned_stack && granule >= STACK_ALIGNMENT)
        asked.offset &= -STACK_ALIGNMENT;
    return asked;
}

bool inline_asks_nearby(const struct rewrite *rewrite, const struct site *site) {
    const struct question question = {.ignored = 0};
    unsigned base = asked_at(rewrite, site, 0, &question).base & 31;
    return base == rewrite->machine->registers->zero || base == rewrite->machine->registers->stack;
}

static bool asks_the_same(const struct site *a, const struct site *b, const struct question *question,
                          const struct question *other) {
    if (question->routine != other->routine || question->constants != other->constants ||
        question->ignored != other->ignored)
        return false;
    for (unsigned k = 0; k < 64; k++)
        if (question->constants >> k & 1 && a->arguments[k].constant != b->arguments[k].constant)
            return false;
    return true;
}

/* If addresses differ by at most a granule, each is in the granule of the least or of the greatest, so the
   guards of these two decide for all. Takes the least address, then the last one within a granule of it, and
   so on. */
uint32_t inline_choose_questions(const struct rewrite *rewrite, const struct site *const *sites,
                                 const struct question *questions, uint32_t count,
                                 const struct site **chosen) {
    struct asked group[MOST_ASKED];
    bool done[MOST_ASKED] = {false};
    uint32_t chosen_count = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t size = 0;
        if (done[i])
            continue;
        struct asked first = asked_at(rewrite, sites[i], i, &questions[i]);
        for (uint32_t k = i; k < count; k++) {
            struct asked asked = asked_at(rewrite, sites[k], k, &questions[k]);
            if (done[k] || asked.base != first.base ||
                !asks_the_same(sites[i], sites[k], &questions[i], &questions[k]))
                continue;
            done[k] = true;
            uint32_t at = size++;
            for (; at > 0 && group[at - 1].offset > asked.offset; at--)
                group[at] = group[at - 1];
            group[at] = asked;
        }
        const int64_t granule = INT64_C(1) << questions[i].ignored;
        for (uint32_t k = 0; k < size;) {
            uint32_t next = k + 1;
            chosen[chosen_count++] = sites[group[k].site];
            while (next < size && group[next].offset == group[k].offset)
                next++;
            while (questions[i].ignored > 0 && next + 1 < size &&
                   group[next + 1].offset - group[k].offset <= granule)
                next++;
            k = next;
        }
    }
    return chosen_count;
}

/* ---- as steps ------------------------------------------------------------------------------------------------------- */

/* Nonzero if the branch is taken. */
static uint32_t branch_value(struct graph *graph, const struct access *access) {
    const struct node *node = &graph->nodes[access->value];
    bool goes_if_not = access->operation == CONDITION_ZERO || access->operation == CONDITION_EVEN;
    if (access->operation == CONDITION_NONZERO)
        return access->value;
    if (goes_if_not && is(graph, access->value, OPERATOR_EQUAL))
        return graph_operate(graph, OPERATOR_XOR, node->a, node->b);
    return graph_boolean(graph, graph_condition(graph, access->operation, access->value));
}

/* True if the address is in variables of the analysis code, for any values of the program's registers. Then
   it can be loaded even for an instruction that does not execute because of a fault, and no code in between
   writes it. */
static bool is_own_variable(const struct graph *graph, const struct access *access) {
    const struct node *address = &graph->nodes[access->address];
    return address->low >= graph->machine->layout->analysis &&
           address->high < graph->machine->layout->cells && address->low <= address->high;
}

bool inline_ask(struct rewrite *rewrite, const struct site *const *sites, uint32_t count,
                register_set fetched, struct steps *steps) {
    struct graph *graph = &rewrite->inliner->graph;
    uint32_t differs;
    graph_clear(graph);
    differs = graph_constant(graph, 0);
    for (uint32_t i = 0; i < count && !graph->failed; i++) {
        const struct call_context context = {.instruction = sites[i]->instruction, .taken = -1};
        uint32_t before = graph->access_count;
        graph_add_call(rewrite, sites[i], &context);
        if (graph->failed || graph->access_count == before ||
            graph->accesses[graph->access_count - 1].kind != ACCESS_BAIL_OUT)
            return false;
        struct access question = graph->accesses[--graph->access_count];
        differs = graph_operate(graph, OPERATOR_OR, differs, branch_value(graph, &question));
    }
    for (uint32_t i = 0; i < graph->access_count; i++)
        if (!is_own_variable(graph, &graph->accesses[i]))
            return false;
    if (graph->failed)
        return false;
    graph_bail_out(graph, (struct condition){.test = CONDITION_NONZERO, .node = differs});
    steps->only_looks = false;
    if (!steps_make(steps, graph, fetched))
        return false;
    steps->lock = NO_INDEX;
    for (uint32_t i = 0; i < steps->count; i++)
        if (steps->list[i].kind == STEP_VALUE)
            return false;
    return true;
}
