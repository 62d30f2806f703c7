/* rewrite.c: a rewrite as a table of passes. One of them copies in rounds, until a round finds no new fact
   and every branch reaches its target. Requires an analysed program with liveness, its sites, and the
   analysis image. */
#include "engine/engine.h"
#include "engine/machine/machine.h"
#include "engine/select/select.h"
#include "engine/count/counting.h"
#include "engine/routine/routine.h"
#include "engine/inline/inline.h"
#include "engine/copy/copy.h"

#include <inttypes.h>
#include <string.h>

#include "runtime/interface.h"

/* The sanitized build verifies the result of each pass. */
#if defined __SANITIZE_ADDRESS__ || defined VERIFY_PASSES
enum { VERIFIES = true };
#else
enum { VERIFIES = false };
#endif

const char *const optional_pass_names[] = {
#define OPTIONAL_PASS(id, name, without) name,
#include "engine/optional_passes.def"
#undef OPTIONAL_PASS
};
const char *const optional_pass_effects[] = {
#define OPTIONAL_PASS(id, name, without) without,
#include "engine/optional_passes.def"
#undef OPTIONAL_PASS
};

/* ---- rounds ----------------------------------------------------------------------------------------------- */

static void start_round(struct rewrite *rewrite) {
    arena_release(rewrite->round, (struct arena_mark){0});
    skips_start(rewrite);
    promotion_start(rewrite);
    code_start(rewrite);
    routines_start(rewrite);
    inliner_start(rewrite);
    copying_start(rewrite);
}

/* True if this round has found out something about the program that needs another round. Registers that
   sites read after the program's last use must be preserved everywhere, and transfers for which no register
   is free then need landings.
 */
static bool has_learned(struct rewrite *rewrite, register_set observed_before) {
    bool more = rewrite->observed != observed_before || rewrite->code->coverage.grew;
    if (rewrite->observed & rewrite->program->aside)
        observations_in_registers(rewrite->program);
    const struct rewrite_statistics *statistics = &rewrite->code->statistics;
    if (!rewrite->code->layout.landings &&
        (statistics->spilled_transfers + statistics->spilled_branches > 0 ||
         sparse_needs_landings(rewrite))) {
        rewrite->code->layout.landings = landings_make(rewrite);
        more = true;
    }
    if (statistics->spilled_branches > 0 && !rewrite->code->layout.inside_landings) {
        rewrite->code->layout.inside_landings = landings_make(rewrite);
        more = true;
    }
    return more;
}

/* In the first round only backward branches are known to be far. Islands (islands.c) extend forward ones.
   If a branch still does not reach, the positions of the previous round show which branches are far. Far
   branches are longer, so the threshold has a margin, and shrinks. */
static bool run_rounds(struct rewrite *rewrite) {
    const struct program *program = rewrite->program;
    struct arena_mark mark = arena_mark(program->scratch);
    uint32_t *previous = NULL;
    bool reached = false;
    rewrite->code->layout.far_words = rewrite->machine->farthest_branch;
    rewrite->observed |= replacement_arguments(rewrite);
    /* Springboards and replaced entries each need a register. */
    if (rewrite->options->without[WITHOUT_LIVENESS] && !program->is_dynamic &&
        rewrite->sites->replacement_count == 0)
        rewrite->observed |= UINT32_MAX;
    if (!rewrite->code->layout.landings && transfers_spill(rewrite))
        rewrite->code->layout.landings = landings_make(rewrite);
    while (rewrite->code->layout.far_words > 100000 && !reached) {
        register_set observed = rewrite->observed;
        start_round(rewrite);
        copy_all(rewrite);
        if (rewrite->code->overflows)
            break;
        skips_of_selection(rewrite);
        if (diagnostics_errors(rewrite->diagnostics) > 0)
            break;
        bool more = has_learned(rewrite, observed);
        const char *wrong = VERIFIES ? fixups_verify(rewrite) : NULL;
        if (wrong) {
            diagnose(rewrite->diagnostics, NULL, MESSAGE_PASS_WRONG, program->path, "copies", wrong);
            break;
        }
        /* Applied even when a new fact was found: then the next round begins with the knowledge which
           branches are far. */
        bool reaches = apply_fixups(rewrite);
        reached = reaches && !more;
        if (!reached && (!reaches || previous)) {
            rewrite->code->layout.far_words -= more                                       ? 0
                                               : rewrite->code->layout.far_words > 700000 ? 300000
                                                                                          : 100000;
            if (!previous)
                previous = arena_allocate(program->scratch, program->block_count * sizeof *previous);
            for (uint32_t b = 0; b < program->block_count; b++)
                previous[b] = rewrite->code->layout.inside[b];
            rewrite->code->layout.previous_blocks = previous;
        }
    }
    arena_release(program->scratch, mark);
    rewrite->code->layout.previous_blocks = NULL;
    forget_fixups(rewrite);
    if (!reached && !rewrite->code->overflows && diagnostics_errors(rewrite->diagnostics) == 0)
        diagnose(rewrite->diagnostics, NULL, MESSAGE_BRANCH_OUT_OF_REACH, rewrite->program->path);
    return reached;
}

