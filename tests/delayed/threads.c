/* threads.c: threads that take turns, and a procedure that does the same in each: threads ROUNDS. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
static volatile long values[4096];
static int rounds = 300;
__attribute__((noinline)) long steady_work(long from) {
    long sum = 0;
    for (int round = 0; round < rounds; round++)
        for (long i = from; i < 4096; i += 7)
            sum += values[i] += i ^ round;
    return sum;
}
static void *run(void *from) {
    return (void *)steady_work((long)from);
}
int main(int count, char **words) {
    pthread_t thread;
    void *sum;
    if (count > 1)
        rounds = atoi(words[1]);
    long total = steady_work(3);
    for (long i = 0; i < 3; i++)
        total += pthread_create(&thread, 0, run, (void *)i) == 0 && pthread_join(thread, &sum) == 0
                     ? (long)sum
                     : 0;
    printf("%ld\n", total);
    return 0;
}
