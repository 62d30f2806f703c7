/* sandbox.c: the place in which programs run, equal for all runs. It is made by bubblewrap's bwrap. If bwrap
   is missing or the system refuses it, the place is a folder whose name has a constant length. */
#define _GNU_SOURCE
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "runs/job/job.h"

#define INSIDE      "/run/atomc"
#define INSIDE_SELF "/run/job"

static const char *own_path(void) {
    static char path[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    path[length < 0 ? 0 : length] = '\0';
    return path;
}

/* Makes paths visible again that the sandbox hides. */
static void show_path(struct command *command, const char *path) {
    if (strncmp(path, "/tmp/", 5) != 0 && strncmp(path, "/run/", 5) != 0)
        return;
    command_add(command, "--ro-bind-try");
    command_add(command, "%s", path);
    command_add(command, "%s", path);
}

static void add_sandbox(struct command *command, const char *folder, const char *const *shown) {
    static const char *const words[] = {"bwrap",
                                        "--unshare-all",
                                        "--unshare-user",
                                        "--uid",
                                        "1000",
                                        "--gid",
                                        "1000",
                                        "--hostname",
                                        "atomc",
                                        "--new-session",
                                        "--die-with-parent",
                                        "--as-pid-1",
                                        "--clearenv",
                                        "--ro-bind",
                                        "/",
                                        "/",
                                        "--dev",
                                        "/dev",
                                        "--proc",
                                        "/proc",
                                        "--tmpfs",
                                        "/tmp",
                                        "--tmpfs",
                                        "/run"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        command_add(command, "%s", words[i]);
    for (; shown && *shown; shown++)
        show_path(command, *shown);
    command_add(command, "--bind");
    command_add(command, "%s", folder);
    command_add(command, INSIDE);
    command_add(command, "--ro-bind");
    command_add(command, "%s", own_path());
    command_add(command, INSIDE_SELF);
    command_add(command, "--chdir");
    command_add(command, INSIDE);
    command_add(command, "--");
    command_add(command, INSIDE_SELF);
    command_add(command, "--inside");
}

/* NULL: it works. */
static char *sandbox_problem(const char *folder) {
    struct command command = {NULL, 0, 0};
    int status = 0;
    add_sandbox(&command, folder, NULL);
    char *output = command_errors(&command, &status), *problem = NULL;
    if (!output)
        problem = format_string("bwrap: %s", strerror(errno));
    else if (status != 0)
        problem = format_string("%.*s", (int)strcspn(output, "\n"), *output ? output : "bwrap: it failed");
    free(output);
    command_forget(&command);
    return problem;
}

bool place_make(struct place *place, enum job_isolation wanted, const char *beside,
                struct diagnostics *diagnostics) {
    *place = (struct place){.isolation = JOB_PLAIN};
    if (wanted != JOB_PLAIN) {
        place->folder = format_string("%s/place", beside);
        if (mkdir(place->folder, 0755) != 0) {
            diagnose(diagnostics, NULL, MESSAGE_CANNOT_WRITE, place->folder, strerror(errno));
            return false;
        }
        place->why = sandbox_problem(place->folder);
        place->isolation = place->why ? JOB_PLAIN : JOB_SANDBOX;
        place->inside = INSIDE;
        if (!place->why)
            return true;
        rmdir(place->folder);
        free(place->folder);
        place->folder = NULL;
        if (wanted == JOB_SANDBOX)
            return true; /* the caller reports that there is no sandbox */
    }
    char *path = format_string("/var/tmp/atomc-XXXXXXXX");
    if (!mkdtemp(path) || chmod(path, 0755) != 0) {
        diagnose(diagnostics, NULL, MESSAGE_CANNOT_WRITE, path, strerror(errno));
        free(path);
        return false;
    }
    guard_folder(path);
    place->inside = place->folder = path;
    return true;
}

void place_forget(struct place *place) {
    if (place->folder)
        remove_tree(place->folder);
    free(place->folder);
    free(place->why);
    *place = (struct place){.isolation = JOB_PLAIN};
}

void place_add_words(const struct place *place, struct command *command, int messages, int64_t file_mb,
                     const json_t *environment, const char *const *shown) {
    const char *name;
    json_t *value;
    if (place->isolation == JOB_SANDBOX) {
        add_sandbox(command, place->folder, shown);
    } else {
        command_add(command, "%s", own_path());
        command_add(command, "--inside");
    }
    command_add(command, "%d", messages);
    command_add(command, "%lld", (long long)file_mb << 20);
    command_add(command, "%s", place->inside);
    command_add(command, "PATH=/usr/local/bin:/usr/bin:/bin");
    command_add(command, "HOME=%s", place->inside);
    command_add(command, "LC_ALL=C");
    command_add(command, "TZ=UTC");
    command_add(command, "ATOMC_FORMAT=rows");
    command_add(command, "ATOMC_OUT=%s/out/%%p", place->inside);
    json_object_foreach((json_t *)(uintptr_t)environment, name, value)
        command_add(command, "%s=%s", name, json_string_value(value));
    command_add(command, "--");
}
