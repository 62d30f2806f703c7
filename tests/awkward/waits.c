/* waits.c WAY [TIMES]: threads, waits and ends with signals in awkward combinations. Each way prints what it must. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
static volatile long done;
static long times;
static void handle(int signal, void (*handler)(int), int flags) {
    struct sigaction action = {.sa_handler = handler, .sa_flags = flags};
    sigaction(signal, &action, NULL);
}
static void every(long microseconds) {
    struct itimerval often = {{0, microseconds}, {0, microseconds}};
    setitimer(ITIMER_REAL, &often, NULL);
}
static void count(int s) {
    (void)s;
    done++;
}
/* a thread is cancelled asynchronously in malloc-free arithmetic, with clean-up handlers */
static volatile long cleaned;
static void clean(void *x) {
    cleaned += (long)x;
}
static void *cancelled(void *unused) {
    int old;
    pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, &old);
    pthread_cleanup_push(clean, (void *)3l);
    done++;
    for (volatile unsigned long i = 1;; i++)
        i += i % 7;
    pthread_cleanup_pop(0);
    return unused;
}
static void cancels(void) {
    for (int k = 0; k < (times ? times : 40); k++) {
        pthread_t t;
        long before = done;
        pthread_create(&t, NULL, cancelled, NULL);
        while (done == before)
            sched_yield();
        pthread_cancel(t);
        pthread_join(t, NULL);
    }
    printf("cancels %ld\n", cleaned);
}
/* pipes and EINTR without SA_RESTART */
static void eintr(void) {
    int ends[2], interrupted = 0;
    char c;
    pipe(ends);
    handle(SIGALRM, count, 0);
    every(2000);
    for (int i = 0; i < 10; i++)
        if (read(ends[0], &c, 1) < 0 && errno == EINTR)
            interrupted++;
    every(0);
    printf("eintr %d\n", interrupted);
}
/* fork in a handler, whose child jumps out */
static sigjmp_buf out;
static void forks_in(int s) {
    (void)s;
    pid_t child = fork();
    if (child == 0)
        siglongjmp(out, 1);
    int status;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    done += WEXITSTATUS(status);
}
static void forks(void) {
    handle(SIGUSR1, forks_in, 0);
    if (sigsetjmp(out, 1)) {
        free(malloc(100));
        _exit(3);
    }
    for (int i = 0; i < 10; i++)
        raise(SIGUSR1);
    printf("forks %ld\n", done);
}
/* SIGSTOP and SIGCONT by a child, SIGTSTP handled */
static void stops(void) {
    handle(SIGCONT, count, SA_RESTART);
    pid_t parent = getpid(), child = fork();
    if (child == 0) {
        for (int i = 0; i < 5; i++) {
            kill(parent, SIGSTOP);
            usleep(20000);
            kill(parent, SIGCONT);
            usleep(20000);
        }
        _exit(0);
    }
    int status;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    printf("stops %d %d\n", done > 0, WIFEXITED(status));
}
/* sigwait thread and timers of processes */
static void *waits(void *unused) {
    sigset_t set;
    int s;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    sigaddset(&set, SIGUSR2);
    for (;;) {
        sigwait(&set, &s);
        if (s == SIGUSR2)
            return unused;
        done++;
    }
}
static void sigwaits(void) {
    sigset_t set;
    pthread_t t;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    sigaddset(&set, SIGUSR2);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    pthread_create(&t, NULL, waits, NULL);
    for (int i = 0; i < 50; i++) {
        long before = done;
        kill(getpid(), SIGUSR1);
        while (done == before)
            sched_yield();
    }
    kill(getpid(), SIGUSR2);
    pthread_join(t, NULL);
    printf("sigwaits %ld\n", done);
}
/* a handler that ends the process by exit, in the middle of a call of the C library */
static void ends(int s) {
    (void)s;
    printf("exits 1\n");
    exit(5);
}
static void *keeps(void *u) {
    for (;;)
        free(malloc(1000));
    return u;
}
static void exits(void) {
    pthread_t t;
    for (int i = 0; i < 3; i++)
        pthread_create(&t, NULL, keeps, NULL);
    handle(SIGALRM, ends, 0);
    struct itimerval once = {{0, 0}, {0, 20000}};
    setitimer(ITIMER_REAL, &once, NULL);
    for (volatile long i = 0;; i++)
        ;
}
/* the stack pointer goes away in assembly for a while, with signals on an alternate stack */
static char alternate[65536], own[65536];
static void odd(void) {
    stack_t stack = {.ss_sp = alternate, .ss_size = sizeof alternate};
    sigaltstack(&stack, NULL);
    handle(SIGALRM, count, SA_ONSTACK | SA_RESTART);
    every(700);
    long sum = 0;
    for (int i = 0; i < 2000; i++)
        __asm__ volatile("mov $30, $9\n\tlda $30, -64(%1)\n\tlda $1, 100($31)\n1:\tsubq $1, 1, $1\n\tstq $1, "
                         "8($30)\n\tldq $2, 8($30)\n\taddq %0, $2, %0\n\tbgt $1, 1b\n\tmov $9, $30"
                         : "+&r"(sum)
                         : "r"(own + sizeof own)
                         : "$1", "$2", "$9", "memory");
    every(0);
    printf("odd %ld\n", sum);
}
int main(int argc, char **argv) {
    static const struct {
        const char *name;
        void (*run)(void);
    } ways[] = {{"cancels", cancels},   {"eintr", eintr}, {"forks", forks}, {"stops", stops},
                {"sigwaits", sigwaits}, {"exits", exits}, {"odd", odd}};
    times = argc > 2 ? atol(argv[2]) : 0;
    for (unsigned i = 0; i < sizeof ways / sizeof ways[0]; i++)
        if (argc > 1 && strcmp(argv[1], ways[i].name) == 0)
            ways[i].run();
    return 0;
}
