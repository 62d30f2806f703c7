/* unaligned.c: reads numbers of a packed record where they are, at addresses that are no multiples of their
 * size. */
#include <stdio.h>
#include <string.h>

static unsigned char record[64];

/* As old code does it: Alpha traps, and the system puts it right. */
__attribute__((noinline)) static int number_at(const volatile unsigned char *at) {
    return *(const volatile int *)at;
}

int main(void) {
    long sum = 0;
    for (int i = 0; i < 64; i++)
        record[i] = i;
    for (int i = 0; i < 60; i++)
        sum += number_at(record + i);
    printf("%lx\n", sum);
    return 0;
}
