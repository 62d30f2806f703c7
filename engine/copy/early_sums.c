/* early_sums.c: sums over a block that are made at its beginning, before its instructions execute. Makes a
   table from which the runtime subtracts the part of a sum that was not reached, if the program is
   interrupted in the block and does not continue there. Derived sums are not among them. Requires
   counting_plan(), and that sites record the dependencies of their sums (select/records.c); called while a
   block is copied. */
#include "engine/copy/internal.h"
#include "engine/count/counting.h"

/* If inserted code is never left early, an interrupt in a block of one instruction comes either after the
   instruction or before its sum. */
static bool is_block_interruptible(const struct rewrite *rewrite, uint32_t block) {
    return rewrite->program->threads || rewrite->program->blocks[block].count > 1;
}

/* True if it is a sum over the block's execution, and its dependencies are known or recorded. */
static bool is_early_sum(const struct site *site) {
    bool before = site->point == SITE_BEFORE || site->point == SITE_ARRIVE;
    if (site->kind == PLAN_ACTION_CALL)
        return before && site->action->sums && site->record;
    return before && site->kind == PLAN_ACTION_UPDATE && site->action->lengths &&
           (site->record || records_of(site) == 0);
}

static void add_lengths(struct rewrite *rewrite, const struct site *site, const struct site_lengths *lengths,
                        uint32_t effect) {
    struct early_sums *early = &rewrite->copying->early;
    for (uint64_t i = 0; i < (lengths->amount ? 1 : lengths->part_count); i++) {
        ARENA_RESERVE(rewrite->round, early->sums, early->count, early->capacity);
        early->sums[early->count++] = (struct early_sum){.address = code_address(&rewrite->code->copies),
                                                         .site = site,
                                                         .lengths = lengths,
                                                         .part = lengths->amount ? NULL : &lengths->parts[i],
                                                         .effect = effect};
    }
}

/* The caller owns the site's memory. */
static void add_early_sums(struct rewrite *rewrite, const struct site *from) {
    struct site *site = arena_allocate(rewrite->round, sizeof *site);
    *site = *from;
    if (site->kind == PLAN_ACTION_UPDATE)
        add_lengths(rewrite, site, site->action->lengths, 0);
    for (uint32_t i = 0; site->kind == PLAN_ACTION_CALL && i < site->action->command->effect_count; i++)
        if (site->action->sums[i])
            add_lengths(rewrite, site, site->action->sums[i], i);
}

void early_sums_open(struct rewrite *rewrite, uint32_t block) {
    struct early_sums *early = &rewrite->copying->early;
    early->open = is_block_interruptible(rewrite, block);
    early->block = block;
}

void early_sums_shut(struct rewrite *rewrite) {
    rewrite->copying->early.open = false;
}

void early_sums_made(struct rewrite *rewrite, const struct site *const *sites, uint32_t count) {
    struct early_sums *early = &rewrite->copying->early;
    for (uint32_t i = 0; early->open && i < count; i++)
        if (is_early_sum(sites[i]))
            add_early_sums(rewrite, sites[i]);
}

void early_sums_end(struct rewrite *rewrite, uint32_t block) {
    struct early_sums *early = &rewrite->copying->early;
    if (early->block != block || early->first == early->count)
        return;
    ARENA_RESERVE(rewrite->round, early->blocks, early->block_count, early->block_capacity);
    early->blocks[early->block_count++] = (struct early_block){
        .block = block, .sum = early->first, .end = code_address(&rewrite->code->copies)};
    early->first = early->count;
}

static uint32_t write_chosen(struct rewrite *rewrite, const struct basic_block *block,
                             const uint8_t *chosen) {
    return chosen ? table_bytes(rewrite, chosen, block->count / 8 + 1) : 0;
}

static uint32_t write_amount(struct rewrite *rewrite, const struct basic_block *block,
                             const struct site_amount *amount, uint32_t record) {
    const struct atomc_early_amount written = {
        .code = table_bytes(rewrite, amount->code, amount->code_count * sizeof *amount->code),
        .code_count = amount->code_count,
        .loads = write_chosen(rewrite, block, amount->loads),
        .stores = write_chosen(rewrite, block, amount->stores),
        .record = record};
    return table_bytes(rewrite, &written, sizeof written);
}

/* The numbers by which a histogram's cell is computed from a value. */
static uint32_t write_buckets(struct rewrite *rewrite, const struct plan_buckets *buckets) {
    const struct command_buckets written = {.count = buckets->count,
                                            .logarithmic = buckets->logarithmic,
                                            .low = buckets->low,
                                            .high = buckets->high,
                                            .step = buckets->step};
    return table_bytes(rewrite, &written, sizeof written);
}

static struct atomc_early_sum write_sum(struct rewrite *rewrite, const struct basic_block *block,
                                        const struct early_sum *sum) {
    const struct site *site = sum->site;
    const bool by_command = site->kind == PLAN_ACTION_CALL;
    const uint32_t first_noted = by_command ? site->action->command->effects[sum->effect].first_noted
                                 : site->action->buckets ? 2
                                                         : 1;
    struct atomc_early_sum written = {
        .address = sum->address,
        .cell = by_command ? 0 : (uint32_t)site->cell_base,
        .chosen = sum->part ? write_chosen(rewrite, block, sum->part->chosen) : 0,
        .each = sum->part ? sum->part->each : 0,
        .amount =
            sum->part ? 0 : write_amount(rewrite, block, sum->lengths->amount, site->record + first_noted)};
    if (!site->record)
        return written;
    written.record = site->record + sum->effect;
    if (by_command)
        return written;
    written.cell_count = site->action->cell ? site->action->cell_count : 1;
    written.buckets = site->action->buckets ? write_buckets(rewrite, site->action->buckets) : 0;
    return written;
}

void early_sums_write(struct rewrite *rewrite, struct atomc_image *image) {
    const struct early_sums *early = &rewrite->copying->early;
    struct arena *scratch = rewrite->program->scratch;
    struct arena_mark mark = arena_mark(scratch);
    if (early->block_count == 0)
        return;
    struct atomc_early_block *blocks = arena_allocate(scratch, (early->block_count + 1) * sizeof *blocks);
    struct atomc_early_sum *sums = arena_allocate(scratch, early->count * sizeof *sums);
    for (uint32_t b = 0; b < early->block_count; b++) {
        const struct early_block *here = &early->blocks[b];
        const struct basic_block *block = &rewrite->program->blocks[here->block];
        uint32_t end = b + 1 < early->block_count ? here[1].sum : early->count;
        blocks[b] = (struct atomc_early_block){.begin = early->sums[here->sum].address,
                                               .end = here->end,
                                               .first = block->first,
                                               .count = block->count,
                                               .sum = here->sum};
        for (uint32_t s = here->sum; s < end; s++)
            sums[s] = write_sum(rewrite, block, &early->sums[s]);
    }
    blocks[early->block_count] = (struct atomc_early_block){.sum = early->count};
    /* stopped threads subtract the parts that they have not reached */
    image->stops |= rewrite->program->threads;
    image->early_blocks = table_bytes(rewrite, blocks, (early->block_count + 1) * sizeof *blocks);
    image->early_block_count = early->block_count;
    image->records = rewrite->program->threads ? ATOMC_RECORDS
                                               : cell_address(rewrite->machine, rewrite->sites->first_record);
    image->record_count = rewrite->sites->records;
    image->early_sums = table_bytes(rewrite, sums, early->count * sizeof *sums);
    arena_release(scratch, mark);
}
