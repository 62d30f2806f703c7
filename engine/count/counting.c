/* counting.c: which updates of counters are derived instead of made in place. Requires rewrite's program,
   sites and options. Sums by constant amounts into known cells are derived, if they have no condition other
   than the outcome of the branch at their site. All other updates are made in place. */
#include <string.h>

#include "engine/count/internal.h"
#include "engine/image/image.h"

/* ---- facts of blocks ------------------------------------------------------------------------------------ */

static void find_locked(struct counting *counting, const struct program *program) {
    counting->locked = arena_allocate(counting->arena, (size_t)program->instruction_count / 8 + 1);
    for (uint32_t i = 0; i < program->instruction_count; i++) {
        uint32_t end = locked_sequence_end(program, i);
        if (end == NO_INDEX)
            continue;
        for (; i < end; i++)
            counting->locked[(i + 1) / 8] |= (uint8_t)(1u << (i + 1) % 8);
    }
    for (uint32_t b = 0; b < program->block_count; b++) {
        const struct basic_block *block = &program->blocks[b];
        bool room = false;
        for (uint32_t i = block->first; i <= block_last(block); i++)
            room |= !is_locked(counting, i);
        uint16_t *facts = &counting->facts[b];
        *facts |= (is_locked(counting, block->first) ? LOCKED_HEAD : 0) |
                  (is_locked(counting, block_last(block)) ? LOCKED_BRANCH : 0) | (room ? 0 : LOCKED);
        /* A jump to any instruction of the procedure may enter the middle of a block. */
        if (program->procedures[block->procedure].lost_jump)
            *facts |= CALLS;
    }
}

/* Updated by a routine of the analysis image. */
static bool calls_routine(const struct site_expression *expression, void *context) {
    (void)context;
    return plan_operators[expression->op].limit == PLAN_DIVISOR || expression->op == PLAN_OP_STATIC ||
           expression->op == PLAN_OP_MEMORY;
}

/* True if the site's code stays in the copy. Otherwise a handler of the program may run while control has
   left the copy, and never return, or another thread may end the program. */
bool site_stays(const struct site *site) {
    return site->kind == PLAN_ACTION_UPDATE && !site_any(site, calls_routine, NULL);
}

/* Notes a site that is not derived. */
static void note_left(struct counting *counting, const struct program *program, const struct site *site) {
    uint32_t block = block_at(program, site->instruction);
    bool last = site->instruction == block_last(&program->blocks[block]);
    counting->facts[block] |= MAKES;
    if (site->point == SITE_ENTRY) { /* control never enters the middle of a block from outside */
        if (site->instruction == program->blocks[block].first)
            counting->facts[block] |= CALLS_ENTRY;
        return;
    }
    bool on_return = site->point == SITE_AFTER || site->point == SITE_FALLTHROUGH;
    if (on_return && last && program->blocks[block].end == END_CALL) {
        if (block + 1 < program->block_count)
            counting->facts[block + 1] |= CALLS_ENTRY;
        return;
    }
    /* $taken is the outcome without the site's change */
    bool changes = site->kind == PLAN_ACTION_SET || site->skips;
    if ((site->point > SITE_BEFORE || changes) && last)
        counting->facts[block] |= CALLS_BRANCH | CALLS;
    if (is_locked(counting, site->instruction)) /* the count is deferred to the end of the sequence, on each
                                                   outgoing path */
        counting->facts[block] |= CALLS_BRANCH | CALLS;
    if (!site_stays(site) && !site->counted) /* those are inlined */
        counting->facts[block] |= CALLS;
}

/* ---- what is derived ------------------------------------------------------------------------------------ */

static bool is_taken(const struct site_expression *expression) {
    return expression && expression->op == PLAN_OP_VALUE && expression->leaf.value == PLAN_VALUE_TAKEN;
}

static bool is_not_taken(const struct site_expression *expression) {
    return expression && expression->op == PLAN_OP_NOT && is_taken(expression->operand[0]);
}

static bool has_amount(const struct site *site) {
    return site->action->amount->op == PLAN_OP_INTEGER &&
           site->action->amount->leaf.constant == (int32_t)site->action->amount->leaf.constant;
}

