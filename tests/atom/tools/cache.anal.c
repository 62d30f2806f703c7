/* cache.anal.c: the routines of cache.inst.c: direct mapped, a line is fetched for stores too. */
#include <stdio.h>
#include <stdlib.h>
static unsigned long *lines, size, line, references, misses;
Init(long bytes, long of_line) { size = bytes / of_line; line = of_line; lines = (unsigned long *)calloc(size, sizeof *lines); }
Reference(unsigned long address)
{
    unsigned long number = address / line;
    references++;
    if (lines[number % size] != number + 1) { misses++; lines[number % size] = number + 1; }
}
Print(char *name)
{
    FILE *file = fopen(name, "w");
    fprintf(file, "Cache\tReferences\tMisses\nL1\t%lu\t%lu\n", references, misses);
    fclose(file);
}
