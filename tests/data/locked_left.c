/* locked_left.c: a handler jumps out of a loop that is little but a locked sequence, as often as the argument says. */
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>

extern void repeated(volatile long *cell, long times);

static sigjmp_buf back;
static volatile int jumps;
static volatile long cell;

static void leave(int signal) {
    (void)signal;
    jumps++;
    siglongjmp(back, 1);
}

int main(int count, char **arguments) {
    const int times = count > 1 ? atoi(arguments[1]) : 100;
    const struct itimerval timer = {{0, 300}, {0, 300}}, none = {{0, 0}, {0, 0}};
    signal(SIGVTALRM, leave);
    sigsetjmp(back, 1);
    setitimer(ITIMER_VIRTUAL, &timer, NULL);
    while (jumps < times)
        repeated(&cell, 1000);
    setitimer(ITIMER_VIRTUAL, &none, NULL);
    printf("%d\n", jumps >= times);
    return 0;
}