/* The branch outcome on which the update depends: $taken or its negation, if it sums outcomes, or constants
   under that condition. NULL if the update is of another kind. */
static const struct site_expression *outcome_of(const struct site *site) {
    const struct site_expression *outcome = site->action->guard ? site->action->guard : site->action->amount;
    if (site->action->guard && !has_amount(site))
        return NULL;
    return is_taken(outcome) || is_not_taken(outcome) ? outcome : NULL;
}

/* In effects, the amount for one instruction has 16 bits. */
static bool has_short_lengths(const struct site *site) {
    const struct site_lengths *lengths = site->action->lengths;
    for (uint64_t i = 0; lengths && i < lengths->part_count; i++)
        if (lengths->parts[i].each != (int16_t)lengths->parts[i].each)
            return false;
    return true;
}

static bool is_sum(const struct counting *counting, const struct site *site) {
    return site->kind == PLAN_ACTION_UPDATE && !site->notes && has_short_lengths(site) &&
           site->action->sample == 0 && !site->action->buckets &&
           !counting->observed[site->action->counter] && !site->action->cell;
}

/* Finds counters whose values are needed while the program runs: sites read or set them, or C may. */
static bool note_cell_read(const struct site_expression *expression, void *context) {
    struct counting *counting = context;
    if (expression->op == PLAN_OP_CELL)
        counting->observed[expression->cell->counter] = true;
    return false;
}

/* Finds the facts that the tool's C declares, by including atomc.h, and uses. */
static void find_read_in_c(struct counting *counting, struct rewrite *rewrite) {
    struct arena *scratch = rewrite->analysis ? rewrite->analysis->program->scratch : NULL;
    struct arena_mark mark = {0};
    struct references references;
    bool read = false;
    for (uint32_t i = 0; i < rewrite->plan->counter_count; i++) {
        if (!header_declares_cells(rewrite, i))
            continue;
        if (!read) {
            mark = arena_mark(scratch);
            references_read(&references, rewrite->analysis);
            read = true;
        }
        counting->observed[i] = header_cells_are_read(rewrite, i, &references);
    }
    if (read)
        arena_release(scratch, mark);
}

static void find_observed(struct counting *counting, struct rewrite *rewrite) {
    const struct plan *plan = rewrite->plan;
    const struct sites *sites = rewrite->sites;
    counting->observed =
        arena_allocate(counting->arena, ((size_t)plan->counter_count + 1) * sizeof *counting->observed);
    find_read_in_c(counting, rewrite);
    for (uint32_t i = 0; i < plan->counter_count; i++)
        counting->observed[i] |= plan->counters[i].live;
    for (uint32_t i = 0; i < sites->count; i++) {
        const struct site *site = &sites->sites[i];
        site_any(site, note_cell_read, counting);
        if (site->kind == PLAN_ACTION_UPDATE && !site->notes && site->update != PLAN_UPDATE_ADD)
            counting->observed[site->action->counter] = true;
    }
}

/* The site's event (WANT_TAKEN with *inverse: the branch is not taken); 0 if it is not derived. */
static uint16_t site_event(const struct counting *counting, const struct program *program,
                           const struct site *site, bool *inverse) {
    uint32_t index = block_at(program, site->instruction);
    const struct basic_block *block = &program->blocks[index];
    bool last = site->instruction == block_last(block), first = site->instruction == block->first;
    *inverse = false;
    if (!is_sum(counting, site) || !can_count_executed(counting, index) ||
        counting->replaced[block->procedure])
        return 0;
    const struct site_expression *outcome = outcome_of(site);
    if (outcome) {
        *inverse = is_not_taken(outcome);
        return site->point == SITE_BEFORE && can_count_taken(program, counting, index) ? WANT_TAKEN : 0;
    }
    if (site->action->guard || !has_amount(site))
        return 0;
    if (site->point == SITE_ENTRY) {
        bool passes =
            !first || (index > 0 && site->instruction != program->procedures[block->procedure].first &&
                       (program->blocks[index - 1].end == END_SYSTEM_CALL ||
                        program->blocks[index - 1].end == END_TRAP));
        return !passes && entered_from_outside(program, index) && can_count_outside(program, counting, index)
                   ? WANT_OUTSIDE
                   : 0;
    }
    bool may_not_return = block->end == END_CALL || block->end == END_SYSTEM_CALL || block->end == END_TRAP;
    switch ((enum site_point)site->point) {
    case SITE_ARRIVE:
    case SITE_BEFORE:
        return WANT_EXECUTED;
    case SITE_AFTER:
        return !last || !may_not_return ? WANT_EXECUTED : 0;
    case SITE_TAKEN:
    case SITE_FALLTHROUGH:
        if (last && block->end == (site->point == SITE_TAKEN ? END_BRANCH : END_FALLTHROUGH))
            return WANT_EXECUTED;
        *inverse = site->point == SITE_FALLTHROUGH;
        return last && block->end == END_COND_BRANCH && can_count_taken(program, counting, index) ? WANT_TAKEN
                                                                                                  : 0;
    default:
        return 0;
    }
}

