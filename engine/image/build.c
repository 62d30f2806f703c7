/* build.c: compiles the analysis routines and links them with the runtime into a separate image. Requires
   the Alpha cross compiler; runs it as a child process. */
#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "codegen/machines.h"
#include "engine/machine/machine.h"
#include "engine/image/internal.h"

struct build {
    const struct analysis_options *options;
    struct diagnostics *diagnostics;
    struct arena *arena; /* for names, words and messages */
    bool no_compiler;    /* and that has been reported */
    bool only_preprocesses;
};

/* The arguments of a command. */
struct arguments {
    struct arena *arena;
    const char **words; /* NULL after the last */
    uint32_t count, capacity;
};

static void append_argument(struct arguments *arguments, const char *word) {
    ARENA_RESERVE(arguments->arena, arguments->words, arguments->count + 1, arguments->capacity);
    arguments->words[arguments->count++] = word;
    arguments->words[arguments->count] = NULL;
}

static void append_arguments(struct arguments *arguments, const char *const *words) {
    for (; *words; words++)
        append_argument(arguments, *words);
}

/* True if the command has run; *output becomes its messages, or NULL if it could not be started. The message
   is printed one time. */
static bool has_command_run(struct build *build, const struct child_command *command, char **output) {
    if ((command->status == -1 || command->status == 127) && !build->no_compiler) {
        diagnose(build->diagnostics, NULL, MESSAGE_ANALYSIS_NO_COMPILER, command->argv[0]);
        build->no_compiler = true;
    }
    *output = command->output ? arena_string(build->arena, command->output, strlen(command->output)) : NULL;
    free(command->output);
    return command->status == 0;
}

static bool run_build_command(struct build *build, const struct arguments *arguments, char **output) {
    struct child_command command = {.argv = (char *const *)arguments->words, .status = -1};
    if (!build->no_compiler)
        command.status = run_command(command.argv, &command.output);
    return has_command_run(build, &command, output);
}

static const char *compiler_of(const struct build *build) {
    return arena_format(build->arena, "%s-gcc", build->options->triple);
}

/* The path of the object file for a C file. */
static const char *made_object_name(const struct build *build, uint32_t group, uint32_t index) {
    return arena_format(build->arena, "%s.%u.%u.o", build->options->output, group, index);
}

/* Removes the end of the last line: a message adds its own. */
static const char *without_end(char *output) {
    size_t length = strlen(output);
    if (length > 0 && output[length - 1] == '\n')
        output[length - 1] = '\0';
    return output;
}

static struct arguments compiler_words(struct build *build, const char *const *flags,
                                       const struct analysis_group *group, const char *source,
                                       const char *object) {
    struct arguments arguments = {.arena = build->arena};
    const struct analysis_options *options = build->options;
    bool cplusplus = is_cplusplus_source(source);
    append_argument(&arguments,
                    cplusplus ? arena_format(build->arena, "%s-g++", options->triple) : compiler_of(build));
    append_argument(&arguments, arena_format(build->arena, "-I%s", options->include_directory));
    append_argument(&arguments, "-include");
    append_argument(&arguments, arena_format(build->arena, "%s/" FIRST_HEADER, options->include_directory));
    append_arguments(&arguments, flags + cplusplus); /* the first flag is the C standard */
    append_argument(&arguments, object);
    append_argument(&arguments, source);
    if (build->only_preprocesses) {
        append_argument(&arguments, "-E");
        append_argument(&arguments, "-fno-working-directory");
    }
    if (group->compile_words)
        append_arguments(&arguments, group->compile_words);
    if (group->include) {
        append_argument(&arguments, "-I");
        append_argument(&arguments, group->include);
        append_argument(&arguments, "-idirafter"); /* a user's own table.h has priority */
        append_argument(&arguments, options->tools_directory);
    }
    return arguments;
}

static bool run_compiler(struct build *build, const char *const *flags, const struct analysis_group *group,
                         const char *source, const char *object, char **output) {
    const struct arguments arguments = compiler_words(build, flags, group, source, object);
    return run_build_command(build, &arguments, output);
}

