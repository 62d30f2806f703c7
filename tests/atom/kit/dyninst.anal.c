/* dyninst.anal.c: the routines of dyninst.inst.c. */
#include <stdio.h>
#include <stdlib.h>
static struct { long instructions, calls; } *procs;
static long instructions, blocks, loads, stores, calls; static FILE *file;
Open(int n) { procs = calloc(n + 1, sizeof *procs); file = fopen("kit.out", "w"); }
Block(int n, int *counts) {
    procs[n].instructions += counts[0];
    instructions += counts[0]; blocks++; loads += counts[1]; stores += counts[2]; calls += counts[3];
}
Enter(int n) { procs[n].calls++; }
Print(int n, long pc, char *name) { if (procs[n].instructions) fprintf(file, "0x%lx %ld %ld %s\n", pc, procs[n].calls, procs[n].instructions, name); }
Close() { fprintf(file, "total %ld %ld %ld %ld %ld\n", instructions, blocks, loads, stores, calls); fclose(file); }
