/* guard.c: ensures that no process and no folder is left. The work is done in a child; this process waits for
   it and passes signals on. If either process is killed, the other ends all processes of the job and removes
   its folders.

   The kernel has two functions for this: a child can receive a signal of its choice when its parent ends, and
   orphaned descendants can become children of this process. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "runs/job/job.h"

volatile sig_atomic_t job_cancelled;
volatile sig_atomic_t job_orphaned;

static const int passed_on[] = {SIGTERM, SIGINT, SIGHUP};
enum { PASSED_ON = sizeof passed_on / sizeof *passed_on };

static pid_t worker;
static int folder_names = -1; /* a pipe */

static void on_cancel(int number) {
    (void)number;
    job_cancelled = job_cancelled + 1;
}

static void on_orphaned(int number) {
    (void)number;
    job_orphaned = 1;
    job_cancelled = 2;
}

static void pass_on(int number) {
    if (worker > 0)
        kill(worker, number);
}

static void set_handler(int number, void (*handler)(int)) {
    struct sigaction action = {.sa_handler = handler};
    sigemptyset(&action.sa_mask);
    sigaction(number, &action, NULL);
}

static void handle_all(void (*handler)(int)) {
    for (int i = 0; i < PASSED_ON; i++)
        set_handler(passed_on[i], handler);
}

static void set_guard_mask(int how) {
    sigset_t set;
    sigemptyset(&set);
    for (int i = 0; i < PASSED_ON; i++)
        sigaddset(&set, passed_on[i]);
    sigprocmask(how, &set, NULL);
}

/* The child has been killed. */
static void clean_up(int names) {
    char *text = NULL, *rest = NULL;
    size_t size;
    FILE *stream = open_memstream(&text, &size);
    char piece[4096];
    descendants_kill();
    for (ssize_t got; stream && (got = read(names, piece, sizeof piece)) > 0;)
        fwrite(piece, 1, (size_t)got, stream);
    if (stream)
        fclose(stream);
    for (char *path = strtok_r(text, "\n", &rest); path; path = strtok_r(NULL, "\n", &rest))
        remove_tree(path);
    free(text);
}

static _Noreturn void wait_for_worker(int names) {
    int status;
    while (waitpid(worker, &status, 0) < 0)
        if (errno != EINTR)
            _exit(2);
    worker = 0;
    if (WIFEXITED(status))
        _exit(WEXITSTATUS(status));
    clean_up(names);
    fprintf(stderr, "atomc: error: the job's process was ended by signal %d\n", WTERMSIG(status));
    _exit(2);
}

void guard_begin(void) {
    int ends[2];
    pid_t guard = getpid();
    fflush(NULL);
    prctl(PR_SET_CHILD_SUBREAPER, 1L);
    signal(SIGPIPE, SIG_IGN);
    set_guard_mask(SIG_BLOCK);
    if (pipe2(ends, O_CLOEXEC) != 0 || (worker = fork()) < 0) {
        fprintf(stderr, "atomc: error: cannot start a process: %s\n", strerror(errno));
        _exit(2);
    }
    if (worker > 0) {
        close(ends[1]);
        handle_all(pass_on);
        set_guard_mask(SIG_UNBLOCK);
        wait_for_worker(ends[0]);
    }
    close(ends[0]);
    folder_names = ends[1];
    setpgid(0, 0); /* only the guard receives a terminal's signals */
    set_handler(SIGUSR1, on_orphaned);
    handle_all(on_cancel);
    prctl(PR_SET_CHILD_SUBREAPER, 1L);
    prctl(PR_SET_PDEATHSIG, (long)SIGUSR1);
    if (getppid() != guard)
        on_orphaned(SIGUSR1);
    set_guard_mask(SIG_UNBLOCK);
}

void guard_folder(const char *path) {
    char *line = format_string("%s\n", path);
    if (write(folder_names, line, strlen(line)) < 0)
        job_cancelled = 2; /* the guard has ended */
    free(line);
}
