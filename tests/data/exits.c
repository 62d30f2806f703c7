#include <stdio.h>
long leaf(long), ways(long, long (*)(long));
int main(void) {
    long sum = 0;
    for (long i = 0; i < 1000; i++)
        sum += ways(i, leaf);
    printf("%ld\n", sum);
    return 0;
}
