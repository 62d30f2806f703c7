/* replaced.c: procedures that replaced.atd replaces, called directly, through pointers, recursively and in threads. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

__attribute__((noipa)) long ignores(long used, long unused) {
    return used + 1;
}

__attribute__((noipa)) double scale(double x, int n, float y, unsigned char c, double z, long last) {
    return x;
}

__attribute__((noipa)) int narrow(signed char c, unsigned short s, int i) {
    return 0;
}

__attribute__((noipa)) void notify(void) {
    puts("never said");
}

__attribute__((noipa)) long sum(long n) {
    return n == 0 ? 0 : 1000000 + sum(n - 1);
}

static long (*volatile pointer)(long, long) = ignores;
static double (*volatile scaler)(double, int, float, unsigned char, double, long) = scale;

static void *work(void *argument) {
    long total = 0;
    for (long i = 0; i < 5000; i++) {
        void *memory = malloc(24);
        memset(memory, 1, 24);
        total += ignores(i, (long)argument) + pointer(i, 1);
        free(memory);
    }
    return (void *)total;
}

int main(int count, char **words) {
    double a = 1.5, b = 2.5, kept = 0.25;
    pthread_t thread[4];
    void *result;
    long threads = count > 1 ? atol(words[1]) : 0, total = 0;
    for (int i = 0; i < 3; i++)
        kept += scale(a, i, 0.5f, 200, b, 7) * scaler(b, -i, 1.25f, 255, a, -7);
    notify();
    printf("%g %d %ld\n", kept, narrow(-3, 65535, -70000), sum(5));
    for (long i = 0; i < threads; i++)
        pthread_create(&thread[i], 0, work, (void *)i);
    for (long i = 0; i < threads; i++) {
        pthread_join(thread[i], &result);
        total += (long)result;
    }
    total += (long)work((void *)2L);
    printf("%ld\n", total);
    return ignores(6, 7) != 42;
}
