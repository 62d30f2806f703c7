#include <pthread.h>
#include <stdio.h>
__attribute__((noinline)) void step(long n, double half) { __asm__ volatile("" : : "r"(n), "f"(half) : "memory"); }
static void *work(void *unused) { for (long i = 0; i < 5000; i++) step(i, i / 2.0); return unused; }
int main(void) {
    pthread_t threads[4];
    for (int i = 0; i < 4; i++) pthread_create(&threads[i], 0, work, 0);
    for (int i = 0; i < 4; i++) pthread_join(threads[i], 0);
    return 0;
}