/* A routine that ends with a call of a rarely executed function calls it: a jump there would put saves on
   all of its paths.
 */
static const char *const strict[] = {
    "-std=gnu11", "-O2", "-g", "-fno-stack-protector", "-fno-optimize-sibling-calls", "-c", "-o", NULL};

static const char *const old[] = {"-std=gnu89", "-w", "-O2", "-g", "-fno-stack-protector", "-c", "-o", NULL};

static const char *const *flags_of(const struct analysis_group *group) {
    return group->lenient ? old : strict;
}

/* Handles the result of the compiler's run for one source. */
static bool has_compiled(struct build *build, const struct analysis_group *group, const char *source,
                         const char *object, const struct child_command *command) {
    struct diagnostics *diagnostics = build->diagnostics;
    char *output = NULL, *again = NULL;
    assert(command);
    unsigned errors = diagnostics_errors(diagnostics);
    bool compiled = has_command_run(build, command, &output);
    if (!compiled && group->lenient && diagnostics_errors(diagnostics) == errors && !build->no_compiler)
        compiled = run_compiler(build, strict, group, source, object, &again);
    if (!compiled && diagnostics_errors(diagnostics) == errors && !build->no_compiler)
        diagnose(diagnostics, NULL, MESSAGE_ANALYSIS_COMPILE_FAILED, source,
                 output ? without_end(output) : "");
    else if (compiled && !group->lenient && output && *output)
        fputs(output, build->options->said); /* the user should see the compiler's warnings */
    return compiled;
}

/* The only main may be the runtime's. An archive may contain one: the linker takes only undefined symbols
   from it.
 */
static bool check_no_main(const char *object, const char *source, struct diagnostics *diagnostics) {
    bool found = object_defines(object, "main");
    if (found)
        diagnose(diagnostics, NULL, MESSAGE_ANALYSIS_HAS_MAIN, source),
            diagnose_hint(diagnostics, "if it is the program, compile it first: %s-gcc",
                          usual_machine()->triple);
    return !found;
}

/* The linker pads up to an aligned section, in a file that is later read as a whole. */
static bool check_alignment(const struct build *build, const char *object, const char *source) {
    enum { MOST = 16 << 20 };
    struct wide_section wide;
    bool found = object_find_wider(object, MOST, build->arena, &wide);
    if (found)
        diagnose(build->diagnostics, NULL, MESSAGE_ANALYSIS_ALIGNMENT, source, wide.name, wide.alignment,
                 MOST);
    return !found;
}

/* The text with each `name` replaced. */
static char *with_replaced(const struct build *build, char *text, const char *name, const char *replacement) {
    size_t at = 0;
    for (char *found; (found = strstr(text + at, name));) {
        at = (size_t)(found - text) + strlen(replacement);
        text = arena_format(build->arena, "%.*s%s%s", (int)(found - text), text, replacement,
                            found + strlen(name));
    }
    return text;
}

/* The linker's output, with the user's file names in place of the names that atomc made. */
static char *with_source_names(const struct build *build, char *output) {
    for (uint32_t g = 0; g < build->options->group_count; g++) {
        const struct analysis_group *group = &build->options->groups[g];
        for (uint32_t i = 0; i < group->source_count; i++)
            output = with_replaced(build, output, made_object_name(build, g, i), group->sources[i]);
        if (group->joined)
            output = with_replaced(build, output, group->joined, group->prefix);
    }
    return output;
}

/* Reports a program's output, unless it could not be started, which is reported already. */
static void link_failed(const struct build *build, char *output, unsigned errors) {
    if (diagnostics_errors(build->diagnostics) == errors && !build->no_compiler)
        diagnose(build->diagnostics, NULL, MESSAGE_ANALYSIS_LINK_FAILED,
                 output ? without_end(with_source_names(build, output)) : "");
}

/* True if there are sources of ATOM tools, which may call ATOM's own functions. */
static bool has_lenient(const struct analysis_options *options) {
    bool found = false;
    for (uint32_t g = 0; g < options->group_count; g++)
        found |= options->groups[g].lenient;
    return found;
}

