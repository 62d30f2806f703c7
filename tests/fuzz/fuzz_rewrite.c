/* fuzz_rewrite.c: any bytes as a program, all the way: read, analysed, places chosen, instrumented, written;
   and as a library of itself, if it is a dynamic program. Requires libatomc, the Alpha cross compiler, the
   runtime's objects in the folder of the build that it is in; run from the repository's root; for libFuzzer
   (make fuzz) or driver.c.

   The bytes of the ELF header that nothing reads say how: e_ident[9] which tool, [10] which switches. */
#define _GNU_SOURCE
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "compiler/compiler.h"
#include "engine/engine.h"

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

enum { HOW_TOOL = 9, HOW_SWITCHES = 10, ALL_FILES = 16 };

/* Calls inlined and not, all values; counts that are derived; registers kept everywhere; arcs; every place.
 */
static const char *const tool_paths[] = {"tests/calls/routines.atd", "tests/data/twice.atd",
                                         "stdtools/audit.atd",       "stdtools/gprof.atd",
                                         "stdtools/inline.atd",      "stdtools/dyninst.atd"};
enum { TOOL_COUNT = sizeof tool_paths / sizeof tool_paths[0] };
static struct prepared {
    struct arena *arena;
    char *image;
    struct prototypes *prototypes;
    struct plan *plan;
    struct analysis_image *analysis; /* opened once: that takes longer than all else */
    uint8_t **bytes;                 /* of its segments as they were: rewriting fills in tables */
} prepared[TOOL_COUNT];

static void require(int condition, const char *what) {
    if (!condition) {
        fprintf(stderr, "fuzz_rewrite: %s\n", what);
        abort();
    }
}

