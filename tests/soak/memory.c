/* memory.c: much memory: an array that nothing is in, the heap, mappings that move, a deep stack. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>

static char array[300 << 20];

static long deep(int levels) {
    volatile char frame[4096];
    for (unsigned i = 0; i < sizeof frame; i += 512)
        frame[i] = (char)(levels + (int)i);
    return levels ? deep(levels - 1) + frame[512] : frame[0];
}

int main(void) {
    long sum = 0;
    for (size_t i = 0; i < sizeof array; i += 65536)
        array[i] = (char)(i >> 16);
    for (size_t i = 0; i < sizeof array; i += 65536)
        sum += array[i];
    char *blocks[100];
    for (int i = 0; i < 100; i++) {
        blocks[i] = malloc((size_t)(i + 1) << 13);
        blocks[i][i] = (char)i;
    }
    for (int i = 0; i < 100; i++) {
        sum += blocks[i][i];
        free(blocks[i]);
    }
    char *mapped = mmap(NULL, 64 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    mapped[12345678] = 7;
    mapped = mremap(mapped, 64 << 20, 200 << 20, MREMAP_MAYMOVE);
    struct rlimit limit;
    getrlimit(RLIMIT_STACK, &limit);
    printf("%ld %d %ld %lx\n", sum, mapped[12345678], deep(1500), (long)limit.rlim_cur);
    return 0;
}
