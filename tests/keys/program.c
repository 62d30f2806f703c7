/* program.c: eight threads, four at a time, that call `work`, and a handler that calls `ring`; longjmp, and a
   child. What has been called how often is known. */
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef CALLS
#define CALLS 4000
#endif
static volatile long ticks, sink;
static jmp_buf environment;
static const char *const names[] = {"alpha", "beta", "gamma", "delta"};

__attribute__((noinline)) long work(long number, const char *name, double half) {
    return sink = number + (half > 0);
}
__attribute__((noinline)) long ring(long number, const char *name) {
    return sink = number + (name != NULL);
}
__attribute__((noinline)) static void tick(int signal) {
    ticks++;
    ring(77 + 0 * signal, "signal");
}
__attribute__((noinline)) static void jump(void) {
    longjmp(environment, 1);
}
__attribute__((noinline)) static void jumped(void) {
    sink++;
}

static void *run(void *argument) {
    char name[16]; /* at another address in each thread */
    for (long i = 0; i < CALLS; i++) {
        strcpy(name, names[(i + (long)argument) % 4]);
        work(i % 10, name, (double)i / 2);
    }
    return 0;
}

int main(void) {
    struct itimerval timer = {{0, 2000}, {0, 2000}}, none = {{0, 0}, {0, 0}};
    signal(SIGALRM, tick);
    raise(SIGALRM);
    setitimer(ITIMER_REAL, &timer, 0);
    for (int round = 0; round < 2; round++) {
        pthread_t threads[4];
        for (long i = 0; i < 4; i++)
            pthread_create(&threads[i], 0, run, (void *)i);
        for (long i = 0; i < 4; i++)
            pthread_join(threads[i], 0);
    }
    setitimer(ITIMER_REAL, &none, 0);
    for (volatile int i = 0; i < 5; i++)
        if (!setjmp(environment))
            jump();
        else
            jumped();
    pid_t child = fork();
    if (child == 0) {
        for (int i = 0; i < 7; i++)
            work(-5, "child", 0);
        _exit(0);
    }
    waitpid(child, 0, 0);
    work(-1, (const char *)8, 0);
    work(-1, "a\tlong \"name\"", 0.5);
    printf("%ld\n", ticks);
    return 0;
}
