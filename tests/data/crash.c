/* crash.c: routines that crash, one of them in the C library, and one that never returns. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>
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
void Stuck(void) {
    puts("here");
    fflush(stdout);
    for (;;)
        pause();
}
