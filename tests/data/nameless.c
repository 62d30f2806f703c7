#include <stdio.h>
long plain(long), fill(long), one(long), two(long), taken(long), caller(long), last(long);
extern long (*places[])(long);
int main(void) {
    long sum = 0;
    for (long i = 0; i < 1000; i++)
        sum += plain(i) + fill(i) + one(i & 1) + two(i) + taken(i) + places[0](i) + caller(i) + last(i);
    printf("%ld\n", sum);
    return 0;
}
