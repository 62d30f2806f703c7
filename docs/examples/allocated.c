#include <stdio.h>
static long bytes, blocks;
void Allocate(long size) {
    bytes += size;
    blocks++;
}
void Forget(void) {
    bytes = blocks = 0;
}
void Print(void) {
    printf("%ld bytes in %ld blocks\n", bytes, blocks);
}
