/* main.c: atomc as a list of passes, from the tool description to the instrumented program.
   Exit status: 0, 1 for the user's errors, 2 for ours. */
#include <errno.h>
#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "codegen/machines.h"
#include "driver/json.h"

enum {
    LARGE_BYTES = 128 * 1024,
    HEAP_BYTES = 16 * 1024 * 1024,
    LARGE_PAGE_BYTES = 2 * 1024 * 1024,
    LARGE_TEXT_BYTES = 32 * 1024 * 1024
};

/* The results that passes hand to later passes. Results are destroyed at the end, in reverse order. */
struct session {
    struct options options;
    struct arena *arena;
    struct diagnostics *diagnostics;
    struct applied_tools tools;
    const char *image; /* of the analysis code; NULL: there is none */
    struct analysis_image *analysis;
    struct program *program;
    struct sites *sites;
    struct rewrite *rewrite;
    bool *wanted;         /* selected procedures: --only; NULL: all */
    struct run run;       /* atomc run */
    bool program_refused; /* the file cannot be instrumented */
};

/* The needs of all tools together, for a dynamically linked program. */
static void choose_needed_objects(struct session *session) {
    struct options *options = &session->options;
    for (uint32_t i = 0; i < session->tools.count; i++) {
        const struct tool *tool = session->tools.list[i].tool;
        if (tool && tool->objects)
            options->needed_objects =
                arena_format(session->arena, "%s,%s",
                             options->needed_objects ? options->needed_objects : "main", tool->objects);
    }
}

static bool parse_tools(struct session *session) {
    if (!tools_parse(&session->tools))
        return false;
    choose_needed_objects(session);
    return tools_list_sources(&session->tools);
}

static bool open_analysis(struct session *session) {
    if (!session->image)
        return true;
    session->analysis = analysis_open(session->image, session->diagnostics);
    return session->analysis != NULL;
}

static bool load_tool_functions(struct session *session) {
    return tools_load(&session->tools);
}

static bool compile_tools(struct session *session) {
    return tools_compile(&session->tools, session->image);
}

static bool read_program_file(struct session *session) {
    if (session->program)
        return true;
    session->program = program_open(session->options.program, session->diagnostics);
    if (session->program) {
        session->program->demangle = session->options.demangle;
        session->program->keep_symbols = session->options.keep_symbols;
        session->program->output = session->options.output;
    }
    session->program_refused = !session->program;
    return session->program && objects_read(&session->options, session->program, session->diagnostics);
}

/* The size of the program determines the address of the analysis code. */
static bool build_analysis(struct session *session) {
    if (session->options.program && !read_program_file(session))
        return false;
    if (session->program && 4 * (uint64_t)session->program->instruction_count >= LARGE_TEXT_BYTES)
        session->options.rewrite.large = true;
    session->tools.large = session->options.rewrite.large;
    if (session->program)
        session->tools.machine = machine_called(session->program->architecture->machine);
    return tools_build(&session->tools, &session->image);
}

/* A cached program need not be made. */
static bool find_kept(struct session *session) {
    if (!read_program_file(session))
        return false;
    run_find(&session->run, &session->tools, session->program);
    return true;
}

/* The procedure at the address in the word, 0x...; NO_INDEX if there is none, or if the word is not an
   address. */
static uint32_t procedure_at_word(const struct program *program, const char *word) {
    char *end;
    if (strncmp(word, "0x", 2) != 0)
        return NO_INDEX;
    uint64_t address = strtoull(word, &end, 16);
    uint32_t instruction = *end ? NO_INDEX : instruction_at(program, address);
    return instruction == NO_INDEX ? NO_INDEX : procedure_at(program, instruction);
}

/* --only */
static bool choose_procedures(struct session *session) {
    const struct word_list *only = &session->options.only;
    const struct program *program = session->program;
    if (!only->count)
        return true;
    session->wanted = arena_allocate(session->arena, program->procedure_count * sizeof *session->wanted);
    const char **names = arena_allocate(session->arena, program->procedure_count * sizeof *names);
    for (uint32_t p = 0; p < program->procedure_count; p++)
        names[p] = program->procedures[p].name;
    for (uint32_t i = 0; i < only->count; i++) {
        bool found = false;
        for (uint32_t p = 0; p < program->procedure_count; p++)
            if (strcmp(names[p], only->list[i]) == 0)
                found = session->wanted[p] = true;
        uint32_t at = found ? NO_INDEX : procedure_at_word(program, only->list[i]);
        if (at != NO_INDEX)
            found = session->wanted[at] = true;
        if (found)
            continue;
        const char *nearest = nearest_name(only->list[i], names, program->procedure_count);
        diagnose(session->diagnostics, NULL, MESSAGE_NO_SUCH_PROCEDURE, program->path, only->list[i]);
        if (nearest)
            diagnose_hint(session->diagnostics, "did you mean '%s'?", nearest);
    }
    return diagnostics_errors(session->diagnostics) == 0;
}

