/* example.c: POST /example: a program to begin with. Its source is copied into the folder example/ of the
   project, where it can be changed, and is compiled there. */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "codegen/machines.h"
#include "workbench/server/embedded.h"
#include "workbench/server/server.h"

#define SOURCE      "questions.c"
#define PROGRAM     "questions"
#define NEW_PROGRAM ".questions.new"
#define EMBEDDED    "docs/examples/" SOURCE

static pthread_mutex_t making_example = PTHREAD_MUTEX_INITIALIZER;

/* The folder; symbolic links are not followed. -1 and errno. */
static int open_example_folder(struct request *request) {
    const char *path = arena_format(request->arena, "%s/example", project_folder(request->project));
    if (mkdir(path, 0777) != 0 && errno != EEXIST)
        return -1;
    return open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

static bool is_regular(int folder, const char *name, struct stat *status) {
    return fstatat(folder, name, status, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(status->st_mode);
}

/* Writes the source unless it exists: the user may have changed it. */
static bool copy_source(int folder) {
    const struct embedded *file = find_embedded(EMBEDDED);
    struct stat status;
    if (is_regular(folder, SOURCE, &status))
        return true;
    int descriptor = openat(folder, SOURCE, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    size_t length = (size_t)(file->end - file->begin);
    bool good = descriptor >= 0 && write(descriptor, file->begin, length) == (ssize_t)length;
    int error = errno;
    if (descriptor >= 0)
        close(descriptor);
    if (descriptor >= 0 && !good)
        unlinkat(folder, SOURCE, 0);
    errno = error;
    return good;
}

static bool is_compiled(int folder) {
    struct stat source, program;
    if (!is_regular(folder, SOURCE, &source) || !is_regular(folder, PROGRAM, &program))
        return false;
    return program.st_mtim.tv_sec > source.st_mtim.tv_sec ||
           (program.st_mtim.tv_sec == source.st_mtim.tv_sec &&
            program.st_mtim.tv_nsec >= source.st_mtim.tv_nsec);
}

/* Procedures stay apart (-fno-inline), so that each has its own counts. */
static bool compile_example(struct request *request, struct answer *answer, int folder) {
    const struct machine_names *machine = usual_machine();
    const char *path = arena_format(request->arena, "%s/example", project_folder(request->project)),
               *source = arena_format(request->arena, "%s/" SOURCE, path),
               *compiler = arena_format(request->arena, "%s-gcc", machine->triple);
    const char *words[] = {compiler,         "-static", "-O1", "-fno-inline", "-g",
                           "-Wl,--no-relax", source,    "-o",  NEW_PROGRAM,   NULL};
    struct command command = {.words = words, .folder = path, .seconds = 60};
    struct command_result result;
    bool ended = command_run(request->project, &command, &result);
    bool good = ended && result.status == 0 && renameat(folder, NEW_PROGRAM, folder, PROGRAM) == 0;
    if (!good)
        unlinkat(folder, NEW_PROGRAM, 0);
    if (!good && (result.end == COMMAND_NOT_STARTED || result.status == 127))
        answer_error(answer, 409, arena_format(request->arena, "Debian package gcc-%s", machine->triple),
                     "the example is compiled when it is opened, and '%s' is not installed", compiler);
    else if (!good)
        answer_command(answer, &command, &result);
    command_free(&result);
    return good;
}

static void post_example(struct request *request, struct answer *answer) {
    if (!request_fields(request, answer, NULL, 0))
        return;
    if (project_is_read_only(request->project)) {
        answer_database(answer, SQLITE_READONLY);
        return;
    }
    pthread_mutex_lock(&making_example);
    int folder = open_example_folder(request);
    if (folder < 0 || !copy_source(folder))
        answer_error(answer, 409, NULL, "the folder example of the project cannot be written: %s",
                     strerror(errno));
    else if (is_compiled(folder) || compile_example(request, answer, folder))
        answer_json(
            answer,
            json_pack("{s:s, s:s}", "path",
                      arena_format(request->arena, "%s/example/" PROGRAM, project_folder(request->project)),
                      "source",
                      arena_format(request->arena, "%s/example/" SOURCE, project_folder(request->project))));
    if (folder >= 0)
        close(folder);
    pthread_mutex_unlock(&making_example);
}

const struct route example_routes[] = {
    {"POST", "/example", post_example},
    {NULL, NULL, NULL},
};
