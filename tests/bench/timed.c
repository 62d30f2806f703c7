/* timed.c: runs a command and writes what it took: user, system and elapsed seconds, peak memory in KB, exit
   status. Requires: POSIX, getrusage of children. */

/* Use: timed FILE COMMAND [ARGUMENT...]; a line is appended to FILE. The exit status is the command's, or 128
   and the signal that ended it. */

#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double seconds(const struct timeval *time) {
    return (double)time->tv_sec + (double)time->tv_usec * 1e-6;
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

int main(int argc, char **argv) {
    if (argc < 3) {
        fprintf(stderr, "use: timed FILE COMMAND [ARGUMENT...]\n");
        return 2;
    }
    double start = now();
    pid_t child = fork();
    if (child == 0) {
        execvp(argv[2], argv + 2);
        fprintf(stderr, "timed: %s: %s\n", argv[2], strerror(errno));
        _exit(127);
    }
    int status;
    struct rusage usage;
    if (child < 0 || wait4(child, &status, 0, &usage) < 0) {
        perror("timed");
        return 127;
    }
    int code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    FILE *file = fopen(argv[1], "a");
    if (!file ||
        fprintf(file, "%.6f %.6f %.6f %ld %d\n", seconds(&usage.ru_utime), seconds(&usage.ru_stime),
                now() - start, usage.ru_maxrss, code) < 0 ||
        fclose(file)) {
        perror(argv[1]);
        return 127;
    }
    return code;
}
