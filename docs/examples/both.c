/* both.c: the analysis routines of both.atd. */
#include <stdio.h>
#include <string.h>

struct count {
    const char *mnemonic;
    long before, after;
};

static struct count counts[100];
static int used;

static int find(const char *mnemonic) {
    for (int i = 0; i < used; i++)
        if (strcmp(counts[i].mnemonic, mnemonic) == 0)
            return i;
    counts[used].mnemonic = mnemonic;
    return used++;
}

void Before(const char *mnemonic) {
    counts[find(mnemonic)].before++;
}

void After(const char *mnemonic) {
    counts[find(mnemonic)].after++;
}

void Print(void) {
    for (int i = 0; i < used; i++)
        fprintf(stderr, "%-4s %5ld before %5ld after\n", counts[i].mnemonic, counts[i].before,
                counts[i].after);
}
