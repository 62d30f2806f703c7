/* inline.anal.c: the routines of inline.inst.c. */
#include <stdio.h>
#include <stdlib.h>
static long *calls; static FILE *file;
Open(int n) { calls = (long *)calloc(n + 1, 8); file = fopen("inline.out", "w"); }
Call(int n) { calls[n]++; }
Print(int n, long pc, char *name) { if (n < 0) { if (pc || name) fprintf(file, "a null pointer is none\n"); fclose(file); } else if (calls[n]) fprintf(file, "0x%lx %ld %s\n", pc, calls[n], name); }
