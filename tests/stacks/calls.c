/* calls.c: calls counted in C, with a frame of its own. */
#include <stdio.h>

static long calls;

void Enter(long stack_pointer, long link) {
    char line[200];
    snprintf(line, sizeof line, "%lx %lx", stack_pointer, link);
    calls += line[0] != 0;
}

void Print(void) {
    FILE *file = fopen("called", "w");
    fprintf(file, "%ld\n", calls);
    fclose(file);
}
