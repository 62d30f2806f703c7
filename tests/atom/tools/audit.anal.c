/* audit.anal.c: the routines of audit.inst.c. */
#include <stdio.h>
#include <cmplrs/atom.anal.h>

static struct load { long count, wasted; } *loads;
static REGV before;
static FILE *file;

OpenFile(int n) { extern char *calloc(); loads = (struct load *)calloc(n + 1, sizeof *loads); file = fopen("audit1994.out", "w"); }
SaveLoad(REGV value) { before = value; }
CheckLoad(int n, REGV value) { loads[n].count++; if (value == before) loads[n].wasted++; }
PrintLoad(int n, long pc) { if (loads[n].count) fprintf(file, "0x%lx %ld %ld\n", pc, loads[n].count, loads[n].wasted); }
CloseFile() { fclose(file); }
