/* bpred.anal.c: the routines of bpred.inst.c. */
#include <stdio.h>
#include <cmplrs/atom.anal.h>

extern char *calloc();
static struct branch { long executed, missed; } *branches, total;
static char *counters;
static int entries;
static FILE *file;

Open(int n, int size)
{
    int i;
    branches = (struct branch *)calloc(n + 1, sizeof *branches);
    counters = calloc(entries = size, 1);
    for (i = 0; i < size; i++) counters[i] = 1;
    file = fopen("bpred.out", "w");
}

Predict(int n, unsigned long pc, long taken)
{
    char *counter = &counters[pc / 4 % entries];
    branches[n].executed++;
    if (taken) {
        if (*counter < 2) branches[n].missed++;
        if (*counter < 3) ++*counter;
    } else {
        if (*counter >= 2) branches[n].missed++;
        if (*counter > 0) --*counter;
    }
}

Print(int n, long pc)
{
    if (branches[n].executed) fprintf(file, "0x%lx %ld %ld\n", pc, branches[n].executed, branches[n].missed);
    total.executed += branches[n].executed;
    total.missed += branches[n].missed;
}

Total() { fprintf(file, "total %ld %ld\n", total.executed, total.missed); fclose(file); }