static void add_derived_update(struct counting *counting, const struct derived_update *update) {
    ARENA_RESERVE(counting->deriving, counting->updates, counting->update_count + 1,
                  counting->update_capacity);
    counting->updates[counting->update_count++] = *update;
}

/* Each part of the amount is an update of its own. */
static void add_executed(struct counting *counting, const struct site_lengths *lengths,
                         const struct derived_update *whole) {
    struct derived_update rest = *whole;
    for (uint64_t i = 0; lengths && i < lengths->part_count; i++) {
        const struct site_length_part *from = &lengths->parts[i];
        struct derived_update part = *whole;
        part.each = (int16_t)from->each;
        part.chosen = from->chosen;
        part.amount = (int32_t)from->count * part.each;
        rest.amount -= part.amount;
        add_derived_update(counting, &part);
    }
    if (rest.amount || !lengths)
        add_derived_update(counting, &rest);
}

static void derive_updates(struct counting *counting, const struct program *program, const struct site *site,
                           uint16_t event, bool inverse) {
    uint32_t block = block_at(program, site->instruction);
    const struct basic_block *in = &program->blocks[block];
    uint32_t instruction = site->instruction;
    bool also_after = site->point > SITE_BEFORE && event == WANT_EXECUTED &&
                      (instruction != block_last(in) || in->end == END_FALLTHROUGH);
    if (also_after)
        instruction++; /* it may be the first instruction of the next block: then it represents the end of
                          this block */
    struct derived_update update = {
        .block = block,
        .instruction = event == WANT_EXECUTED && instruction > in->first ? instruction : NO_INDEX,
        .also_after = also_after,
        .cell = (uint32_t)site->cell_base,
        /* an outcome counts as 1 */
        .amount = has_amount(site) ? (int32_t)site->action->amount->leaf.constant : 1,
        .event = event};
    if (inverse) { /* executions without the taken ones */
        struct derived_update executed = update;
        executed.event = WANT_EXECUTED;
        executed.instruction = site->instruction != in->first ? site->instruction : NO_INDEX;
        executed.also_after = false;
        add_derived_update(counting, &executed);
        counting->facts[block] |= WANT_EXECUTED;
        update.amount = -update.amount;
    }
    if (event == WANT_EXECUTED && instruction == in->first)
        add_executed(counting, site->action->lengths, &update);
    else
        add_derived_update(counting, &update);
    counting->facts[block] |= event;
}

/* A site that is not derived can prevent others from being derived: so all facts are computed before the
   decisions. */
static bool sort_out(struct counting *counting, const struct program *program, const struct sites *sites) {
    bool inverse;
    for (uint32_t i = 0; i < sites->count; i++)
        if (!site_event(counting, program, &sites->sites[i], &inverse))
            note_left(counting, program, &sites->sites[i]);
    for (bool again = true; again;) {
        again = false;
        for (uint32_t i = 0; i < sites->count; i++) {
            uint32_t block = block_at(program, sites->sites[i].instruction);
            uint16_t before = counting->facts[block];
            if (!site_event(counting, program, &sites->sites[i], &inverse))
                note_left(counting, program, &sites->sites[i]);
            again |= counting->facts[block] != before;
        }
    }
    for (uint32_t i = 0; i < sites->count; i++) {
        uint16_t event = site_event(counting, program, &sites->sites[i], &inverse);
        if (event)
            derive_updates(counting, program, &sites->sites[i], event, inverse);
    }
    return counting->update_count > 0;
}

