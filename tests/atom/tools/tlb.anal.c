/* tlb.anal.c: the routines of tlb.inst.c: the least recently used page goes. */
#include <stdio.h>
static unsigned long page, pages[4096], used[4096], now, references, misses;
static int entries, latest;

Init(int n, long bytes) { entries = n; page = bytes; }

Refer(unsigned long address)
{
    unsigned long number = address / page + 1;
    int k, oldest = 0;
    references++;
    now++;
    if (pages[latest] == number) { used[latest] = now; return; }
    for (k = 0; k < entries; k++) {
        if (pages[k] == number) { used[latest = k] = now; return; }
        if (used[k] < used[oldest]) oldest = k;
    }
    misses++;
    pages[latest = oldest] = number;
    used[oldest] = now;
}

Report(char *name) { FILE *file = fopen(name, "w"); fprintf(file, "%lu %lu\n", references, misses); fclose(file); }
