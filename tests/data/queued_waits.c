/* queued_waits.c: what a program sees of queued signals that are sent to it while it works: in their order in
   handlers, by sigpending and sigtimedwait in a handler, and lost if it begins to ignore them; and what a
   program finds that a handler becomes. Use: queued_waits ROUNDS EMULATOR, which executes that program */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { BURST = 40, ENOUGH = 60000 };
static pthread_t worker;
static volatile long worked, next, wrong, ready, ending, way, lost;
#define SIGNAL (SIGRTMIN + 2)

__attribute__((noinline)) static void work(void) {
    worked++;
}

/* They are numbered from 1 in each round. */
static void see(const siginfo_t *info) {
    wrong += info->si_code != SI_QUEUE || info->si_value.sival_int != next + 1;
    next++;
}

static void handle(int signal, siginfo_t *info, void *context) {
    static const struct timespec none;
    siginfo_t other;
    sigset_t set, pending;
    int error = errno;
    (void)context;
    see(info);
    sigemptyset(&set);
    sigaddset(&set, signal);
    if (way == 1) { /* every other one is waited for */
        sigpending(&pending);
        int is_pending = sigismember(&pending, signal), found = sigtimedwait(&set, &other, &none);
        wrong += is_pending && found != signal;
        if (found == signal)
            see(&other);
    } else if (way == 2) { /* all that are there */
        while (sigtimedwait(&set, &other, &none) == signal)
            see(&other);
        sigpending(&pending);
        if (next == BURST && sigismember(&pending, signal))
            wrong++;
    } else if (way == 3 && next == BURST / 2) { /* all that have been sent are lost */
        for (long i = 0; i < 1000; i++)
            work();
        struct sigaction ignore = {.sa_handler = SIG_IGN}, before;
        while (!lost)
            sched_yield();
        sigaction(signal, &ignore, &before);
        sigpending(&pending);
        wrong += sigismember(&pending, signal);
        sigaction(signal, &before, NULL);
        next = BURST;
    }
    errno = error;
}

static void *run(void *unused) {
    ready = 1;
    while (!ending)
        work();
    return unused;
}

/* In a handler, after three: the others are the next program's. */
static char **next_words;
static void execute(int signal, siginfo_t *info, void *context) {
    (void)signal, (void)context;
    see(info);
    if (next < 3)
        return;
    while (waitpid(-1, NULL, 0) < 0 && errno == EINTR)
        ;
    execv(next_words[0], next_words);
    exit(1);
}

static void become_another(char *emulator, char *name) {
    struct sigaction action = {.sa_sigaction = execute, .sa_flags = SA_SIGINFO};
    next_words = (char *[]){emulator, name, "next", NULL};
    next = 0;
    sigaction(SIGNAL, &action, NULL);
    pid_t parent = getpid();
    if (fork() == 0) {
        for (long n = 1; n <= BURST; n++)
            sigqueue(parent, SIGNAL, (union sigval){.sival_int = (int)n});
        _exit(0);
    }
    for (;;)
        work();
}

static int be_another(void) {
    static const struct timespec none;
    siginfo_t info;
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGNAL);
    while (sigtimedwait(&set, &info, &none) == SIGNAL) {
        if (!next) /* an emulator may lose one that it had taken already */
            next = info.si_value.sival_int == 5 ? 4 : 3;
        see(&info);
    }
    printf("%ld wrong, %ld seen\n", wrong, next);
    return 0;
}

static void await(const char *what, volatile long *place, long wanted) {
    for (int i = 0; i < ENOUGH && *place != wanted; i++)
        usleep(1000);
    if (*place != wanted) {
        printf("%s: %ld of %ld, way %ld\n", what, *place, wanted, way);
        exit(1);
    }
}

int main(int count, char **words) {
    long rounds = count > 1 ? atol(words[1]) : 10;
    sigset_t set;
    struct sigaction action = {.sa_sigaction = handle, .sa_flags = SA_SIGINFO};
    if (count > 1 && strcmp(words[1], "next") == 0)
        return be_another();
    sigemptyset(&set);
    sigaddset(&set, SIGNAL);
    sigaction(SIGNAL, &action, NULL);
    pthread_create(&worker, NULL, run, NULL);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    await("ready", &ready, 1);
    for (long round = 0; round < rounds; round++)
        for (way = 0; way < 4; way++) {
            next = lost = 0;
            for (long n = 1; n <= BURST; n++) {
                pthread_sigqueue(worker, SIGNAL, (union sigval){.sival_int = (int)n});
                if (n % 8 == 0)
                    usleep(50);
            }
            lost = 1;
            await("seen", &next, BURST);
        }
    ending = 1;
    pthread_join(worker, NULL);
    pthread_sigmask(SIG_UNBLOCK, &set, NULL);
    if (!wrong && count > 2)
        become_another(words[2], words[0]);
    printf("%ld wrong\n", wrong);
    return 0;
}
