/* build.c: compiles the analysis routines and links them with the runtime into an image of their
   own. Requires the Alpha cross compiler; runs it as a child process. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine/image/internal.h"
#include "runtime/interface.h" /* LAYOUT_ANALYSIS */

struct arguments {
    char **words;
    uint32_t count, capacity;
};

static void add(struct arguments *arguments, const char *word) {
    VECTOR_RESERVE(arguments->words, arguments->count + 1, arguments->capacity);
    arguments->words[arguments->count++] = duplicate_string(word);
    arguments->words[arguments->count] = NULL;
}

static void add_all(struct arguments *arguments, const char *const *words) {
    for (; *words; words++)
        add(arguments, *words);
}

static void release_arguments(struct arguments *arguments) {
    for (uint32_t i = 0; i < arguments->count; i++)
        free(arguments->words[i]);
    free(arguments->words);
    *arguments = (struct arguments){0};
}

static bool has_suffix(const char *path, const char *suffix) {
    size_t length = strlen(path), end = strlen(suffix);
    return length > end && strcmp(path + length - end, suffix) == 0;
}

/* Runs the compiler; its messages go into *output, which the caller frees. */
static bool run(struct arguments *arguments, char **output, struct diagnostics *diagnostics) {
    int status = run_command(arguments->words, output);
    if (status == -1 || status == 127)
        diagnose(diagnostics, NULL, MESSAGE_ANALYSIS_NO_COMPILER, arguments->words[0]);
    return status == 0;
}

static char *compiler_of(const struct analysis_options *options) {
    return format_string("%sgcc", options->cross_prefix);
}

/* The object made of a C file. */
static char *object_name(const struct analysis_options *options, uint32_t group, uint32_t index) {
    return format_string("%s.%u.%u.o", options->output, group, index);
}

/* Without the last line's end: a message brings its own. */
static const char *without_end(char *output) {
    size_t length = strlen(output);
    if (length > 0 && output[length - 1] == '\n')
        output[length - 1] = '\0';
    return output;
}

static bool run_compiler(const struct analysis_options *options, const char *const *flags, const char *header,
                         const char *source, const char *object, char **output,
                         struct diagnostics *diagnostics) {
    struct arguments arguments = {0};
    bool cplusplus = has_suffix(source, ".cpp");
    char *compiler = cplusplus ? format_string("%sg++", options->cross_prefix) : compiler_of(options);
    char *include = format_string("-I%s", options->include_directory);
    add(&arguments, compiler);
    add(&arguments, include);
    add_all(&arguments, flags + cplusplus); /* the first is the standard of C */
    add(&arguments, object);
    add(&arguments, source);
    if (header) {
        add(&arguments, "-I");
        add(&arguments, header);
        add(&arguments, "-idirafter"); /* a table.h of the user's is another matter */
        add(&arguments, options->tools_directory);
    }
    bool compiled = run(&arguments, output, diagnostics);
    free(include);
    free(compiler);
    release_arguments(&arguments);
    return compiled;
}

static bool compile(const struct analysis_options *options, const struct analysis_group *group,
                    const char *source, const char *object, struct diagnostics *diagnostics) {
    static const char *const strict[] = {"-std=gnu11", "-O2", "-g", "-fno-stack-protector", "-c", "-o", NULL};
    static const char *const old[] = {"-std=gnu89",           "-w", "-O2", "-g",
                                      "-fno-stack-protector", "-c", "-o",  NULL};
    char *output = NULL, *again = NULL;
    unsigned errors = diagnostics_errors(diagnostics);
    bool compiled = run_compiler(options, group->lenient ? old : strict, group->include, source, object,
                                 &output, diagnostics);
    if (!compiled && group->lenient && diagnostics_errors(diagnostics) == errors)
        compiled = run_compiler(options, strict, group->include, source, object, &again, diagnostics);
    if (!compiled && diagnostics_errors(diagnostics) == errors)
        diagnose(diagnostics, NULL, MESSAGE_ANALYSIS_COMPILE_FAILED, source,
                 output ? without_end(output) : "");
    else if (compiled && !group->lenient && output && *output)
        fputs(output, stderr); /* the compiler's warnings are the user's to see */
    free(output);
    free(again);
    return compiled;
}

