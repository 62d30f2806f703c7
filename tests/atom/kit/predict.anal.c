/* predict.anal.c: the routines of predict.inst.c. */
#include <stdio.h>
#include <stdlib.h>
static long (*counts)[3]; static unsigned char states[256]; static FILE *file;
Open(int n) { counts = calloc(n + 1, sizeof *counts); file = fopen("kit.out", "w"); }
Branch(int n, long pc, long condition) {
    unsigned char *state = &states[pc / 4 & 255]; int taken = condition != 0;
    counts[n][!taken]++; counts[n][2] += (*state > 1) != taken;
    if (taken ? *state < 3 : *state > 0) *state += taken ? 1 : -1;
}
Print(int n, long pc) { if (counts[n][0] + counts[n][1]) fprintf(file, "0x%lx\t%ld\t%ld\t%ld\n", pc, counts[n][0], counts[n][1], counts[n][2]); }
Close() { fclose(file); }
