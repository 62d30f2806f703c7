/* records.c: before sums at the beginning of a block, code that records the values on which they depend. If
   the block is not executed to its end, the runtime uses the records to subtract the rest from the right
   cells. Requires sorted sites. */
#include <string.h>

#include "engine/cfg/cfg.h"
#include "engine/select/internal.h"
#include "runtime/interface.h"

uint32_t records_of(const struct site *site) {
    const struct site_action *action = site->action;
    const struct site_amount *amount = action->lengths->amount;
    bool depends = action->guard || action->sample || action->cell || action->buckets || amount;
    return depends ? 1u + (action->buckets ? 1 : 0) + (amount ? amount->noted_count : 0) : 0;
}

/* A block of one instruction can be left in the middle only if an interruption is possible after the code
   inserted before the instruction. */
static bool is_before_interruption(const struct program *program, const struct site *site) {
    const struct basic_block *block = &program->blocks[block_at(program, site->instruction)];
    bool before = site->point == SITE_BEFORE || site->point == SITE_ARRIVE;
    return before && site->instruction == block->first &&
           (block->count > 1 || facts_of(program, site->instruction)->transfer == TRANSFER_NONE);
}

/* The records of one block's sums. */
struct recording {
    struct sites *sites;
    const struct site_expression *zero, *none;
    uint32_t counter; /* not a part of the plan */
    uint32_t next;
};

static uint32_t wanted_records(const struct site *site) {
    if (site->kind == PLAN_ACTION_CALL)
        return site->action->sums ? site->action->command->record_count : 0;
    return site->kind == PLAN_ACTION_UPDATE && site->action->lengths ? records_of(site) : 0;
}

/* The only thing to record is whether the group's sums are made. */
static bool is_sharing(const struct site *site) {
    return site->kind == PLAN_ACTION_UPDATE && wanted_records(site) == 1 && !site->action->cell;
}

static struct site recording_site(const struct recording *recording, const struct site *site, uint32_t record,
                                  const struct site_expression *value) {
    struct site made = *site;
    struct site_action action = *site->action;
    action.counter = recording->counter;
    action.lengths = NULL;
    action.command = NULL;
    action.sums = NULL;
    action.routine = action.argument_count = 0;
    action.cell = NULL;
    action.buckets = NULL;
    action.value = NULL;
    action.cell_count = 1;
    action.amount = value;
    made.action = sites_share(recording->sites, &action, sizeof action);
    made.kind = PLAN_ACTION_UPDATE;
    made.notes = true;
    made.record = (uint16_t)(record + 1);
    made.update = PLAN_UPDATE_SET;
    return made;
}

/* Made without the group's condition. */
static struct site apart_from_group(const struct recording *recording, struct site site) {
    struct site_action action = *site.action;
    action.guard = NULL;
    action.sample = 0;
    action.sample_cell = 0;
    site.action = sites_share(recording->sites, &action, sizeof action);
    site.skips = false;
    site.group = UINT32_MAX;
    return site;
}

/* The number of the sum's cell, or none if the condition does not hold. */
static const struct site_expression *number_if(const struct recording *recording, struct arena *arena,
                                               const struct site *site) {
    const struct site_expression *number = site->action->cell ? site->action->cell : recording->zero;
    struct site_expression *made = arena_allocate(arena, sizeof *made);
    *made = (struct site_expression){.op = PLAN_OP_CONDITIONAL,
                                     .operand = {site->action->guard, number, recording->none}};
    return made;
}

/* ---- the sites of a group --------------------------------------------------------------------------------- */

struct site_space {
    struct arena *arena;
    struct site *sites;
    uint32_t count, capacity;
};

static void put_site(struct site_space *space, struct site site) {
    ARENA_RESERVE(space->arena, space->sites, space->count, space->capacity);
    space->sites[space->count++] = site;
}

/* Numbers the records of the group's sums. Returns false if a site cannot refer to all of them. */
static bool number_group_records(struct recording *recording, struct site *group, uint32_t count) {
    uint32_t shared = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t wanted = wanted_records(&group[i]);
        if (wanted == 0)
            continue;
        if (recording->next + wanted > ATOMC_MOST_RECORDS)
            return false;
        bool common = is_sharing(&group[i]);
        group[i].record = (uint16_t)(common && shared ? shared : recording->next + 1);
        recording->next += common && shared ? 0 : wanted;
        if (common)
            shared = group[i].record;
    }
    return true;
}

static void put_note(struct site_space *space, const struct recording *recording, const struct site *site,
                     uint32_t record, const struct site_expression *value, bool is_apart) {
    struct site made = recording_site(recording, site, record, value);
    put_site(space, is_apart ? apart_from_group(recording, made) : made);
}

/* Records the values of one sum, before it. `first`: the value of its first record. */
static void put_notes(struct site_space *space, const struct recording *recording, const struct site *site,
                      const struct site_expression *first, bool is_apart) {
    const struct site_amount *amount = site->action->lengths->amount;
    uint32_t record = site->record - 1u;
    put_note(space, recording, site, record++, first, is_apart);
    if (site->action->buckets)
        put_note(space, recording, site, record++, site->action->value, is_apart);
    for (uint32_t i = 0; amount && i < amount->noted_count; i++)
        if (amount->noted[i])
            put_note(space, recording, site, record + i, amount->noted[i], is_apart);
}

