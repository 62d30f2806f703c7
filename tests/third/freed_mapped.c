/* freed_mapped: a block that the allocator maps, and gives back to the kernel when it is freed; and one that it maps after it. */
#include <stdlib.h>

int main(void) {
    volatile char *block = malloc(1000000), *other;
    block[0] = 1;
    free((char *)block);
    other = malloc(3000000);
    other[5] = 2;
    free((char *)other);
    return block[10]; //! read of freed memory
}
