/* dynmem.anal.c: the routines of dynmem.inst.c. */
#include <stdio.h>
static long size, sizes[1000], addresses[1000], allocated, freed;
Malloc(long n) { size = n; }
Malloced(long at) { int i; allocated += size; for (i = 0; i < 1000 && addresses[i]; i++); addresses[i] = at; sizes[i] = size; }
Free(long at) { int i; for (i = 0; at && i < 1000; i++) if (addresses[i] == at) { addresses[i] = 0; freed += sizes[i]; break; } }
Print() { FILE *file = fopen("dynmem.out", "w"); int i; fprintf(file, "%ld %ld\n", allocated, freed); for (i = 0; i < 1000; i++) if (addresses[i] && sizes[i] % 1000 == 7) fprintf(file, "leak %ld\n", sizes[i]); fclose(file); }
