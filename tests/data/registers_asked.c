/* registers_asked.c: a loop, calls, and the C library's output, whose registers registers_asked.atd asks for.
 */
#include <stdio.h>

enum { COUNT = 100 };

static long work(long *values, int count) {
    long sum = 0;
    for (int i = 0; i < count; i++) {
        values[i] = values[i] * 3 + i;
        sum ^= values[i] >> 3;
        if (sum & 4)
            sum += values[i * 7 % count];
    }
    return sum;
}

int main(void) {
    static long values[COUNT];
    static char buffer[4096];
    long total = 0;
    setvbuf(stdout, buffer, _IOFBF,
            sizeof buffer); /* so that nothing asks for the file, whose number is another each time */
    for (int i = 0; i < COUNT; i++)
        values[i] = i * 1234567;
    for (int i = 0; i < 20; i++)
        total += work(values, COUNT);
    printf("%ld\n", total);
    return 0;
}
