/* on_signal.c: a program that gets SIGUSR1 in known places; WAY [SIGNAL]: the third is SIGNAL instead. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static volatile long sum;
static volatile sig_atomic_t handled;
static int third = SIGUSR1;

__attribute__((noinline)) void work(long n) {
    for (long i = 0; i < n; i++)
        sum += i % 3 == 0 ? i : 1;
}

__attribute__((noinline)) void handle(int signal) {
    handled += signal == SIGUSR1 || signal == SIGVTALRM || signal == SIGWINCH;
}

/* 10, 20, ... calls of work, a signal after each. */
static void send_all(void) {
    for (int k = 1; k <= 4; k++) {
        for (long i = 0; i < 10 * k; i++)
            work(i);
        kill(getpid(), k == 3 ? third : SIGUSR1);
    }
}

/* Another waits when the first is handled; the child's own is one by itself. */
static void handle_and_fork(int signal) {
    sigset_t one;
    if (handled++ > 0 || fork() != 0)
        return;
    sigemptyset(&one);
    sigaddset(&one, signal);
    sigprocmask(SIG_UNBLOCK, &one, NULL);
    work(1);
    kill(getpid(), signal);
    _exit(0);
}

static void set(int signal, void (*handler)(int), int flags) {
    struct sigaction action = {.sa_handler = handler, .sa_flags = flags};
    sigaction(signal, &action, NULL);
}

static void *count(void *times) {
    for (long i = 0; i < *(long *)times; i++)
        work(3);
    return NULL;
}

static volatile int done;
static void *disturb(void *main_thread) {
    for (int i = 0; !done; i++) {
        if (i % 2)
            kill(getpid(), SIGUSR1);
        else
            pthread_kill(*(pthread_t *)main_thread, SIGUSR1);
        usleep(1000);
    }
    return NULL;
}

static int rests, interrupted;
static void *rest(void *unused) {
    static const struct timespec wait = {0, 20000000};
    sigset_t one;
    sigemptyset(&one);
    sigaddset(&one, SIGUSR1);
    pthread_sigmask(SIG_BLOCK, &one, NULL);
    for (; !done; rests++)
        interrupted += nanosleep(&wait, NULL) != 0;
    return unused;
}

static void threads(long times) {
    pthread_t own = pthread_self(), made[3], others[2], resting;
    for (int i = 0; i < 3; i++)
        pthread_create(&made[i], NULL, count, &times);
    for (int i = 0; i < 2; i++)
        pthread_create(&others[i], NULL, disturb, &own);
    pthread_create(&resting, NULL, rest, NULL);
    count(&times);
    for (int i = 0; i < 3; i++)
        pthread_join(made[i], NULL);
    done = 1;
    for (int i = 0; i < 2; i++)
        pthread_join(others[i], NULL);
    pthread_join(resting, NULL);
    if (interrupted > 0)
        printf("interrupted %d of %d\n", interrupted, rests);
}

/* They come faster than rows are written: that takes some milliseconds. */
static void send_fast(void) {
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGUSR1};
    struct itimerspec often = {{0, 500000}, {0, 500000}}, never = {{0, 0}, {0, 0}};
    timer_t timer;
    if (timer_create(CLOCK_MONOTONIC, &event, &timer) != 0 || timer_settime(timer, 0, &often, NULL) != 0)
        exit(4);
    for (int i = 0; i < 20000; i++)
        work(100);
    timer_settime(timer, 0, &never, NULL);
}

static void block_and_send(const sigset_t *one) {
    sigset_t pending;
    set(SIGUSR1, handle, 0);
    sigprocmask(SIG_BLOCK, one, NULL);
    send_all();
    sigpending(&pending);
    printf("pending %d, handled %d\n", sigismember(&pending, SIGUSR1), (int)handled);
    work(1);
    sigprocmask(SIG_UNBLOCK, one, NULL);
}

static void send_in_child(void) {
    work(1);
    if (fork() == 0) {
        work(1);
        work(1);
        kill(getpid(), SIGUSR1);
        exit(0);
    }
    wait(NULL);
    kill(getpid(), SIGUSR1);
}

static void send_by_timer(void) {
    struct itimerval often = {{0, 20000}, {0, 20000}};
    set(SIGVTALRM, handle, SA_RESTART);
    setitimer(ITIMER_VIRTUAL, &often, NULL);
    while (handled < 12)
        work(50);
    set(SIGVTALRM, SIG_IGN, 0);
    handled = 0;
}

int main(int argc, char **argv) {
    const char *way = argc > 1 ? argv[1] : "";
    sigset_t one;
    int taken = 0;
    sigemptyset(&one);
    sigaddset(&one, SIGUSR1);
    if (argc > 2)
        third = atoi(argv[2]);
    if (strcmp(way, "default") == 0) {
        send_all();
    } else if (strcmp(way, "handler") == 0) {
        set(SIGUSR1, handle, 0);
        send_all();
    } else if (strcmp(way, "once") == 0) {
        set(SIGUSR1, handle, SA_RESETHAND);
        send_all();
    } else if (strcmp(way, "ignored") == 0) {
        set(SIGUSR1, SIG_IGN, 0);
        send_all();
    } else if (strcmp(way, "blocked") == 0) {
        block_and_send(&one);
    } else if (strcmp(way, "taken") == 0) {
        sigprocmask(SIG_BLOCK, &one, NULL);
        send_all();
        sigwait(&one, &taken);
    } else if (strcmp(way, "window") == 0) { /* one that is ignored by default */
        kill(getpid(), SIGWINCH);
        set(SIGWINCH, handle, 0);
        kill(getpid(), SIGWINCH);
    } else if (strcmp(way, "child") == 0) {
        send_in_child();
    } else if (strcmp(way, "executes") == 0) { /* what is ignored stays so */
        set(SIGUSR1, SIG_IGN, 0);
        execl("/does/not/exist", "no", NULL);
        kill(getpid(), SIGUSR1);
        execl("/bin/sh", "sh", "-c", "kill -USR1 $$; echo alive", NULL);
    } else if (strcmp(way, "timer") == 0) { /* anywhere */
        send_by_timer();
    } else if (strcmp(way, "fast") == 0) {
        send_fast();
    } else if (strcmp(way, "fasthandler") == 0) {
        set(SIGUSR1, handle_and_fork, SA_RESTART);
        send_fast();
        while (wait(NULL) < 0)
            ;
        handled = handled > 0;
    } else if (strcmp(way, "threads") == 0) {
        set(SIGUSR1, handle, SA_RESTART);
        threads(argc > 2 ? atol(argv[2]) : 200000);
    }
    if (strcmp(way, "timer") != 0)
        printf("sum %ld, ", sum);
    printf("handled %d, taken %d\n", (int)handled, taken == SIGUSR1);
    return 3;
}
