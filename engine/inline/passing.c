/* passing.c: counters that only pass values on within a statement: single cells that each statement sets
   before it reads them, and that neither reports nor C ever read. Inlined code keeps such values in
   registers. Requires the plan's sites in groups. */

#include "engine/inline/internal.h"

static bool expression_shows(const struct plan_expression *expression, uint32_t counter) {
    if (!expression)
        return false;
    if (expression->op == PLAN_OP_CELL && expression->counter == counter)
        return true;
    return expression_shows(expression->operand[0], counter) ||
           expression_shows(expression->operand[1], counter) ||
           expression_shows(expression->operand[2], counter);
}

static bool is_counter_reported(const struct plan *plan, uint32_t counter) {
    for (uint32_t r = 0; r < plan->report_count; r++) {
        const struct plan_report *report = &plan->reports[r];
        if (expression_shows(report->filter, counter) || expression_shows(report->key, counter))
            return true;
        for (uint32_t c = 0; c < report->column_count; c++)
            if (expression_shows(report->columns[c].value, counter))
                return true;
    }
    return false;
}

/* True if C receives its cells at the end. */
static bool is_given(const struct plan *plan, uint32_t counter) {
    for (uint32_t i = 0; i < plan->action_count; i++)
        for (uint32_t k = 0; k < plan->actions[i].argument_count; k++) {
            const struct plan_expression *argument = plan->actions[i].arguments[k];
            if (argument->op == PLAN_OP_CELLS && argument->counter == counter)
                return true;
        }
    return false;
}

static bool may_pass(struct rewrite *rewrite, uint32_t counter) {
    const struct plan_counter *facts = &rewrite->plan->counters[counter];
    /* the cell that a keyed counter would have is that of the next counter */
    return facts->kind == PLAN_COUNTER && facts->update == PLAN_UPDATE_SET && !plan_has_cells(facts) &&
           !plan_is_keyed(facts) && !is_counter_reported(rewrite->plan, counter) &&
           !is_given(rewrite->plan, counter) && !header_declares_cells(rewrite, counter);
}

/* ---- what sites read ---------------------------------------------------------------------------------------- */

#define NO_GROUP UINT32_MAX

/* Per counter: whether it may still be such a counter, and the number, from 1, of the group that set it
   last. */
struct search {
    bool *passing;
    uint32_t *set_by;
    uint32_t group; /* the group that reads */
};

static bool note_value_read(const struct site_expression *expression, void *context) {
    struct search *search = context;
    if (expression->op == PLAN_OP_CELL && search->set_by[expression->cell->counter] != search->group)
        search->passing[expression->cell->counter] = false;
    return false;
}

/* True if all cells that are read have been set by the group. */
static void collect_read_cells(struct search *search, const struct site_expression *expression,
                               uint32_t group) {
    search->group = group;
    expression_any(expression, note_value_read, search);
}

static void read_site(struct search *search, const struct site *site, bool first) {
    uint32_t group = site->group + 1;
    if (first)
        collect_read_cells(search, site->action->guard, NO_GROUP);
    collect_read_cells(search, site->action->cell, group);
    collect_read_cells(search, site->action->value, group);
    collect_read_cells(search, site->action->amount, group);
    search->group = NO_GROUP; /* a call may be made out of line */
    for (uint32_t k = 0; k < site->action->argument_count; k++)
        argument_any(&site->arguments[k], note_value_read, search);
    if (site->kind == PLAN_ACTION_UPDATE)
        search->set_by[site->action->counter] = group;
}

void passing_find(struct inliner *inliner, struct rewrite *rewrite) {
    const struct plan *plan = rewrite->plan;
    const struct sites *sites = rewrite->sites;
    struct arena *scratch = rewrite->program->scratch;
    struct arena_mark mark = arena_mark(scratch);
    struct search search = {
        .passing = arena_allocate(scratch, (size_t)plan->counter_count + 1),
        .set_by = arena_allocate(scratch, ((size_t)plan->counter_count + 1) * sizeof(uint32_t))};
    bool any = false;
    for (uint32_t i = 0; i < plan->counter_count; i++)
        any |= search.passing[i] = may_pass(rewrite, i);
    for (uint32_t i = 0; i < sites->count && any; i++)
        read_site(&search, &sites->sites[i], i == 0 || sites->sites[i - 1].group != sites->sites[i].group);
    inliner->passing =
        arena_allocate(rewrite->arena, ((size_t)plan->counter_count + 1) * sizeof *inliner->passing);
    for (uint32_t i = 0; i < plan->counter_count; i++)
        if (search.passing[i])
            inliner->passing[inliner->passing_count++] = cell_address(rewrite->machine, sites->cell_bases[i]);
    arena_release(scratch, mark);
}

/* ---- at a point ----------------------------------------------------------------------------------------------- */

static bool is_passing(const struct inliner *inliner, uint64_t address) {
    for (uint32_t i = 0; i < inliner->passing_count; i++)
        if (inliner->passing[i] == address)
            return true;
    return false;
}

void passing_drop_stores(const struct inliner *inliner, struct graph *graph) {
    uint32_t kept = 0;
    uint64_t address;
    for (uint32_t i = 0; i < graph->access_count; i++) {
        const struct access *access = &graph->accesses[i];
        bool drop = access->kind == ACCESS_STORE && node_is_constant(graph, access->address, &address) &&
                    is_passing(inliner, address);
        for (uint32_t k = i + 1; k < graph->access_count && drop; k++)
            drop = graph->accesses[k].kind != ACCESS_LOAD || graph->accesses[k].address != access->address;
        if (!drop)
            graph->accesses[kept++] = *access;
    }
    graph->access_count = kept;
}
