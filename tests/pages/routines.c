/* routines.c: what pages of page.awk call: inlined ones, one with a rare slow path, one with floating point, one that calls. */
#include <stdio.h>

static long notes, mixed = 1, rare, deepest;
static double real;
static unsigned long seen[64];

void Note(long place, long value) {
    notes += place ^ value;
}

void Mix(long place, long value) {
    mixed = mixed * 31 + (place & value);
    if (mixed < 0)
        mixed ^= place;
}

static __attribute__((noinline)) void remember(long place, long value) {
    seen[place & 63] = value;
    rare++;
    notes ^= seen[value & 63];
}

void Rare(long place, long value) {
    if (seen[place & 63] != (unsigned long)value)
        remember(place, value);
}

void Real(long place, long value) {
    real = real * 0.5 + (double)(value & 0xffff) / (double)((place & 7) + 1);
}

static __attribute__((noinline)) long down(long depth, long value) {
    return depth > 0 ? down(depth - 1, value) + (value & depth) : value;
}

void Deep(long place, long value) {
    deepest = deepest * 7 + down(place & 3, value);
}

void Print(void) {
    FILE *file = fopen("routines.out", "w");
    unsigned long sum = 0;
    for (int i = 0; i < 64; i++)
        sum = sum * 5 + seen[i];
    fprintf(file, "%ld %ld %ld %ld %.17g %lu\n", notes, mixed, rare, deepest, real, sum);
    fclose(file);
}
