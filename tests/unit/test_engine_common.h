/* test_engine_common.h: builds small Alpha programs for the engine's tests and analyses them.
   Requires the Alpha cross compilers in PATH and a writable temporary directory. */
#ifndef TEST_ENGINE_COMMON_H
#define TEST_ENGINE_COMMON_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "codegen/alpha/alpha.h"
#include "engine/engine.h"

/* Writes `text` to a file of this name in the temporary directory; the caller frees the path. */
static inline char *write_text(const char *name, const char *text) {
    char *path = format_string("%s/%s", temporary_directory(), name);
    FILE *stream = fopen(path, "w");
    assert_non_null(stream);
    fputs(text, stream);
    assert_int_equal(fclose(stream), 0);
    return path;
}

/* Compiles and links statically; `source` has the suffix that the compiler goes by. */
static inline char *build_program(const char *source, const char *text, const char *option,
                                  bool whole_library) {
    char *path = write_text(source, text), *output = format_string("%s.%s.out", path, option),
         *messages = NULL;
    bool is_cplusplus = strstr(source, ".cpp") != NULL;
    char *arguments[] = {is_cplusplus ? "alpha-linux-gnu-g++" : "alpha-linux-gnu-gcc",
                         (char *)option,
                         "-g",
                         "-static",
                         "-Wl,--no-relax",
                         path,
                         "-o",
                         output,
                         whole_library ? NULL : "-nostdlib",
                         NULL};
    if (run_command(arguments, &messages) != 0)
        fail_msg("%s", messages ? messages : "the cross compiler could not be started");
    free(messages);
    free(path);
    return output;
}

static inline struct program *analyse(const char *path) {
    struct diagnostics *diagnostics = diagnostics_create();
    struct program *program = program_open(path, diagnostics);
    diagnostics_print(diagnostics, stderr);
    assert_non_null(program);
    program_analyse(program, diagnostics);
    loops_find(program);
    places_find(program);
    liveness_analyse(program);
    assert_int_equal(diagnostics_errors(diagnostics), 0);
    diagnostics_destroy(diagnostics);
    return program;
}

static inline uint32_t procedure_named(const struct program *program, const char *name) {
    for (uint32_t i = 0; i < program->procedure_count; i++)
        if (strcmp(program->procedures[i].name, name) == 0)
            return i;
    fail_msg("no procedure %s", name);
    return NO_INDEX;
}

#endif