/* If inlined calls leave no room, copies again without them. If sites depend on them, rewrite_program()
   starts again.
 */
static bool copy_into_room(struct rewrite *rewrite) {
    if (run_rounds(rewrite))
        return true;
    if (!rewrite->code->overflows || sums_restore(rewrite))
        return false;
    rewrite->is_tight = true;
    return run_rounds(rewrite);
}

/* Copies sparsely if that is requested and possible; else copies everything. */
static bool copy_program(struct rewrite *rewrite) {
    counting_settle(rewrite);
    sparse_plan(rewrite);
    if (rewrite->copying->sparse) {
        observations_in_registers(rewrite->program);
        if (!copy_into_room(rewrite))
            return false;
        if (sparse_finish(rewrite))
            return true;
        if (sparse_is_needed(rewrite))
            return false;
        sparse_drop(rewrite);
    }
    return copy_into_room(rewrite);
}

/* ---- the passes ------------------------------------------------------------------------------------------- */

static bool find_threads(struct rewrite *rewrite) {
    rewrite->program->threads = may_have_threads(rewrite->program);
    if (refuse_unfinished(rewrite))
        return false;
    code_create(rewrite);
    copying_create(rewrite);
    return true;
}

static bool leave_out_optional(struct rewrite *rewrite) {
    libraries_leave_out(rewrite->program, rewrite->sites);
    return true;
}

static bool lift_templates(struct rewrite *rewrite) {
    inliner_create(rewrite);
    return true;
}

static bool find_sums(struct rewrite *rewrite) {
    sums_find(rewrite);
    return true;
}

static bool place_counts(struct rewrite *rewrite) {
    counting_plan(rewrite, replacement_arguments(rewrite));
    return true;
}

static bool find_observations(struct rewrite *rewrite) {
    observations_find(rewrite, rewrite->program);
    return true;
}

static bool place_buffers(struct rewrite *rewrite) {
    buffers_place(rewrite);
    return true;
}

/* Returns false without an error if rewrite_program() has to start again. */
static bool keep_sums(struct rewrite *rewrite) {
    bool keeps = !sums_undo(rewrite);
    sums_settle(rewrite->inliner);
    return keeps;
}

static bool report_skips(struct rewrite *rewrite) {
    unsigned errors = diagnostics_errors(rewrite->diagnostics);
    skips_report(rewrite);
    return diagnostics_errors(rewrite->diagnostics) == errors;
}

static bool mark_unforeseen(struct rewrite *rewrite) {
    unforeseen_mark(rewrite);
    rewrite->code->statistics.blocks = rewrite->program->block_count;
    return !refuse_unfinished(rewrite); /* reports, too, have attributes */
}

static void print_threads(const struct rewrite *rewrite, FILE *stream) {
    threads_print(rewrite->program, stream);
}

static void print_sites(const struct rewrite *rewrite, FILE *stream) {
    sites_print(rewrite->sites, rewrite->plan, rewrite->program, NULL, stream);
}

static void print_observations(const struct rewrite *rewrite, FILE *stream) {
    observations_print(rewrite->program, stream);
}

static const char *verify_sites(const struct rewrite *rewrite) {
    return sites_verify(rewrite->sites, rewrite->program);
}

static const char *verify_observations(const struct rewrite *rewrite) {
    return observations_verify(rewrite->program);
}