/* Counters that are updated at an event of an object are not settled: they have other updates. */
static void forget_settled(struct counting *counting, const struct object_events *events) {
    const struct site_list *lists[] = {&events->before, &events->after, &events->forked};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        for (uint32_t k = 0; k < lists[i]->count; k++)
            counting->settled[lists[i]->list[k].action->counter] = false;
}

/* Removes the derived sites. The loop is fast because there may be millions of sites, and often none is
   derived. */
static void take_derived_out(const struct counting *counting, const struct program *program,
                             struct sites *sites) {
    uint32_t left = 0;
    bool inverse;
    for (uint32_t i = 0; i < sites->count; i++)
        if (!site_event(counting, program, &sites->sites[i], &inverse))
            sites->sites[left++] = sites->sites[i];
    sites->count = left;
    sites->sites = arena_resize(sites->arena, sites->sites, sites->capacity * sizeof *sites->sites,
                                left * sizeof *sites->sites);
    sites->capacity = left;
}

/* If C is called, it may receive the address of a cell. */
static void find_settled(struct counting *counting, const struct rewrite *rewrite) {
    enum { MOST_LEFT = 1000 }; /* updates of a counter that are not derived */
    const struct program *program = rewrite->program;
    const struct sites *sites = rewrite->sites;
    uint32_t counters = rewrite->plan->counter_count, *left;
    bool inverse;
    if (rewrite->plan->routine_count > 0)
        return;
    struct arena_mark mark = arena_mark(program->scratch);
    left = arena_allocate(program->scratch, ((size_t)counters + 1) * sizeof *left);
    counting->settled = arena_allocate(counting->arena, ((size_t)rewrite->plan->counter_count + 1) *
                                                            sizeof *counting->settled);
    for (uint32_t i = 0; i < sites->count; i++)
        if (site_event(counting, program, &sites->sites[i], &inverse))
            counting->settled[sites->sites[i].action->counter] = true;
        else if (!sites->sites[i].notes)
            left[sites->sites[i].action->counter]++;
    for (uint32_t i = 0; i < sites->count; i++) {
        const struct site *site = &sites->sites[i];
        if (site->notes || site_event(counting, program, site, &inverse))
            continue;
        if (site->action->cell || site->action->buckets || left[site->action->counter] > MOST_LEFT) {
            counting->settled[site->action->counter] = false;
            continue;
        }
        ARENA_RESERVE(counting->arena, counting->left, counting->left_count, counting->left_capacity);
        counting->left[counting->left_count++] = (uint32_t)site->cell_base;
    }
    forget_settled(counting, &sites->program);
    for (uint32_t i = 0; i < sites->library_count; i++)
        forget_settled(counting, &sites->libraries[i]);
    arena_release(program->scratch, mark);
}

/* ---- the whole ------------------------------------------------------------------------------------------ */

static void choose_counts(struct counting *counting, struct rewrite *rewrite) {
    const struct program *program = rewrite->program;
    struct sharing sharing;
    struct flow flow = {.sharing = &sharing, .arena = program->scratch};
    struct arena_mark mark = arena_mark(program->scratch);
    uint32_t *first =
        arena_allocate(program->scratch, ((size_t)program->procedure_count + 1) * sizeof *first);
    counting->blocks = arena_allocate(counting->arena, program->block_count * sizeof *counting->blocks);
    memset(counting->blocks, 0xff, program->block_count * sizeof *counting->blocks);
    counting->promoted_in =
        arena_allocate(counting->arena, (program->block_count) * sizeof *counting->promoted_in);
    counting->promoted_sets = arena_allocate(counting->arena, sizeof *counting->promoted_sets);
    counting->promoted_count = counting->promoted_capacity = 1;
    counting->procedures = arena_allocate(counting->arena, program->procedure_count);
    for (uint32_t i = counting->update_count; i-- > 0;) {
        uint32_t procedure = program->blocks[counting->updates[i].block].procedure;
        counting->procedures[procedure] = 1;
        first[procedure] = i;
    }
    sharing_find(&sharing, counting, rewrite);
    for (uint32_t k = 0; k < program->procedure_count; k++) {
        uint32_t procedure = sharing.order[k], i = first[procedure], end = i;
        if (!counting->procedures[procedure])
            continue;
        while (end < counting->update_count &&
               program->blocks[counting->updates[end].block].procedure == procedure)
            end++;
        struct arena_mark before = arena_mark(program->scratch);
        flow_build(&flow, rewrite, counting, procedure);
        placement_choose(counting, &flow, &counting->updates[i], end - i);
        arena_release(program->scratch, before);
    }
    counting->counted_procedures[counting->counted_procedure_count] = (struct atomc_counted){
        .counted = (uint32_t)counting->counted, .derived = (uint32_t)counting->derived_values};
    counting->cells += counting->derived_values;
    arena_release(program->scratch, mark);
}

