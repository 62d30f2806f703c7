/* fork_keeps.c: what a child of a fork has of its parent's signals, and what it has not: the stack of handlers, masks, what waits; forks in
   the first thread, in another one, in handlers, on their stacks and elsewhere. */
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

static char stack[65536];
static volatile int on_stack, came[65], values;
static int first = 1;

static void note(int signal, siginfo_t *info, void *context) {
    char here;
    (void)context;
    on_stack += &here >= stack && &here < stack + sizeof stack;
    came[signal]++;
    values = values * 10 + (info->si_code == SI_QUEUE ? info->si_value.sival_int : 0);
}

static void handle(int signal, int flags) {
    struct sigaction action = {.sa_sigaction = note, .sa_flags = SA_SIGINFO | flags};
    sigfillset(&action.sa_mask);
    sigaction(signal, &action, NULL);
}

static void block(int how, int signal) {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, signal);
    pthread_sigmask(how, &set, NULL);
}

static int is_pending(int signal) {
    sigset_t set;
    sigpending(&set);
    return sigismember(&set, signal);
}

/* All that can be seen, in one line. */
static void look(const char *who) {
    stack_t now;
    sigset_t mask;
    struct itimerval timer;
    sigaltstack(NULL, &now);
    pthread_sigmask(SIG_SETMASK, NULL, &mask);
    getitimer(ITIMER_REAL, &timer);
    printf("%s: stack %d %d, masks", who, now.ss_sp == stack, now.ss_flags);
    for (int signal = 1; signal < 65; signal++)
        if (sigismember(&mask, signal) == 1)
            printf(" %d", signal);
    printf(", pending");
    for (int signal = 1; signal < 65; signal++)
        if (is_pending(signal) == 1)
            printf(" %d", signal);
    printf(", timer %d\n", timer.it_value.tv_sec > 0);
    on_stack = values = 0;
    memset((void *)came, 0, sizeof came);
    raise(SIGUSR1);
    raise(SIGFPE);
    pthread_sigqueue(pthread_self(), SIGRTMIN + 4, (union sigval){.sival_int = 1});
    pthread_sigqueue(pthread_self(), SIGRTMIN + 4, (union sigval){.sival_int = 2});
    pthread_sigqueue(pthread_self(), SIGRTMIN + 4, (union sigval){.sival_int = 3});
    for (int signal = 1; signal < 65; signal++)
        block(SIG_UNBLOCK, signal);
    printf("%s: %d on the stack, came %d %d %d %d, values %d\n", who, on_stack, came[SIGUSR1], came[SIGUSR2],
           came[SIGFPE], came[SIGRTMIN + 4], values);
    fflush(stdout);
}

static void in_child(const char *who) {
    fflush(stdout);
    pid_t child = fork();
    int status = 0;
    if (child == 0) {
        look(who);
        exit(first ? 0 : 3);
    }
    waitpid(child, &status, 0);
    printf("%s: status %d\n", who, status);
}

static void *own_thread(void *name) {
    stack_t own = {.ss_sp = stack, .ss_size = sizeof stack};
    sigaltstack(&own, NULL);
    block(SIG_BLOCK, SIGUSR2);
    pthread_kill(pthread_self(), SIGUSR2);
    in_child(name);
    look(name);
    return NULL;
}

static void fork_here(int signal) {
    (void)signal;
    in_child("in a handler");
}

int main(void) {
    static struct itimerval timer = {{0, 0}, {1000, 0}};
    pthread_t thread;
    handle(SIGUSR1, SA_ONSTACK);
    handle(SIGUSR2, SA_ONSTACK);
    handle(SIGFPE, 0);
    handle(SIGRTMIN + 4, 0);
    setitimer(ITIMER_REAL, &timer, NULL);
    own_thread("first");
    setitimer(ITIMER_REAL, &timer, NULL);
    struct sigaction action = {.sa_handler = fork_here, .sa_flags = SA_ONSTACK};
    sigaction(SIGALRM, &action, NULL);
    raise(SIGALRM);
    first = 0;
    pthread_create(&thread, NULL, own_thread, "another");
    pthread_join(thread, NULL);
    for (int i = 0; i < 3; i++)
        in_child("again");
    return 0;
}
