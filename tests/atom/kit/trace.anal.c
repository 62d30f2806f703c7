/* trace.anal.c: the routines of trace.inst.c, and of trace.atd. */
#include <stdio.h>
static unsigned long procedures, addresses, calls, accesses;
void Procedure(long pc) { procedures = procedures * 31 + pc; calls++; }
void Address(long address) { addresses = addresses * 31 + address; accesses++; }
void Print(void) { FILE *file = fopen("kit.out", "w"); fprintf(file, "%lu %lx %lu %lx\n", calls, procedures, accesses, addresses); fclose(file); }