/* True also for objects and archives, which may be made from C++. */
static bool may_be_cplusplus(const struct analysis_options *options) {
    bool found = false;
    for (uint32_t g = 0; g < options->group_count; g++)
        for (uint32_t i = 0; i < options->groups[g].source_count; i++)
            found |= !is_c_source(options->groups[g].sources[i]);
    return found;
}

/* True if some code may need the frames that the start-up code registers. Additional input of the linker
   may. */
static bool may_unwind(const struct analysis_options *options, const struct arguments *objects) {
    bool found = may_be_cplusplus(options) || options->link_words != NULL;
    for (uint32_t g = 0; g < options->group_count; g++)
        found |= options->groups[g].link_words != NULL;
    for (uint32_t i = 0; i < objects->count && !found; i++)
        found = object_unwinds(objects->words[i]);
    return found;
}

static bool link_image(struct build *build, const struct arguments *objects) {
    const struct analysis_options *options = build->options;
    struct arguments arguments = {.arena = build->arena};
    const struct atomc_addresses *layout = machine_for(architecture_of(usual_machine()->number))->layout;
    char *output = NULL;
    unsigned errors = diagnostics_errors(build->diagnostics);
    append_argument(&arguments, compiler_of(build));
    append_argument(&arguments, "-static");
    append_argument(&arguments, "-Wl,--no-relax"); /* relaxed, static programs crash when they start */
    append_argument(&arguments, "-Wl,-e,atomc_start");
    append_argument(&arguments, "-Wl,--emit-relocs"); /* sums.c reads the relocations */
    append_argument(&arguments,
                    "-Wl,--build-id=none"); /* the identifier would depend on where the objects were made */
    append_argument(&arguments, arena_format(build->arena, "-Wl,-Ttext-segment=0x%llx",
                                             (unsigned long long)(options->large ? layout->large_analysis
                                                                                 : layout->analysis)));
    append_argument(&arguments, "-o");
    append_argument(&arguments, options->output);
    if (objects->count > 0)
        append_arguments(&arguments, objects->words);
    for (uint32_t i = 0; i < options->group_count; i++)
        if (options->groups[i].link_words)
            append_arguments(&arguments, options->groups[i].link_words);
    if (options->link_words)
        append_arguments(&arguments, options->link_words);
    append_argument(&arguments, arena_format(build->arena, "%s/runtime.o", options->runtime_directory));
    if (has_lenient(options))
        append_argument(&arguments,
                        arena_format(build->arena, "%s/atom_analysis.o", options->runtime_directory));
    if (may_be_cplusplus(options))
        append_argument(&arguments, "-lstdc++");
    if (!may_unwind(options, objects)) {
        /* No symbol has the new names, so the start-up code calls no function. With libgcc of GCC 14,
           registering the frames takes 200,000 instructions. */
        append_argument(&arguments, "-Wl,--wrap=__register_frame_info");
        append_argument(&arguments, "-Wl,--wrap=__deregister_frame_info");
    }
    append_argument(&arguments, "-lm");
    bool linked = run_build_command(build, &arguments, &output);
    if (!linked)
        link_failed(build, output, errors);
    return linked;
}

/* Joins a tool's objects into one, which hides its symbols: other tools may have the same names. */
static bool link_group(struct build *build, const struct analysis_group *group,
                       const struct arguments *objects) {
    struct arguments link = {.arena = build->arena}, rename = {.arena = build->arena};
    unsigned errors = diagnostics_errors(build->diagnostics);
    const char *names = arena_format(build->arena, "%s.names", group->joined);
    char *output = NULL;
    static const char *const flags[] = {"-r", "-o", NULL};
    append_argument(&link, compiler_of(build));
    append_arguments(&link, flags);
    append_argument(&link, group->joined);
    append_arguments(&link, objects->words);
    bool good = run_build_command(build, &link, &output);
    if (good) {
        output = NULL;
        good = object_write_renames(group->joined, group->prefix, names);
        if (!good)
            diagnose(build->diagnostics, NULL, MESSAGE_CANNOT_WRITE, names, strerror(errno));
    }
    append_argument(&rename, arena_format(build->arena, "%s-objcopy", build->options->triple));
    append_argument(&rename, arena_format(build->arena, "--redefine-syms=%s", names));
    append_argument(&rename, group->joined);
    good = good && run_build_command(build, &rename, &output);
    if (!good)
        link_failed(build, output, errors);
    return good;
}

