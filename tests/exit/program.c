/* program.c: executes instructions in loops, in a handler with all signals blocked, in threads, after longjmp and in
   children, until its tool ends it. Its argument chooses. */
#define _GNU_SOURCE
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define OUT __attribute__((noinline, noclone))
static volatile long sink;
static jmp_buf environment;

OUT void step(long n) {
    for (long i = 0; i < n % 7; i++)
        sink += i * n;
    if (n % 3)
        sink ^= n;
}
OUT void leave(long n) {
    step(n);
    longjmp(environment, 1);
}
OUT void work(long times) {
    for (volatile long i = 0; i < times; i++) {
        step(i);
        if (setjmp(environment) == 0)
            leave(i);
    }
}
OUT void on_signal(int number) {
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, NULL);
    work(1000 + 0 * number);
}
static void *run(void *nothing) {
    for (;;)
        step(sink);
    return nothing;
}
int main(int count, char **words) {
    const char *kind = count > 1 ? words[1] : "plain";
    if (strcmp(kind, "handler") == 0) {
        struct sigaction action = {.sa_handler = on_signal};
        sigfillset(&action.sa_mask);
        sigaction(SIGUSR1, &action, NULL);
        raise(SIGUSR1);
    }
    if (strcmp(kind, "taken") == 0) { /* all signals have a handler */
        for (int i = 1; i < 65; i++)
            signal(i, on_signal);
    }
    if (strcmp(kind, "ignored") == 0)
        for (int i = 1; i < 65; i++)
            signal(i, SIG_IGN);
    if (strcmp(kind, "threads") == 0) {
        pthread_t threads[3];
        for (int i = 0; i < 3; i++)
            pthread_create(&threads[i], NULL, run, NULL);
    }
    if (strcmp(kind, "vfork") == 0) {
        int status = 0;
        pid_t child = vfork();
        if (child == 0) {
            work(1000);
            _exit(199);
        }
        waitpid(child, &status, 0);
        _exit(WEXITSTATUS(status) - 100);
    }
    if (strcmp(kind, "fork") == 0) {
        int status = 0;
        pid_t child = fork();
        if (child == 0)
            work(1000);
        waitpid(child, &status, 0);
        printf("child %d\n", WEXITSTATUS(status));
        fflush(stdout);
    }
    work(1000);
    return 50;
}
