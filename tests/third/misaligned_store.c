/* misaligned_store: a line with an error ends with third's message. */
#include <stdlib.h>
#include <string.h>
#include <stdio.h>

int main(void) {
    char *block = malloc(16), *other = malloc(16);
    *(volatile long *)(block + 4) = 7;
    *(volatile int *)(other + 6) = 7;
    if (*(volatile int *)(block + 4) == 1 || *(volatile int *)(block + 8) == 1)
        puts("no");
    if (*(volatile int *)block == 1) //! unset heap read
        puts("yes");
    if (*(volatile int *)(block + 12) == 1) //! unset heap read
        puts("yes");
    if (*(volatile short *)(other + 8) == 1)
        puts("no");
    if (*(volatile int *)other == 1) //! unset heap read
        puts("yes");
    free(block);
    free(other);
    return 0;
}