static bool find_procedures(struct session *session) {
    session->program->landings = session->options.landings;
    session->program->landing_count = session->options.landing_count;
    if (session->analysis)
        facts_share(session->program, session->analysis->program);
    program_analyse(session->program, session->diagnostics);
    if (diagnostics_errors(session->diagnostics))
        return false;
    return choose_procedures(session);
}

static bool analyse_program(struct session *session) {
    loops_find(session->program);
    places_find(session->program);
    liveness_analyse(session->program);
    for (uint32_t i = 0; i < session->options.profiles.count; i++)
        if (!profile_add(session->program, session->options.profiles.list[i], session->diagnostics))
            return false;
    atom_begin(session->program, session->diagnostics);
    return diagnostics_errors(session->diagnostics) == 0;
}

/* The instrumentation code may have given the output another name. */
static bool apply_tool_code(struct session *session) {
    const char *output = session->program->output;
    return tools_instrument(&session->tools, session->analysis) &&
           (session->program->output == output ||
            output_check(&session->options, session->program->output, session->diagnostics));
}

static bool select_sites(struct session *session) {
    session->sites = sites_select(session->tools.plan, session->program, session->diagnostics);
    if (session->sites && !session->options.rewrite.without[WITHOUT_TARGET_TABLES])
        sites_merge_targets(session->program, session->sites);
    return session->sites != NULL;
}

static bool make_rewrite(struct session *session) {
    session->rewrite = rewrite_program(session->program, session->tools.plan, session->sites,
                                       session->analysis, &session->options.rewrite, session->diagnostics);
    return session->rewrite != NULL;
}

static bool write_result(struct session *session) {
    program_finish(session->program);
    if (session->options.run.asked)
        return run_write(&session->run, session->rewrite, session->diagnostics);
    char *real = follow_links(session->program->output);
    bool written = output_write(session->rewrite, real, session->diagnostics);
    free(real);
    return written;
}

static bool do_nothing(struct session *session) {
    (void)session;
    return true;
}

/* The result of each stage can be printed; then the following stages are not run. */
static bool is_dumped(struct session *session, enum dump stage) {
    if (session->options.dump != stage || (stage == DUMP_PLAN && !session->tools.plan))
        return false;
    progress_end();
    const bool *wanted = session->wanted;
    bool lines = session->options.document != NULL; /* of JSON */
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
        (lines ? json_print_objects(session->program, stdout) : program_print(session->program, stdout));
        break;
    case DUMP_PROCEDURES:
        (lines ? json_print_procedures(session->program, wanted, stdout)
               : program_print_procedures(session->program, wanted, stdout));
        break;
    case DUMP_PLAN:
        plan_print(session->tools.plan, stdout);
        break;
    case DUMP_CFG:
        (lines ? json_print_cfg(session->program, wanted, stdout)
               : program_print_cfg(session->program, wanted, stdout));
        break;
    case DUMP_INSTRUCTIONS:
        (lines ? json_print_instructions(session->program, wanted, stdout)
               : program_print_instructions(session->program, wanted, stdout));
        break;
    case DUMP_SITES:
        (lines ? json_print_sites(session->sites, session->tools.plan, session->program, wanted, stdout)
               : sites_print(session->sites, session->tools.plan, session->program, wanted, stdout));
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
    const char *name; /* text in the progress line */
    bool (*run)(struct session *session);
    enum dump dump;     /* the result that can be printed after it */
    bool needs_tool;    /* skipped without a tool: --dump=cfg PROGRAM */
    bool needs_program; /* skipped without a program: --check, --dump=plan */
    bool instruments;   /* skipped by --check */
};

