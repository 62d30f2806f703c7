/* cache.anal.c: the routines of cache.inst.c: direct-mapped, 32 bytes a line; fully associative, 32 pages, the least recently used goes. */
#include <stdio.h>
static long tags[2048], pages[32], references, misses;
Reference(long address) {
    long line = address >> 5; int at = line & 2047;
    references++;
    if (tags[at] != line + 1) { misses++; tags[at] = line + 1; }
}
Buffer(long address) {
    long page = (address >> 13) + 1; int i;
    references++;
    for (i = 0; i < 31 && pages[i] != page; i++) ;
    misses += pages[i] != page;
    for (; i > 0; i--) pages[i] = pages[i - 1];
    pages[0] = page;
}
Print(int buffer) { FILE *file = fopen("kit.out", "w"); fprintf(file, "%ld %ld\n", references, misses); fclose(file); }
