/* failed_realloc: realloc of a size that is none fails, and changes nothing. */
#include <stdlib.h>

int main(void) {
    char *block = malloc(1);
    volatile unsigned long size = -1ul / 2 + 1;
    char *volatile larger = realloc(block, size); //! absurd size
    if (!larger)
        free(block);
    return 0;
}
