/* rewrite.c: the copies as a whole: rounds until every branch reaches, the map, the tables that the runtime
   reads. Requires an analysed program with liveness, its sites, and the analysis image. */
#include "engine/engine.h"
#include "engine/count/counting.h"
#include "engine/routine/routine.h"
#include "engine/inline/inline.h"
#include "engine/copy/copy.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/interface.h"

/* ---- what is known of the routines ------------------------------------------------------------------------- */

static bool prepare_inlining(struct rewrite *rewrite) {
    enum call_tier tier = rewrite->options->call;
    if (tier == CALL_AUTOMATIC || tier == CALL_INLINE)
        rewrite->inliner = inliner_create(rewrite);
    return true;
}

/* ---- rounds ----------------------------------------------------------------------------------------------- */

static void start_round(struct rewrite *rewrite) {
    rewrite->copies.count = 0;
    rewrite->wrappers.count = 0;
    rewrite->wrapper_count = 0;
    rewrite->pool_count = 0;
    rewrite->fixup_count = 0;
    rewrite->waiting_fixup = 0;
    rewrite->island_count = 0;
    rewrite->symbol_count = 0;
    rewrite->skip_count = 0;
    rewrite->moved_count = 0;
    rewrite->exclusive_count = 0;
    rewrite->retained_count = 0;
    memset(rewrite->wrapper_hash, 0xff, sizeof rewrite->wrapper_hash);
    memset(&rewrite->statistics, 0, sizeof rewrite->statistics);
    memset(rewrite->routine_calls, 0, rewrite->plan->routine_count * sizeof *rewrite->routine_calls);
    called_routines_start(rewrite);
    stretch_start(rewrite);
    promotion_start(rewrite);
    if (rewrite->sparse)
        rewrite->sparse->grew = false;
}

/* What the selection could not place. */
static void skip_selected(struct rewrite *rewrite) {
    for (uint32_t i = 0; i < rewrite->sites->skip_count; i++) {
        const struct site_skip *skip = &rewrite->sites->skips[i];
        struct site site = {.statement = skip->statement};
        for (uint32_t k = 0; k < skip->count; k++)
            rewrite_skip(rewrite, skip->reason, &site, skip->instruction);
    }
}

/* May an indirect transfer come to the block's first instruction? */
static bool is_foreseen(const struct basic_block *block) {
    return block->leaders & ~LEADER_BRANCH_TARGET;
}

/* Where none may, none does: the maps' words are addresses that fault, once nothing else reads them. */
static void mark_unforeseen(struct rewrite *rewrite) {
    const struct program *program = rewrite->program;
    for (uint32_t b = 0; b < program->block_count; b++) {
        const struct basic_block *block = &program->blocks[b];
        for (uint32_t i = block->first; i < block->first + block->count; i++) {
            bool foreseen = i == block->first && is_foreseen(block);
            if (!is_copied(rewrite, i) || foreseen)
                continue;
            rewrite->map[i] |= MAP_UNFORESEEN;
            if (rewrite->landings)
                rewrite->landings[i] = rewrite->map[i];
        }
    }
}

/* Another round with what this one has found out about the program? Registers that sites read after the
   program's last use must be kept everywhere, and transfers for which no register is free then need landings.
 */
static bool learned(struct rewrite *rewrite, alpha_register_set observed_before) {
    bool more = rewrite->observed != observed_before || (rewrite->sparse && rewrite->sparse->grew);
    const struct rewrite_statistics *statistics = &rewrite->statistics;
    uint32_t count = rewrite->program->instruction_count;
    if (!rewrite->landings && (statistics->spilled_transfers + statistics->spilled_branches > 0 ||
                               sparse_needs_landings(rewrite))) {
        rewrite->landings = allocate_zeroed(count, sizeof *rewrite->landings);
        more = true;
    }
    if (statistics->spilled_branches > 0 && !rewrite->inside_landings) {
        rewrite->inside_landings = allocate_zeroed(count, sizeof *rewrite->inside_landings);
        more = true;
    }
    return more;
}

/* In the first round, only branches back are known to be far, and islands (islands.c) help those ahead. Where
   one does not reach in spite of that, positions of the round before tell which are far; far branches are
   longer, so the threshold leaves room and shrinks. */
