/* repeatable.c: times, random bytes, names of temporary files and what /proc says that are the same in every run, for programs
   that show them. Requires: linked with --wrap for each function (REPEATABLE of build.sh). */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/types.h>
#include <time.h>

int __real_open(const char *path, int flags, mode_t mode);

time_t __wrap_time(time_t *result) {
    if (result)
        *result = 1000000000;
    return 1000000000;
}

int __wrap_gettimeofday(struct timeval *now, void *zone) {
    (void)zone;
    now->tv_sec = 1000000000;
    now->tv_usec = 0;
    return 0;
}

int __wrap_getrusage(int who, struct rusage *usage) {
    (void)who;
    memset(usage, 0, sizeof *usage);
    usage->ru_utime.tv_sec = 1;
    return 0;
}

/* Numbered instead of random, and in the working directory, which belongs to one test alone. */
int __wrap_mkstemp(char *name) {
    static int count;
    if (!strncmp(name, "/tmp/", 5))
        memcpy(name, ".////", 5);
    snprintf(name + strlen(name) - 6, 7, "%06d", ++count);
    return __real_open(name, O_RDWR | O_CREAT | O_EXCL, 0600);
}

/* The third argument is passed on whether there is one or not. */
int __wrap_open(const char *path, int flags, mode_t mode) {
    return __real_open(strcmp(path, "/dev/urandom") == 0 ? "/dev/zero" : path, flags, mode);
}
int __wrap_open64(const char *path, int flags, mode_t mode) {
    return __wrap_open(path, flags, mode);
}

/* A file of /proc is one of the inputs. */
FILE *__wrap_fopen(const char *path, const char *mode) {
    extern FILE *__real_fopen(const char *, const char *);
    return __real_fopen(path + !strncmp(path, "/proc/", 6), mode);
}

pid_t __wrap_getpid(void) {
    return 1000;
}
