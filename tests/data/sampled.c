/* sampled.c [frames]: what profilers that sample see. Compiled with -pg, the C library's own one: many
   samples in `often`, some in `seldom`, and exact numbers of calls. With frames, 50 times a timer's handler
   calls backtrace(): each has a frame of main, and one of the place that was interrupted. */
#include <execinfo.h>
#include <signal.h>
#include <stdio.h>
#include <sys/time.h>

static volatile unsigned long sum;
static volatile int handled, whole;

__attribute__((noinline)) void often(long n) {
    for (long i = 0; i < n; i++)
        sum += (unsigned long)(i * i);
}

__attribute__((noinline)) void seldom(long n) {
    for (long i = 0; i < n; i++)
        sum ^= (unsigned long)i;
}

__attribute__((noinline)) void wait_for_handlers(void) {
    while (handled < 50)
        often(100);
}

int main(int argc, char **argv);

/* The procedures' order in memory is theirs here: no function is moved. */
static int is_in(const void *address, const void *procedure, const void *next) {
    return (const char *)address >= (const char *)procedure && (const char *)address < (const char *)next;
}

static void handler(int signal) {
    void *frames[64];
    if (handled == 50) /* one that came before the timer was stopped */
        return;
    int count = backtrace(frames, 64), has_main = 0, has_place = 0;
    (void)signal;
    for (int i = 0; i < count; i++) {
        has_main |= is_in(frames[i], (void *)main, (char *)main + 400);
        has_place |= is_in(frames[i], (void *)often, (void *)main);
    }
    whole += has_main && has_place;
    handled++;
}

int main(int argc, char **argv) {
    struct itimerval timer = {{0, 2000}, {0, 2000}}, none = {{0, 0}, {0, 0}};
    (void)argv;
    if (argc < 2) {
        for (int k = 0; k < 10; k++) {
            often(20000000);
            seldom(2000000);
        }
        printf("%lu\n", sum);
        return 0;
    }
    signal(SIGVTALRM, handler);
    setitimer(ITIMER_VIRTUAL, &timer, NULL);
    wait_for_handlers();
    setitimer(ITIMER_VIRTUAL, &none, NULL);
    printf("%d of %d whole\n", whole, handled);
    return 0;
}
