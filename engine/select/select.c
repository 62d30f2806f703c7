/* select.c: expands a plan into the calls to make at each point of one program. Requires an analysed
   program and a checked plan; reports parts of the plan without a meaning at their place. */
#include "engine/select/internal.h"

/* ---- arguments -------------------------------------------------------------------------------------- */

/* ---- places ------------------------------------------------------------------------------------------ */

/* Enters the next loop, or, inside the innermost, adds sites. */
static void visit_action(struct selection *selection, void *context) {
    struct expansion *expansion = context;
    if (expansion->depth == expansion->action->loop_count) {
        add_place(selection, expansion);
        return;
    }
    uint32_t depth = expansion->depth++;
    each_place(selection, expansion->action->loops, depth, visit_action, context);
    expansion->depth--;
}

/* ---- the plan -------------------------------------------------------------------------------------------
 */

/* The number of actions, from `first` on, that belong to its statement. */
static uint32_t actions_together(const struct plan *plan, uint32_t first) {
    uint32_t last = first;
    while (last < plan->action_count && plan->actions[last].statement == plan->actions[first].statement)
        last++;
    return last - first;
}

struct sites *sites_select(const struct plan *plan, struct program *program,
                           struct diagnostics *diagnostics) {
    struct arena *arena = arena_create();
    struct sites *sites = arena_allocate(arena, sizeof *sites);
    struct expansion expansion = {.sites = sites};
    uint32_t deepest = 0;
    sites->arena = arena;
    sites->library_count = program->library_count;
    sites->libraries = arena_allocate(arena, ((size_t)program->library_count + 1) * sizeof *sites->libraries);
    for (uint32_t i = 0; i < plan->action_count; i++)
        if (plan->actions[i].loop_count > deepest)
            deepest = plan->actions[i].loop_count;
    struct selection selection = selection_make(plan, program, diagnostics, deepest);
    selection.failed = !needs_are_met(&selection);
    struct stock_statements noted = {.tool = NULL};
    expansion.cell_bases = sites->cell_bases = lay_out_cells(&selection, arena);
    sites->cells = expansion.cell_bases[plan->counter_count];
    for (uint32_t i = 0; i < plan->action_count && !selection.failed; i += expansion.together) {
        expansion.first = expansion.action = &plan->actions[i];
        expansion.together = actions_together(plan, i);
        expansion.selected = expansion.held = false;
        visit_action(&selection, &expansion);
        const struct plan_action *first = expansion.first;
        bool selected = expansion.selected && (expansion.held || !asks_for_unknown(&selection, first->guard));
        if (!selection.failed)
            note_stock_statement(&selection, &noted, first->stock_tool, first->loops, first->loop_count,
                                 first->guard, selected);
        if (!selection.failed && !selected && !first->stock_tool)
            nothing_selected(&selection, &first->where, first->loops, first->loop_count, first->guard);
    }
    tell_of_stock_tool(&selection, &noted);
    sites->told_of_stock_tool = noted.told;
    sort_sites(sites->sites, sites->count, program->scratch);
    if (!selection.failed)
        selection.failed = !records_add(program, plan, sites, diagnostics);
    sort_program_sites(&sites->program.before, false, program->scratch);
    sort_program_sites(&sites->program.after, true, program->scratch);
    sort_program_sites(&sites->program.forked, false, program->scratch);
    selection_release(&selection);
    if (!selection.failed)
        return sites;
    sites_destroy(sites);
    return NULL;
}

void sites_forget(struct sites *sites) {
    sites_end_sharing(sites);
    arena_resize(sites->arena, sites->sites, sites->capacity * sizeof *sites->sites, 0);
    sites->sites = NULL;
    sites->count = sites->capacity = 0;
}

void sites_destroy(struct sites *sites) {
    if (sites)
        arena_destroy(sites->arena); /* the arena holds the sites themselves */
}
