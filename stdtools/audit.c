/* audit.c: analysis routines of audit.atd. */
#include <stdio.h>
#include <stdlib.h>

static FILE *file;
static struct {
    long executed, redundant;
} *loads;
static long saved;

void OpenFile(int count) {
    loads = calloc(count + 1, sizeof *loads);
    file = fopen("audit.out", "w");
    if (!loads || !file) {
        perror("audit.out");
        exit(1);
    }
    fprintf(file, "PC\tExecuted\tRedundant\tProcedure\tSource\n");
}

void SaveLoad(long before) {
    saved = before;
}

void CheckLoad(int n, long after) {
    loads[n].executed++;
    loads[n].redundant += after == saved;
}

void PrintLoad(int n, long pc, const char *procedure, const char *source, int line) {
    if (loads[n].executed > 0)
        fprintf(file, "0x%lx\t%ld\t%ld\t%s\t%s:%d\n", pc, loads[n].executed, loads[n].redundant, procedure, source,
                line);
}

void CloseFile(void) {
    fclose(file);
}
