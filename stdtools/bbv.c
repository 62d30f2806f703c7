/* bbv.c: analysis routines of bbv.atd. */
#include <stdio.h>
#include <stdlib.h>

static FILE *file;
static long *executed, left, interval;
static int blocks;

void Open(int count, long instructions) {
    blocks = count;
    left = interval = instructions;
    executed = calloc(count + 1, sizeof *executed);
    file = fopen("bbv.out", "w");
    if (!executed || !file) {
        perror("bbv.out");
        exit(1);
    }
}

static void end_interval(void) {
    left = interval;
    putc('T', file);
    for (int i = 0; i < blocks; i++)
        if (executed[i] > 0) {
            fprintf(file, ":%d:%ld ", i + 1, executed[i]);
            executed[i] = 0;
        }
    putc('\n', file);
}

void Execute(int block, int instructions) {
    executed[block] += instructions;
    left -= instructions;
    if (left <= 0)
        end_interval();
}

void Close(void) {
    if (left < interval)
        end_interval();
    fclose(file);
}
