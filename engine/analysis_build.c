/* analysis_build.c: compiles the analysis routines and links them with the runtime into an image of their own.
   Requires the Alpha cross compiler; runs it as a child process. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "engine/analysis.h"
#include "engine/rewrite.h"

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

static void release(struct arguments *arguments) {
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

static bool compile(const struct analysis_options *options, const char *source, const char *object,
                    struct diagnostics *diagnostics) {
    static const char *const flags[] = {"-O2", "-g", "-std=gnu11", "-fno-stack-protector", "-c", "-o", NULL};
    struct arguments arguments = {0};
    char *compiler = compiler_of(options), *output = NULL;
    unsigned errors = diagnostics_errors(diagnostics);
    add(&arguments, compiler);
    add_all(&arguments, flags);
    add(&arguments, object);
    add(&arguments, source);
    bool compiled = run(&arguments, &output, diagnostics);
    if (!compiled && diagnostics_errors(diagnostics) == errors)
        diagnose(diagnostics, NULL, MESSAGE_ANALYSIS_COMPILE_FAILED, source, output ? output : "");
    else if (compiled && output && *output)
        fputs(output, stderr); /* the compiler's warnings are the user's to see */
    free(output);
    free(compiler);
    release(&arguments);
    return compiled;
}

static bool link_image(const struct analysis_options *options, const struct arguments *objects,
                       struct diagnostics *diagnostics) {
    static const char *const runtime[] = {"start_s.o", "start.o", "system_calls.o"};
    struct arguments arguments = {0};
    char *compiler = compiler_of(options), *output = NULL;
    unsigned errors = diagnostics_errors(diagnostics);
    char *place = format_string("-Wl,-Ttext-segment=0x%x", LAYOUT_ANALYSIS);
    add(&arguments, compiler);
    add(&arguments, "-static");
    add(&arguments, "-Wl,--no-relax"); /* relaxed, static programs crash when they start */
    add(&arguments, "-Wl,-e,atomc_start");
    add(&arguments, place);
    add(&arguments, "-o");
    add(&arguments, options->output);
    for (uint32_t i = 0; i < objects->count; i++)
        add(&arguments, objects->words[i]);
    for (size_t i = 0; i < sizeof runtime / sizeof runtime[0]; i++) {
        char *path = format_string("%s/%s", options->runtime_directory, runtime[i]);
        add(&arguments, path);
        free(path);
    }
    add(&arguments, "-lm");
    bool linked = run(&arguments, &output, diagnostics);
    if (!linked && diagnostics_errors(diagnostics) == errors)
        diagnose(diagnostics, NULL, MESSAGE_ANALYSIS_LINK_FAILED, output ? output : "");
    free(output);
    free(place);
    free(compiler);
    release(&arguments);
    return linked;
}

bool analysis_build(const struct analysis_options *options, struct diagnostics *diagnostics) {
    struct arguments objects = {0};
    bool good = true;
    for (uint32_t i = 0; i < options->source_count; i++) {
        const char *source = options->sources[i];
        if (!has_suffix(source, ".c")) {
            add(&objects, source);
            continue;
        }
        char *object = format_string("%s.%u.o", options->output, i);
        good &= compile(options, source, object, diagnostics);
        add(&objects, object);
        free(object);
    }
    if (good)
        good = link_image(options, &objects, diagnostics);
    release(&objects);
    return good;
}
