/* statistics.c: the progress line, and what -v says of a rewrite.
   Requires a finished rewrite and its output file. */
#include <inttypes.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "driver/driver.h"
#include "engine/engine.h"

static struct timespec started;
static bool running, shown;

static double seconds_since_start(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)(now.tv_sec - started.tv_sec) + (double)(now.tv_nsec - started.tv_nsec) / 1e9;
}

void progress(const char *pass) {
    if (!running)
        clock_gettime(CLOCK_MONOTONIC, &started);
    running = true;
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

static void line(FILE *stream, const char *what, uint64_t number) {
    fprintf(stream, "  %-28s %12" PRIu64 "\n", what, number);
}

static void routine_line(FILE *stream, const struct rewrite *rewrite, uint32_t routine) {
    const struct routine_calls calls = rewrite_routine(rewrite, routine);
    const char *name = rewrite->plan->routines[routine].name;
    if (calls.inlined > 0)
        fprintf(stream, "    %" PRIu64 " of %s\n", calls.inlined, name);
    if (calls.called > 0 && calls.reason)
        fprintf(stream, "    not %" PRIu64 " of %s: %s\n", calls.called, name, calls.reason);
    if (calls.copy)
        fprintf(stream, "    calls %s\n", calls.copy);
}

/* How updates of counters are right if there are threads. */
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

void statistics_print(const struct rewrite *rewrite, const struct sites *sites, const char *output,
                      FILE *stream) {
    struct rewrite_summary summary;
    rewrite_summarise(rewrite, &summary);
    const struct rewrite_statistics *statistics = &summary.made;
    const struct skips *skips = &sites->skipped;
    const struct program *program = rewrite->program;
    struct rusage usage;
    uint64_t skipped = 0;
    for (unsigned reason = 0; reason < SKIP_COUNT; reason++)
        skipped += skips->calls[reason];
    getrusage(RUSAGE_SELF, &usage);

    fprintf(stream, "%s: %s applied to %s\n", output, rewrite->plan->name, program->path);
    line(stream, "procedures", summary.procedures);
    if (summary.sparse)
        line(stream, "  copied", summary.procedures_copied);
    line(stream, "basic blocks", statistics->blocks);
    line(stream, "places matched", sites->places_matched);
    line(stream, "calls inserted", statistics->calls_made);
    line(stream, "  without a wrapper", statistics->calls_direct);
    line(stream, "calls inlined", statistics->calls_inlined);
    line(stream, "  sums turned into counters", summary.sums_taken_out);
    line(stream, "  with a slow path", statistics->bail_outs);
    for (uint32_t r = 0; r < rewrite->plan->routine_count; r++)
        routine_line(stream, rewrite, r);
    fprintf(stream, "  %-28s %12" PRIu64 "%s%s\n", "counter updates inserted", statistics->updates_made,
            statistics->updates_made ? ": " : "",
            statistics->updates_made ? thread_correctness(rewrite) : "");
    line(stream, "  for derived counts", summary.updates_counted);
    line(stream, "    in registers", summary.counts_promoted);
    line(stream, "    calls counted by callers", summary.entries_shared);
    line(stream, "counter updates derived", summary.updates_derived);
    line(stream, "entries replaced", statistics->replacements);
    uint64_t before = 0, after = 0;
    for (uint32_t k = 0; k < sites->library_count; k++) {
        before += sites->libraries[k].before.count;
        after += sites->libraries[k].after.count;
    }
    line(stream, "calls before the program", sites->program.before.count);
    line(stream, "calls after the program", sites->program.after.count);
    if (sites->library_count) {
        line(stream, "calls before libraries", before);
        line(stream, "calls after libraries", after);
    }
    line(stream, "calls skipped", skipped);
    for (unsigned reason = 0; reason < SKIP_COUNT; reason++)
        if (skips->calls[reason] > 0)
            fprintf(stream, "    %" PRIu64 " %s (first at 0x%" PRIx64 ")\n", skips->calls[reason],
                    skip_texts[reason], instruction_address(program, skips->example[reason]));
    line(stream, "wrappers", statistics->wrappers);
    line(stream, "registers saved (static)", statistics->registers_saved);
    line(stream, "indirect transfers", statistics->transfers);
    line(stream, "  that spill a register", statistics->spilled_transfers);
    line(stream, "  by a fault", statistics->transfers_without_register);
    line(stream, "far branches", statistics->far_branches);
    line(stream, "  that spill a register", statistics->spilled_branches);
    line(stream, "text bytes before", 4 * summary.instructions_in);
    line(stream, "text bytes copied", 4 * summary.instructions_out);
    line(stream, "file bytes before", file_size(program->path));
    line(stream, "file bytes after", file_size(output));
    fprintf(stream, "  %-28s %12.3f\n", "seconds", seconds_since_start());
    line(stream, "peak memory (KB)", (uint64_t)usage.ru_maxrss);
}
