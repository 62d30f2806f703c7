/* passed.c: counts what the calls of passed.atd pass. */
#include <stdio.h>
#include <string.h>
#include "atomc.h"

enum { MOST = 100000 };
static struct call {
    long thread, calls, number;
    const char *context;
} all[MOST];
static long count, depths[1000], late[MOST][2], late_count, wrong;
static volatile double halves;

void Leaf(long thread, long calls, const char *context, long number, const char *name, const void *text, short depth,
          int process, long of_context, long seen) {
    long before = 0;
    halves = halves / 2 + (double)calls; /* in registers that the program uses */
    for (long i = 0; i < count; i++) {
        before += all[i].thread == thread && strcmp(all[i].context, context) == 0;
        wrong += (all[i].number == number) != (strcmp(all[i].context, context) == 0);
    }
    wrong += (long)context != number || !*name || strcmp(text, "text") != 0 || process <= 0;
    wrong += of_context != 3 * (before + 1) || seen != 1;
    all[count++] = (struct call){thread, calls, number, context};
    depths[depth]++;
}

void Narrow(long x, int i, short s, signed char c, unsigned u, unsigned short us, unsigned char uc, int five, char size, long sp) {
    wrong += i != (int)x || s != (short)x || c != (signed char)x || u != (unsigned)x || us != (unsigned short)x ||
             uc != (unsigned char)x || five != -5 || size <= 0 || sp % 16 != 0 || x == 0;
}

void Late(int thread, unsigned calls) {
    late[late_count][0] = thread;
    late[late_count++][1] = (long)calls;
}

void Finish(void) {
    FILE *file = atomc_begin_text("seen.c");
    for (long i = 0; i < count; i++)
        fprintf(file, "%ld\t%ld\t%s\t1\n", all[i].thread, all[i].calls, all[i].context);
    atomc_end_file();
    file = atomc_begin_text("depths.c");
    for (long i = 0; i < 1000; i++)
        if (depths[i])
            fprintf(file, "%ld\t%ld\n", i, depths[i]);
    atomc_end_file();
    file = atomc_begin_text("late.c");
    for (long i = 0; i < late_count; i++)
        fprintf(file, "%ld\t%ld\t1\n", late[i][0], late[i][1]);
    atomc_end_file();
    if (wrong)
        fprintf(stderr, "%ld wrong\n", wrong);
}
