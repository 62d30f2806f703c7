/* faults_found.c: what is large. */
#include <stdio.h>

static long large;

void Large(long value, long base) {
    large += value + (base & 7);
}

void Print(void) {
    printf("large: %ld\n", large);
    fflush(stdout);
}
