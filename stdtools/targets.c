/* targets.c: transfers to an address in a register: a few targets of each transfer are counted in a table,
   the others in a list. All are processed when the program has ended. */
#include <stdlib.h>
#include <string.h>

#include "targets.h"
#include "calls.h"

enum { SITES = 16384, WAYS = 8, SLOTS = 1 << 16 };
static struct target { long pc, count; } table[SITES * WAYS];
static struct other {
    struct target target;
    long site;
    struct other *next, *earlier; /* earlier: of all */
} * others[SLOTS], *latest;

/* `site`: its number, or the negative of its address. */
static void add_target(long site, long pc, long count) {
    struct other **slot = &others[(unsigned long)((pc >> 4) + 31 * site) % SLOTS], *other = *slot;
    while (other && (other->site != site || other->target.pc != pc))
        other = other->next;
    if (!other) {
        other = allocated(1, sizeof *other);
        *other = (struct other){.target.pc = pc, .site = site, .next = *slot, .earlier = latest};
        *slot = latest = other;
    }
    other->target.count += count;
}

static void replace(struct target *target, int site, long pc) {
    if (target->count)
        add_target(site, target->pc, target->count);
    *target = (struct target){.pc = pc};
}

/* `link`: 0, or the return address of the call that this jump completes. */
void Indirect(int site, long pc, long link) {
    if (link) {
        add_target(4 - link, pc, 1);
        return;
    }
    if (site >= SITES) {
        add_target(site, pc, 1);
        return;
    }
    struct target *target = &table[site * WAYS + (pc >> 4) % WAYS];
    if (target->pc != pc)
        replace(target, site, pc);
    target->count++;
}

void Forget(void) {
    memset(table, 0, sizeof table);
    memset(others, 0, sizeof others);
    for (struct other *earlier; latest; latest = earlier) {
        earlier = latest->earlier;
        free(latest);
    }
}

void each_target(int sites, void (*found)(long site, long pc, long count)) {
    for (int site = 0; site < sites && site < SITES; site++)
        for (const struct target *target = &table[site * WAYS]; target < &table[(site + 1) * WAYS]; target++)
            if (target->count)
                found(site, target->pc, target->count);
    for (const struct other *other = latest; other; other = other->earlier)
        found(other->site, other->target.pc, other->target.count);
}

int procedure_of(long pc) {
    int low = 0, high = procedure_count;
    while (high - low > 1) {
        int middle = (low + high) / 2;
        if (procedures[middle].pc <= pc)
            low = middle;
        else
            high = middle;
    }
    return (unsigned long)(pc - procedures[low].pc) < (unsigned long)procedures[low].size ? low : -1;
}
