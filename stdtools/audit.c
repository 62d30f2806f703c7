/* audit.c: analysis routines of audit.atd. */
#include <stdio.h>
#include <stdlib.h>

struct load {
    long executed, redundant;
};
struct saved_value {
    long thread, value;
};

static FILE *file;
static struct load *loads;

/* What a thread's register held before its load. Threads that have ended leave their places; thread pointers
   come again. */
#define PLACES 65536
static struct saved_value saved[PLACES];

static long *saved_value(long thread) {
    unsigned long at = (unsigned long)thread >> 4, end = at + 64;
    while (at < end && saved[at % PLACES].thread != thread && saved[at % PLACES].thread != 0)
        at++; /* beyond that, an old thread's place */
    saved[at % PLACES].thread = thread;
    return &saved[at % PLACES].value;
}

void OpenFile(int count) {
    loads = calloc(count + 1, sizeof *loads);
    file = fopen("audit.out", "w");
    if (!loads || !file) {
        perror("audit.out");
        exit(1);
    }
    fprintf(file, "PC\tExecuted\tRedundant\tProcedure\tSource\n");
}

void SaveLoad(long thread, long before) {
    *saved_value(thread) = before;
}

void CheckLoad(int n, long thread, long after) {
    long before = *saved_value(thread); /* first: up to there it is put in at its site */
    loads[n].executed++;
    loads[n].redundant += after == before;
}

void PrintLoad(int n, long pc, const char *procedure, const char *source, int line) {
    if (loads[n].executed > 0)
        fprintf(file, "0x%lx\t%ld\t%ld\t%s\t%s:%d\n", pc, loads[n].executed, loads[n].redundant, procedure,
                source, line);
}

void CloseFile(void) {
    fclose(file);
}
