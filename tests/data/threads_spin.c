/* threads_spin.c: four threads that compute for a while; killed.sh kills it at any moment. */
#include <pthread.h>
#include <stdio.h>

static long work(long n) {
    return n < 2 ? n : work(n - 1) + work(n - 2);
}

static void *spin(void *argument) {
    long sum = 0;
    for (long i = 0; i < 400; i++)
        sum += work(8 + (i & 7)) + (long)argument;
    return (void *)sum;
}

int main(void) {
    pthread_t threads[4];
    void *sum;
    for (int repeat = 0; repeat < 100; repeat++) {
        for (long i = 0; i < 4; i++)
            if (pthread_create(&threads[i], NULL, spin, (void *)i) != 0)
                return 1;
        for (int i = 0; i < 4; i++)
            pthread_join(threads[i], &sum);
    }
    printf("%ld\n", (long)sum);
    return 0;
}
