/* original.c: procedures that tools replace, and call all the same: with arguments of all kinds, recursive, by pointer, in threads,
   left by signals' handlers. It prints what came out. */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

#define APART __attribute__((noipa))

APART long sum(long a, long b, long c, long d, long e, long f, long g, long h) {
    return a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g + 8 * h;
}

APART double scale(double x, long n, float y, double z) {
    return x * (double)n + (double)y - z;
}

APART float half(float x) {
    return x / 2;
}

long power(long base, long exponent);

APART long less(long base, long exponent) {
    return power(base, exponent - 1);
}

APART long power(long base, long exponent) {
    return exponent == 0 ? 1 : base * less(base, exponent);
}

APART void *reserve(size_t size) {
    return malloc(size);
}

static volatile long handled;

APART void handle(int number) {
    handled += number;
}

static void *work(void *argument) {
    long result = 0;
    for (long i = 0; i < 500; i++)
        result += sum(i, 1, 0, 0, 0, 0, 0, (long)argument);
    return (void *)result;
}

int main(void) {
    long (*volatile pointer)(long, long) = power;
    pthread_t threads[3];
    long all = 0;
    int missing = 0;
    printf("sum %ld\n", sum(1, 2, 3, 4, 5, 6, 7, 8));
    printf("scale %.3f half %.3f\n", scale(1.5, 4, 0.25f, 2.0), (double)half(9.0f));
    printf("power %ld %ld\n", power(3, 4), pointer(2, 5));
    signal(SIGUSR1, handle);
    for (int i = 0; i < 3; i++)
        raise(SIGUSR1);
    printf("handled %ld\n", handled / SIGUSR1);
    for (int i = 0; i < 6; i++)
        missing += reserve(10) == NULL;
    printf("missing %d\n", missing);
    for (long i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, work, (void *)i);
    for (int i = 0; i < 3; i++) {
        void *result;
        pthread_join(threads[i], &result);
        all += (long)result;
    }
    printf("threads %ld\n", all);
    return 0;
}