/* The runtime's main is the only one. Archives may hold one: the linker takes only what is missing from them.
 */
static bool check_no_main(const char *object, const char *source, struct diagnostics *diagnostics) {
    bool found = object_defines(object, "main");
    if (found)
        diagnose(diagnostics, NULL, MESSAGE_ANALYSIS_HAS_MAIN, source);
    return !found;
}

/* The text with each `name` replaced; frees the text given. */
static char *with_replaced(char *text, const char *name, const char *replacement) {
    size_t at = 0;
    for (char *found; (found = strstr(text + at, name));) {
        at = (size_t)(found - text) + strlen(replacement);
        char *longer =
            format_string("%.*s%s%s", (int)(found - text), text, replacement, found + strlen(name));
        free(text);
        text = longer;
    }
    return text;
}

/* What the linker says, with the user's names of files for those that atomc made. */
static char *with_source_names(const struct analysis_options *options, char *output) {
    for (uint32_t g = 0; g < options->group_count; g++) {
        const struct analysis_group *group = &options->groups[g];
        for (uint32_t i = 0; output && i < group->source_count; i++) {
            char *object = object_name(options, g, i);
            output = with_replaced(output, object, group->sources[i]);
            free(object);
        }
        if (output && group->joined)
            output = with_replaced(output, group->joined, group->prefix);
    }
    return output;
}

/* Reports what a tool said, unless that it cannot be run is reported already. */
static void link_failed(const struct analysis_options *options, char **output, unsigned errors,
                        struct diagnostics *diagnostics) {
    if (diagnostics_errors(diagnostics) != errors)
        return;
    *output = with_source_names(options, *output);
    diagnose(diagnostics, NULL, MESSAGE_ANALYSIS_LINK_FAILED, *output ? without_end(*output) : "");
}

/* Is there code of ATOM's kind, which may call what ATOM offers it? */
static bool has_lenient(const struct analysis_options *options) {
    bool found = false;
    for (uint32_t g = 0; g < options->group_count; g++)
        found |= options->groups[g].lenient;
    return found;
}

static bool has_cplusplus(const struct analysis_options *options) {
    bool found = false;
    for (uint32_t g = 0; g < options->group_count; g++)
        for (uint32_t i = 0; i < options->groups[g].source_count; i++)
            found |= has_suffix(options->groups[g].sources[i], ".cpp");
    return found;
}

static bool link_image(const struct analysis_options *options, const struct arguments *objects,
                       struct diagnostics *diagnostics) {
    static const char *const runtime[] = {
        "start_s.o",    "start.o",   "system_calls.o", "signals.o",       "objects.o",     "libraries.o",
        "unforeseen.o", "crash.o",   "report.o",       "report_format.o", "report_file.o", "table.o",
        "counting.o",   "threads.o", "exclusive.o",    "evaluate.o",      "operators.o", "descriptors.o"};
    struct arguments arguments = {0};
    char *compiler = compiler_of(options), *output = NULL;
    unsigned errors = diagnostics_errors(diagnostics);
    char *place = format_string("-Wl,-Ttext-segment=0x%x", LAYOUT_ANALYSIS);
    add(&arguments, compiler);
    add(&arguments, "-static");
    add(&arguments, "-Wl,--no-relax"); /* relaxed, static programs crash when they start */
    add(&arguments, "-Wl,-e,atomc_start");
    add(&arguments, "-Wl,--emit-relocs");   /* for sums.c */
    add(&arguments, "-Wl,--build-id=none"); /* it would tell where the objects were made */
    add(&arguments, place);
    add(&arguments, "-o");
    add(&arguments, options->output);
    for (uint32_t i = 0; i < objects->count; i++)
        add(&arguments, objects->words[i]);
    for (uint32_t i = 0; i < options->group_count; i++)
        if (options->groups[i].link_words)
            add_all(&arguments, options->groups[i].link_words);
    for (size_t i = 0; i < sizeof runtime / sizeof runtime[0]; i++) {
        char *path = format_string("%s/%s", options->runtime_directory, runtime[i]);
        add(&arguments, path);
        free(path);
    }
    if (has_lenient(options)) {
        char *path = format_string("%s/atom_analysis.o", options->runtime_directory);
        add(&arguments, path);
        free(path);
    }
    if (has_cplusplus(options))
        add(&arguments, "-lstdc++");
    add(&arguments, "-lm");
    bool linked = run(&arguments, &output, diagnostics);
    if (!linked)
        link_failed(options, &output, errors, diagnostics);
    free(output);
    free(place);
    free(compiler);
    release_arguments(&arguments);
    return linked;
}

