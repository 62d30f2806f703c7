/* inline.anal.c: the routines of inline.inst.c. */
#include <stdio.h>
#include <stdlib.h>
static long *counts; static FILE *file;
Open(int n) { counts = calloc(n + 1, sizeof *counts); file = fopen("kit.out", "w"); }
Call(int n) { counts[n]++; }
Print(int n, long pc, char *name) { if (counts[n]) fprintf(file, "0x%lx %ld %s\n", pc, counts[n], name); }
Close() { fclose(file); }
