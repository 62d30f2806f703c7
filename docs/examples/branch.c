/* branch.c: analysis routines of branch.atd. */
#include <stdio.h>
#include <stdlib.h>

static struct branch { long taken, untaken, wrong; } * branches;
static FILE *file;
static int predicts;
static unsigned char states[65536]; /* 0 and 1: not taken; 2 and 3: taken */
static unsigned long mask, history;
static long executions, wrong;

void OpenFile(int count, int with_predictor, int entries) {
    branches = calloc(count + 1, sizeof *branches);
    file = fopen("branch.out", "w");
    if (!branches || !file) {
        perror("branch.out");
        exit(1);
    }
    predicts = with_predictor;
    mask = entries - 1;
    fprintf(file, "PC\tTaken\tNot Taken\t%sProcedure\tSource\n", predicts ? "Mispredicted\t" : "");
}

void CondBranch(int n, long taken) {
    if (taken)
        branches[n].taken++;
    else
        branches[n].untaken++;
}

void Predict(int n, int entry, long taken) {
    unsigned char *state = &states[entry];
    CondBranch(n, taken);
    branches[n].wrong += *state >> 1 != taken;
    *state += taken ? *state < 3 : -(*state > 0);
}

void PredictByHistory(int n, int entry, long taken) {
    Predict(n, entry ^ (history & mask), taken);
    history = history << 1 | taken;
}

void PrintBranch(int n, long pc, const char *procedure, const char *source, int line) {
    const struct branch *b = &branches[n];
    if (b->taken + b->untaken == 0)
        return;
    fprintf(file, "0x%lx\t%ld\t%ld\t", pc, b->taken, b->untaken);
    if (predicts)
        fprintf(file, "%ld\t", b->wrong);
    fprintf(file, "%s\t%s:%d\n", procedure, source, line);
    executions += b->taken + b->untaken, wrong += b->wrong;
}

void CloseFile(void) {
    if (predicts)
        fprintf(file, "mispredicted %ld of %ld\n", wrong, executions);
    fclose(file);
}
