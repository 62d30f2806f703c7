/* work.c: known numbers of calls, in as many threads as asked for: work THREADS STEPS. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

volatile long sink;
static long steps;

__attribute__((noinline)) void step(long number) {
    sink = number;
}

__attribute__((noinline)) void open_window(void) {
    sink = -1;
}

__attribute__((noinline)) void close_window(void) {
    sink = -2;
}

static void *work(void *argument) {
    for (long i = 0; i < steps; i++)
        step(i);
    return argument;
}

int main(int count, char **words) {
    long threads = count > 1 ? atol(words[1]) : 1;
    pthread_t thread[16];
    steps = count > 2 ? atol(words[2]) : 1000;
    for (long i = 0; i < threads; i++)
        pthread_create(&thread[i], 0, work, 0);
    for (long i = 0; i < threads; i++)
        pthread_join(thread[i], 0);
    for (int i = 0; i < 3; i++)
        step(i);
    for (int round = 0; round < 2; round++) {
        open_window();
        for (int i = 0; i < 10; i++)
            step(i);
        close_window();
        step(round);
    }
    puts("done");
    return 0;
}