static const struct pass passes[] = {
    {"reading the tool", parse_tools, DUMP_TOOL, true, false, false},
    {"looking for it in the cache", find_kept, DUMP_NONE, true, true, true},
    {"compiling the analysis code", build_analysis, DUMP_NONE, true, false, false},
    {"reading the analysis code", open_analysis, DUMP_ANALYSIS, true, false, false},
    {"loading functions", load_tool_functions, DUMP_NONE, true, false, false},
    {"compiling the tool", compile_tools, DUMP_PLAN, true, false, false},
    {"reading the program", read_program_file, DUMP_PROGRAM, false, true, false},
    {"finding procedures", find_procedures, DUMP_PROCEDURES, false, true, false},
    {"decoding instructions", do_nothing, DUMP_INSTRUCTIONS, false, true, false},
    {"analysing the program", analyse_program, DUMP_CFG, false, true, false},
    {"instrumenting", apply_tool_code, DUMP_PLAN, true, true, false},
    {"selecting places", select_sites, DUMP_SITES, true, true, false},
    {"rewriting", make_rewrite, DUMP_PASS, true, true, true},
    {"mapping the copies", do_nothing, DUMP_MAP, true, true, true},
    {"writing", write_result, DUMP_NONE, true, true, true},
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

static json_t *pass_json(const char *name, const char *what) {
    json_t *pass = json_object();
    json_object_set_new(pass, "dump", json_text(name));
    json_object_set_new(pass, "what", json_text(what));
    return pass;
}

json_t *passes_json(void) {
    json_t *list = json_array(), *optional = json_array(), *all = json_object();
    const struct rewrite_pass *inner;
    for (size_t i = 0; i < sizeof passes / sizeof passes[0]; i++) {
        if (passes[i].dump != DUMP_PASS)
            json_array_append_new(list, pass_json(dump_words[passes[i].dump], passes[i].name));
        for (size_t k = 0; passes[i].dump == DUMP_PASS && (inner = rewrite_pass_at(k)); k++)
            json_array_append_new(list, pass_json(inner->name, inner->what));
    }
    for (unsigned i = 0; i < OPTIONAL_PASS_COUNT; i++) {
        json_t *pass = json_object();
        json_object_set_new(pass, "pass", json_text(optional_pass_names[i]));
        json_object_set_new(pass, "without", json_text(optional_pass_effects[i]));
        json_array_append_new(optional, pass);
    }
    json_object_set_new(all, "list", list);
    json_object_set_new(all, "optional", optional);
    return all;
}

/* --help: of the tools, as text or into the document. */
static bool describe_tools(struct session *session) {
    bool good = parse_tools(session);
    json_t *list = json_array();
    for (uint32_t i = 0; i < session->tools.count && good; i++) {
        struct applied_tool *applied = &session->tools.list[i];
        if (session->options.document) {
            json_array_append_new(list, tool_json(applied));
            continue;
        }
        fputs(i ? "\n" : "", stdout);
        info_print_tool(applied->tool, applied->choice->path, stdout);
    }
    if (session->options.document)
        json_object_set(session->options.document, "tools", list);
    json_decref(list);
    return good;
}

/* The passes that run; --progress counts them. */
static bool is_pass_left_out(const struct options *options, const struct pass *pass) {
    return (pass->needs_tool && !options->tool_count) || (pass->needs_program && !options->program) ||
           (pass->instruments && options->check) ||
           (pass->run == find_kept && !options->run.asked && !options->cached);
}

static bool run_driver_passes(struct session *session) {
    const struct options *options = &session->options;
    if (session->options.header || session->options.stub)
        return tools_print(&session->tools, stdout);
    if (session->options.help)
        return describe_tools(session);
    unsigned wanted = 0;
    for (size_t i = 0; i < sizeof passes / sizeof passes[0]; i++)
        wanted += !is_pass_left_out(options, &passes[i]);
    progress_to(options->progress_descriptor, wanted);
    for (size_t i = 0; i < sizeof passes / sizeof passes[0]; i++) {
        if (is_pass_left_out(options, &passes[i]))
            continue;
        progress(passes[i].name);
        if (!passes[i].run(session))
            return false;
        if (session->run.instrumented >= 0)
            break;
        if (passes[i].dump != DUMP_NONE && is_dumped(session, passes[i].dump))
            return true;
    }
    progress_end();
    if (options->cached && session->run.instrumented >= 0)
        return run_copy_kept(&session->run, &session->options, session->diagnostics);
    if (options->verbose && session->rewrite && options->document)
        json_object_set_new(options->document, "statistics",
                            statistics_json(session->rewrite, session->sites, session->program->output));
    else if (options->verbose && session->rewrite)
        statistics_print(session->rewrite, session->sites, session->program->output,
                         options->run.asked ? stderr : stdout);
    return true;
}

/* --json: prints the document, or after JSON Lines a line for each diagnostic. A cached program has the
   diagnostics of its instrumentation. */
static void print_document(struct session *session, bool good) {
    const struct options *options = &session->options;
    json_t *list = diagnostics_json(session->diagnostics), *diagnostic;
    size_t i;
    if (options->dump == DUMP_NONE) {
        if (good && json_object_get(options->document, "diagnostics"))
            json_decref(list);
        else
            json_object_set_new(options->document, "diagnostics", list);
        if (options->cached && good && session->run.instrumented < 0)
            run_keep_output(&session->run, options);
        json_print(json_incref(options->document), true, stdout);
        return;
    }
    json_array_foreach(list, i, diagnostic) {
        json_t *line = json_object();
        json_object_set(line, "diagnostic", diagnostic);
        json_print(line, false, stdout);
    }
    json_decref(list);
}

static void close_session(struct session *session) {
    atom_end();
    rewrite_destroy(session->rewrite);
    sites_destroy(session->sites);
    program_close(session->program);
    tools_destroy(&session->tools);
    analysis_close(session->analysis);
    arena_destroy(session->arena);
    diagnostics_destroy(session->diagnostics);
}

/* Returns only after an error. */
static int end_run(struct session *session, bool good) {
    const struct run_choice *choice = &session->options.run;
    int status = RUN_FAILED;
    if (good && choice->follow && !choice->followed)
        status = run_follow(&session->run, &session->options, session->diagnostics);
    else if (good)
        status = run_program(&session->run, &session->options, session->diagnostics);
    else if (choice->followed)
        status = run_plain(&session->run, &session->options, session->diagnostics);
    else if (choice->not_found)
        status = RUN_NOT_FOUND;
    else if (session->program_refused)
        status = RUN_CANNOT_EXECUTE;
    diagnostics_print(session->diagnostics, stderr);
    run_end(&session->run);
    close_session(session);
    return status;
}

/* The program that executes the command, without Alpha's part; NULL: atomc itself. For atomc run, only jobs
 * are executed by another program. */
static const char *other_program(int count, char **words) {
    enum command_id command = command_named(count > 1 ? words[1] : "");
    if (command == COMMAND_RUN && count > 2 && strncmp(words[2], "--job", strlen("--job")) == 0)
        command = COMMAND_JOB;
    return command == COMMAND_COUNT ? NULL : command_program(command);
}

static int execute_program(const char *program, char **words) {
    const char *path = program_of(program);
    execv(path, words);
    int error = errno;
    bool is_not_built =
        error == ENOENT && strcmp(program, "workbench") == 0; /* the other results are always made */
    if (is_not_built)
        fputs("atomc: error: the workbench is not built\n    hint: make workbench (needs libmicrohttpd-dev "
              "libjansson-dev libsqlite3-dev libzstd-dev)\n",
              stderr);
    else {
        fprintf(stderr, "atomc: error: cannot start %s: %s\n", path, strerror(error));
        if (error == ENOENT)
            fprintf(stderr, "hint: %s\n", lone_hint);
    }
    return is_not_built ? 1 : 2;
}

/* The heap grows once, and where the kernel gives large pages to those who ask for them, this part has them:
   a small program is instrumented in half the time. */
static void prepare_heap(void) {
    /* otherwise the threshold rises, and freed memory below it is not returned to the system */
    mallopt(M_MMAP_THRESHOLD, LARGE_BYTES);
    mallopt(M_TOP_PAD, HEAP_BYTES);
    mallopt(M_TRIM_THRESHOLD, 4 * HEAP_BYTES);
    uintptr_t begin = (uintptr_t)sbrk(0);
    void *volatile grown[2];
    for (int i = 0; i < 2; i++)
        grown[i] = malloc(LARGE_BYTES - 64);
    for (int i = 0; i < 2; i++)
        free(grown[i]);
    begin = (begin + LARGE_PAGE_BYTES - 1) / LARGE_PAGE_BYTES * LARGE_PAGE_BYTES;
    uintptr_t end = (uintptr_t)sbrk(0) / LARGE_PAGE_BYTES * LARGE_PAGE_BYTES;
    if (begin < end)
        madvise((void *)begin, end - begin, MADV_HUGEPAGE); /* only the time depends on it */
}

int main(int count, char **words) {
    int reported;
    if (atom_reports_crash(count, words, &reported))
        return reported;
    const char *other = other_program(count, words);
    if (other)
        return execute_program(other, words);
    prepare_heap();
    struct session session = {.arena = arena_create(), .diagnostics = diagnostics_create()};
    session.options.arena = session.arena;
    struct followed *followed = followed_here(words);
    if (followed) {
        words = followed->words;
        count = followed->word_count;
        session.options.run.followed = followed;
    }
    session.tools = (struct applied_tools){
        .options = &session.options, .arena = session.arena, .diagnostics = session.diagnostics};
    run_begin(&session.run, session.options.run.followed);
    bool good = options_parse(&session.options, count, words, session.diagnostics);
    if (good && !session.options.done)
        good = run_driver_passes(&session);
    progress_end();
    if (session.options.run.asked && !session.options.done)
        return end_run(&session, good);
    if (session.options.document)
        print_document(&session, good);
    if (fflush(stdout) != 0 || ferror(stdout))
        diagnose(session.diagnostics, NULL, MESSAGE_CANNOT_WRITE, "standard output", strerror(errno));
    unsigned errors = diagnostics_errors(session.diagnostics);
    int status = diagnostics_internal(session.diagnostics) > 0 ? 2 : errors > 0 ? 1 : 0;
    if (!session.options.document)
        diagnostics_print(session.diagnostics, stderr);
    json_decref(session.options.document);
    run_end(&session.run);
    close_session(&session);
    return status;
}
