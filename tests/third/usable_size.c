/* usable_size: what malloc_usable_size says is the block's, and no more. */
#include <malloc.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    volatile char *block = malloc(10);
    long usable = malloc_usable_size((char *)block);
    memset((char *)block, 'z', usable);
    int last = block[usable - 1];
    last += block[usable]; //! read outside a block
    free((char *)block);
    return last == 0;
}