static bool is_compiled(const char *source) {
    return is_c_source(source) || is_cplusplus_source(source);
}

/* Compiles the sources of all tools, several at once. The commands are in the order of the sources. */
static struct child_command *compile_all(struct build *build) {
    const struct analysis_options *options = build->options;
    struct child_command *commands = NULL;
    uint32_t count = 0, capacity = 0;
    for (uint32_t g = 0; g < options->group_count; g++)
        for (uint32_t i = 0; i < options->groups[g].source_count; i++) {
            const struct analysis_group *group = &options->groups[g];
            if (!is_compiled(group->sources[i]))
                continue;
            const struct arguments words = compiler_words(build, flags_of(group), group, group->sources[i],
                                                          made_object_name(build, g, i));
            ARENA_RESERVE(build->arena, commands, count, capacity);
            commands[count++] = (struct child_command){.argv = (char *const *)words.words};
        }
    run_commands(commands, count);
    return commands;
}

/* Adds a tool's objects to the words of the link. Returns the commands after the commands of this tool. */
static const struct child_command *build_group(struct build *build, uint32_t number,
                                               const struct child_command *commands, struct arguments *linked,
                                               bool *good) {
    const struct analysis_group *group = &build->options->groups[number];
    struct arguments own = {.arena = build->arena}, *objects = group->joined ? &own : linked;
    bool all = true;
    for (uint32_t i = 0; i < group->source_count; i++) {
        const char *source = group->sources[i];
        const char *object = is_compiled(source) ? made_object_name(build, number, i) : source;
        bool compiled = !is_compiled(source) || has_compiled(build, group, source, object, commands++);
        all &= compiled && check_no_main(object, source, build->diagnostics) &&
               check_alignment(build, object, source);
        append_argument(objects, object);
    }
    if (group->joined && group->source_count) {
        all = all && link_group(build, group, &own);
        append_argument(linked, group->joined);
    }
    *good &= all;
    return commands;
}

bool analysis_build(const struct analysis_options *options, struct diagnostics *diagnostics) {
    struct arena *arena = arena_create();
    struct build build = {.options = options, .diagnostics = diagnostics, .arena = arena};
    struct arguments objects = {.arena = arena};
    const struct child_command *commands = compile_all(&build);
    bool good = true;
    for (uint32_t i = 0; i < options->group_count; i++)
        commands = build_group(&build, i, commands, &objects, &good);
    if (good)
        good = link_image(&build, &objects);
    arena_destroy(arena);
    return good;
}

/* Preprocesses a file as the build compiles it: lenient code in C of 1989 first, and if that fails, in the
   current standard. */
static bool preprocess_file(struct build *build, uint32_t number, uint32_t index,
                            void (*each)(void *, const char *), void *context) {
    const struct analysis_group *group = &build->options->groups[number];
    const char *source = group->sources[index], *result = made_object_name(build, number, index);
    char *output;
    if (!is_c_source(source) && !is_cplusplus_source(source))
        return true;
    if (group->lenient && run_compiler(build, old, group, source, result, &output))
        each(context, result);
    bool good = run_compiler(build, strict, group, source, result, &output);
    if (good)
        each(context, result);
    return good || group->lenient;
}

bool analysis_preprocess(const struct analysis_options *options, void (*each)(void *, const char *),
                         void *context) {
    struct arena *arena = arena_create();
    struct diagnostics *unseen = diagnostics_create();
    struct build build = {
        .options = options, .diagnostics = unseen, .arena = arena, .only_preprocesses = true};
    bool good = true;
    for (uint32_t g = 0; g < options->group_count; g++)
        for (uint32_t i = 0; i < options->groups[g].source_count && good; i++)
            good = preprocess_file(&build, g, i, each, context);
    diagnostics_destroy(unseen);
    arena_destroy(arena);
    return good;
}