/* One object of a tool's, in which only it finds its own symbols: others may have the same. */
static bool join(const struct analysis_options *options, const struct analysis_group *group,
                 const struct arguments *objects, struct diagnostics *diagnostics) {
    struct arguments link = {0}, rename = {0};
    unsigned errors = diagnostics_errors(diagnostics);
    char *compiler = compiler_of(options), *output = NULL;
    char *objcopy = format_string("%sobjcopy", options->cross_prefix);
    char *names = format_string("%s.names", group->joined),
         *option = format_string("--redefine-syms=%s", names);
    static const char *const flags[] = {"-r", "-o", NULL};
    add(&link, compiler);
    add_all(&link, flags);
    add(&link, group->joined);
    add_all(&link, (const char *const *)objects->words);
    bool good = run(&link, &output, diagnostics);
    if (good) {
        free(output);
        output = NULL;
        good = object_write_renames(group->joined, group->prefix, names);
        if (!good)
            diagnose(diagnostics, NULL, MESSAGE_CANNOT_WRITE, names, strerror(errno));
    }
    add(&rename, objcopy);
    add(&rename, option);
    add(&rename, group->joined);
    good = good && run(&rename, &output, diagnostics);
    if (!good)
        link_failed(options, &output, errors, diagnostics);
    free(output);
    free(option);
    free(names);
    free(objcopy);
    free(compiler);
    release_arguments(&rename);
    release_arguments(&link);
    return good;
}

/* Compiles a tool's sources; adds what is to be linked. */
static bool build_group(const struct analysis_options *options, uint32_t number, struct arguments *linked,
                        struct diagnostics *diagnostics) {
    const struct analysis_group *group = &options->groups[number];
    struct arguments own = {0}, *objects = group->joined ? &own : linked;
    bool good = true;
    for (uint32_t i = 0; i < group->source_count; i++) {
        const char *source = group->sources[i];
        bool is_c = has_suffix(source, ".c") || has_suffix(source, ".cpp");
        char *object = is_c ? object_name(options, number, i) : duplicate_string(source);
        bool compiled = !is_c || compile(options, group, source, object, diagnostics);
        good &= compiled && check_no_main(object, source, diagnostics);
        add(objects, object);
        free(object);
    }
    if (group->joined && group->source_count) {
        good = good && join(options, group, &own, diagnostics);
        add(linked, group->joined);
    }
    release_arguments(&own);
    return good;
}

bool analysis_build(const struct analysis_options *options, struct diagnostics *diagnostics) {
    struct arguments objects = {0};
    bool good = true;
    for (uint32_t i = 0; i < options->group_count; i++)
        good &= build_group(options, i, &objects, diagnostics);
    if (good)
        good = link_image(options, &objects, diagnostics);
    release_arguments(&objects);
    return good;
}
