/* analysis_build.c: compiles the analysis routines and links them with the runtime into an image of their
   own. Requires the Alpha cross compiler; runs it as a child process. */
#include <fcntl.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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

/* The object made of a C file. */
static char *object_name(const struct analysis_options *options, uint32_t index) {
    return format_string("%s.%u.o", options->output, index);
}

/* Without the last line's end: a message brings its own. */
static const char *without_end(char *output) {
    size_t length = strlen(output);
    if (length > 0 && output[length - 1] == '\n')
        output[length - 1] = '\0';
    return output;
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
        diagnose(diagnostics, NULL, MESSAGE_ANALYSIS_COMPILE_FAILED, source,
                 output ? without_end(output) : "");
    else if (compiled && output && *output)
        fputs(output, stderr); /* the compiler's warnings are the user's to see */
    free(output);
    free(compiler);
    release(&arguments);
    return compiled;
}

static bool has_global_main(Elf *elf) {
    Elf_Scn *section = NULL;
    while ((section = elf_nextscn(elf, section))) {
        GElf_Shdr header;
        if (!gelf_getshdr(section, &header) || header.sh_type != SHT_SYMTAB || header.sh_entsize == 0)
            continue;
        Elf_Data *data = elf_getdata(section, NULL);
        for (int i = 0; data && i < (int)(header.sh_size / header.sh_entsize); i++) {
            GElf_Sym symbol;
            if (!gelf_getsym(data, i, &symbol) || GELF_ST_BIND(symbol.st_info) == STB_LOCAL ||
                symbol.st_shndx == SHN_UNDEF)
                continue;
            const char *name = elf_strptr(elf, header.sh_link, symbol.st_name);
            if (name && strcmp(name, "main") == 0)
                return true;
        }
    }
    return false;
}

/* The runtime's main is the only one. Archives may hold one: the linker takes only what is missing from them.
 */
static bool check_no_main(const char *object, const char *source, struct diagnostics *diagnostics) {
    int descriptor = open(object, O_RDONLY | O_CLOEXEC);
    elf_version(EV_CURRENT);
    Elf *elf = descriptor >= 0 ? elf_begin(descriptor, ELF_C_READ, NULL) : NULL;
    bool found = elf && elf_kind(elf) == ELF_K_ELF && has_global_main(elf);
    elf_end(elf);
    if (descriptor >= 0)
        close(descriptor);
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
    for (uint32_t i = 0; output && i < options->source_count; i++) {
        char *object = object_name(options, i);
        output = with_replaced(output, object, options->sources[i]);
        free(object);
    }
    return output;
}

static bool link_image(const struct analysis_options *options, const struct arguments *objects,
                       struct diagnostics *diagnostics) {
    static const char *const runtime[] = {"start_s.o", "start.o",  "system_calls.o",  "signals.o",
                                          "crash.o",   "report.o", "report_format.o", "report_file.o"};
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
    if (!linked && diagnostics_errors(diagnostics) == errors) {
        output = with_source_names(options, output);
        diagnose(diagnostics, NULL, MESSAGE_ANALYSIS_LINK_FAILED, output ? without_end(output) : "");
    }
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
        char *object = has_suffix(source, ".c") ? object_name(options, i) : duplicate_string(source);
        bool compiled = !has_suffix(source, ".c") || compile(options, source, object, diagnostics);
        good &= compiled && check_no_main(object, source, diagnostics);
        add(&objects, object);
        free(object);
    }
    if (good)
        good = link_image(options, &objects, diagnostics);
    release(&objects);
    return good;
}
