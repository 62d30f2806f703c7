/* rewrite.c: the copies as a whole: rounds until every branch reaches, the map, the tables that the runtime
   reads. Requires an analysed program with liveness, its sites, and the analysis image. */
#include "engine/rewrite.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "engine/copy/copy.h"
#include "engine/object/dynamic.h"
#include "engine/inline/inline.h"
#include "engine/copy/sparse.h"
#include "engine/count/counting.h"
#include "runtime/interface.h"

/* ---- what is known of the routines ------------------------------------------------------------------------- */

/* In a program without symbols: does any code compute flags of clone that make a thread? (ldah, lda;
 * <linux/sched.h>) */
static bool makes_thread_flags(const struct program *program) {
    const uint32_t wanted = 0x00010f00; /* CLONE_THREAD, and what it shares: VM, FS, FILES, SIGHAND */
    const uint32_t others = 0xff0000ff; /* a signal at exit; namespaces */
    for (uint32_t i = 0; i < program->instruction_count; i++) {
        uint32_t high = program->text[i];
        if (alpha_decode(high)->opcode_id != ALPHA_LDAH || alpha_rb(high) != ALPHA_ZERO)
            continue;
        for (uint32_t k = i + 1; k < program->instruction_count && k < i + 64; k++) {
            uint32_t low = program->text[k];
            uint32_t flags =
                (uint32_t)alpha_memory_displacement(high) * 65536 + (uint32_t)alpha_memory_displacement(low);
            if (alpha_decode(low)->opcode_id == ALPHA_LDA && alpha_rb(low) == alpha_ra(high) &&
                (flags & (wanted | others)) == wanted)
                return true;
        }
    }
    return false;
}

/* A program that has symbols and none for making threads makes none, unless it calls clone itself: then the
   runtime finds a stack for the thread's calls, but its counts may be lost. posix_spawn's clone makes no
   thread. */
static enum threads_reason may_have_threads(const struct program *program) {
    bool symbols = false;
    if (program->interpreter) /* where that is done is in a library */
        return program->asks_for_threads ? THREADS_LIBRARY : THREADS_NONE;
    for (uint32_t p = 0; p < program->procedure_count; p++) {
        symbols |= program->procedures[p].origin == PROCEDURE_SYMBOL;
        if (makes_threads(program->procedures[p].name))
            return THREADS_SYMBOL;
    }
    return !symbols && makes_thread_flags(program) ? THREADS_FLAGS : THREADS_NONE;
}

static void note_arguments(struct rewrite *rewrite, const struct site *sites, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        if (sites[i].kind == PLAN_ACTION_CALL &&
            sites[i].argument_count > rewrite->routine_arguments[sites[i].routine])
            rewrite->routine_arguments[sites[i].routine] = sites[i].argument_count;
}

static bool find_routines(struct rewrite *rewrite) {
    const struct plan *plan = rewrite->plan;
    bool found = true;
    rewrite->routine_addresses = allocate_zeroed(plan->routine_count + 1, sizeof(uint64_t));
    rewrite->summaries = allocate_zeroed(plan->routine_count + 1, sizeof *rewrite->summaries);
    rewrite->routine_arguments = allocate_zeroed(plan->routine_count + 1, sizeof(uint32_t));
    for (uint32_t r = 0; r < plan->routine_count; r++) {
        rewrite->routine_addresses[r] = analysis_symbol(rewrite->analysis, plan->routines[r].name);
        if (rewrite->routine_addresses[r] == 0) {
            diagnose(rewrite->diagnostics, NULL, MESSAGE_ROUTINE_NOT_LINKED, plan->routines[r].name);
            found = false;
        }
        rewrite->summaries[r] = analysis_summary(rewrite->analysis, rewrite->routine_addresses[r]);
    }
    rewrite->routine_calls = allocate_zeroed(plan->routine_count + 1, sizeof *rewrite->routine_calls);
    note_arguments(rewrite, rewrite->sites->sites, rewrite->sites->count);
    analysis_section(rewrite->analysis, ".got", &rewrite->address_table, &rewrite->address_table_end);
    called_routines_create(rewrite);
    return found;
}

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

