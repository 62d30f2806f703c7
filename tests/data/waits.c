/* waits.c: threads that compute, and threads that wait for a short time in each way in which a signal would
   be seen, while the first thread forks and fails to execute: each wait must end as it would alone. SIGCHLD is
   blocked in all threads but the first: where the first blocks all signals (in fork), the kernel wakes another thread
   for a child that has ended, and ends its wait early, also in the plain program. TIMES. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { WAYS = 10, BLOCK = 200000 };
static long times;
static int done;
static long interrupted[WAYS], made[WAYS];
static const char *const names[WAYS] = {"nanosleep", "poll",         "ppoll", "select", "epoll_wait",
                                        "futex",     "sigtimedwait", "recv",  "write",  "clock_nanosleep"};

__attribute__((noinline)) long work(long n) {
    volatile long sum = 0;
    for (long i = 0; i < n; i++)
        sum += i;
    return sum;
}

static void *compute(void *unused) {
    while (!__atomic_load_n(&done, __ATOMIC_SEQ_CST))
        work(5);
    return unused;
}

/* A pipe is emptied by degrees: a write of more than it holds waits, and is whole. */
static void *drain(void *end) {
    static __thread char bytes[4096];
    while (read(*(int *)end, bytes, sizeof bytes) > 0)
        ;
    return NULL;
}

static struct resources {
    int pipe[2], sockets[2], events;
    sem_t semaphore;
    pthread_t drain;
} all[WAYS];

static struct timespec soon(void) {
    struct timespec when;
    clock_gettime(CLOCK_REALTIME, &when);
    when.tv_nsec += 300000;
    if (when.tv_nsec >= 1000000000)
        when.tv_sec++, when.tv_nsec -= 1000000000;
    return when;
}

/* Once. True: it has ended early. */
static int wait_in(int way, struct resources *own) {
    static const struct timespec shortly = {0, 300000};
    static char block[BLOCK];
    struct pollfd file = {.fd = own->sockets[0], .events = POLLIN};
    struct timeval time = {0, 300};
    struct epoll_event event;
    struct timespec when;
    sigset_t none;
    fd_set set;
    char byte;
    errno = 0;
    switch (way) {
    case 0:
        return nanosleep(&shortly, NULL) != 0;
    case 1:
        return poll(&file, 1, 1) != 0;
    case 2:
        return ppoll(&file, 1, &shortly, NULL) != 0;
    case 3:
        FD_ZERO(&set);
        FD_SET(own->sockets[0], &set);
        return select(own->sockets[0] + 1, &set, NULL, NULL, &time) != 0;
    case 4:
        return epoll_wait(own->events, &event, 1, 1) != 0;
    case 5:
        when = soon();
        return sem_timedwait(&own->semaphore, &when) == 0 || errno != ETIMEDOUT;
    case 6:
        sigemptyset(&none);
        sigaddset(&none, SIGUSR2);
        return sigtimedwait(&none, NULL, &shortly) >= 0 || errno != EAGAIN;
    case 7:
        return recv(own->sockets[0], &byte, 1, 0) >= 0 || errno != EAGAIN;
    case 8:
        return write(own->pipe[1], block, BLOCK) != BLOCK;
    default:
        return clock_nanosleep(CLOCK_MONOTONIC, 0, &shortly, NULL) != 0;
    }
}

static void *wait_often(void *which) {
    int way = *(int *)which;
    while (!__atomic_load_n(&done, __ATOMIC_SEQ_CST)) {
        interrupted[way] += wait_in(way, &all[way]);
        made[way]++;
        work(made[way] % 50);
    }
    return NULL;
}

static void prepare(int way) {
    struct resources *own = &all[way];
    struct timeval time = {0, 300};
    if (pipe(own->pipe) != 0 || socketpair(AF_UNIX, SOCK_STREAM, 0, own->sockets) != 0)
        exit(4);
    setsockopt(own->sockets[0], SOL_SOCKET, SO_RCVTIMEO, &time, sizeof time);
    own->events = epoll_create1(0);
    sem_init(&own->semaphore, 0, 0);
    if (way == 8)
        pthread_create(&own->drain, NULL, drain, &own->pipe[0]);
}

int main(int argc, char **argv) {
    static int numbers[WAYS];
    pthread_t computing[2], waiting[WAYS];
    int status, failed = 0;
    sigset_t blocked;
    times = argc > 1 ? atol(argv[1]) : 10;
    sigemptyset(&blocked);
    sigaddset(&blocked, SIGUSR2);
    sigaddset(&blocked, SIGUSR1);
    sigaddset(&blocked, SIGCHLD);
    pthread_sigmask(SIG_BLOCK, &blocked, NULL);
    for (int i = 0; i < WAYS; i++) {
        numbers[i] = i;
        prepare(i);
    }
    for (int i = 0; i < 2; i++)
        pthread_create(&computing[i], NULL, compute, NULL);
    for (int i = 0; i < WAYS; i++)
        pthread_create(&waiting[i], NULL, wait_often, &numbers[i]);
    signal(SIGUSR1, SIG_IGN);
    sigdelset(&blocked, SIGUSR2);
    sigdelset(&blocked, SIGCHLD);
    pthread_sigmask(SIG_UNBLOCK, &blocked, NULL); /* for this thread only: rows on it */
    for (long i = 0; i < times; i++) {
        pthread_kill(pthread_self(), SIGUSR1);
        work(2000);
        pid_t child = fork();
        if (child == 0)
            _exit(work(10) == 45 ? 7 : 8);
        waitpid(child, &status, 0);
        failed += !WIFEXITED(status) || WEXITSTATUS(status) != 7;
        execl("/dev/null", "no", NULL);
        work(2000);
    }
    __atomic_store_n(&done, 1, __ATOMIC_SEQ_CST);
    for (int i = 0; i < 2; i++)
        pthread_join(computing[i], NULL);
    for (int i = 0; i < WAYS; i++)
        pthread_join(waiting[i], NULL);
    for (int i = 0; i < WAYS; i++)
        if (interrupted[i] || !made[i])
            printf("%s: %ld of %ld ended early\n", names[i], interrupted[i], made[i]);
    printf("children that failed: %d\n", failed);
    return 0;
}
