/* transfers.c: the analysis routines of transfers.atd. */
#include <stdio.h>

static int gone[100], returned[100];

void Go(int call, const char *caller, const char *callee, long target) {
    if (gone[call]++ == 0)
        fprintf(stderr, "%s calls %s at 0x%lx\n", caller, callee, target);
}

void Return(int call, const char *callee, int result) {
    if (returned[call]++ == 0)
        fprintf(stderr, "%s returns %d\n", callee, result);
}
