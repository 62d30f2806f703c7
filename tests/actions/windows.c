/* windows.c: the calls that are sampled. */
#include <stdio.h>

static long calls, odd;

void Look(long number) {
    calls++;
    odd += number & 1;
}

void Close(void) {
    printf("looked at %ld, %ld odd\n", calls, odd);
}
