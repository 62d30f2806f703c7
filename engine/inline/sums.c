/* sums.c: hoisted sums: an amount that a C routine adds to a variable at each call, unconditionally, as in
   `references++`, is removed from the inlined code. It becomes an update of a cell at the same place, which
   counting.c may derive, and the runtime adds the cell to the variable before the calls after the program.
   If a slow path is taken, the whole routine is called, which adds to the variable itself: another cell
   undoes that. Requires templates, sites and the analysis image's relocations, which show all references to
   a variable: only such sums may refer to it, and routines that are called only after the program. */

#include <stdio.h>
#include <string.h>

#include "engine/inline/internal.h"
#include "engine/object/object.h"
#include "engine/cfg/cfg.h"
#include "engine/places/places.h"
#include "engine/dataflow/dataflow.h"

/* ---- sums in routines --------------------------------------------------------------------------------------- */

static bool uses_operand(const struct node *node, uint32_t operand) {
    return (node->kind == NODE_OPERATE || node->kind == NODE_SELECT) &&
           (node->a == operand || node->b == operand || (node->kind == NODE_SELECT && node->c == operand));
}

static uint32_t uses_of(const struct graph *graph, uint32_t index) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < graph->node_count; i++)
        count += uses_operand(&graph->nodes[i], index);
    for (uint32_t i = 0; i < graph->access_count; i++) {
        const struct access *access = &graph->accesses[i];
        count += access->kind != ACCESS_LOAD && access->value == index;
        count += (access->kind == ACCESS_LOAD || access->kind == ACCESS_STORE) && access->address == index;
    }
    return count;
}

/* True if the store adds to the loaded value, which has no other use. */
static bool find_template_sum(const struct template *template, const struct access *store,
                              struct template_sum *sum) {
    const struct graph *graph = &template->graph;
    const struct node *value = &graph->nodes[store->value];
    uint64_t address;
    if (store->kind != ACCESS_STORE || store->operation != FORM_QUAD ||
        !node_is_constant(graph, store->address, &address) || value->kind != NODE_OPERATE ||
        value->operation != OPERATOR_ADD)
        return false;
    const struct node *old = &graph->nodes[value->a], *amount = &graph->nodes[value->b];
    uint32_t old_index = value->a;
    if (old->kind != NODE_LOAD) {
        const struct node *other = old;
        old = amount;
        amount = other;
        old_index = value->b;
    }
    if (old->kind != NODE_LOAD || old->operation != FORM_QUAD ||
        (amount->kind != NODE_CONSTANT && amount->kind != NODE_ARGUMENT) || uses_of(graph, old_index) != 1 ||
        uses_of(graph, store->value) != 1 || uses_of(graph, store->address) != 2 ||
        template->used_slowly[old_index] || template->used_slowly[store->value])
        return false;
    bool loaded = false;
    for (const struct access *access = graph->accesses; access < store; access++)
        loaded |= access->kind == ACCESS_LOAD && access->value == old_index &&
                  access->address == store->address && access->operation == FORM_QUAD;
    *sum = (struct template_sum){.address = address, .argument = NO_INDEX, .amount = (int64_t)amount->number};
    if (amount->kind == NODE_ARGUMENT)
        sum->argument = (uint32_t)amount->number;
    return loaded;
}

static void find_template_sums(struct template *template) {
    const struct graph *graph = &template->graph;
    template->sum_count = 0;
    if (template->reason != INLINE_NONE)
        return;
    for (uint32_t i = 0; i < graph->access_count && template->sum_count < MOST_SUMS; i++)
        template->sum_count +=
            find_template_sum(template, &graph->accesses[i], &template->sums[template->sum_count]) ? 1 : 0;
}

/* ---- who may refer to a variable ---------------------------------------------------------------------------- */

struct sum_search {
    struct rewrite *rewrite;
    struct references references;
    bool *called; /* per routine: it is called before the end of the program */
};

