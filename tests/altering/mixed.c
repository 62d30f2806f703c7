/* mixed.c: calls mixed() over and over: alone, under a timer's signals, in threads (tests/run/skipping.sh). */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <sys/time.h>

long mixed(long *values, long round, double scale);
static volatile long ticks;

__attribute__((noipa)) long helper(long value) {
    return value * 3 + 1;
}

static void tick(int signal) {
    (void)signal;
    long values[7] = {1, 2, 3, 4, 5, 6, 7};
    ticks += mixed(values, 1, 2.0) != 0;
}

static unsigned long rounds(long seed, long count) {
    union {
        long as_integers[7];
        double as_doubles[7];
    } values = {{seed, 11, 23, 0, 5}};
    unsigned long sum = 0;
    values.as_doubles[5] = 0.25;
    for (long i = 0; i < count; i++) {
        sum = sum * 31 + (unsigned long)mixed(values.as_integers, i, 1.5 + (double)i);
        for (int k = 0; k < 7; k++)
            sum = sum * 31 + (unsigned long)values.as_integers[k];
    }
    return sum;
}

static void *work(void *argument) {
    return (void *)rounds((long)argument, 2000);
}

int main(void) {
    pthread_t threads[3];
    struct itimerval often = {{0, 1000}, {0, 1000}}, never = {{0, 0}, {0, 0}};
    printf("%lx\n%lx\n", rounds(1, 1), rounds(5, 100));
    signal(SIGALRM, tick);
    setitimer(ITIMER_REAL, &often, NULL);
    printf("%lx\n", rounds(7, 20000));
    setitimer(ITIMER_REAL, &never, NULL);
    for (long i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, work, (void *)i);
    for (int i = 0; i < 3; i++) {
        void *result;
        pthread_join(threads[i], &result);
        printf("%lx\n", (unsigned long)result);
    }
    return ticks < 0;
}
