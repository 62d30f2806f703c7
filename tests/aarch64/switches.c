/* switches.c: calls the functions of switches.S with all numbers that they take. Then a function of glibc,
   whose assembly keeps temporaries over a call of another one, which is chosen when the program starts. */
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>

long limit(long), beyond(long), kept(long), exits(long), stored(long), entry(long), returns(long),
    popped(long), extended(long), changed(long), based(long), summed(long), vectored(long), tabled(long);

int main(void) {
    for (long i = 0; i < 4; i++)
        printf("%ld %ld %ld %ld %ld %ld %ld %ld\n", limit(i), beyond(i), kept(i), exits(i), stored(i),
               entry(i), returns(i), popped(i));
    for (long i = 0; i < 4; i++)
        printf("%ld %ld %ld %ld %ld %ld\n", extended(i), changed(i), based(i), summed(i), vectored(i),
               tabled(i));
    static char text[] = "rawmemchr of 0 calls strlen";
    static volatile int nothing;
    printf("%ld\n", (long)((char *)rawmemchr(text, nothing) - text));
    return 0;
}