static void note_called(struct sum_search *search, const struct site *sites, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        if (sites[i].kind == PLAN_ACTION_CALL)
            search->called[sites[i].action->routine] = true;
}

static void find_called(struct sum_search *search) {
    const struct sites *sites = search->rewrite->sites;
    note_called(search, sites->sites, sites->count);
    note_called(search, sites->program.before.list, sites->program.before.count);
    for (uint32_t k = 0; k < sites->library_count; k++) {
        note_called(search, sites->libraries[k].before.list, sites->libraries[k].before.count);
        note_called(search, sites->libraries[k].after.list, sites->libraries[k].after.count);
    }
    for (uint32_t k = 0; k < sites->replacement_count; k++)
        search->called[sites->replacements[k].routine] = true;
}

static const struct procedure *image_procedure(const struct sum_search *search, uint64_t address) {
    const struct program *image = search->rewrite->analysis->program;
    uint32_t instruction = instruction_at(image, address);
    return instruction == NO_INDEX ? NULL : &image->procedures[procedure_at(image, instruction)];
}

/* True if it is called only after the program. */
static bool is_last(const struct sum_search *search, uint32_t routine, const struct procedure *procedure) {
    const struct program *image = search->rewrite->analysis->program;
    uint64_t first = instruction_address(image, procedure->first),
             end = first + 4 * (uint64_t)procedure->count;
    for (size_t i = 0; i < search->references.count; i++) {
        const struct reference *reference = &search->references.list[i];
        if (reference->target >= first && reference->target < end &&
            (reference->place < first || reference->place >= end))
            return false;
    }
    return !search->called[routine];
}

/* True if the block is not on a slow path of the routine. */
static bool is_lifted(const struct template *template, uint32_t block) {
    for (uint32_t i = 0; i < template->lifted_count; i++)
        if (template->lifted[i] == block)
            return true;
    return false;
}

static bool may_refer(const struct sum_search *search, uint64_t place, uint64_t variable) {
    const struct rewrite *rewrite = search->rewrite;
    const struct procedure *procedure = image_procedure(search, place);
    if (!procedure)
        return false;
    const struct program *image = rewrite->analysis->program;
    uint64_t address = instruction_address(image, procedure->first);
    for (uint32_t r = 0; r < rewrite->plan->routine_count; r++)
        if (rewrite->routines->addresses[r] == address)
            return (template_adds_to(&rewrite->inliner->templates[r], variable) &&
                    is_lifted(&rewrite->inliner->templates[r],
                              block_at(image, instruction_at(image, place)))) ||
                   is_last(search, r, procedure);
    return false;
}

static bool is_free(const struct sum_search *search, uint64_t variable) {
    bool is_variable = false;
    uint32_t found = 0;
    for (size_t i = 0; i < search->references.variable_count; i++)
        is_variable |= search->references.variables[i].target == variable;
    for (size_t i = 0; i < search->references.count && is_variable; i++) {
        const struct reference *reference = &search->references.list[i];
        if (reference->target < variable || reference->target >= variable + 8)
            continue;
        found++;
        if (!may_refer(search, reference->place, variable))
            return false;
    }
    return is_variable && found > 0;
}

static void keep_free(struct sum_search *search, struct template *template) {
    struct inliner *inliner = search->rewrite->inliner;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < template->sum_count; i++) {
        struct template_sum sum = template->sums[i];
        uint32_t s = 0;
        while (s < inliner->sum_count && inliner->sums[s].address != sum.address)
            s++;
        if (s == inliner->sum_count) {
            if (s == MOST_SUMS || !is_free(search, sum.address))
                continue;
            inliner->sums[inliner->sum_count++] =
                (struct atomc_sum){.address = sum.address, .cell = (uint32_t)search->rewrite->sites->cells++};
        }
        sum.sum = s;
        if (template->bails_out && inliner->taken_back[s].address == 0)
            inliner->taken_back[s] =
                (struct atomc_sum){.address = sum.address, .cell = (uint32_t)search->rewrite->sites->cells++};
        template->sums[kept++] = sum;
    }
    template->sum_count = kept;
}

