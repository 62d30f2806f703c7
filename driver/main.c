/* main.c: atomc as a list of passes, from the tool description to the instrumented program.
   Exit status: 0, 1 for the user's errors, 2 for ours. */
#include <errno.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>

#include "driver/driver.h"

enum { LARGE_BYTES = 128 * 1024 };

/* What the passes hand on. Whoever is made is undone at the end, in reverse. */
struct session {
    struct options options;
    struct arena *arena;
    struct diagnostics *diagnostics;
    struct applied_tools tools;
    const char *image; /* of the analysis code, NULL if there is none */
    struct analysis_image *analysis;
    struct program *program;
    struct sites *sites;
    struct rewrite *rewrite;
};

static bool parse_tools(struct session *session) {
    return tools_parse(&session->tools);
}

static bool build_analysis(struct session *session) {
    return tools_build(&session->tools, &session->image);
}

static bool open_analysis(struct session *session) {
    if (!session->image)
        return true;
    session->analysis = analysis_open(session->image, session->diagnostics);
    return session->analysis != NULL;
}

static bool load_functions(struct session *session) {
    return tools_load(&session->tools);
}

static bool compile_tools(struct session *session) {
    return tools_compile(&session->tools, session->image);
}

static bool read_program(struct session *session) {
    session->program = program_open(session->options.program, session->diagnostics);
    if (session->program) {
        session->program->demangle = session->options.demangle;
        session->program->output = session->options.output;
    }
    return session->program && objects_read(&session->options, session->program, session->diagnostics);
}

static bool analyse_program(struct session *session) {
    program_analyse(session->program, session->diagnostics);
    loops_find(session->program);
    places_find(session->program);
    liveness_analyse(session->program);
    for (uint32_t i = 0; i < session->options.profiles.count; i++)
        if (!profile_add(session->program, session->options.profiles.list[i], session->diagnostics))
            return false;
    hatch_begin(session->program, session->diagnostics);
    return diagnostics_errors(session->diagnostics) == 0;
}

/* The instrumentation code may have given the output another name. */
static bool instrument(struct session *session) {
    const char *output = session->program->output;
    return tools_instrument(&session->tools, session->analysis) &&
           (session->program->output == output ||
            output_check(&session->options, session->program->output, session->diagnostics));
}

static bool select_sites(struct session *session) {
    session->sites = sites_select(session->tools.plan, session->program, session->diagnostics);
    return session->sites != NULL;
}

static bool rewrite(struct session *session) {
    session->rewrite = rewrite_program(session->program, session->tools.plan, session->sites,
                                       session->analysis, &session->options.rewrite, session->diagnostics);
    return session->rewrite != NULL;
}

static bool write_output(struct session *session) {
    program_finish(session->program);
    return output_write(session->rewrite, session->program->output, session->diagnostics);
}

static bool nothing(struct session *session) {
    (void)session;
    return true;
}

/* Each stage can be printed instead of going on. */
static bool dumped(struct session *session, enum dump stage) {
    if (session->options.dump != stage || (stage == DUMP_PLAN && !session->tools.plan))
        return false;
    progress_end();
    switch (stage) {
    case DUMP_TOOL:
        for (uint32_t i = 0; i < session->tools.count; i++)
            info_print_tool(session->tools.list[i].tool, session->tools.list[i].choice->path, stdout);
        break;
    case DUMP_ANALYSIS:
        if (session->analysis)
            analysis_print(session->analysis, stdout);
        break;
    case DUMP_PROGRAM:
        program_print(session->program, stdout);
        break;
    case DUMP_PLAN:
        plan_print(session->tools.plan, stdout);
        break;
    case DUMP_CFG:
        program_print_cfg(session->program, stdout);
        break;
    case DUMP_SITES:
        sites_print(session->sites, session->tools.plan, session->program, stdout);
        break;
    case DUMP_PASS:
        session->options.rewrite.last_pass->print(session->rewrite, stdout);
        break;
    case DUMP_MAP:
        rewrite_print_map(session->rewrite, stdout);
        break;
    case DUMP_NONE:
    case DUMP_COUNT:
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
    {"reading the tool", parse_tools, DUMP_TOOL, true, false, false},
    {"compiling the analysis code", build_analysis, DUMP_NONE, true, false, false},
    {"reading the analysis code", open_analysis, DUMP_ANALYSIS, true, false, false},
    {"loading functions", load_functions, DUMP_NONE, true, false, false},
    {"compiling the tool", compile_tools, DUMP_PLAN, true, false, false},
    {"reading the program", read_program, DUMP_PROGRAM, false, true, false},
    {"analysing the program", analyse_program, DUMP_CFG, false, true, false},
    {"instrumenting", instrument, DUMP_PLAN, true, true, false},
    {"selecting places", select_sites, DUMP_SITES, true, true, false},
    {"rewriting", rewrite, DUMP_PASS, true, true, true},
    {"mapping the copies", nothing, DUMP_MAP, true, true, true},
    {"writing", write_output, DUMP_NONE, true, true, true},
};

void passes_print(void) {
    const struct rewrite_pass *inner;
    for (size_t i = 0; i < sizeof passes / sizeof passes[0]; i++) {
        const char *word = dump_words[passes[i].dump];
        if (passes[i].dump != DUMP_PASS)
            printf("%-13s %s\n", word ? word : "-", passes[i].name);
        for (size_t k = 0; passes[i].dump == DUMP_PASS && (inner = rewrite_pass_at(k)); k++)
            printf("%-13s %s\n", inner->name, inner->what);
    }
    puts("\nWhat is done when --without=PASS leaves one of these out; results are the same:");
    for (unsigned i = 0; i < OPTIONAL_PASS_COUNT; i++)
        printf("%-15s %s\n", optional_pass_names[i], optional_pass_effects[i]);
}

static bool run_passes(struct session *session) {
    if (session->options.header || session->options.stub)
        return tools_print(&session->tools, stdout);
    if (session->options.help) {
        bool good = parse_tools(session);
        for (uint32_t i = 0; i < session->tools.count && good; i++) {
            fputs(i ? "\n" : "", stdout);
            info_print_tool(session->tools.list[i].tool, session->tools.list[i].choice->path, stdout);
        }
        return good;
    }
    for (size_t i = 0; i < sizeof passes / sizeof passes[0]; i++) {
        if ((passes[i].needs_tool && !session->options.tool_count) ||
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
        statistics_print(session->rewrite, session->sites, session->program->output, stdout);
    return true;
}

static void close_session(struct session *session) {
    hatch_end();
    rewrite_destroy(session->rewrite);
    sites_destroy(session->sites);
    program_close(session->program);
    tools_destroy(&session->tools);
    analysis_close(session->analysis);
    arena_destroy(session->arena);
    diagnostics_destroy(session->diagnostics);
}

int main(int count, char **words) {
    int reported;
    if (hatch_reports_crash(count, words, &reported))
        return reported;
    mallopt(M_MMAP_THRESHOLD, LARGE_BYTES); /* else it rises, and what is freed below it stays */
    struct session session = {.arena = arena_create(), .diagnostics = diagnostics_create()};
    session.options.arena = session.arena;
    session.tools =
        (struct applied_tools){&session.options, session.arena, session.diagnostics, NULL, 0, NULL, NULL};
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
