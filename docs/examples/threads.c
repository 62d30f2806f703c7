/* threads.c: four threads add up the numbers below 10000, each for itself. */
#include <pthread.h>
#include <stdio.h>

static pthread_barrier_t all_there;

static __attribute__((noinline)) long add(long sum, long number) {
    return sum + number;
}

static void *add_up(void *sum) {
    pthread_barrier_wait(&all_there);
    for (long number = 0; number < 10000; number++)
        *(long *)sum = add(*(long *)sum, number);
    return NULL;
}

int main(void) {
    long sums[4] = {0};
    pthread_t threads[4];
    pthread_barrier_init(&all_there, NULL, 4);
    for (int i = 0; i < 4; i++)
        pthread_create(&threads[i], NULL, add_up, &sums[i]);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    printf("%ld\n", sums[0] + sums[1] + sums[2] + sums[3]);
    return 0;
}
