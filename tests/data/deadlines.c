/* deadlines.c: loaded into the workbench's server, ends its queries early, as if their time was over. The
   file that DEADLINE names has a number: of the moments at which SQLite asks whether to go on with a
   request's queries, the one at which it is late, for that moment only; 0: none. With SLOW_STEPS, each end of
   a command and each commit has taken 11 seconds. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>

static long shift; /* seconds */
static __thread struct {
    int (*asked)(void *);
    void *context;
    long left;
} request;

static void *next(const char *name) {
    return dlsym(RTLD_NEXT, name);
}

int clock_gettime(clockid_t clock, struct timespec *time) {
    int (*real)(clockid_t, struct timespec *) = next("clock_gettime");
    int status = real(clock, time);
    if (clock == CLOCK_MONOTONIC || clock == CLOCK_THREAD_CPUTIME_ID)
        time->tv_sec += __atomic_load_n(&shift, __ATOMIC_RELAXED);
    return status;
}

static void pass(long seconds) {
    __atomic_fetch_add(&shift, seconds, __ATOMIC_RELAXED);
}

static int ask(void *unused) {
    (void)unused;
    if (request.left == 0 || --request.left > 0)
        return request.asked(request.context);
    pass(11);
    int late = request.asked(request.context);
    pass(-11);
    return late;
}

void sqlite3_progress_handler(void *database, int steps, int (*asked)(void *), void *context) {
    void (*real)(void *, int, int (*)(void *), void *) = next("sqlite3_progress_handler");
    const char *name = getenv("DEADLINE");
    FILE *file = name ? fopen(name, "r") : NULL;
    request.asked = asked;
    request.context = context;
    request.left = 0;
    if (file && fscanf(file, "%ld", &request.left) != 1)
        request.left = 0;
    if (file)
        fclose(file);
    (void)steps;
    real(database, 1, ask, NULL);
}

int sqlite3_exec(void *database, const char *sql, int (*take)(void *, int, char **, char **), void *context,
                 char **message) {
    int (*real)(void *, const char *, int (*)(void *, int, char **, char **), void *, char **) =
        next("sqlite3_exec");
    int code = real(database, sql, take, context, message);
    if (getenv("SLOW_STEPS") && strcmp(sql, "COMMIT") == 0)
        pass(11);
    return code;
}

pid_t waitpid(pid_t process, int *status, int options) {
    pid_t (*real)(pid_t, int *, int) = next("waitpid");
    pid_t ended = real(process, status, options);
    if (getenv("SLOW_STEPS") && ended > 0)
        pass(11);
    return ended;
}
