/* early_calls.c: the routines of early.atd: they need stdio, a heap and floating point before the program's begin. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static FILE *file;
static char *from;
static long times;
static double weight;

static void flush(void) {
    if (from)
        fprintf(file, "%s %ld %.1f\n", from, times, weight);
    free(from);
    from = NULL;
    times = 0;
    weight = 0;
}

void Say(const char *what) {
    if (!file)
        file = fopen("early.log", "w");
    flush();
    fprintf(file, "%s\n", what);
}

void Come(const char *name) {
    flush();
    fprintf(file, "+ %s\n", name);
}

void Go(const char *name) {
    flush();
    fprintf(file, "- %s\n", name);
}

void Work(const char *caller) {
    if (!from || strcmp(from, caller) != 0) {
        flush();
        from = strdup(caller);
    }
    times++;
    weight += 0.5;
}

void Print(void) {
    fclose(file);
}
