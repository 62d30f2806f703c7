/* cache8k.c: analysis routines of cache8k.atd. */
#include <stdio.h>

enum { LINES = 8192 / 32 };
static unsigned long lines[LINES]; /* line number plus one */
static long references, misses;

void Reference(unsigned long address) {
    unsigned long line = address / 32;
    references++;
    if (lines[line % LINES] != line + 1) {
        lines[line % LINES] = line + 1;
        misses++;
    }
}

void Print(void) {
    FILE *file = fopen("cache8k.out", "w");
    if (!file) {
        perror("cache8k.out");
        return;
    }
    fprintf(file, "references %ld\nmisses %ld\n", references, misses);
    fclose(file);
}
