/* iprof.anal.c: the routines of iprof.inst.c. */
#include <stdio.h>
static long calls[65536], returns[65536];
static FILE *file;
Enter(int n) { calls[n]++; }
Leave(int n) { returns[n]++; }
Print(int n, char *name) { if (!file) file = fopen("iprof.out", "w"); if (calls[n]) fprintf(file, "%s %ld %ld\n", name, calls[n], returns[n]); }
End(char c) { if (c == 'x') fclose(file); }
