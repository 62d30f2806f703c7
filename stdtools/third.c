/* third.c: follows the state of each byte of memory (shadow.h), and finds the errors for third.atd. */
#include <stdlib.h>
#include <string.h>

#include "shadow.h"
#include "third.h"

enum { SIZE = 15, UNALIGNED = 16, STRINGS = 32, COPYING = 64 }; /* of an access */

static struct load_fate *fates;
static unsigned char *known_fates;
/* Loads whose unset value is stored: the stored bytes are unset too. */
static struct copy {
    unsigned long pc; /* of the store */
    long thread;
    unsigned long from;
    int added, inserted;
    unsigned char states[8]; /* of the bytes that are stored */
} copies[16];
static int copy_count;
static long pending; /* -1 if there is a copy */

void Begin(int count) {
    fates = calloc(count + 1, sizeof *fates);
    known_fates = calloc(count + 1, 1);
    if (!fates || !known_fates)
        abort();
}

/* ---- loads and stores ------------------------------------------------------------------------------------ */

/* Counts the bytes of the range in each state; 0 if all are GOOD. */
static int count_states(unsigned long address, long size, int counts[STATES]) {
    memset(counts, 0, STATES * sizeof *counts);
    for (long i = 0; i < size; i++)
        counts[*shadow_of(address + i)]++;
    return counts[GOOD] < size;
}

/* An aligned access for a byte or a short reads more than it needs: it is correct if one byte is inside. */
static int is_outside(const int *counts, long size, int kind) {
    int outside = counts[OUTSIDE] + counts[FREED];
    return (kind & (STRINGS | UNALIGNED)) == UNALIGNED ? outside > 0 : outside == size;
}

static int is_unset(int state) {
    return state == UNSET_HEAP || state == UNSET_STACK;
}

/* The value of a load goes into a store: byte by byte, or all of what is computed from a value that is wholly
 * unset. */
static void begin_copy(const struct load_fate *fate, unsigned long address, int kind, long thread) {
    int whole = 1, width = fate->width ? fate->width : kind & SIZE;
    if (kind & UNALIGNED && !fate->width)
        address &= ~7UL;
    for (int i = 0; i < width; i++)
        whole &= is_unset(*shadow_of(address + i));
    if ((!whole && !fate->exact) || copy_count == sizeof copies / sizeof *copies)
        return;
    struct copy *copy = &copies[copy_count++];
    pending = -1;
    *copy = (struct copy){fate->store, thread, address, fate->added, fate->inserted, {GOOD}};
    for (int i = 0; i < 8; i++) {
        unsigned char state = *shadow_of(address + (whole ? 0 : i));
        copy->states[i] = (whole || i < width) && is_unset(state) ? state : GOOD;
    }
}

static struct copy *copy_to(unsigned long pc, long thread) {
    for (struct copy *copy = copies; copy < copies + copy_count; copy++)
        if (copy->pc == pc && copy->thread == thread)
            return copy;
    return NULL;
}

/* The store changes these bytes; the value's first one goes to the address. */
static void end_copy(struct copy *copy, unsigned long address, unsigned long first, long size) {
    int part = !copy->added && copy->from == first; /* set beside others, as bit-fields are */
    for (long i = 0; i < 8 && !part; i++) {
        unsigned char *state = shadow_of(address + i);
        if (address + i - first < (unsigned long)size && *state != OUTSIDE && *state != FREED)
            *state = copy->states[i];
    }
    *copy = copies[--copy_count];
    pending = copy_count > 0 ? -1 : 0;
}

static __attribute__((noinline)) void load(int number, unsigned long address, unsigned long pc, int kind,
                                           long thread) {
    int counts[STATES];
    long size = kind & SIZE;
    if (kind & UNALIGNED) { /* for the one byte at its address, but in string routines */
        size = kind & STRINGS ? 8 : 1;
        address = kind & STRINGS ? address & ~7UL : address;
    }
    if (!count_states(address, size, counts) || in_allocator(thread))
        return;
    if (!known_fates[number]) {
        fates[number] = kind & STRINGS ? (struct load_fate){.fate = USED} : fate_of_load(pc);
        known_fates[number] = 1;
    }
    if (kind & UNALIGNED && fates[number].fate == MASKED)
        return;
    if (is_outside(counts, size, kind)) {
        report_error(counts[FREED] ? FREED_READ : OUTSIDE_READ, (long)pc, size, address, NULL);
        return;
    }
    if (kind & COPYING)
        return;
    if (fates[number].fate == STORED)
        begin_copy(&fates[number], address, kind, thread);
    if (fates[number].fate != USED || counts[GOOD] > 0)
        return; /* an access may bring more than the part that is meant */
    report_error(counts[UNSET_HEAP] ? UNSET_HEAP_READ : UNSET_STACK_READ, (long)pc, size, address, NULL);
}

static __attribute__((noinline)) void store(unsigned long address, unsigned long pc, int kind, long thread) {
    int counts[STATES];
    struct copy *copy = copy_count > 0 ? copy_to(pc, thread) : NULL;
    long size = kind & SIZE;
    unsigned long first = kind & UNALIGNED ? address & ~7UL : address;
    if (copy && !copy->inserted)
        address = first;
    if (kind & UNALIGNED && !(kind & STRINGS))
        size = part_of_store(pc, address, &first);
    if (!in_allocator(thread) && count_states(first, size, counts)) {
        if (is_outside(counts, size, kind))
            report_error(counts[FREED] ? FREED_WRITE : OUTSIDE_WRITE, (long)pc, size, first, NULL);
        else
            shadow_define(first, size);
    }
    if (copy)
        end_copy(copy, address, first, size);
}

/* At the sites: what is good or becomes so. This is for a byte, or a part that does not end in another
 * quadword. */
void Load(unsigned long address, unsigned long low, int number, unsigned long pc, int kind, long thread) {
    if (*shadow_quad(address) | (address & low))
        load(number, address, pc, kind, thread);
}

void LoadLong(unsigned long address, int number, unsigned long pc, int kind, long thread) {
    const int *states = (const int *)((const char *)shadow_quad(address) + (address & 4));
    if (*states | (address & 3))
        load(number, address, pc, kind, thread);
}

void Store(unsigned long address, unsigned long low, unsigned long pc, int kind, long thread) {
    if (*shadow_quad(address) | pending | (address & low))
        store(address, pc, kind, thread);
}

static long outside = 0x0c0c0c0c0c0c0c0c; /* eight bytes of OUTSIDE and FREED */

void StoreQuad(unsigned long address, unsigned long pc, int kind, long thread) {
    long *states = shadow_quad(address);
    if (((*states | pending) & outside) | (address & 7))
        store(address, pc, kind, thread);
    else
        *states = GOOD;
}

void StoreLong(unsigned long address, unsigned long pc, int kind, long thread) {
    int *states = (int *)((char *)shadow_quad(address) + (address & 4));
    if (((*states | pending) & outside) | (address & 3))
        store(address, pc, kind, thread);
    else
        *states = GOOD;
}
