/* break.c: is memory from calloc zero, where others had it before and it was given back? */
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void Try(void) {
    long size = 100000, wrong = 0, moved = 0;
    for (int round = 0; round < 5; round++) {
        char *blocks[20];
        for (int i = 0; i < 20; i++) { /* smaller than what malloc maps */
            if (!(blocks[i] = calloc(1, size)))
                abort();
            for (long at = 0; at < size; at++)
                wrong += blocks[i][at] != 0;
            memset(blocks[i], 'x', size);
        }
        char *before = sbrk(0);
        for (int i = 0; i < 20; i++)
            free(blocks[i]);
        malloc_trim(0);
        moved += (char *)sbrk(0) < before;
    }
    printf("%ld wrong, given back %s\n", wrong, moved > 0 ? "sometimes" : "never");
}
