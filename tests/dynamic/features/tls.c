/* tls.c: thread-local data by all four models, in the program, a library that it is linked with and one that it opens. */
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>

extern __thread long library_shared; /* initial-exec here */
long library_next(long n);
static __thread long own = 5, own_zero;      /* local-exec */
static __thread char own_text[32] = "own";

static void *work(void *number) {
    long n = (long)number, sum = 0;
    void *opened = dlopen("./libtls_opened.so", RTLD_NOW);
    long (*next)(long) = (long (*)(long))dlsym(opened, "opened_next");
    for (long i = 0; i < 100; i++) {
        own += n;
        own_zero ^= own;
        library_shared += i;
        sum += library_next(n) + next(n) + own_text[i % 3];
    }
    printf("%ld: %ld %ld %ld %ld\n", n, own, own_zero, library_shared, sum);
    return number;
}

int main(void) {
    pthread_t made;
    work((void *)1);
    for (long n = 2; n < 5; n++) { /* one after the other: the output is the same in every run */
        pthread_create(&made, NULL, work, (void *)n);
        pthread_join(made, NULL);
    }
    work((void *)9);
    return 0;
}
