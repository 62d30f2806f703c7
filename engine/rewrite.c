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

/* ---- rounds ----------------------------------------------------------------------------------------------- */

static void start_round(struct rewrite *rewrite) {
    skips_start(rewrite);
    promotion_start(rewrite);
    code_start(rewrite);
    routines_start(rewrite);
    inliner_start(rewrite);
    copying_start(rewrite);
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
            rewrite->code->layout.map[i] |= MAP_UNFORESEEN;
            if (rewrite->code->layout.landings)
                rewrite->code->layout.landings[i] = rewrite->code->layout.map[i];
        }
    }
}

/* Another round with what this one has found out about the program? Registers that sites read after the
   program's last use must be kept everywhere, and transfers for which no register is free then need landings.
 */
static bool learned(struct rewrite *rewrite, alpha_register_set observed_before) {
    bool more = rewrite->observed != observed_before || rewrite->code->coverage.grew;
    const struct rewrite_statistics *statistics = &rewrite->code->statistics;
    uint32_t count = rewrite->program->instruction_count;
    if (!rewrite->code->layout.landings &&
        (statistics->spilled_transfers + statistics->spilled_branches > 0 ||
         sparse_needs_landings(rewrite))) {
        rewrite->code->layout.landings = allocate_zeroed(count, sizeof *rewrite->code->layout.landings);
        more = true;
    }
    if (statistics->spilled_branches > 0 && !rewrite->code->layout.inside_landings) {
        rewrite->code->layout.inside_landings =
            allocate_zeroed(count, sizeof *rewrite->code->layout.inside_landings);
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
    rewrite->code->layout.far_words = FARTHEST_BRANCH;
    rewrite->observed |= replacement_arguments(rewrite);
    /* Hops need a register, and so do entries that are replaced. */
    if (rewrite->options->no_liveness && !program->is_dynamic && rewrite->sites->replacement_count == 0)
        rewrite->observed |= UINT32_MAX;
    if (!rewrite->code->layout.landings && transfers_spill(rewrite))
        rewrite->code->layout.landings =
            allocate_zeroed(program->instruction_count, sizeof *rewrite->code->layout.landings);
    while (rewrite->code->layout.far_words > 100000 && !reached) {
        alpha_register_set observed = rewrite->observed;
        start_round(rewrite);
        copy_all(rewrite);
        skips_of_selection(rewrite);
        if (diagnostics_errors(rewrite->diagnostics) > 0)
            break;
        bool more = learned(rewrite, observed);
        reached = !more && apply_fixups(rewrite);
        if (!reached && (!more || previous)) {
            rewrite->code->layout.far_words -= more                                       ? 0
                                               : rewrite->code->layout.far_words > 700000 ? 300000
                                                                                          : 100000;
            if (!previous)
                previous = allocate((size_t)program->block_count * sizeof *previous);
            for (uint32_t b = 0; b < program->block_count; b++)
                previous[b] = rewrite->code->layout.inside[program->blocks[b].first];
            rewrite->code->layout.previous_blocks = previous;
        }
    }
    free(previous);
    rewrite->code->layout.previous_blocks = NULL;
    free(rewrite->code->layout.fixups);
    rewrite->code->layout.fixups = NULL;
    rewrite->code->layout.fixup_capacity = 0;
    if (!reached && diagnostics_errors(rewrite->diagnostics) == 0)
        diagnose(rewrite->diagnostics, NULL, MESSAGE_BRANCH_OUT_OF_REACH, rewrite->program->path);
    return reached;
}

/* Sparsely, if that is wanted and can be done; else all. */
static bool copy_program(struct rewrite *rewrite) {
    sparse_plan(rewrite);
    if (rewrite->copying->sparse) {
        if (!run_rounds(rewrite))
            return false;
        if (sparse_finish(rewrite))
            return true;
        if (rewrite->options->copy == COPY_SPARSE || rewrite->program->interpreter)
            return false;
        sparse_drop(rewrite);
    }
    return run_rounds(rewrite);
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
    program->threads = may_have_threads(program);
    code_create(rewrite);
    copying_create(rewrite);
    libraries_leave_out(program, sites);
    bool prepared = find_routines(rewrite);
    if (prepared)
        inliner_create(rewrite);
    if (prepared && !*again)
        sums_find(rewrite);
    *again = false;
    counting_plan(rewrite, replacement_arguments(rewrite));
    observations_find(rewrite, program);
    buffers_place(rewrite);
    if (!prepared || !check_places(rewrite) || !heap_check(rewrite) || !copy_program(rewrite) ||
        (*again = sums_undo(rewrite)) || !fill_image(rewrite) || !code_fits(rewrite) ||
        !report_skips(rewrite)) {
        rewrite_destroy(rewrite);
        return NULL;
    }
    mark_unforeseen(rewrite);
    rewrite->code->statistics.blocks = program->block_count;
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
    copying_destroy(rewrite);
    inliner_destroy(rewrite->inliner);
    routines_destroy(rewrite);
    code_destroy(rewrite->code);
    counting_free(rewrite->counting);
    free(rewrite);
}

void rewrite_summarise(const struct rewrite *rewrite, struct rewrite_summary *summary) {
    const struct program *program = rewrite->program;
    const struct counting *counting = rewrite->counting;
    *summary = (struct rewrite_summary){.made = rewrite->code->statistics,
                                        .instructions_in = program->instruction_count,
                                        .instructions_out = rewrite->code->copies.count,
                                        .procedures = program->procedure_count,
                                        .sparse = rewrite->copying->sparse != NULL,
                                        .procedures_copied = rewrite->code->coverage.copied_count,
                                        .sums_taken_out = inline_sums_taken_out(rewrite),
                                        .updates_derived = counting->update_count,
                                        .updates_counted = counting->counted,
                                        .counts_promoted = counting->promoted,
                                        .entries_shared = counting->shared};
}

struct routine_calls rewrite_routine(const struct rewrite *rewrite, uint32_t routine) {
    struct routine_calls calls = rewrite->routines->calls[routine];
    if (calls.called > 0 && rewrite->inliner)
        calls.reason = inline_reason(rewrite, routine);
    if (calls.called > 0)
        calls.copy = routine_copy_text(rewrite, routine);
    return calls;
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
    for (uint32_t i = 0; i < rewrite->code->symbol_count; i++) {
        bool copy = rewrite->code->symbols[i].address >= LAYOUT_COPIES;
        print_code(copy ? &rewrite->code->copies : &rewrite->code->wrappers, &rewrite->code->symbols[i],
                   stream);
    }
}

void rewrite_print_map(const struct rewrite *rewrite, FILE *stream) {
    const struct program *program = rewrite->program;
    for (uint32_t i = 0; i < program->instruction_count; i++) {
        /* Where nothing was copied, the next one has the place. */
        if (i + 1 < program->instruction_count &&
            rewrite->code->layout.placed[i + 1] == rewrite->code->layout.placed[i])
            continue;
        fprintf(stream, "0x%" PRIx32 " 0x%" PRIx64 "\n",
                rewrite->code->copies.address + 4 * rewrite->code->layout.placed[i],
                instruction_address(program, i));
    }
}
