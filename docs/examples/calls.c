/* calls.c: the analysis routines of calls.atd. */
#include <stdio.h>
#include <stdlib.h>

static long *calls;

void Start(int procedures) {
    calls = calloc(procedures, sizeof *calls);
}

void Enter(int procedure) {
    calls[procedure]++;
}

void Report(int procedure, const char *name, long pc) {
    fprintf(stderr, "%-8s at 0x%lx: %ld calls\n", name, pc, calls[procedure]);
}
