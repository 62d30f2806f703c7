/* branch.c: analysis routines of branch.atd. */
#include <stdio.h>
#include <stdlib.h>

struct branch {
    long taken, untaken;
};

static FILE *file;
static struct branch *branches;

void OpenFile(int count) {
    branches = calloc(count + 1, sizeof *branches);
    file = fopen("btaken.out", "w");
    if (!branches || !file) {
        perror("btaken.out");
        exit(1);
    }
    fprintf(file, "PC\tTaken\tNot Taken\tProcedure\tSource\n");
}

void CondBranch(int n, long taken) {
    if (taken)
        branches[n].taken++;
    else
        branches[n].untaken++;
}

void PrintBranch(int n, long pc, const char *procedure, const char *source, int line) {
    if (branches[n].taken + branches[n].untaken > 0)
        fprintf(file, "0x%lx\t%ld\t%ld\t%s\t%s:%d\n", pc, branches[n].taken, branches[n].untaken, procedure,
                source, line);
}

void CloseFile(void) {
    fclose(file);
}
