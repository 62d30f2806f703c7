/* program.c: calls step(0), step(1) and so on; with a second argument in two threads, or with a handler and a child. */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static __thread volatile long sum; /* of one thread: what is printed must not depend on their order */
__attribute__((noinline)) long step(long n) {
    if (n % 2)
        sum += n;
    return sum;
}
static void handle(int number) {
    sum += number;
}
static void *run(void *from) {
    for (long i = 0; i < 1000; i++)
        step((long)from + i % 1000);
    return (void *)sum;
}
int main(int count, char **words) {
    const char *how = count > 1 ? words[1] : "";
    signal(SIGUSR1, handle);
    raise(SIGUSR1);
    if (strcmp(how, "threads") == 0) {
        pthread_t threads[3];
        for (int i = 0; i < 3; i++)
            pthread_create(&threads[i], 0, run, 0);
        for (int i = 0; i < 3; i++) {
            void *result;
            pthread_join(threads[i], &result);
            sum += (long)result;
        }
    } else {
        run(0);
    }
    raise(SIGUSR1);
    if (strcmp(how, "child") == 0 && fork() == 0)
        exit(step(1) != 0);
    wait(0);
    printf("%ld\n", sum);
    return 0;
}
