/* pool.c: runs commands, several at a time, each in its own session. Signals to this process reach the
   commands only if it passes them on, and the commands end when this process ends. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "runs/campaign/campaign.h"
#include "support/process.h"

struct place {
    pid_t child; /* 0: free */
    uint32_t index;
};

static const int watched[] = {SIGCHLD, SIGINT, SIGTERM, SIGHUP};
enum { WATCHED = sizeof watched / sizeof watched[0], PATIENCE = 20 /* seconds from a stop to a kill */ };

/* Opens the file for reading, or creates it; NULL: /dev/null. */
static int open_redirection(const char *path, bool reads) {
    return open(path ? path : "/dev/null", (reads ? O_RDONLY : O_WRONLY | O_CREAT | O_TRUNC) | O_CLOEXEC,
                0666);
}

/* The command ends when this process does. -1: it cannot be started, and its file of errors has the
   reason. */
static pid_t start_task(const struct task *task, const sigset_t *signals) {
    int files[3] = {open_redirection(task->input, true), open_redirection(task->output, false),
                    open_redirection(task->error, false)};
    pid_t child = -1;
    if (files[0] >= 0 && files[1] >= 0 && files[2] >= 0)
        child = process_start(&(struct process){.words = task->words,
                                                .files = files,
                                                .file_count = 3,
                                                .blocked = signals,
                                                .group = PROCESS_SESSION,
                                                .death_signal = SIGTERM});
    if (child < 0 && files[2] >= 0)
        dprintf(files[2], "atomc: error: cannot start %s: %s\n", task->words[0], strerror(errno));
    for (int i = 0; i < 3; i++)
        if (files[i] >= 0)
            close(files[i]);
    return child;
}

static void signal_all(const struct pool *pool, const struct place *places, int number) {
    for (uint32_t i = 0; i < pool->at_once; i++)
        if (places[i].child && number == SIGKILL)
            kill(-places[i].child, number); /* each leads a group */
        else if (places[i].child)
            kill(places[i].child, number);
}

/* The ended ones; their number. */
static uint32_t reap_tasks(struct pool *pool, struct place *places) {
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

static bool fill_places(struct pool *pool, struct place *places, uint32_t *next, const sigset_t *signals) {
    bool started = false;
    for (uint32_t i = 0; i < pool->at_once; i++)
        while (!places[i].child && *next < pool->count) {
            struct task task = {NULL, NULL, NULL, NULL};
            uint32_t index = (*next)++;
            pid_t child = pool->prepare(pool->context, index, &task) ? start_task(&task, signals) : -1;
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
            fill_places(pool, places, &next, &before);
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
        bool ended = reap_tasks(pool, places) > 0;
        if (pool->look)
            pool->look(pool->context, ended);
        if (stopped && time(NULL) - stop_time > PATIENCE)
            signal_all(pool, places, SIGKILL);
    }
    free(places);
    sigprocmask(SIG_SETMASK, &before, NULL);
    return !stopped;
}