/* ---- at sites ----------------------------------------------------------------------------------------------- */

static bool amount_at(const struct template_sum *sum, const struct site *site, int64_t *amount) {
    *amount = sum->amount;
    if (sum->argument == NO_INDEX)
        return true;
    if (sum->argument >= site->action->argument_count || site->arguments[sum->argument].kind != SITE_CONSTANT)
        return false;
    *amount = site->arguments[sum->argument].constant;
    return true;
}

/* True if the rest is certain to be inlined, with any other code inlined beside it, and all amounts are
   known. If calls may be omitted, but not updates, no site is changed. */
static bool can_take_out(struct rewrite *rewrite, const struct site *site) {
    struct inliner *inliner = rewrite->inliner;
    bool plain = site->point == SITE_BEFORE || site->point == SITE_ARRIVE;
    if (site->kind != PLAN_ACTION_CALL || !plain || site->action->guard || site->action->sample ||
        !inline_possible(rewrite, site))
        return false;
    const struct template *template = &inliner->templates[site->action->routine];
    int64_t amount;
    for (uint32_t i = 0; i < template->sum_count; i++)
        if (!amount_at(&template->sums[i], site, &amount) || amount != (int32_t)amount)
            return false;
    if (template->bails_out && inliner->may_exit)
        return false;
    struct site counted = *site;
    const struct site *only = &counted;
    const struct call_context context = {.instruction = site->instruction, .taken = -1};
    counted.counted = true;
    return inline_sites(rewrite, &only, 1, &context, UINT64_MAX, &inliner->steps[0]) &&
           steps_pressure(&inliner->steps[0]) <= MOST_SURE_REGISTERS;
}

static bool same_statement(const struct site *a, const struct site *b) {
    return a->instruction == b->instruction && a->point == b->point && a->group == b->group;
}

/* True if the statement makes several calls, and one of them may bail out. Then none is inlined
   (copy/insertion.c). */
static bool is_left_to_calls(const struct rewrite *rewrite, uint32_t index) {
    const struct sites *sites = rewrite->sites;
    uint32_t first = index, end = index + 1;
    bool leaves = false;
    while (first > 0 && same_statement(&sites->sites[first - 1], &sites->sites[index]))
        first--;
    while (end < sites->count && same_statement(&sites->sites[end], &sites->sites[index]))
        end++;
    for (uint32_t i = first; i < end; i++)
        leaves |= sites->sites[i].kind == PLAN_ACTION_CALL &&
                  rewrite->inliner->templates[sites->sites[i].action->routine].bails_out;
    return end - first > 1 && leaves;
}

static struct site update_at(const struct rewrite *rewrite, const struct site *site, uint64_t cell,
                             int64_t amount) {
    const struct site_expression number = {.op = PLAN_OP_INTEGER,
                                           .leaf = {.kind = SITE_CONSTANT, .constant = amount}};
    struct site update = *site;
    struct site_action action = *site->action;
    action.counter = rewrite->plan->counter_count; /* not a part of the plan */
    action.cell_count = 1;
    action.amount = sites_share(rewrite->sites, &number, sizeof number);
    action.argument_count = 0;
    update.kind = PLAN_ACTION_UPDATE;
    update.update = PLAN_UPDATE_ADD;
    update.cell_base = cell;
    update.action = sites_share(rewrite->sites, &action, sizeof action);
    return update;
}

uint32_t sums_taken_back(struct rewrite *rewrite, const struct site *site, struct site *updates) {
    const struct inliner *inliner = rewrite->inliner;
    const struct template *template = &inliner->templates[site->action->routine];
    for (uint32_t s = 0; site->counted && s < template->sum_count; s++) {
        int64_t amount;
        amount_at(&template->sums[s], site, &amount);
        updates[s] = update_at(rewrite, site, inliner->taken_back[template->sums[s].sum].cell, -amount);
    }
    return site->counted ? template->sum_count : 0;
}