/* Records that the site's sums have no cell, if its condition does not hold. */
static void put_unset(struct site_space *space, const struct recording *recording, const struct site *site) {
    uint32_t count = site->kind == PLAN_ACTION_CALL ? site->action->command->effect_count : 1;
    for (uint32_t i = 0; i < count; i++)
        put_note(space, recording, site, site->record - 1u + i, recording->none, true);
}

/* For a statement that the runtime executes: sets the number of its records, and fills in the records that
   only the runtime uses. */
static void put_command(struct site_space *space, const struct recording *recording,
                        const struct site *site) {
    const struct plan_command *command = site->action->command;
    const uint32_t argument_count = site->action->argument_count;
    struct site made = *site;
    struct site_argument *arguments = arena_allocate(space->arena, argument_count * sizeof *arguments);
    for (uint32_t i = 0; i < command->effect_count; i++) {
        const struct site_lengths *lengths = site->action->sums[i];
        const struct site_amount *amount = lengths ? lengths->amount : NULL;
        for (uint32_t k = 0; amount && k < amount->noted_count; k++)
            if (amount->noted[k])
                put_note(space, recording, site, site->record - 1u + command->effects[i].first_noted + k,
                         amount->noted[k], false);
    }
    memcpy(arguments, site->arguments, argument_count * sizeof *arguments);
    arguments[command->records_argument].constant = site->record;
    made.arguments = sites_share(recording->sites, arguments, argument_count * sizeof *arguments);
    put_site(space, made);
}

/* The group's condition is evaluated once; values of its sums may change between them. */
static void put_group(struct site_space *space, const struct recording *recording, const struct site *group,
                      uint32_t count) {
    uint32_t noted = 0;
    if (count == 1 && group->kind == PLAN_ACTION_UPDATE && group->record && group->action->guard &&
        !group->action->sample) { /* without a branch */
        put_notes(space, recording, group, number_if(recording, space->arena, group), true);
        put_site(space, *group);
        return;
    }
    for (uint32_t i = 0; i < count; i++)
        if (group[i].record > noted && (group[i].action->guard || group[i].action->sample)) {
            put_unset(space, recording, &group[i]);
            noted = group[i].record;
        }
    noted = 0;
    for (uint32_t i = 0; i < count; i++) {
        const struct site *site = &group[i];
        if (site->kind == PLAN_ACTION_CALL && site->record) {
            put_command(space, recording, site);
            noted = site->record;
            continue;
        }
        if (site->record > noted) {
            put_notes(space, recording, site, site->action->cell ? site->action->cell : recording->zero,
                      false);
            noted = site->record;
        }
        put_site(space, *site);
    }
}

static uint32_t size_of_record_group(const struct site *sites, uint32_t count) {
    uint32_t size = 1;
    while (size < count && sites[size].group == sites[0].group &&
           sites[size].instruction == sites[0].instruction && sites[size].point == sites[0].point)
        size++;
    return size;
}

static bool has_any(const struct program *program, const struct sites *sites) {
    for (uint32_t i = 0; i < sites->count; i++)
        if (wanted_records(&sites->sites[i]) > 0 && is_before_interruption(program, &sites->sites[i]))
            return true;
    return false;
}

/* The source position of the site's statement. */
static const struct source_span *place_of_statement(const struct plan *plan, const struct site *site) {
    uint32_t i = 0;
    while (plan->actions[i].statement != site->action->statement)
        i++;
    return &plan->actions[i].where;
}

bool records_add(const struct program *program, const struct plan *plan, struct sites *sites,
                 struct diagnostics *diagnostics) {
    struct site_space space = {.arena = sites->arena};
    struct site_expression *constants = arena_allocate(sites->arena, 2 * sizeof *constants);
    struct recording recording = {
        .sites = sites, .zero = &constants[0], .none = &constants[1], .counter = plan->counter_count};
    if (!has_any(program, sites))
        return true;
    for (int i = 0; i < 2; i++)
        constants[i] = (struct site_expression){.op = PLAN_OP_INTEGER, .leaf = {.kind = SITE_CONSTANT}};
    constants[1].leaf.constant = ATOMC_NO_RECORD;
    for (uint32_t i = 0, size; i < sites->count; i += size) {
        struct site *group = &sites->sites[i];
        size = size_of_record_group(group, sites->count - i);
        if (i == 0 || group[-1].instruction != group->instruction)
            recording.next = 0;
        if (is_before_interruption(program, group) && !number_group_records(&recording, group, size)) {
            diagnose(diagnostics, place_of_statement(plan, group), MESSAGE_MANY_RECORDS,
                     (unsigned long long)instruction_address(program, group->instruction),
                     ATOMC_MOST_RECORDS);
            diagnose_hint(diagnostics, "make several tools of it");
            return false;
        }
        put_group(&space, &recording, group, size);
        if (recording.next > sites->records)
            sites->records = recording.next;
    }
    sites->sites = space.sites;
    sites->count = space.count;
    sites->capacity = space.capacity;
    sites->first_record = sites->cells;
    sites->cells += sites->records;
    for (uint32_t i = 0; i < sites->count; i++)
        if (sites->sites[i].notes)
            sites->sites[i].cell_base = sites->first_record + sites->sites[i].record - 1;
    return true;
}
