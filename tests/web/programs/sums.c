/* sums.c: a program with threads for the workbench's tests: each of four adds up its part. */
#include <pthread.h>
#include <stdio.h>

enum { THREADS = 4, NUMBERS = 5000 };
static long sums[THREADS];

static long collatz(long n) {
    long steps = 0;
    for (; n != 1; steps++)
        n = n % 2 ? 3 * n + 1 : n / 2;
    return steps;
}

static void *add_up(void *argument) {
    long thread = (long)argument;
    for (long n = thread + 1; n <= NUMBERS; n += THREADS)
        sums[thread] += collatz(n);
    return NULL;
}

int main(void) {
    pthread_t threads[THREADS];
    long sum = 0;
    for (long i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, add_up, (void *)i);
    for (long i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        sum += sums[i];
    }
    printf("%ld\n", sum);
}
