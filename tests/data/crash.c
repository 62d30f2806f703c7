/* crash.c: routines that crash, one of them in the C library. */
#include <stdio.h>
#include <string.h>
static long total;
void Direct(long n, long place) {
    if (n > 3)
        *(long *)place = n;
    total += n;
}
void Library(const char *text) {
    total += strlen(text);
    printf("%ld\n", total);
}