static void copy_all(struct rewrite *rewrite) {
    struct copy copy = {.rewrite = rewrite};
    for (uint32_t p = 0; p < rewrite->program->procedure_count; p++)
        if (!rewrite->sparse || rewrite->sparse->copied[p])
            copy_procedure(&copy, p);
    free(copy.before);
    free(copy.own);
    free(copy.pending);
    free(copy.calls);
    free(copy.stubs);
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

bool rewrite_stops(const struct rewrite *rewrite) {
    return rewrite->threads && rewrite->counting->blocks;
}

static void write_counting(struct rewrite *rewrite, struct atomc_image *image) {
    const struct counting *counting = rewrite->counting;
    if (!counting->blocks)
        return;
    image->equations = table_bytes(rewrite, counting->equations.bytes, counting->equations.count);
    image->stretches = table_bytes(rewrite, counting->stretches.bytes, counting->stretches.count);
    image->stretches_size = counting->stretches.count;
    image->stops = rewrite_stops(rewrite);
    image->first_value = rewrite->sites->cells;
    promotion_write(rewrite, image);
}

static void write_insides(struct rewrite *rewrite, struct atomc_image *image) {
    struct atomc_inside *insides = NULL;
    size_t count = 0, capacity = 0;
    for (uint32_t i = 0; i < rewrite->program->own_count; i++) {
        uint32_t copy = rewrite->copies.address + 4 * rewrite->inside[i];
        if (copy == rewrite->map[i] || !is_copied(rewrite, i))
            continue;
        VECTOR_RESERVE(insides, count, capacity);
        insides[count++] = (struct atomc_inside){copy, i};
    }
    for (uint32_t i = 0; i < rewrite->island_count; i++) {
        VECTOR_RESERVE(insides, count, capacity);
        insides[count++] = rewrite->islands[i];
    }
    image->insides = count ? table_bytes(rewrite, insides, count * sizeof *insides) : 0;
    image->inside_count = count;
    free(insides);
}

static void write_moved(struct rewrite *rewrite, struct atomc_image *image) {
    image->moved_count = rewrite->moved_count;
    if (rewrite->moved_count > 0)
        image->moved = table_bytes(rewrite, rewrite->moved, rewrite->moved_count * sizeof *rewrite->moved);
    image->moved_by = OLD_ROOM;
}

static bool fill_image(struct rewrite *rewrite) {
    const struct program *program = rewrite->program;
    const struct program *analysis = rewrite->analysis->program;
    uint64_t address = analysis_symbol(rewrite->analysis, "atomc_image");
    struct atomc_image *image = address ? analysis_bytes(rewrite->analysis, address, sizeof *image) : NULL;
    if (!image) {
        diagnose(rewrite->diagnostics, NULL, MESSAGE_NO_RUNTIME, rewrite->analysis->path);
        return false;
    }
    uint32_t entry = instruction_at(program, program->entry);
    image->heap = heap_base(rewrite);
    image->entry_copy = is_copied(rewrite, entry) ? rewrite->map[entry] : program->entry;
    image->text_address = program->text_address;
    image->text_size = 4 * (uint64_t)program->own_count;
    image->text_map = (uint32_t)program->text_address;
    image->program_entry = program->entry;
    image->program_headers =
        program->segments[0].address - program->segments[0].file_offset + program->program_header_offset;
    image->program_header_count = program->program_header_count;
    image->unthreaded = program->interpreter && !rewrite->threads;
    image->interpreter = program->interpreter ? table_string(rewrite, program->interpreter) : 0;
    image->analysis_headers =
        analysis->segments[0].address - analysis->segments[0].file_offset + analysis->program_header_offset;
    image->analysis_header_count = analysis->program_header_count;
    image->before = program_calls_write(rewrite, &rewrite->sites->program.before);
    image->before_count = rewrite->sites->program.before.count;
    image->after = program_calls_write(rewrite, &rewrite->sites->program.after);
    image->after_count = rewrite->sites->program.after.count;
    image->copies = rewrite->copies.address;
    image->copies_end = code_address(&rewrite->copies);
    image->shadow = rewrite->shadow ? ATOMC_SHADOW_DISTANCE : 0;
    crash_places_write(rewrite, image);
    write_counting(rewrite, image);
    write_insides(rewrite, image);
    write_moved(rewrite, image);
    lock_write(rewrite, image);
    sums_write(rewrite, image);
    sparse_write_patched(rewrite, image);
    libraries_write(rewrite, image);
    retained_write(rewrite, image);
    buffers_translate(rewrite);
    free(rewrite->inside); /* nobody asks any more where branches from inside go */
    rewrite->inside = NULL;
    return reports_write(rewrite, image);
}

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
