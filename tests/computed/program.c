/* program.c: for cells.atd: strings of all lengths in blocks of memory of all sizes. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static char text[4000];
int main(void) {
    long sum = 0;
    for (int i = 0; i < 200; i++) {
        char *copy = malloc(i * 7 + 1);
        snprintf(text + i, 100, "%d squared is %ld", i, (long)i * i);
        strcpy(copy, text + i);
        for (char *at = copy; *at; at++)
            sum = sum * 31 + *at;
        if (i % 3)
            free(copy);
    }
    printf("%lx\n", sum);
    return 0;
}
