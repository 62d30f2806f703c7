#include <stdio.h>
static volatile long calls;
void Count(void) {
    calls++;
}
void Print(void) {
    long before = calls;
    for (volatile int i = 0; i < 3000000; i++)
        ;
    printf("%s\n", calls == before ? "the same" : "more");
}
