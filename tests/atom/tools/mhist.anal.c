/* mhist.anal.c: the routines of mhist.inst.c: a counter for each power of two. */
#include <stdio.h>
static long counts[65];
Ask(unsigned long size) { int k; for (k = 0; size >> k; k++); counts[k]++; }
Print()
{
    FILE *file = fopen("mhist.out", "w");
    int k;
    for (k = 0; k < 65; k++) if (counts[k]) fprintf(file, "%lu %ld\n", k ? 1L << k - 1 : 0L, counts[k]);
    fclose(file);
}
