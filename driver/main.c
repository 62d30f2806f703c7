/* main.c: atomc as a list of passes, from the tool description to the instrumented program.
   Exit status: 0, 1 for the user's errors, 2 for ours. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "compiler/compiler.h"
#include "driver/driver.h"

/* What the passes hand on. Whoever is made is undone at the end, in reverse. */
struct session {
    struct options options;
    struct arena *arena;
    struct diagnostics *diagnostics;
    struct tool *tool;
    struct analysis *analysis;
    struct prototypes *prototypes;
    struct plan *plan;
    struct program *program;
    struct sites *sites;
    struct rewrite *rewrite;
};

static bool parse_tool(struct session *session) {
    session->tool = tool_parse(session->options.tool, session->arena, session->diagnostics);
    if (session->tool)
        tool_define(session->tool, session->options.definitions, session->options.definition_count);
    return session->tool != NULL;
}

static bool already_listed(const char *const *paths, uint32_t count, const char *path) {
    char *real = realpath(path, NULL);
    bool found = false;
    for (uint32_t i = 0; i < count && !found; i++) {
        char *other = realpath(paths[i], NULL);
        found = real && other ? strcmp(real, other) == 0 : strcmp(paths[i], path) == 0;
        free(other);
    }
    free(real);
    return found;
}

/* The analysis code is what the tool names and what the command line adds; a file named twice counts once. */
static const char **list_sources(struct session *session, uint32_t *count) {
    const struct options *options = &session->options;
    uint32_t named = 0;
    const struct analysis_file *files = tool_analysis_files(session->tool, &named);
    const char **sources =
        arena_allocate(session->arena, (named + options->analysis_count + 1) * sizeof *sources);
    *count = 0;
    for (uint32_t i = 0; i < named; i++)
        if (!already_listed(sources, *count, files[i].path))
            sources[(*count)++] = files[i].path;
    for (uint32_t i = 0; i < options->analysis_count; i++)
        if (!already_listed(sources, *count, options->analysis[i]))
            sources[(*count)++] = options->analysis[i];
    return sources;
}

/* All can be read, and none would be replaced by the output. */
static bool check_sources(struct session *session, const char *const *sources, uint32_t count) {
    const char *output = session->options.output;
    bool good = true;
    for (uint32_t i = 0; i < count; i++)
        if (access(sources[i], R_OK) != 0) {
            diagnose(session->diagnostics, NULL, MESSAGE_CANNOT_READ, sources[i], strerror(errno));
            good = false;
        }
    if (output && already_listed(sources, count, output)) {
        diagnose(session->diagnostics, NULL, MESSAGE_OUTPUT_IS_INPUT, output, "the analysis code");
        good = false;
    }
    return good;
}

/* Checking a tool that has no analysis code yet compiles none: its calls are then not held against
   prototypes. */
static bool build_analysis(struct session *session) {
    uint32_t count;
    const char **sources = list_sources(session, &count);
    if (!check_sources(session, sources, count))
        return false;
    if (session->options.check && count == 0)
        return true;
    const char *directory = temporary_directory();
    if (!directory) {
        diagnose(session->diagnostics, NULL, MESSAGE_CANNOT_WRITE, "temporary directory", strerror(errno));
        return false;
    }
    const char *image = arena_format(session->arena, "%s/analysis", directory);
    struct analysis_options options = {.sources = sources,
                                       .source_count = count,
                                       .runtime_directory = runtime_directory(),
                                       .cross_prefix = "alpha-linux-gnu-",
                                       .output = image};
    if (!analysis_build(&options, session->diagnostics))
        return false;
    session->analysis = analysis_open(image, session->diagnostics);
    return session->analysis != NULL;
}

static bool read_prototypes(struct session *session) {
    if (!session->analysis)
        return true;
    session->prototypes = prototypes_read(session->analysis->path, session->diagnostics);
    return session->prototypes != NULL;
}

static bool compile_tool(struct session *session) {
    session->plan = tool_compile(session->tool, session->prototypes, session->diagnostics);
    return session->plan != NULL;
}

static bool read_program(struct session *session) {
    session->program = program_open(session->options.program, session->diagnostics);
    return session->program != NULL;
}

