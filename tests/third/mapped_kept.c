/* mapped_kept: a line with an error ends with third's message; memory that a call was to take away, which failed, is still there. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <sys/mman.h>

static char **map(void) {
    return mmap(NULL, 1 << 16, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}
static int fill(void) {
    char **kept = map(), **other = map(), **closed = map();
    kept[100] = malloc(50);
    other[100] = malloc(60);
    closed[100] = malloc(70); //! leak
    mprotect(closed, 1 << 16, PROT_NONE);
    return mremap(kept, 1 << 16, 1L << 50, MREMAP_MAYMOVE) == MAP_FAILED && munmap((char *)other + 1, 1 << 16) != 0 &&
           mremap(closed, 1 << 16, 1L << 50, MREMAP_MAYMOVE) == MAP_FAILED;
}
static void wipe(void) {
    volatile char a[500];
    for (int i = 0; i < 500; i++)
        a[i] = 0;
}
int main(void) {
    int filled = fill();
    wipe();
    return !filled;
}
