/* sums.c: counts references in several ways. variant.h may define declarations (DECLARE), routines (DEFINE),
   and what is printed as well (PRINT). */
#include <stdio.h>
#include <stdlib.h>
#include "variant.h"

static unsigned long lines[64];
static long references, total, sampled;
long odd, even, hits, misses;
DECLARE

void Reference(unsigned long address) {
    unsigned long line = address / 32;
    references++;
    if (line & 1)
        odd++;
    else
        even++;
    if (lines[line % 64] == line + 1) {
        hits++;
    } else {
        lines[line % 64] = line + 1;
        misses++;
    }
}

void Add(long n) {
    total += n;
    sampled += 3;
}

DEFINE
void Print(void) {
    FILE *file = fopen("sums", "w");
    fprintf(file, "%ld %ld %ld %ld %ld %ld %ld\n", references, odd + even, hits + misses, total, sampled, odd,
            misses);
    PRINT
    fclose(file);
}
