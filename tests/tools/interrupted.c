/* interrupted.c: for tools_system.sh: threads in system calls at the same time, which signal handlers interrupt
 * that make system calls themselves. Each of four threads reads 3 times from an empty pipe and fails
 * (EINTR). Its handler twice closes a descriptor that is not open, and twice reads a signal's action. */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { THREADS = 4, TIMES = 3 };
static int ends[2];
static volatile int in_vain[THREADS];

static void handler(int signal) {
    struct sigaction action;
    for (int i = 0; i < 2; i++) {
        close(-1);
        sigaction(signal, NULL, &action);
    }
}

static void *work(void *number) {
    char byte;
    while (in_vain[(long)number] < TIMES)
        if (read(ends[0], &byte, 1) < 0 && errno == EINTR)
            in_vain[(long)number]++;
    return NULL;
}

int main(void) {
    pthread_t threads[THREADS];
    struct sigaction action = {.sa_handler = handler};
    struct timespec moment = {0, 100000000};
    sigaction(SIGUSR1, &action, NULL);
    if (pipe(ends))
        return 1;
    for (long i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, work, (void *)i);
    for (int time = 1; time <= TIMES; time++)
        for (int i = 0; i < THREADS; i++) {
            nanosleep(&moment, NULL);
            pthread_kill(threads[i], SIGUSR1);
            while (in_vain[i] < time)
                nanosleep(&moment, NULL);
        }
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
