/* emulator.c: which emulators put a program's memory at random addresses, and what keeps them from it.
   Requires: for emulator_version() an emulator that can be executed. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "runs/run/runner.h"

/* QEMU 9 began to let the host's kernel choose. In a reserved address space it chooses itself: TASK_SIZE of
   Linux on Alpha (arch/alpha/include/asm/processor.h). */
enum { FIRST_RANDOM = 9 };
static const char *const fixed[] = {"-R", "0x40000000000", NULL};

const char *const *emulator_layout(const char *version) {
    static const char *const none[] = {NULL};
    static const char said[] = "qemu-alpha version ";
    struct rlimit limit;
    if (!version || strncmp(version, said, sizeof said - 1) != 0 ||
        atoi(version + sizeof said - 1) < FIRST_RANDOM)
        return none;
    return getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY ? none : fixed;
}

char *emulator_version(const char *path) {
    char text[128], *arguments[] = {(char *)path, "--version", NULL};
    posix_spawn_file_actions_t actions;
    size_t length = 0;
    ssize_t got;
    pid_t child;
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
        return NULL;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    bool spawned = posix_spawn(&child, path, &actions, NULL, arguments, environ) == 0;
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    while (spawned && length < sizeof text - 1 &&
           (got = read(ends[0], text + length, sizeof text - 1 - length)) > 0)
        length += (size_t)got;
    close(ends[0]);
    if (spawned)
        while (waitpid(child, NULL, 0) < 0 && errno == EINTR)
            ;
    text[length] = '\0';
    text[strcspn(text, "\n")] = '\0';
    return length > 0 ? duplicate_string(text) : NULL;
}
