/* arithmetic.c: calls the procedures of arithmetic.s with each number, some more often than others. */
#include <stdio.h>

extern long behind_call(long n, long unused, long (*called)(long)), through_27(long n), by_return(long n),
    by_call(long n), elsewhere(long n), row(long n), behind_caller(long n);

static long called(long n) {
    return 100 * n;
}

static long behind_a_call(long n) {
    return behind_call(n, 0, called);
}

int main(void) {
    static long (*const ways[])(long) = {behind_a_call, through_27, by_return,
                                         by_call,       elsewhere,  behind_caller};
    for (unsigned way = 0; way < sizeof ways / sizeof *ways; way++) {
        long sum = row(0);
        for (long n = 0; n < 4; n++)
            for (long i = 0; i <= n; i++)
                sum += (n + 1) * ways[way](n);
        printf("%ld\n", sum);
    }
    return 0;
}
