/* targets.c: counts pairs of static addresses, and tries the runtime's translations of addresses on them. */
#include <stdio.h>
#include <stdlib.h>

#include "atomc.h"

enum { SLOTS = 1 << 18 };
static struct pair { long from, to, count; } pairs[SLOTS];
static long wrong;

void Begin(int count) {
    if (count <= 0)
        abort();
}

void Go(long from, long to, long address) {
    unsigned long at = ((unsigned long)(from * 31 + to) >> 2) % SLOTS;
    while (pairs[at].count && (pairs[at].from != from || pairs[at].to != to))
        at = (at + 1) % SLOTS;
    if (pairs[at].count++ == 0) {
        pairs[at].from = from;
        pairs[at].to = to;
        address &= ~3L;
        wrong += atomc_static(address) != to || atomc_address(to) != address;
    }
}

void Print(void) {
    FILE *file = atomc_begin_file("targets.out");
    for (const struct pair *pair = pairs; file && pair < pairs + SLOTS; pair++)
        if (pair->count)
            fprintf(file, "0x%lx\t0x%lx\t%ld\n", pair->from, pair->to, pair->count);
    if (file)
        fprintf(file, "wrong\t%ld\n", wrong);
    atomc_end_file();
}
