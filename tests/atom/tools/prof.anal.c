/* prof.anal.c: analysis routines of prof.inst.c. */
#include <stdio.h>
#include <stdlib.h>

struct procedure {
    long instructions, pc;
    const char *name;
};

static struct procedure *procedures;
static int count;

void OpenFile(int procedure_count) {
    count = procedure_count;
    procedures = calloc(count + 1, sizeof *procedures);
    if (!procedures) {
        perror("prof");
        exit(1);
    }
}

void Execute(int procedure, int instructions) {
    procedures[procedure].instructions += instructions;
}

void AddProcedure(int procedure, long pc, const char *name) {
    procedures[procedure].pc = pc;
    procedures[procedure].name = name;
}

static int most_first(const void *left, const void *right) {
    const struct procedure *a = left, *b = right;
    if (a->instructions != b->instructions)
        return a->instructions < b->instructions ? 1 : -1;
    return (a->pc > b->pc) - (a->pc < b->pc);
}

void CloseFile(void) {
    long total = 0;
    FILE *file = fopen("prof.out", "w");
    if (!file) {
        perror("prof.out");
        return;
    }
    for (int i = 0; i < count; i++)
        total += procedures[i].instructions;
    qsort(procedures, count, sizeof *procedures, most_first);
    fprintf(file, "PC\tInstructions\tPercent\tProcedure\n");
    for (int i = 0; i < count && procedures[i].instructions > 0; i++)
        fprintf(file, "0x%lx\t%ld\t%.2f\t%s\n", procedures[i].pc, procedures[i].instructions,
                100.0 * procedures[i].instructions / total, procedures[i].name);
    fprintf(file, "total\t%ld\t100.00\n", total);
    fclose(file);
}
