/* beside.c: a procedure that beside.atd replaces, called directly and through a pointer. */
#include <stdio.h>
__attribute__((noinline)) long twice(long x) {
    long sum = 0;
    for (long i = 0; i < x; i++)
        __asm__("addq %0, 2, %0" : "+r"(sum));
    return sum;
}
long (*volatile pointer)(long) = twice;
int main(void) {
    long sum = 0;
    for (long i = 0; i < 100; i++)
        sum += twice(i) + pointer(i);
    printf("%ld\n", sum);
    return 0;
}