static bool analyse_program(struct session *session) {
    program_analyse(session->program, session->diagnostics);
    loops_find(session->program);
    liveness_analyse(session->program);
    return diagnostics_errors(session->diagnostics) == 0;
}

static bool select_sites(struct session *session) {
    session->sites = sites_select(session->plan, session->program, session->diagnostics);
    return session->sites != NULL;
}

static bool rewrite(struct session *session) {
    session->rewrite = rewrite_program(session->program, session->plan, session->sites, session->analysis,
                                       &session->options.rewrite, session->diagnostics);
    return session->rewrite != NULL;
}

static bool write_output(struct session *session) {
    return output_write(session->rewrite, session->options.output, session->diagnostics);
}

/* Each stage can be printed instead of going on. */
static bool dumped(struct session *session, enum dump stage) {
    if (session->options.dump != stage)
        return false;
    progress_end();
    switch (stage) {
    case DUMP_PLAN:
        plan_print(session->plan, stdout);
        break;
    case DUMP_CFG:
        program_print_cfg(session->program, stdout);
        break;
    case DUMP_SITES:
        sites_print(session->sites, session->plan, session->program, stdout);
        break;
    case DUMP_CODE:
        rewrite_print(session->rewrite, stdout);
        break;
    case DUMP_NONE:
        break;
    }
    return true;
}

struct pass {
    const char *name; /* as the progress line says it */
    bool (*run)(struct session *session);
    enum dump dump;     /* what can be printed after it */
    bool needs_tool;    /* left out without one: --dump=cfg PROGRAM */
    bool needs_program; /* left out without one: --check, --dump=plan */
    bool instruments;   /* left out by --check */
};

static const struct pass passes[] = {
    {"reading the tool", parse_tool, DUMP_NONE, true, false, false},
    {"compiling the analysis code", build_analysis, DUMP_NONE, true, false, false},
    {"reading prototypes", read_prototypes, DUMP_NONE, true, false, false},
    {"compiling the tool", compile_tool, DUMP_PLAN, true, false, false},
    {"reading the program", read_program, DUMP_NONE, false, true, false},
    {"analysing the program", analyse_program, DUMP_CFG, false, true, false},
    {"selecting places", select_sites, DUMP_SITES, true, true, false},
    {"rewriting", rewrite, DUMP_CODE, true, true, true},
    {"writing", write_output, DUMP_NONE, true, true, true},
};

static bool run_passes(struct session *session) {
    if (session->options.help) {
        if (parse_tool(session))
            info_print_tool(session->tool, stdout);
        return session->tool != NULL;
    }
    for (size_t i = 0; i < sizeof passes / sizeof passes[0]; i++) {
        if ((passes[i].needs_tool && !session->options.tool) ||
            (passes[i].needs_program && !session->options.program) ||
            (passes[i].instruments && session->options.check))
            continue;
        progress(passes[i].name);
        if (!passes[i].run(session))
            return false;
        if (passes[i].dump != DUMP_NONE && dumped(session, passes[i].dump))
            return true;
    }
    progress_end();
    if (session->options.verbose && session->rewrite)
        statistics_print(session->rewrite, session->sites, session->options.output, stdout);
    return true;
}

static void close_session(struct session *session) {
    rewrite_destroy(session->rewrite);
    sites_destroy(session->sites);
    program_close(session->program);
    if (session->plan)
        plan_destroy(session->plan);
    prototypes_destroy(session->prototypes);
    analysis_close(session->analysis);
    arena_destroy(session->arena);
    diagnostics_destroy(session->diagnostics);
}

int main(int count, char **words) {
    struct session session = {.arena = arena_create(), .diagnostics = diagnostics_create()};
    session.options.arena = session.arena;
    if (options_parse(&session.options, count, words, session.diagnostics) && !session.options.done)
        run_passes(&session);
    progress_end();
    if (fflush(stdout) != 0 || ferror(stdout))
        diagnose(session.diagnostics, NULL, MESSAGE_CANNOT_WRITE, "standard output", strerror(errno));
    unsigned errors = diagnostics_errors(session.diagnostics);
    int status = diagnostics_internal(session.diagnostics) > 0 ? 2 : errors > 0 ? 1 : 0;
    diagnostics_print(session.diagnostics, stderr);
    close_session(&session);
    return status;
}