static bool run_rounds(struct rewrite *rewrite) {
    const struct program *program = rewrite->program;
    uint32_t *previous = NULL;
    bool reached = false;
    rewrite->far_words = FARTHEST_BRANCH;
    rewrite->observed |= replacement_arguments(rewrite);
    /* Hops need a register, and so do entries that are replaced. */
    if (rewrite->options->no_liveness && !program->is_dynamic && rewrite->sites->replacement_count == 0)
        rewrite->observed |= UINT32_MAX;
    if (!rewrite->landings && transfers_spill(rewrite))
        rewrite->landings = allocate_zeroed(program->instruction_count, sizeof *rewrite->landings);
    while (rewrite->far_words > 100000 && !reached) {
        alpha_register_set observed = rewrite->observed;
        start_round(rewrite);
        copy_all(rewrite);
        skip_selected(rewrite);
        if (diagnostics_errors(rewrite->diagnostics) > 0)
            break;
        bool more = learned(rewrite, observed);
        reached = !more && apply_fixups(rewrite);
        if (!reached && (!more || previous)) {
            rewrite->far_words -= more ? 0 : rewrite->far_words > 700000 ? 300000 : 100000;
            if (!previous)
                previous = allocate((size_t)program->block_count * sizeof *previous);
            for (uint32_t b = 0; b < program->block_count; b++)
                previous[b] = rewrite->inside[program->blocks[b].first];
            rewrite->previous_blocks = previous;
        }
    }
    free(previous);
    rewrite->previous_blocks = NULL;
    free(rewrite->fixups);
    rewrite->fixups = NULL;
    rewrite->fixup_capacity = 0;
    if (!reached && diagnostics_errors(rewrite->diagnostics) == 0)
        diagnose(rewrite->diagnostics, NULL, MESSAGE_BRANCH_OUT_OF_REACH, rewrite->program->path);
    return reached;
}

/* Sparsely, if that is wanted and can be done; else all. */
static bool copy_program(struct rewrite *rewrite) {
    sparse_plan(rewrite);
    if (rewrite->sparse) {
        if (!run_rounds(rewrite))
            return false;
        if (sparse_finish(rewrite))
            return true;
        if (rewrite->options->copy == COPY_SPARSE || rewrite->program->interpreter)
            return false;
        sparse_free(rewrite->sparse);
        rewrite->sparse = NULL;
    }
    return run_rounds(rewrite);
}

static bool check_room(struct rewrite *rewrite) {
    if (code_address(&rewrite->copies) > LAYOUT_ANALYSIS ||
        code_address(&rewrite->wrappers) > LAYOUT_COPIES ||
        LAYOUT_POOL + 8 * (uint64_t)rewrite->pool_count > LAYOUT_WRAPPERS ||
        code_address(&rewrite->tables) > LAYOUT_CELLS ||
        rewrite->data.address + 4 * (uint64_t)rewrite->data.count > LAYOUT_SCRATCH) {
        diagnose(rewrite->diagnostics, NULL, MESSAGE_NO_ROOM, rewrite->program->path);
        return false;
    }
    return true;
}

/* ---- what the runtime reads ------------------------------------------------------------------------------- */

/* The map takes the low half of the text's addresses, and the rest of what is added has fixed places below 2
 * GB. */
static bool check_places(struct rewrite *rewrite) {
    const struct program *program = rewrite->program;
    if (program->interpreter && rewrite->options->copy == COPY_ALL) {
        diagnose(rewrite->diagnostics, NULL, MESSAGE_NOT_ALL, program->path);
        return false;
    }
    uint64_t size = 4 * (uint64_t)program->own_count, map = (uint32_t)program->text_address;
    if (map < 0x10000 || map + size > LAYOUT_POOL ||
        program->text_address >> 32 != (program->text_address + size) >> 32) {
        diagnose(rewrite->diagnostics, NULL, MESSAGE_MAP_TAKEN, program->path,
                 (unsigned long long)program->text_address);
        return false;
    }
    for (uint32_t s = 0; s < program->segment_count; s++) {
        if (program->segments[s].address <= LAYOUT_END) {
            diagnose(rewrite->diagnostics, NULL, MESSAGE_LAYOUT_TAKEN, program->path,
                     (unsigned long long)program->segments[s].address);
            return false;
        }
    }
    return true;
}

static bool report_skips(struct rewrite *rewrite) {
    unsigned errors = diagnostics_errors(rewrite->diagnostics);
    skips_report(rewrite);
    return diagnostics_errors(rewrite->diagnostics) == errors;
}

/* ---- the whole -------------------------------------------------------------------------------------------- */

/* Behind where the map of landings of a large program ends. */
static uint32_t tables_address(const struct program *program) {
    uint64_t landings = LAYOUT_LANDINGS + (uint32_t)program->text_address + 4 * (uint64_t)program->own_count;
    if (landings >= LAYOUT_CELLS)
        return LAYOUT_CELLS; /* no room, as will be said */
    return landings > LAYOUT_TABLES ? (uint32_t)(landings + 0xffff) & ~UINT32_C(0xffff) : LAYOUT_TABLES;
}

