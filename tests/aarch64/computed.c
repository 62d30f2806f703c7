/* computed.c: a procedure that is called 2,057 times, with branches of all kinds, for
 * tests/aarch64/computed.atd. */
#include <stdio.h>

static volatile long left = 40;

__attribute__((noinline)) long called(long n) {
    long sum = n;
    for (long i = 0; i < n % 5; i++)
        sum += n & 1 ? i : -i;
    if ((int)n < 0 || n == left)
        sum++;
    return sum & 0x400 ? sum - 1 : sum;
}

int main(void) {
    long sum = 0;
    for (long i = 0; i < 2057; i++)
        sum += called(i);
    printf("%ld\n", sum);
    return 0;
}
