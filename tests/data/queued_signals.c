/* queued_signals.c: signals to threads that are nearly always in an analysis routine: each comes to the
   thread that it was sent to, with what was sent along, and queued ones in their order. Use: queued_signals
   [SIGNALS [QUEUED]], QUEUED at once after each */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { THREADS = 2 };
static __thread struct own {
    pthread_t self;
    int *error;
    long number;
} own;
static pthread_t threads[THREADS];
static volatile long worked, handled[THREADS], wrong[THREADS], queued[THREADS], ready[THREADS], ending;

__attribute__((noinline)) static void work(void) {
    worked++;
}

static void handle(int signal, siginfo_t *info, void *context) {
    long number = own.number;
    (void)context;
    wrong[number] += own.self != pthread_self() || own.error != &errno;
    if (signal == SIGUSR1) {
        wrong[number] += info->si_code != SI_TKILL || info->si_pid != getpid();
        handled[number]++;
    } else {
        wrong[number] += info->si_code != SI_QUEUE || info->si_value.sival_int != queued[number] + 1;
        queued[number]++;
    }
}

static void *run(void *number) {
    own = (struct own){pthread_self(), &errno, (long)number};
    ready[own.number] = 1;
    while (!ending)
        work();
    return NULL;
}

/* Up to a minute. */
static void await(const char *what, volatile long *place, long wanted) {
    for (int i = 0; i < 60000 && *place < wanted; i++)
        usleep(1000);
    if (*place != wanted) {
        printf("%s: %ld of %ld\n", what, *place, wanted);
        exit(1);
    }
}

int main(int count, char **words) {
    struct sigaction action = {.sa_sigaction = handle, .sa_flags = SA_SIGINFO};
    long signals = count > 1 ? atol(words[1]) : 10, burst = count > 2 ? atol(words[2]) : 3, all = 0;
    sigset_t both;
    sigemptyset(&both);
    sigaddset(&both, SIGUSR1);
    sigaddset(&both, SIGRTMIN + 1);
    sigaction(SIGUSR1, &action, NULL);
    sigaction(SIGRTMIN + 1, &action, NULL);
    for (long i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, run, (void *)i);
    pthread_sigmask(SIG_BLOCK, &both, NULL); /* what goes to another thread is not taken here */
    for (long i = 0; i < THREADS; i++)
        await("ready", &ready[i], 1);
    for (long k = 0; k < signals; k++)
        for (long i = 0; i < THREADS; i++) {
            pthread_kill(threads[i], SIGUSR1);
            await("sent", &handled[i], k + 1);
            for (long n = 1; n <= burst; n++)
                pthread_sigqueue(threads[i], SIGRTMIN + 1, (union sigval){.sival_int = (int)(k * burst + n)});
            await("queued", &queued[i], (k + 1) * burst);
        }
    ending = 1;
    for (long i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        all += handled[i] + queued[i];
        if (wrong[i])
            printf("%ld wrong in thread %ld\n", wrong[i], i);
    }
    printf("%d\n", all == signals * THREADS * (1 + burst));
    return 0;
}
