/* preload.c: what a preloaded library puts in the stead of the C library's and another library's functions. */
#include <stdio.h>
#include <stdlib.h>
int base_value(void);
int main(void) {
    long sum = 0;
    for (int i = 0; i < 50; i++)
        sum += atol("12") + base_value();
    printf("%ld\n", sum);
    return 0;
}
