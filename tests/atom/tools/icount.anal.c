/* icount.anal.c: the routines of icount.inst.c. */
#include <stdio.h>
#include <stdlib.h>
static long counts[19];
Count(int *classes) { int k; for (k = 0; k < 19; k++) counts[k] += classes[k]; }
Check(int *sizes, int n, int total) { while (n--) total -= sizes[n]; if (total) { fprintf(stderr, "sizes are wrong\n"); exit(1); } }
Print(int k, char *name) {
    static FILE *file; static long total; int i;
    if (!file) file = fopen("icount.out", "w");
    fprintf(file, "%s %ld\n", name, counts[k]);
    total += counts[k];
    if (k == 18) { fprintf(file, "total %ld\n", total); fclose(file); }
}