/* The folder of the build: that of tests/fuzz/ with this harness in it. */
static char *build_folder(void) {
    static char path[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    require(length > 0, "who am I?");
    for (int up = 0; up < 3; up++) {
        char *slash = strrchr(path, '/');
        require(slash != NULL, "it is not in tests/fuzz");
        *slash = '\0';
    }
    return path;
}

/* The bytes that were given, or new ones, become those of the segments. */
static uint8_t **copy_segments(struct analysis_image *analysis, uint8_t **bytes) {
    const struct program *program = analysis->program;
    bool restores = bytes != NULL;
    if (!restores)
        bytes = allocate_zeroed(program->segment_count, sizeof *bytes);
    for (uint32_t i = 0; i < program->segment_count; i++) {
        size_t size = program->segments[i].file_size;
        if (!restores)
            bytes[i] = allocate_zeroed(size + 1, 1);
        memcpy(restores ? analysis->segment_bytes[i] : bytes[i],
               restores ? bytes[i] : analysis->segment_bytes[i], size);
    }
    return bytes;
}

static struct prepared *prepare(unsigned number) {
    struct prepared *made = &prepared[number];
    if (made->analysis)
        return made;
    struct diagnostics *diagnostics = diagnostics_create();
    struct arena *arena = made->arena = arena_create();
    struct tool *tool = tool_parse(tool_paths[number], arena, diagnostics);
    require(tool != NULL, "the tool is wrong");
    const char *sources[ALL_FILES];
    uint32_t count = 0;
    const struct analysis_file *files = tool_analysis_files(tool, &count);
    require(count <= ALL_FILES, "it has too many files");
    for (uint32_t i = 0; i < count; i++)
        sources[i] = files[i].path;
    char *runtime = format_string("%s/runtime", build_folder());
    char *image = made->image = format_string("%s/analysis%u", temporary_directory(), number);
    struct analysis_group group = {.sources = sources, .source_count = count};
    struct analysis_options options = {.groups = &group,
                                       .group_count = 1,
                                       .runtime_directory = runtime,
                                       .include_directory = "atom/include",
                                       .tools_directory = "stdtools",
                                       .triple = "alpha-linux-gnu",
                                       .output = image};
    bool built = analysis_build(&options, diagnostics);
    struct prototypes *prototypes = made->prototypes = !built  ? NULL
                                                       : count ? prototypes_read(image, diagnostics)
                                                               : prototypes_none();
    made->plan = prototypes ? tool_compile(tool, prototypes, diagnostics) : NULL;
    made->analysis = made->plan ? analysis_open(image, diagnostics) : NULL;
    diagnostics_print(diagnostics, stderr);
    require(made->analysis != NULL, "the tool cannot be prepared");
    made->bytes = copy_segments(made->analysis, NULL);
    diagnostics_destroy(diagnostics);
    free(runtime);
    return made; /* kept, with all that it refers to */
}

static struct rewrite_options switches(unsigned bits) {
    static const enum call_tier tiers[] = {CALL_AUTOMATIC, CALL_WRAPPER, CALL_DIRECT, CALL_INLINE};
    static const enum copy_strategy copies[] = {COPY_AUTOMATIC, COPY_ALL, COPY_SPARSE, COPY_AUTOMATIC};
    return (struct rewrite_options){.call = tiers[bits & 3],
                                    .copy = copies[bits >> 2 & 3],
                                    .without[WITHOUT_LIVENESS] = bits >> 4 & 1,
                                    .poison = bits >> 5 & 1,
                                    .without[WITHOUT_PLACEMENT] = bits >> 6 & 1,
                                    .stack = bits >> 7 & 1 ? CALL_STACK_PROGRAM : CALL_STACK_OWN};
}

static void instrument(struct program *program, const struct prepared *tool, unsigned how, const char *output,
                       struct diagnostics *diagnostics) {
    program_analyse(program, diagnostics);
    loops_find(program);
    places_find(program);
    liveness_analyse(program);
    if (diagnostics_errors(diagnostics) > 0)
        return;
    copy_segments(tool->analysis, tool->bytes);
    struct sites *sites = sites_select(tool->plan, program, diagnostics);
    struct rewrite_options options = switches(how);
    struct rewrite *rewrite =
        sites ? rewrite_program(program, tool->plan, sites, tool->analysis, &options, diagnostics) : NULL;
    bool written = rewrite && output_write(rewrite, output, diagnostics);
    require(written == (diagnostics_errors(diagnostics) == 0), "neither an output nor an error");
    require(written == (access(output, F_OK) == 0), "an output after an error, or none without");
    unlink(output);
    rewrite_destroy(rewrite);
    sites_destroy(sites);
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size) {
    static FILE *nowhere;
    if (!nowhere)
        nowhere = fopen("/dev/null", "w");
    unsigned which = size > HOW_TOOL ? data[HOW_TOOL] : 0, how = size > HOW_SWITCHES ? data[HOW_SWITCHES] : 0;
    const struct prepared *tool = prepare(which % TOOL_COUNT);
    char path[64];
    int descriptor = memfd_create("program", 0);
    require(nowhere && descriptor >= 0 && write(descriptor, data, size) == (ssize_t)size,
            "no file in memory");
    snprintf(path, sizeof path, "/proc/self/fd/%d", descriptor);
    char *output = format_string("%s/output", temporary_directory());
    struct diagnostics *diagnostics = diagnostics_create();
    struct program *program = program_open(path, diagnostics);
    bool good = program != NULL;
    if (program && program->interpreter) {
        for (uint32_t i = 0; dynamic_needed(program, i); i++)
            require(strlen(dynamic_path(program)) < size, "a path that is not in the file");
        struct program *library = library_open(path, LIBRARIES_BASE, diagnostics);
        good = libraries_join(program, &library, library != NULL, diagnostics) && library;
    }
    if (good)
        instrument(program, tool, how, output, diagnostics);
    program_close(program);
    diagnostics_print(diagnostics, diagnostics_internal(diagnostics) > 0 ? stderr : nowhere);
    require(diagnostics_internal(diagnostics) == 0, "an internal error");
    diagnostics_destroy(diagnostics);
    free(output);
    close(descriptor);
    return 0;
}
