/* cache.c: analysis routines of cache.atd. */
#include <stdio.h>

#define CACHE_SIZE 65536
#define LINE_SIZE  32
#define LINES      (CACHE_SIZE / LINE_SIZE)

/* Line numbers (address / LINE_SIZE) plus one, so that zero is an empty line. */
static unsigned long lines[LINES];
static long references, misses;

void Reference(unsigned long address) {
    unsigned long line = address / LINE_SIZE;
    references++;
    if (lines[line % LINES] != line + 1) {
        lines[line % LINES] = line + 1;
        misses++;
    }
}

void Print(void) {
    FILE *file = fopen("cache.out", "w");
    if (!file) {
        perror("cache.out");
        return;
    }
    fprintf(file, "references %ld\nmisses %ld\nmiss rate %.2f\n", references, misses,
            references ? 100.0 * misses / references : 0.0);
    fclose(file);
}