/* *again: without taking sums out of routines. */
static struct rewrite *try_rewrite(struct program *program, const struct plan *plan, struct sites *sites,
                                   struct analysis_image *analysis, const struct rewrite_options *options,
                                   struct diagnostics *diagnostics, bool *again) {
    struct rewrite *rewrite = allocate_zeroed(1, sizeof *rewrite);
    rewrite->program = program;
    rewrite->plan = plan;
    rewrite->sites = sites;
    rewrite->analysis = analysis;
    rewrite->options = options;
    rewrite->diagnostics = diagnostics;
    rewrite->arena = arena_create();
    rewrite->copies.address = LAYOUT_COPIES;
    rewrite->wrappers.address = LAYOUT_WRAPPERS;
    rewrite->tables.address = tables_address(program);
    rewrite->inside = allocate_zeroed(program->instruction_count, sizeof *rewrite->inside);
    rewrite->map = allocate_zeroed(program->instruction_count, sizeof *rewrite->map);
    if (options->print_map)
        rewrite->placed = allocate_zeroed(program->instruction_count, sizeof *rewrite->placed);
    rewrite->thread_reason = may_have_threads(program);
    rewrite->threads = rewrite->thread_reason != THREADS_NONE;
    bool own =
        options->stack == CALL_STACK_OWN || (options->stack == CALL_STACK_AUTOMATIC && !rewrite->threads);
    rewrite->shadow = own ? (int)(ATOMC_SHADOW_DISTANCE >> 16) : 0;
    libraries_leave_out(program, sites);
    bool prepared = find_routines(rewrite) && prepare_inlining(rewrite);
    if (prepared && !*again)
        sums_find(rewrite);
    *again = false;
    counting_plan(rewrite, replacement_arguments(rewrite));
    observations_find(rewrite, program);
    buffers_place(rewrite);
    if (!prepared || !check_places(rewrite) || !heap_check(rewrite) || !copy_program(rewrite) ||
        (*again = sums_undo(rewrite)) || !fill_image(rewrite) || !check_room(rewrite) ||
        !report_skips(rewrite)) {
        rewrite_destroy(rewrite);
        return NULL;
    }
    mark_unforeseen(rewrite);
    rewrite->statistics.instructions_in = program->instruction_count;
    rewrite->statistics.instructions_out = rewrite->copies.count;
    rewrite->statistics.procedures = program->procedure_count;
    rewrite->statistics.blocks = program->block_count;
    rewrite->statistics.updates_derived = rewrite->counting->update_count;
    rewrite->statistics.updates_counted = rewrite->counting->counted;
    rewrite->statistics.counts_promoted = rewrite->counting->promoted;
    rewrite->statistics.entries_shared = rewrite->counting->shared;
    return rewrite;
}

struct rewrite *rewrite_program(struct program *program, const struct plan *plan, struct sites *sites,
                                struct analysis_image *analysis, const struct rewrite_options *options,
                                struct diagnostics *diagnostics) {
    bool again = false;
    struct rewrite *rewrite = try_rewrite(program, plan, sites, analysis, options, diagnostics, &again);
    return again ? try_rewrite(program, plan, sites, analysis, options, diagnostics, &again) : rewrite;
}

void rewrite_destroy(struct rewrite *rewrite) {
    if (!rewrite)
        return;
    free(rewrite->sites_before);
    free(rewrite->copies.words);
    free(rewrite->wrappers.words);
    free(rewrite->tables.words);
    free(rewrite->data.words);
    free(rewrite->inside);
    free(rewrite->map);
    free(rewrite->placed);
    free(rewrite->landings);
    free(rewrite->inside_landings);
    free(rewrite->pool);
    free(rewrite->pool_objects);
    free(rewrite->strings);
    free(rewrite->retained);
    free(rewrite->fixups);
    free(rewrite->islands);
    free(rewrite->slow_calls);
    free(rewrite->symbols);
    free(rewrite->moved);
    free(rewrite->exclusive);
    free(rewrite->skips);
    free(rewrite->wrapper_list);
    called_routines_destroy(rewrite);
    free(rewrite->routine_addresses);
    free(rewrite->summaries);
    free(rewrite->routine_arguments);
    free(rewrite->routine_calls);
    inliner_destroy(rewrite->inliner);
    sparse_free(rewrite->sparse);
    counting_free(rewrite->counting);
    arena_destroy(rewrite->arena);
    free(rewrite);
}

static void print_code(const struct code *code, const struct code_symbol *symbol, FILE *stream) {
    char text[128];
    fprintf(stream, "\n%s:\n", symbol->name);
    for (uint32_t address = symbol->address; address < symbol->address + symbol->size; address += 4) {
        uint32_t word = code->words[(address - code->address) / 4];
        alpha_print(word, address, text, sizeof text);
        fprintf(stream, "  %08x  %08x  %s\n", address, word, text);
    }
}

void rewrite_print(const struct rewrite *rewrite, FILE *stream) {
    for (uint32_t i = 0; i < rewrite->symbol_count; i++) {
        bool copy = rewrite->symbols[i].address >= LAYOUT_COPIES;
        print_code(copy ? &rewrite->copies : &rewrite->wrappers, &rewrite->symbols[i], stream);
    }
}

void rewrite_print_map(const struct rewrite *rewrite, FILE *stream) {
    const struct program *program = rewrite->program;
    for (uint32_t i = 0; i < program->instruction_count; i++) {
        /* Where nothing was copied, the next one has the place. */
        if (i + 1 < program->instruction_count && rewrite->placed[i + 1] == rewrite->placed[i])
            continue;
        fprintf(stream, "0x%" PRIx32 " 0x%" PRIx64 "\n", rewrite->copies.address + 4 * rewrite->placed[i],
                instruction_address(program, i));
    }
}
