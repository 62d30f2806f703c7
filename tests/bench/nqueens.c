/* nqueens.c: an extreme of the benchmark: a call for every few instructions, few of them loads or stores. */
#include <stdio.h>
#include <stdlib.h>

static unsigned all;

__attribute__((noinline)) static long place(unsigned columns, unsigned left, unsigned right) {
    long ways = columns == all;
    for (unsigned free = all & ~(columns | left | right); free; free &= free - 1) {
        unsigned here = free & -free;
        ways += place(columns | here, (left | here) << 1, (right | here) >> 1);
    }
    return ways;
}

__attribute__((noinline)) static long fibonacci(long n) {
    return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

int main(int argc, char **argv) {
    if (argc != 3)
        return 2;
    long ways = 0, sum = 0;
    all = (1u << atoi(argv[1])) - 1;
    for (int round = atoi(argv[2]); round > 0; round--) {
        ways += place(0, 0, 0);
        sum += fibonacci(20);
    }
    printf("%ld ways, %ld\n", ways, sum);
    return 0;
}