static struct counting *make_counting(void) {
    struct arena *arena = arena_create();
    struct counting *counting = arena_allocate(arena, sizeof *counting);
    counting->arena = counting->effects.arena = counting->ranges.arena = arena;
    counting->deriving = arena_create();
    return counting;
}

void counting_plan(struct rewrite *rewrite, register_set reserved) {
    struct counting *counting = rewrite->counting = make_counting();
    counting->reserved = reserved;
    const struct program *program = rewrite->program;
    uint64_t own = counting->cells = rewrite->sites->cells;
    if (rewrite->options->without[WITHOUT_PLACEMENT] ||
        cell_address(rewrite->machine, own) > rewrite->machine->layout->scratch)
        return;
    counting->facts =
        arena_allocate(counting->arena, ((size_t)program->block_count + 1) * sizeof *counting->facts);
    counting->replaced = arena_allocate(counting->arena, (size_t)program->procedure_count + 1);
    for (uint32_t i = 0; i < rewrite->sites->replacement_count; i++)
        counting->replaced[rewrite->sites->replacements[i].procedure] = 1;
    find_locked(counting, program);
    find_observed(counting, rewrite);
    if (sort_out(counting, program, rewrite->sites))
        choose_counts(counting, rewrite);
    if (8 * counting->cells >
        (rewrite->machine->layout->scratch - rewrite->machine->layout->cells) / 4 * 3) { /* there are too many
                                                      values for their room */
        counting_free(counting);
        rewrite->counting = make_counting();
        rewrite->counting->cells = own;
    } else if (counting->blocks) {
        find_settled(counting, rewrite);
        take_derived_out(counting, program, rewrite->sites);
    }
}

void counting_settle(struct rewrite *rewrite) {
    arena_destroy(rewrite->counting->deriving);
    rewrite->counting->deriving = NULL;
    rewrite->counting->updates = NULL;
}

void counting_free(struct counting *counting) {
    if (!counting)
        return;
    arena_destroy(counting->deriving);
    arena_destroy(counting->arena); /* the arena holds the counting itself */
}

/* Such a report stops the other threads, whether or not counts are derived. */
static bool reports_while_running(const struct plan *plan) {
    for (uint32_t i = 0; i < plan->report_count; i++)
        if (plan->reports[i].every != PLAN_EVERY_END)
            return true;
    return false;
}

bool counts_by_thread(const struct rewrite *rewrite) {
    return rewrite->program->threads && rewrite->machine->emit->thread_add &&
           rewrite->options->machine == MACHINE_QEMU && !rewrite->options->without[WITHOUT_THREAD_COUNTS] &&
           !rewrite->options->without[WITHOUT_LIVENESS];
}

bool registers_of_thread_count(const struct rewrite *rewrite, register_set live, unsigned found[2]) {
    register_set left = count_registers(machine_registers(rewrite), live | rewrite->observed);
    if (!counts_by_thread(rewrite) || __builtin_popcountll(left) < 2)
        return false;
    found[0] =
        free_register_or(machine_registers(rewrite), rewrite->program->architecture->registers.result, ~left);
    found[1] = free_register(machine_registers(rewrite), ~left | REGISTER_BIT(found[0]));
    return true;
}

bool counting_stops(const struct rewrite *rewrite) {
    return rewrite->program->threads && (rewrite->counting->blocks || reports_while_running(rewrite->plan));
}
