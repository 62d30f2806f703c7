/* branch.anal.c: the routines of branch.inst.c. */
#include <stdio.h>
#include <stdlib.h>
static struct branch { long taken, other; } *branches;
static FILE *file;
OpenFile(int n) { branches = (struct branch *)calloc(n + 1, sizeof *branches); file = fopen("btaken.out", "w"); }
CondBranch(int n, long taken) { if (taken) branches[n].taken++; else branches[n].other++; }
PrintBranch(int n, long pc, char *procedure, char *source, int line)
{
    struct branch *b = &branches[n];
    if (b->taken + b->other) fprintf(file, "0x%lx\t%ld\t%ld\t%s\t%s:%d\n", pc, b->taken, b->other, procedure, source, line);
}
CloseFile() { fclose(file); }
