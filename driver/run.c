/* run.c: atomc run: takes an instrumented program from the cache, or adds it, and then this process becomes
   the program. Requires the passes of main.c, which stop where the program is found. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "codegen/machines.h"
#include "driver/json.h"

void run_begin(struct run *run, const struct followed *followed) {
    *run = (struct run){
        .instrumented = -1, .said = diagnostics_create(), .before = descriptors_note(), .folder = -1};
    if (!followed)
        return;
    run->folder = open(".", O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (chdir(followed->folder) != 0)
        diagnose(run->said, NULL, MESSAGE_CANNOT_READ, followed->folder, strerror(errno));
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

/* The messages so far, without colours; they are removed from the diagnostics. */
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

/* Writes it into the cache. Returns false if that is impossible. */
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

/* ---- --cached -------------------------------------------------------------------------------------------- */

bool run_copy_kept(struct run *run, struct options *options, struct diagnostics *diagnostics) {
    char *temporary = format_string("%s.XXXXXX", options->output), *document = NULL;
    int file = create_temporary(temporary);
    struct stat status;
    bool good = file >= 0 && stat(options->program, &status) == 0 &&
                cache_copy(&run->cache, run->key, temporary, &document) &&
                fchmod(file, status.st_mode & 07777) == 0 && rename(temporary, options->output) == 0;
    if (good) {
        json_t *kept = json_loads(document, 0, NULL);
        keep_file(temporary);
        json_object_update(options->document, kept);
        json_object_set_new(options->document, "cached", json_true());
        json_decref(kept);
    } else {
        diagnose(diagnostics, NULL, MESSAGE_CANNOT_WRITE, options->output, strerror(errno));
    }
    if (file >= 0)
        close(file);
    free(document);
    free(temporary);
    return good;
}

void run_keep_output(struct run *run, const struct options *options) {
    char *document = json_dumps(options->document, JSON_COMPACT);
    if (run->has_key)
        cache_keep_copy(&run->cache, run->key, options->output, document);
    free(document);
}

/* An unnamed file in the directory of `path`: the program gives it that name when the results are complete.
   -1 if that is impossible there, or if `path` is not a regular file. *whole: the name, to be freed. */
static int open_unnamed(const char *path, char **whole) {
    struct stat status;
    char *meant = follow_links(path), *slash = meant ? strrchr(meant, '/') : NULL, *folder;
    int file = -1;
    bool is_name =
        strncmp(path, "/dev/", 5) != 0 && strncmp(path, "/proc/", 6) != 0; /* name of a file that belongs to
                                                                              this run */
    if (meant && is_name && (stat(meant, &status) != 0 || S_ISREG(status.st_mode))) {
        char *place = slash ? strndup(meant, (size_t)(slash - meant) + 1) : duplicate_string(".");
        folder = realpath(place, NULL);
        free(place);
        if (folder) {
            *whole = format_string("%s/%s", folder, slash ? slash + 1 : meant);
            file = open(folder, O_WRONLY | O_TMPFILE | O_APPEND | O_CLOEXEC, 0666);
        }
        free(folder);
    }
    free(meant);
    return file;
}

/* The descriptor on which reports are shown; -1: reports are not shown, or are written to files. *whole: like
   open_unnamed(); NULL: several programs write the file, one after the other. Returns false after an
   error. */
static bool open_shown(const struct run_choice *choice, int *shown, char **whole,
                       struct diagnostics *diagnostics) {
    const char *files = getenv("ATOMC_OUT");
    *shown = -1;
    if (choice->chart)
        return true;
    if (choice->report) {
        *shown = whole ? open_unnamed(choice->report, whole) : -1;
        if (*shown >= 0)
            return true;
        if (whole) {
            free(*whole);
            *whole = NULL;
        }
        *shown = open(choice->report, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0666);
        if (*shown < 0)
            diagnose(diagnostics, NULL, MESSAGE_CANNOT_WRITE, choice->report, strerror(errno));
        return *shown >= 0;
    }
    if (!choice->files && !(files && *files) && fcntl(STDERR_FILENO, F_GETFD) >= 0)
        *shown = STDERR_FILENO;
    return true;
}

int run_follow(struct run *run, const struct options *options, struct diagnostics *diagnostics) {
    const struct run_choice *choice = &options->run;
    int shown;
    if (!open_shown(choice, &shown, NULL, diagnostics))
        return RUN_FAILED;
    diagnostics_print(diagnostics, stderr);
    remove_temporary_files();
    return follow(choice->path, choice->path, choice->arguments, (char *const *)choice->again.list, shown,
                  run->before, diagnostics);
}

/* The working directory may differ from the directory to which the words of the command line are relative. */
static bool begin_launch(const struct run *run, const struct options *options, struct launch *program,
                         struct diagnostics *diagnostics) {
    const struct followed *followed = options->run.followed;
    *program = (struct launch){.path = options->run.path,
                               .name = options->run.path,
                               .arguments = options->run.arguments,
                               .environment = environ,
                               .instrumented = run->instrumented,
                               .shown = -1,
                               .shown_name = "",
                               .linker = run->linker,
                               .root = options->root,
                               .before = run->before};
    if (!followed)
        return open_shown(&options->run, &program->shown, &program->whole, diagnostics);
    program->name = program->shown_name = followed->name;
    program->environment = followed->environment;
    program->shown = followed->shown;
    return fchdir(run->folder) == 0;
}

int run_plain(struct run *run, const struct options *options, struct diagnostics *diagnostics) {
    struct launch program;
    const char *usual = "/lib/ld-linux.so.2"; /* the program may be dynamic */
    diagnose(diagnostics, NULL, MESSAGE_NOT_FOLLOWED, options->run.followed->name);
    if (!begin_launch(run, options, &program, diagnostics))
        return RUN_FAILED;
    char *linker = format_string("%s%s", usual_machine()->sysroot, usual);
    program.instrumented = program.shown = -1;
    program.linker = run->linker ? run->linker : access(linker, R_OK) == 0 ? usual : NULL;
    free(linker);
    remove_temporary_files();
    return launch(&program, diagnostics);
}

int run_program(struct run *run, const struct options *options, struct diagnostics *diagnostics) {
    struct launch program;
    diagnostics_print(run->said, stderr);
    fputs(run->messages ? run->messages : "", stderr);
    int status;
    if (options->run.chart && run_apart(&options->run, diagnostics, &status))
        return status;
    if (!begin_launch(run, options, &program, diagnostics))
        return RUN_FAILED;
    remove_temporary_files();
    return launch(&program, diagnostics);
}
