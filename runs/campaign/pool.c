/* pool.c: commands, some at once, each in a session of its own: a signal to this process stops them by its
   hand only, and they do not survive it. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "runs/campaign/campaign.h"

struct place {
    pid_t child; /* 0: free */
    uint32_t index;
};

static const int watched[] = {SIGCHLD, SIGINT, SIGTERM, SIGHUP};
enum { WATCHED = sizeof watched / sizeof watched[0], PATIENCE = 20 /* seconds from a stop to a kill */ };

static void attach(int descriptor, const char *path, int flags) {
    int opened = open(path ? path : "/dev/null", flags | O_CLOEXEC, 0666);
    if (opened < 0 || dup2(opened, descriptor) < 0)
        _exit(127);
}

static pid_t start(const struct task *task, const sigset_t *signals) {
    pid_t parent = getpid(), child = fork();
    if (child != 0)
        return child;
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != parent)
        _exit(127);
    setsid();
    sigprocmask(SIG_SETMASK, signals, NULL);
    attach(STDIN_FILENO, task->input, O_RDONLY);
    attach(STDOUT_FILENO, task->output, O_WRONLY | O_CREAT | O_TRUNC);
    attach(STDERR_FILENO, task->error, O_WRONLY | O_CREAT | O_TRUNC);
    execvp(task->words[0], (char *const *)(uintptr_t)task->words);
    dprintf(STDERR_FILENO, "atomc: error: cannot start %s: %s\n", task->words[0], strerror(errno));
    _exit(127);
}

static void signal_all(const struct pool *pool, const struct place *places, int number) {
    for (uint32_t i = 0; i < pool->at_once; i++)
        if (places[i].child && number == SIGKILL)
            kill(-places[i].child, number); /* each leads a group */
        else if (places[i].child)
            kill(places[i].child, number);
}

/* The ended ones; their number. */
static uint32_t reap(struct pool *pool, struct place *places) {
    uint32_t ended = 0;
    pid_t child;
    int status;
    while ((child = waitpid(-1, &status, WNOHANG)) > 0)
        for (uint32_t i = 0; i < pool->at_once; i++)
            if (places[i].child == child) {
                places[i].child = 0;
                ended++;
                pool->ended(pool->context, places[i].index, status);
            }
    return ended;
}

static bool fill(struct pool *pool, struct place *places, uint32_t *next, const sigset_t *signals) {
    bool started = false;
    for (uint32_t i = 0; i < pool->at_once; i++)
        while (!places[i].child && *next < pool->count) {
            struct task task = {NULL, NULL, NULL, NULL};
            uint32_t index = (*next)++;
            pid_t child = pool->prepare(pool->context, index, &task) ? start(&task, signals) : -1;
            if (child > 0) {
                places[i] = (struct place){child, index};
                started = true;
            } else {
                pool->ended(pool->context, index, -1);
            }
        }
    return started;
}

bool pool_run(struct pool *pool) {
    struct place *places = allocate_zeroed(pool->at_once, sizeof *places);
    sigset_t set, before;
    uint32_t next = 0, running = 0;
    bool stopped = false;
    time_t stop_time = 0;
    sigemptyset(&set);
    for (size_t i = 0; i < WATCHED; i++)
        sigaddset(&set, watched[i]);
    sigprocmask(SIG_BLOCK, &set, &before);
    for (;;) {
        if (!stopped)
            fill(pool, places, &next, &before);
        running = 0;
        for (uint32_t i = 0; i < pool->at_once; i++)
            running += places[i].child != 0;
        if (running == 0)
            break;
        int number = sigtimedwait(&set, NULL, &(struct timespec){1, 0});
        if (number > 0 && number != SIGCHLD && !stopped) {
            stopped = true;
            stop_time = time(NULL);
            signal_all(pool, places, SIGTERM);
            if (pool->twice) {
                nanosleep(&(struct timespec){0, 300000000}, NULL);
                signal_all(pool, places, SIGTERM);
            }
        }
        bool ended = reap(pool, places) > 0;
        if (pool->look)
            pool->look(pool->context, ended);
        if (stopped && time(NULL) - stop_time > PATIENCE)
            signal_all(pool, places, SIGKILL);
    }
    free(places);
    sigprocmask(SIG_SETMASK, &before, NULL);
    return !stopped;
}