/* Decides for each site whether its sums are hoisted, which may be none; counts the updates that this
   makes. Returns false if there is no such site. */
static bool choose_sites(struct rewrite *rewrite, bool *out, uint32_t *updates) {
    const struct sites *sites = rewrite->sites;
    const struct program *program = rewrite->program;
    bool any = false;
    /* sequences that begin before this index; the end of the last one */
    uint32_t locked = 0, locked_end = NO_INDEX;
    for (uint32_t i = 0; i < sites->count; i++) {
        const struct site *site = &sites->sites[i];
        while (locked < site->instruction && locked < program->instruction_count) {
            uint32_t end = locked_sequence_end(program, locked);
            locked_end = end == NO_INDEX ? locked_end : end;
            locked++;
        }
        bool inside = locked_end != NO_INDEX && site->instruction <= locked_end;
        out[i] = !inside && !is_left_to_calls(rewrite, i) && can_take_out(rewrite, site);
        any |= out[i];
        if (out[i])
            *updates += rewrite->inliner->templates[site->action->routine].sum_count;
    }
    return any;
}

/* Stores the sites unchanged in a file: they are rarely needed again, and there may be millions. */
static void keep_sites(struct inliner *inliner, const struct sites *sites) {
    inliner->site_count_before = sites->count;
    inliner->kept_sites = tmpfile();
    if (inliner->kept_sites &&
        (fwrite(sites->sites, sizeof *sites->sites, sites->count, inliner->kept_sites) != sites->count ||
         fflush(inliner->kept_sites) != 0)) {
        fclose(inliner->kept_sites);
        inliner->kept_sites = NULL;
    }
}

/* Moves sites from the last one on: each site is followed by its updates. */
static void take_sums_out(struct rewrite *rewrite) {
    struct sites *sites = rewrite->sites;
    struct inliner *inliner = rewrite->inliner;
    struct arena *scratch = rewrite->program->scratch;
    struct arena_mark mark = arena_mark(scratch);
    bool *out = arena_allocate(scratch, (size_t)sites->count + 1);
    uint32_t updates = 0;
    if (choose_sites(rewrite, out, &updates))
        keep_sites(inliner, sites);
    if (inliner->kept_sites) {
        uint32_t end = sites->count + updates;
        sites->sites = arena_resize(sites->arena, sites->sites, sites->capacity * sizeof *sites->sites,
                                    end * sizeof *sites->sites);
        for (uint32_t i = sites->count; i-- > 0;) {
            struct site site = sites->sites[i];
            const struct template *template = &inliner->templates[out[i] ? site.action->routine : 0];
            site.counted = out[i];
            for (uint32_t s = out[i] ? template->sum_count : 0; s-- > 0;) {
                int64_t amount;
                amount_at(&template->sums[s], &site, &amount);
                sites->sites[--end] =
                    update_at(rewrite, &site, inliner->sums[template->sums[s].sum].cell, amount);
            }
            sites->sites[--end] = site;
        }
        sites->count += updates;
        sites->capacity = sites->count;
        inliner->sums_taken_out = updates;
    }
    arena_release(scratch, mark);
}

/* The runtime ends the process itself, after everything has been counted. */
static bool is_runtime(const struct program *image, uint32_t instruction) {
    const struct procedure *procedure = &image->procedures[procedure_at(image, instruction)];
    return procedure->name && strncmp(procedure->name, "atomc_", 6) == 0;
}

/* True if the tool's C may end the program. If it changes the sum in a slow path, control may remain in the
   middle of a block, so no count is derived there. */
