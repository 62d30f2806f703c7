/* unlocked.c: the same lines are found in three ways: by a table that is read without the lock, by one that
   is not, and by both. A line that is not remembered although it is new, because of a look-up that should not
   have succeeded, is missing. */
#include "atomc.h"

#include <stdio.h>
#include <stdlib.h>

enum { SLOTS = 64, KNOWN = 1 << 16 };
static unsigned long unlocked[SLOTS], locked_ones[SLOTS], some[SLOTS];
atomc_unlocked(unlocked);
atomc_unlocked(some);
static struct {
    unsigned long lines[KNOWN];
    long count;
} found[3];

static __attribute__((noinline)) void remember(unsigned long *slot, unsigned long line, int way) {
    unsigned long at = line * 0x9e3779b97f4a7c15 >> 48;
    *slot = 0; /* others look while this goes on */
    while (found[way].lines[at] && found[way].lines[at] != line)
        at = (at + 1) % KNOWN;
    found[way].count += !found[way].lines[at];
    found[way].lines[at] = line;
    if (found[way].count > KNOWN / 2)
        abort();
    *slot = line;
}

void LookUp(unsigned long address) {
    unsigned long line = address / 32;
    if (unlocked[line % SLOTS] != line)
        remember(&unlocked[line % SLOTS], line, 0);
}

void LookUpLocked(unsigned long address) {
    unsigned long line = address / 32;
    if (locked_ones[line % SLOTS] != line)
        remember(&locked_ones[line % SLOTS], line, 1);
}

/* It reads both: the lock is needed. */
void Either(unsigned long address) {
    unsigned long line = address / 32;
    if (some[line % SLOTS] != line + locked_ones[0] - locked_ones[0] && found[2].lines[0] != 1)
        remember(&some[line % SLOTS], line, 2);
}

void Print(void) {
    long same = 0;
    for (int i = 0; i < KNOWN; i++)
        for (unsigned long line = found[0].lines[i], at = line * 0x9e3779b97f4a7c15 >> 48; line;
             at = (at + 1) % KNOWN) {
            if (found[1].lines[at] == line)
                same++;
            if (found[1].lines[at] == line || !found[1].lines[at])
                break;
        }
    fprintf(stderr, "lines: %ld %ld %ld %ld\n", found[0].count, found[1].count, found[2].count, same);
}
