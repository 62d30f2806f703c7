/* threads_stop.c: threads that compute, call, wait and come and go, until one of them ends the program. The threads
   that rest do a number of things that is the same in every run first.
   Use: threads_stop rest|compute|both exit|_exit|abort|crash|thread|kill|last|fork [MICROSECONDS] */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { RESTING = 9, COMPUTING = 5 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER, held = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t resting = PTHREAD_COND_INITIALIZER, never = PTHREAD_COND_INITIALIZER;
static int rested, pipes[2];
static volatile int made;
static volatile int stop, running;
static volatile long *volatile nowhere;
static long table[256];

/* ---- what is counted -------------------------------------------------------------------------------------- */

static __attribute__((noinline)) long loop(long n) {
    long sum = 0;
    for (long i = 0; i < n; i++)
        for (long k = 0; k < (i & 7); k++)
            sum += (sum ^ k) % 3 == 1 ? i : k;
    return sum;
}

static __attribute__((noinline)) long nested(long n) {
    return n < 2 ? n : nested(n - 1) + nested(n - 2) + (n & 1 ? loop(n) : 0);
}

static __attribute__((noinline)) long walk(long n) {
    long sum = 0;
    for (long i = 0; i < n; i++)
        switch ((sum + i) % 5) {
        case 0:
            sum += table[i & 255];
            break;
        case 1:
            if (sum & 4)
                sum ^= 17;
            /* fall through */
        case 2:
            sum++;
            continue;
        default:
            sum += __atomic_fetch_add(&table[i & 255], 1, __ATOMIC_RELAXED) & 3;
        }
    return sum;
}

/* ---- threads that wait, each in another system call ------------------------------------------------------- */

static void rest(void) {
    pthread_mutex_lock(&mutex);
    rested++;
    pthread_cond_signal(&resting);
    pthread_mutex_unlock(&mutex);
}

static void *wait_somewhere(void *argument) {
    long which = (long)argument;
    struct timespec long_time = {1000, 0};
    sigset_t all;
    char byte;
    int signal;
    loop(50 + which);
    nested(8);
    sigfillset(&all);
    if (which & 1) /* as threads do that leave signals to another one */
        pthread_sigmask(SIG_BLOCK, &all, NULL);
    rest();
    switch (which) {
    case 0:
        pthread_mutex_lock(&held);
        break;
    case 1:
        nanosleep(&long_time, NULL);
        break;
    case 2:
    case 3:
        if (read(pipes[0], &byte, 1) < 0)
            abort();
        break;
    case 4:
        pthread_mutex_lock(&mutex);
        pthread_cond_wait(&never, &mutex);
        break;
    case 5:
        select(0, NULL, NULL, NULL, NULL);
        break;
    case 6:
        sigdelset(&all, SIGTERM);
        sigsuspend(&all);
        break;
    case 7:
        sigwait(&all, &signal);
        break;
    default:
        pause();
    }
    return (void *)nested(9); /* never */
}

/* ---- threads that never rest ------------------------------------------------------------------------------ */

static void handle(int signal) {
    (void)signal;
    loop(5);
}

static void *short_life(void *argument) {
    return (void *)loop((long)argument);
}

static void *until_cancelled(void *unused) {
    (void)unused;
    pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
    for (;;)
        loop(10);
}

static void *compute(void *argument) {
    long which = (long)argument, sum = 0;
    pthread_t other;
    sigset_t all;
    sigfillset(&all);
    if (which == 1)
        pthread_sigmask(SIG_SETMASK, &all, NULL);
    __atomic_fetch_add(&running, 1, __ATOMIC_SEQ_CST);
    while (!stop)
        switch (which) {
        case 0:
            sum += nested(10);
            break;
        case 1:
            sum += loop(2000);
            break;
        case 2:
            sum += walk(300);
            break;
        case 3:
            pthread_kill(pthread_self(), SIGUSR1);
            sum += walk(10);
            break;
        default:
            if (pthread_create(&other, NULL, sum & 1 ? short_life : until_cancelled, (void *)20) == 0) {
                if (!(sum & 1))
                    pthread_cancel(other);
                pthread_join(other, NULL);
            }
            sum++;
        }
    return (void *)sum;
}

/* ---- ends --------------------------------------------------------------------------------------------------- */

/* When the thread that has made this one has returned from clone: it counts that. */
static void *end_here(void *unused) {
    (void)unused;
    while (!made)
        sched_yield();
    exit(3);
}

static void end(const char *how) {
    pthread_t other;
    if (strcmp(how, "exit") == 0)
        exit(3);
    if (strcmp(how, "_exit") == 0)
        _exit(3);
    if (strcmp(how, "abort") == 0)
        abort();
    if (strcmp(how, "crash") == 0)
        *nowhere = 1;
    if (strcmp(how, "kill") == 0)
        kill(getpid(), SIGTERM);
    if (strcmp(how, "thread") == 0 && pthread_create(&other, NULL, end_here, NULL) == 0) {
        made = 1;
        pthread_join(other, NULL);
    }
    if (strcmp(how, "last") == 0) {
        stop = 1;
        pthread_exit(NULL);
    }
    if (strcmp(how, "fork") == 0) {
        int status;
        pid_t child = fork();
        if (child == 0) {
            loop(100);
            _exit(4); /* not exit(): a thread that is gone may hold the mutex that libgcc takes then */
        }
        waitpid(child, &status, 0);
        exit(WEXITSTATUS(status));
    }
    pause();
}

int main(int count, char **words) {
    const char *what = count > 1 ? words[1] : "both", *how = count > 2 ? words[2] : "exit";
    struct timespec moment = {0, count > 3 ? 1000 * atol(words[3]) : 1000000};
    pthread_t thread;
    if (pipe(pipes) != 0)
        return 1;
    signal(SIGUSR1, handle);
    pthread_mutex_lock(&held);
    if (strcmp(what, "compute") != 0) {
        for (long i = 0; i < RESTING; i++)
            if (pthread_create(&thread, NULL, wait_somewhere, (void *)i) != 0)
                return 1;
        pthread_mutex_lock(&mutex);
        while (rested < RESTING)
            pthread_cond_wait(&resting, &mutex);
        pthread_mutex_unlock(&mutex);
    }
    if (strcmp(what, "rest") != 0) {
        for (long i = 0; i < COMPUTING; i++)
            if (pthread_create(&thread, NULL, compute, (void *)i) != 0)
                return 1;
        while (running < COMPUTING)
            sched_yield();
    }
    nanosleep(&moment, NULL); /* they come to rest */
    end(how);
    return 0;
}