static const struct rewrite_pass passes[] = {
    {"threads", "whether the program may make threads", find_threads, print_threads, NULL},
    {"libraries", "leaves out what is not instrumented", leave_out_optional, print_sites, verify_sites},
    {"routines", "finds analysis routines, and what calls change", find_routines, routines_print, NULL},
    {"templates", "lifts routines to graphs, to inline them", lift_templates, templates_print,
     templates_verify},
    {"sums", "takes sums out of inlined routines", find_sums, print_sites, verify_sites},
    {"counts", "chooses what is counted, and what is derived", place_counts, counting_print, counting_verify},
    {"observations", "keeps registers that sites still read", find_observations, print_observations,
     verify_observations},
    {"buffers", "places the tool's strings and buffers", place_buffers, buffers_print, buffers_verify},
    {"places", "checks that the new parts' addresses are free", places_check, places_print, NULL},
    {"heap", "checks that the analysis code's heap is free", heap_check, heap_print, NULL},
    {"copies", "copies procedures, with code at the sites", copy_program, code_print, code_verify},
    {"kept-sums", "checks that the routines of sums were inlined", keep_sums, print_sites, verify_sites},
    {"image", "writes the tables for the runtime", fill_image, image_print, image_verify},
    {"room", "checks that all new parts fit", code_fits, places_print, NULL},
    {"skips", "reports calls that could not be made", report_skips, skips_print, NULL},
    {"code", "marks what no jump leads to in the map", mark_unforeseen, code_print, code_verify},
};

const struct rewrite_pass *rewrite_pass_at(size_t number) {
    return number < sizeof passes / sizeof passes[0] ? &passes[number] : NULL;
}

const struct rewrite_pass *rewrite_pass_named(const char *name) {
    for (size_t i = 0; i < sizeof passes / sizeof passes[0]; i++)
        if (strcmp(passes[i].name, name) == 0)
            return &passes[i];
    return NULL;
}

static bool is_verified(struct rewrite *rewrite, const struct rewrite_pass *pass) {
    const char *wrong = VERIFIES && pass->verify ? pass->verify(rewrite) : NULL;
    if (wrong)
        diagnose(rewrite->diagnostics, NULL, MESSAGE_PASS_WRONG, rewrite->program->path, pass->name, wrong);
    return !wrong;
}

/* Runs the passes, up to the pass whose result is printed. */
static bool run_rewrite_passes(struct rewrite *rewrite, bool with_sums) {
    for (size_t i = 0; i < sizeof passes / sizeof passes[0]; i++) {
        if (!with_sums && passes[i].run == find_sums)
            continue;
        if (!passes[i].run(rewrite) || !is_verified(rewrite, &passes[i]))
            return false;
        if (rewrite->options->last_pass == &passes[i])
            break;
    }
    return true;
}

struct rewrite *rewrite_program(struct program *program, const struct plan *plan, struct sites *sites,
                                struct analysis_image *analysis, const struct rewrite_options *options,
                                struct diagnostics *diagnostics) {
    bool is_tight = options->tight;
    for (bool with_sums = true;; with_sums = false) {
        struct arena *arena = arena_create();
        struct rewrite *rewrite = arena_allocate(arena, sizeof *rewrite);
        *rewrite = (struct rewrite){.arena = arena,
                                    .round = arena_create(),
                                    .program = program,
                                    .machine = machine_for(program->architecture),
                                    .plan = plan,
                                    .sites = sites,
                                    .analysis = analysis,
                                    .options = options,
                                    .is_tight = is_tight,
                                    .diagnostics = diagnostics};
        if (run_rewrite_passes(rewrite, with_sums))
            return rewrite;
        bool again = inline_sums_undone(rewrite);
        is_tight |= rewrite->code && rewrite->code->overflows;
        rewrite_destroy(rewrite);
        if (!again)
            return NULL;
    }
}

bool rewrite_takes_c(const struct architecture *architecture) {
    return !machine_for(architecture)->only_counts;
}

void rewrite_destroy(struct rewrite *rewrite) {
    if (!rewrite)
        return;
    sums_settle(rewrite->inliner);
    counting_free(rewrite->counting);
    code_free(rewrite->code);
    arena_destroy(rewrite->round);
    arena_destroy(rewrite->arena); /* the arena holds the rewrite itself */
}

void rewrite_print_map(const struct rewrite *rewrite, FILE *stream) {
    map_print(rewrite, stream);
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
