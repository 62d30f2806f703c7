/* accesses.c: the analysis routines of accesses.atd. */
#include <stdio.h>

static long loads[17], stores[17], on_stack;

void Access(int size, int is_store, unsigned long address) {
    (is_store ? stores : loads)[size]++;
    on_stack += address >= (unsigned long)0x200000000; /* far above the program */
}

void Print(void) {
    for (int size = 1; size <= 16; size++)
        if (loads[size] + stores[size] > 0)
            fprintf(stderr, "%d bytes: %ld loads, %ld stores\n", size, loads[size], stores[size]);
    fprintf(stderr, "on the stack: %ld\n", on_stack);
}
