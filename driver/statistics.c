/* statistics.c: the progress line, and the report of -v on a rewrite. Requires a finished rewrite and its
   output file. */
#include <assert.h>
#include <inttypes.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "driver/json.h"
#include "engine/engine.h"

static struct timespec started;
static bool running, shown;

static double seconds_since_start(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)(now.tv_sec - started.tv_sec) + (double)(now.tv_nsec - started.tv_nsec) / 1e9;
}

static int progress_descriptor = -1;
static unsigned passes_done, passes_wanted;

void progress_to(int descriptor, unsigned passes) {
    progress_descriptor = descriptor;
    passes_wanted = passes;
}

void progress(const char *pass) {
    if (!running)
        clock_gettime(CLOCK_MONOTONIC, &started);
    running = true;
    if (progress_descriptor >= 0)
        dprintf(progress_descriptor, "{\"pass\":\"%s\",\"done\":%u,\"of\":%u,\"milliseconds\":%.0f}\n", pass,
                passes_done++, passes_wanted, 1e3 * seconds_since_start());
    if (seconds_since_start() < 1 || !isatty(STDERR_FILENO))
        return;
    fprintf(stderr, "\r\033[Katomc: %s ...", pass);
    shown = true;
}

void progress_end(void) {
    if (shown)
        fprintf(stderr, "\r\033[K");
    shown = false;
}

static uint64_t file_size(const char *path) {
    struct stat status;
    return stat(path, &status) == 0 ? (uint64_t)status.st_size : 0;
}

/* The facts of a rewrite after it is written. */
struct rewrite_facts {
    const struct rewrite *rewrite;
    const struct sites *sites;
    const char *output;
    struct rewrite_summary summary;
};

static void print_routines(const struct rewrite_facts *facts, FILE *stream) {
    for (uint32_t r = 0; r < facts->rewrite->plan->routine_count; r++) {
        const struct routine_calls calls = rewrite_routine(facts->rewrite, r);
        const char *name = facts->rewrite->plan->routines[r].name;
        if (calls.inlined > 0)
            fprintf(stream, "    %" PRIu64 " of %s\n", calls.inlined, name);
        if (calls.called > 0 && calls.reason)
            fprintf(stream, "    not %" PRIu64 " of %s: %s\n", calls.called, name, calls.reason);
        if (calls.copy)
            fprintf(stream, "    calls %s\n", calls.copy);
    }
}

/* The method that keeps updates of counters correct if there are threads. */
static const char *thread_correctness(const struct rewrite *rewrite) {
    switch (rewrite->program->threads) {
    case THREADS_SYMBOL:
        return "atomic (ldq_l, stq_c), because the program contains a routine that makes threads";
    case THREADS_LIBRARY:
        return "atomic (ldq_l, stq_c), because the program uses libraries that may make threads";
    case THREADS_FLAGS:
        return "atomic (ldq_l, stq_c), because the program, which has no symbols, computes flags that make a "
               "thread";
    default:
        return "plain, because the program has no way to make threads";
    }
}

static void print_skips(const struct rewrite_facts *facts, FILE *stream) {
    const struct skips *skips = &facts->sites->skipped;
    for (unsigned reason = 0; reason < SKIP_COUNT; reason++)
        if (skips->calls[reason] > 0)
            fprintf(stream, "    %" PRIu64 " %s (first at 0x%" PRIx64 ")\n", skips->calls[reason],
                    skip_texts[reason], instruction_address(facts->rewrite->program, skips->example[reason]));
}

/* A line of the text, and a member of the JSON document. */
struct figure {
    const char *key, *text;
    uint64_t value;
    const char *remark;                                             /* text after the number; NULL: none */
    void (*print)(const struct rewrite_facts *facts, FILE *stream); /* prints lines below it; NULL: none */
    bool left_out;
};
enum { MOST_FIGURES = 40 };