static bool may_exit(struct rewrite *rewrite) {
    static const char *const names[] = {"exit", "_exit", "_Exit", "quick_exit"};
    const struct program *image = rewrite->analysis->program;
    struct references references;
    struct arena_mark mark = arena_mark(image->scratch);
    bool found = false;
    references_read(&references, rewrite->analysis);
    for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
        uint64_t address = analysis_symbol(rewrite->analysis, names[n]);
        for (size_t i = 0; i < references.count && address; i++) {
            const struct reference *reference = &references.list[i];
            const char *file;
            uint32_t line = 0;
            if (reference->target < address || reference->target > address + 8)
                continue;
            uint32_t at = instruction_at(image, reference->place);
            if (at == NO_INDEX || is_runtime(image, at))
                continue;
            program_line(rewrite->analysis->program, reference->place, &file, &line);
            found |= line > 0;
        }
    }
    arena_release(image->scratch, mark);
    return found;
}

/* Keeps the sums whose variables no other code reads. */
static void find_unseen_sums(struct rewrite *rewrite) {
    struct inliner *inliner = rewrite->inliner;
    struct sum_search search = {.rewrite = rewrite};
    struct arena *scratch = rewrite->analysis->program->scratch;
    struct arena_mark mark = arena_mark(scratch);
    references_read(&search.references, rewrite->analysis);
    search.called = arena_allocate(scratch, (inliner->template_count + 1) * sizeof *search.called);
    find_called(&search);
    for (uint32_t r = 0; r < inliner->template_count; r++)
        keep_free(&search, &inliner->templates[r]);
    arena_release(scratch, mark);
}

void sums_find(struct rewrite *rewrite) {
    struct inliner *inliner = rewrite->inliner;
    uint32_t found = 0, inlined = 0;
    if (!inliner || rewrite->program->threads || rewrite->options->without[WITHOUT_PLACEMENT])
        return;
    inliner->cells_before = rewrite->sites->cells;
    for (uint32_t r = 0; r < inliner->template_count; r++) {
        find_template_sums(&inliner->templates[r]);
        found += inliner->templates[r].sum_count;
        inlined += inliner->templates[r].reason == INLINE_NONE;
    }
    inliner->may_exit = inlined > 0 && may_exit(rewrite);
    if (found > 0)
        find_unseen_sums(rewrite);
    if (inlined > 0)
        take_sums_out(rewrite);
}

bool sums_undo(struct rewrite *rewrite) {
    return rewrite->routines->sum_called && sums_restore(rewrite);
}

bool sums_restore(struct rewrite *rewrite) {
    struct sites *sites = rewrite->sites;
    struct inliner *inliner = rewrite->inliner;
    if (!inliner || !inliner->kept_sites)
        return false;
    uint32_t count = inliner->site_count_before;
    sites->sites = arena_resize(sites->arena, sites->sites, sites->capacity * sizeof *sites->sites,
                                count * sizeof *sites->sites);
    rewind(inliner->kept_sites);
    if (fread(sites->sites, sizeof *sites->sites, count, inliner->kept_sites) != count) {
        diagnose(rewrite->diagnostics, NULL, MESSAGE_PASS_WRONG, rewrite->program->path, "kept-sums",
                 "the sites that were kept cannot be read");
        return true;
    }
    sites->count = sites->capacity = count;
    sites->cells = inliner->cells_before;
    inliner->sums_undone = true;
    return true;
}

void sums_settle(struct inliner *inliner) {
    if (inliner && inliner->kept_sites)
        fclose(inliner->kept_sites);
    if (inliner)
        inliner->kept_sites = NULL;
}

void sums_write(struct rewrite *rewrite, struct atomc_image *image) {
    const struct inliner *inliner = rewrite->inliner;
    if (!inliner || inliner->sum_count == 0)
        return;
    struct atomc_sum all[2 * MOST_SUMS];
    uint32_t count = 0;
    for (uint32_t s = 0; s < inliner->sum_count; s++) {
        all[count++] = inliner->sums[s];
        if (inliner->taken_back[s].address)
            all[count++] = inliner->taken_back[s];
    }
    image->sum_count = count;
    image->sums = table_bytes(rewrite, all, count * sizeof *all);
}
