/* absurd_size: a difference below zero, as a size. */
#include <stdlib.h>

int main(void) {
    volatile long from = 40, to = 16;
    char *volatile block = malloc(to - from); //! absurd size
    free(block);
    return 0;
}
