/* run.c: atomc run: an instrumented program out of the cache, or into it, and then this process becomes it.
   Requires the passes of main.c, which stop where the program is found. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "driver/driver.h"

void run_begin(struct run *run) {
    *run = (struct run){.instrumented = -1, .said = diagnostics_create(), .before = descriptors_note()};
}

void run_end(struct run *run) {
    diagnostics_print(run->said, stderr);
    diagnostics_destroy(run->said);
    descriptors_forget(run->before);
    cache_close(&run->cache);
    free(run->linker);
    free(run->messages);
}

void run_find(struct run *run, struct applied_tools *tools, const struct program *program) {
    run->linker = program->interpreter ? duplicate_string(program->interpreter) : NULL;
    cache_open(&run->cache, run->said);
    run->has_key = run->cache.folder && find_key(tools, program, run->key);
    if (run->has_key)
        run->instrumented = cache_find(&run->cache, run->key, &run->messages);
}

/* What was said so far, without colours; the diagnostics forget it. */
static char *take_messages(struct diagnostics *diagnostics) {
    char *text = NULL;
    size_t size;
    FILE *stream = open_memstream(&text, &size);
    if (!stream)
        return duplicate_string("");
    diagnostics_print(diagnostics, stream);
    fclose(stream);
    return text;
}

/* Into the cache's folder. False: that is not possible. */
static bool write_kept(struct run *run, const struct rewrite *rewrite, const char *messages) {
    struct diagnostics *attempt = diagnostics_create();
    char *path = cache_path_of_new(&run->cache, run->key);
    remove_on_failure(path);
    bool written = output_write(rewrite, path, attempt);
    if (!written)
        diagnose(run->said, NULL, MESSAGE_NOT_KEPT, run->cache.folder, "the program cannot be written");
    else if (cache_keep(&run->cache, run->key, path, messages))
        run->instrumented = cache_open_kept(&run->cache, run->key);
    else
        run->instrumented = open(path, O_RDONLY | O_CLOEXEC);
    unlink(path);
    keep_file(path);
    free(path);
    diagnostics_destroy(attempt);
    return run->instrumented >= 0;
}

bool run_write(struct run *run, const struct rewrite *rewrite, struct diagnostics *diagnostics) {
    run->messages = take_messages(diagnostics);
    if (run->has_key && write_kept(run, rewrite, run->messages))
        return true;
    const char *directory = temporary_directory();
    char *path = format_string("%s/program", directory ? directory : "");
    if (output_write(rewrite, path, diagnostics)) {
        run->instrumented = open(path, O_RDONLY | O_CLOEXEC);
        if (run->instrumented < 0)
            diagnose(diagnostics, NULL, MESSAGE_CANNOT_READ, path, strerror(errno));
    }
    free(path);
    return run->instrumented >= 0;
}

/* Where reports are shown; -1: not at all, or in files. False after an error. */
static bool open_shown(const struct run_choice *choice, int *shown, struct diagnostics *diagnostics) {
    const char *files = getenv("ATOMC_OUT");
    *shown = -1;
    if (choice->report) {
        *shown = open(choice->report, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0666);
        if (*shown < 0)
            diagnose(diagnostics, NULL, MESSAGE_CANNOT_WRITE, choice->report, strerror(errno));
        return *shown >= 0;
    }
    if (!choice->files && !(files && *files) && fcntl(STDERR_FILENO, F_GETFD) >= 0)
        *shown = STDERR_FILENO;
    return true;
}

int run_program(struct run *run, const struct options *options, struct diagnostics *diagnostics) {
    struct launch program = {.path = options->program,
                             .name = options->program,
                             .arguments = options->run.arguments,
                             .instrumented = run->instrumented,
                             .shown_name = "",
                             .linker = run->linker,
                             .root = options->root,
                             .before = run->before};
    diagnostics_print(run->said, stderr);
    fputs(run->messages ? run->messages : "", stderr);
    if (!open_shown(&options->run, &program.shown, diagnostics))
        return RUN_FAILED;
    remove_temporary_files();
    return launch(&program, diagnostics);
}
