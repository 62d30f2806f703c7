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

/* With a slow path, which is called as a whole; that of Watch sees the sum. */
static unsigned long last[2], recent[2][4];
static long kept, watched, changes, seen;

static void move(int which, unsigned long line) {
    int i = 0;
    while (i < 3 && recent[which][i] != line)
        i++;
    for (; i > 0; i--)
        recent[which][i] = recent[which][i - 1];
    recent[which][0] = last[which] = line;
    changes++;
}

void Keep(unsigned long address) {
    kept++;
    if (last[0] != address / 64)
        move(0, address / 64);
}

void Watch(unsigned long address) {
    watched++;
    if (last[1] != address / 64) {
        move(1, address / 64);
        seen += watched;
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
    fprintf(file, "%ld %ld %ld %ld\n", kept, watched, changes, seen);
    PRINT
    fclose(file);
}