static size_t gather_figures(const struct rewrite_facts *facts, struct figure *figures) {
    const struct rewrite_summary *summary = &facts->summary;
    const struct rewrite_statistics *made = &summary->made;
    const struct sites *sites = facts->sites;
    struct rusage usage;
    uint64_t skipped = 0, before = 0, after = 0;
    for (unsigned reason = 0; reason < SKIP_COUNT; reason++)
        skipped += sites->skipped.calls[reason];
    for (uint32_t k = 0; k < sites->library_count; k++) {
        before += sites->libraries[k].before.count;
        after += sites->libraries[k].after.count;
    }
    getrusage(RUSAGE_SELF, &usage);
    const struct figure all[] = {
        {"procedures", "procedures", summary->procedures, NULL, NULL, false},
        {"procedures_copied", "  copied", summary->procedures_copied, NULL, NULL, !summary->sparse},
        {"blocks", "basic blocks", made->blocks, NULL, NULL, false},
        {"places_matched", "places matched", sites->places_matched, NULL, NULL, false},
        {"calls", "calls inserted", made->calls_made, NULL, NULL, false},
        {"calls_direct", "  without a wrapper", made->calls_direct, NULL, NULL, false},
        {"calls_inlined", "calls inlined", made->calls_inlined, NULL, NULL, false},
        {"sums_counted", "  sums turned into counters", summary->sums_taken_out, NULL, NULL, false},
        {"slow_paths", "  with a slow path", made->bail_outs, NULL, print_routines, false},
        {"calls_unlocked", "  without the lock", made->calls_unlocked, NULL, NULL, !made->calls_unlocked},
        {"calls_together", "  asked together", made->calls_together, NULL, NULL, !made->calls_together},
        {"updates", "counter updates inserted", made->updates_made,
         made->updates_made ? thread_correctness(facts->rewrite) : NULL, NULL, false},
        {"updates_for_derived", "  for derived counts", summary->updates_counted, NULL, NULL, false},
        {"updates_in_registers", "    in registers", summary->counts_promoted, NULL, NULL, false},
        {"updates_by_thread", "    in cells of each thread", made->updates_by_thread, NULL, NULL,
         !made->updates_by_thread},
        {"updates_by_callers", "    calls counted by callers", summary->entries_shared, NULL, NULL, false},
        {"updates_derived", "counter updates derived", summary->updates_derived, NULL, NULL, false},
        {"entries_replaced", "entries replaced", made->replacements, NULL, NULL, false},
        {"calls_before_program", "calls before the program", sites->program.before.count, NULL, NULL, false},
        {"calls_after_program", "calls after the program", sites->program.after.count, NULL, NULL, false},
        {"calls_on_fork", "calls in new processes", sites->program.forked.count, NULL, NULL,
         !sites->program.forked.count},
        {"calls_before_libraries", "calls before libraries", before, NULL, NULL, !sites->library_count},
        {"calls_after_libraries", "calls after libraries", after, NULL, NULL, !sites->library_count},
        {"calls_skipped", "calls skipped", skipped, NULL, print_skips, false},
        {"wrappers", "wrappers", made->wrappers, NULL, NULL, false},
        {"registers_saved", "registers saved (static)", made->registers_saved, NULL, NULL, false},
        {"transfers", "indirect transfers", made->transfers, NULL, NULL, false},
        {"transfers_spilled", "  that spill a register", made->spilled_transfers, NULL, NULL, false},
        {"transfers_by_fault", "  by a fault", made->transfers_without_register, NULL, NULL, false},
        {"far_branches", "far branches", made->far_branches, NULL, NULL, false},
        {"far_branches_spilled", "  that spill a register", made->spilled_branches, NULL, NULL, false},
        {"text_bytes_before", "text bytes before", 4 * summary->instructions_in, NULL, NULL, false},
        {"text_bytes_copied", "text bytes copied", 4 * summary->instructions_out, NULL, NULL, false},
        {"file_bytes_before", "file bytes before", file_size(facts->rewrite->program->path), NULL, NULL,
         false},
        {"file_bytes_after", "file bytes after", file_size(facts->output), NULL, NULL, false},
        {"milliseconds", NULL, (uint64_t)(1000 * seconds_since_start()), NULL, NULL, false},
        {"peak_memory_kilobytes", "peak memory (KB)", (uint64_t)usage.ru_maxrss, NULL, NULL, false},
    };
    static_assert(sizeof all / sizeof all[0] <= MOST_FIGURES, "there is room for all");
    memcpy(figures, all, sizeof all);
    return sizeof all / sizeof all[0];
}

void statistics_print(const struct rewrite *rewrite, const struct sites *sites, const char *output,
                      FILE *stream) {
    struct rewrite_facts facts = {.rewrite = rewrite, .sites = sites, .output = output};
    struct figure figures[MOST_FIGURES];
    rewrite_summarise(rewrite, &facts.summary);
    size_t count = gather_figures(&facts, figures);
    fprintf(stream, "%s: %s applied to %s\n", output, rewrite->plan->name, rewrite->program->path);
    for (size_t i = 0; i < count; i++) {
        const struct figure *figure = &figures[i];
        if (figure->left_out)
            continue;
        if (figure->text)
            fprintf(stream, "  %-28s %12" PRIu64 "%s%s\n", figure->text, figure->value,
                    figure->remark ? ": " : "", figure->remark ? figure->remark : "");
        else
            fprintf(stream, "  %-28s %12.3f\n", "seconds", (double)figure->value / 1e3);
        if (figure->print)
            figure->print(&facts, stream);
    }
}

static json_t *routines_json(const struct rewrite *rewrite) {
    json_t *list = json_array();
    for (uint32_t r = 0; r < rewrite->plan->routine_count; r++) {
        const struct routine_calls calls = rewrite_routine(rewrite, r);
        json_array_append_new(list, json_pack("{s:s, s:I, s:I, s:s?, s:s?}", "name",
                                              rewrite->plan->routines[r].name, "inlined",
                                              (json_int_t)calls.inlined, "called", (json_int_t)calls.called,
                                              "reason", calls.reason, "copy", calls.copy));
    }
    return list;
}

static json_t *skips_json(const struct program *program, const struct skips *skips) {
    json_t *list = json_array();
    for (unsigned reason = 0; reason < SKIP_COUNT; reason++)
        if (skips->calls[reason] > 0)
            json_array_append_new(
                list, json_pack("{s:s, s:I, s:o}", "reason", skip_texts[reason], "calls",
                                (json_int_t)skips->calls[reason], "first",
                                json_address(instruction_address(program, skips->example[reason]))));
    return list;
}

json_t *statistics_json(const struct rewrite *rewrite, const struct sites *sites, const char *output) {
    struct rewrite_facts facts = {.rewrite = rewrite, .sites = sites, .output = output};
    struct figure figures[MOST_FIGURES];
    rewrite_summarise(rewrite, &facts.summary);
    size_t count = gather_figures(&facts, figures);
    json_t *object = json_pack("{s:s, s:s, s:s}", "output", output, "tool", rewrite->plan->name, "program",
                               rewrite->program->path);
    for (size_t i = 0; i < count; i++)
        if (!figures[i].left_out)
            json_object_set_new(object, figures[i].key, json_integer((json_int_t)figures[i].value));
    json_object_set_new(object, "routines", routines_json(rewrite));
    json_object_set_new(object, "skips", skips_json(rewrite->program, &sites->skipped));
    return object;
}
