/* world.c: stops the world by signals, as collectors do, and looks whether it stands still. Use: world
 * THREADS STOPS */
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST = 128 };

static sem_t answers;
static volatile int ending;
static volatile long counts[MOST];
static __thread volatile long own;
static pthread_t threads[MOST];
static int thread_count;

/* Waits in the handler until it may go on. */
static void on_stop(int signal) {
    int error = errno;
    sigset_t all;
    (void)signal;
    sigfillset(&all);
    sigdelset(&all, SIGUSR2);
    sem_post(&answers);
    sigsuspend(&all);
    sem_post(&answers);
    errno = error;
}
static void on_go(int signal) {
    (void)signal;
}

static void *work(void *number) {
    static __thread long memory[32];
    while (!ending) {
        for (int i = 0; i < 100; i++)
            memory[i & 31] += i;
        own++;
        counts[(long)number] = own;
    }
    return NULL;
}

static void tell_all(int signal) {
    for (int i = 0; i < thread_count; i++)
        pthread_kill(threads[i], signal);
    for (int i = 0; i < thread_count; i++)
        while (sem_wait(&answers) != 0)
            ;
}

/* How many threads went on. */
static int moved(void) {
    long before[MOST];
    int found = 0;
    for (int i = 0; i < thread_count; i++)
        before[i] = counts[i];
    for (volatile int i = 0; i < 1000; i++)
        ;
    for (int i = 0; i < thread_count; i++)
        found += before[i] != counts[i];
    return found;
}

static void set_handler(int signal, void (*handler)(int)) {
    struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART};
    sigfillset(&action.sa_mask);
    sigaction(signal, &action, NULL);
}

int main(int count, char **arguments) {
    int wrong = 0, stops = count > 2 ? atoi(arguments[2]) : 10;
    thread_count = count > 1 ? atoi(arguments[1]) : 4;
    sem_init(&answers, 0, 0);
    set_handler(SIGUSR1, on_stop);
    set_handler(SIGUSR2, on_go);
    for (long i = 0; i < thread_count; i++)
        pthread_create(&threads[i], NULL, work, (void *)i);
    for (int i = 0; i < stops; i++) {
        tell_all(SIGUSR1);
        wrong += moved();
        tell_all(SIGUSR2);
    }
    ending = 1;
    for (int i = 0; i < thread_count; i++)
        pthread_join(threads[i], NULL);
    puts(wrong ? "wrong" : "right");
    return 0;
}
