/* each.c: the analysis routines of each.atd. */
#include <stdio.h>

struct caller {
    long thread, calls;
};

static struct caller threads[100];

void Enter(long thread) {
    int i = 0;
    while (threads[i].thread != thread && threads[i].thread != 0)
        i++;
    threads[i].thread = thread;
    threads[i].calls++;
}

void Print(void) {
    for (int i = 0; threads[i].thread; i++)
        fprintf(stderr, "thread %d: %ld calls\n", i + 1, threads[i].calls);
}
