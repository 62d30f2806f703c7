/* Two threads and two locks. The second thread takes each lock only when the first has it and waits for it, as often as the program
   prints: the name of the lock, how often it is taken, the waits, and the least and most nanoseconds that they can have taken. */
#include <pthread.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

enum { ROUNDS = 5, PAUSE = 5000 };
pthread_mutex_t often = PTHREAD_MUTEX_INITIALIZER, rarely = PTHREAD_MUTEX_INITIALIZER;
static volatile int held, done;

static long now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000000000 + time.tv_nsec;
}
__attribute__((noinline)) static void take(pthread_mutex_t *lock) {
    pthread_mutex_lock(lock);
    __asm__ volatile("" : : : "memory");
}
static void *second(void *argument) {
    (void)argument;
    for (int round = 1; round <= ROUNDS; round++) {
        while (held < round)
            usleep(100);
        pthread_mutex_t *lock = round == 1 ? &rarely : &often;
        take(lock);
        pthread_mutex_unlock(lock);
        done = round;
    }
    return NULL;
}
int main(void) {
    pthread_t thread;
    long began = now();
    pthread_create(&thread, NULL, second, NULL);
    for (int round = 1; round <= ROUNDS; round++) {
        pthread_mutex_t *lock = round == 1 ? &rarely : &often;
        take(lock);
        held = round;
        /* 2: a thread is going to wait for the lock. */
        while (((volatile pthread_mutex_t *)lock)->__data.__lock != 2)
            usleep(100);
        usleep(PAUSE);
        pthread_mutex_unlock(lock);
        while (done < round)
            usleep(100);
    }
    pthread_join(thread, NULL);
    long most = now() - began;
    printf("often %d %d %ld %ld\n", 2 * (ROUNDS - 1), ROUNDS - 1, (ROUNDS - 1) * PAUSE * 1000L, most);
    printf("rarely 2 1 %ld %ld\n", PAUSE * 1000L, most);
}
