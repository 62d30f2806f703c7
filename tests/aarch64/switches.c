/* switches.c: calls the functions of switches.S with all numbers that they take. */
#include <stdio.h>

long limit(long), beyond(long), kept(long), exits(long), stored(long), entry(long), returns(long),
    popped(long);

int main(void) {
    for (long i = 0; i < 4; i++)
        printf("%ld %ld %ld %ld %ld %ld %ld %ld\n", limit(i), beyond(i), kept(i), exits(i), stored(i),
               entry(i), returns(i), popped(i));
    return 0;
}
