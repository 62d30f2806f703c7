/* third.c: follows the state of each byte of memory (shadow.h), and finds the errors for third.atd. */
#include <stdlib.h>
#include <string.h>

#include "shadow.h"
#include "third.h"

enum { SIZE = 15, UNALIGNED = 16, STRINGS = 32, COPYING = 64 }; /* of an access */

static struct load_fate *fates;
static unsigned char *known_fates;
static long outside = 0x0c0c0c0c0c0c0c0c; /* eight bytes of OUTSIDE and FREED */
static long not_own = 0x1c1c1c1c1c1c1c1c; /* and of UNTOUCHED */

void Begin(int count) {
    shadow_begin();
    fates = calloc(count + 1, sizeof *fates);
    known_fates = calloc(count + 1, 1);
    if (!fates || !known_fates)
        abort();
}

/* ---- loads and stores ------------------------------------------------------------------------------------ */

/* The bytes that a load uses, among the bytes that it fetches: a bit for each, from the address on. */
static unsigned used_bytes(const struct load_fate *fate, unsigned long address, long size, int kind) {
    long room = 8 - (long)(address & 7);
    if (kind & STRINGS)
        return low_bits(size);
    return kind & UNALIGNED ? low_bits(fate->reads < room ? fate->reads : room) : fate->part;
}

/* The C library may do things that are errors in programs. */
static int is_internal(long thread) {
    return in_allocator(thread) || in_routine(thread);
}

/* The quadword's only errors are unset bytes: the most frequent case of a load of such bytes. */
static void load_unset(const struct load_fate *fate, unsigned long states, unsigned long address,
                       unsigned long pc, long size, long thread) {
    if (fate->fate == STORED)
        begin_copy(fate, address, fate->width ? fate->width : (int)size, thread);
    else if (fate->fate == USED && shadow_all(states, ANY, size))
        report_error(shadow_among(states, UNSET_HEAP) ? UNSET_HEAP_READ : UNSET_STACK_READ, (long)pc, size,
                     address, NULL, thread);
}

static __attribute__((noinline)) void load(int number, unsigned long address, unsigned long pc, int kind,
                                           long thread) {
    long size = kind & SIZE;
    unsigned long quad = (unsigned long)*shadow_quad(address);
    if (kind == size && known_fates[number] && (address & 7) + size <= 8 && !(quad & not_own)) {
        unsigned long unset = quad >> 8 * (address & 7) & shadow_mask(size);
        if (unset && !is_internal(thread))
            load_unset(&fates[number], unset, address, pc, size, thread);
        return;
    }
    if (kind & UNALIGNED) { /* for the one byte at its address, except in string routines */
        size = kind & STRINGS ? 8 : 1;
        address = kind & STRINGS ? address & ~7UL : address;
    }
    unsigned long states = shadow_states(address, size);
    if ((!states && !(kind & UNALIGNED && *shadow_quad(address) & outside)) || is_internal(thread))
        return;
    if (!known_fates[number]) {
        fates[number] = kind & STRINGS ? (struct load_fate){.fate = USED}
                                       : fate_of_load(pc, kind & SIZE, kind & UNALIGNED);
        known_fates[number] = 1;
    }
    if (kind & UNALIGNED && fates[number].fate == MASKED)
        return;
    unsigned used = used_bytes(&fates[number], address, size, kind);
    int bad = 0;
    if ((*shadow_quad(address) | *shadow_quad(address + 7)) & outside)
        bad = shadow_outside(address, fates[number].passed && size == 8 && !(address & 7) ? 1 : used);
    if (bad && (!(kind & STRINGS) || shadow_all(states, NO_MEMORY, size))) {
        report_error(bad == FREED ? FREED_READ : OUTSIDE_READ, (long)pc,
                     kind & UNALIGNED && !(kind & STRINGS) ? count_bits(used) : size, address, NULL, thread);
        return;
    }
    if (!states || kind & COPYING)
        return;
    if (fates[number].fate == STORED) {
        int width = fates[number].width;
        begin_copy(&fates[number], kind & UNALIGNED && !width ? address & ~7UL : address,
                   width ? width : kind & SIZE, thread);
    }
    if (fates[number].fate != USED || !shadow_all(states, ANY, size))
        return; /* an access may fetch more than the needed part */
    report_error(shadow_among(states, UNSET_HEAP) ? UNSET_HEAP_READ : UNSET_STACK_READ, (long)pc, size,
                 address, NULL, thread);
}

static int is_bad_write(unsigned long address, long size, unsigned long pc, unsigned long states, int kind) {
    int all = shadow_all(states, NO_MEMORY, size);
    if (kind & STRINGS || all || !shadow_among(states, NO_MEMORY))
        return all;
    return kind & UNALIGNED || shadow_outside(address, changed_bytes(pc, (int)size));
}

static __attribute__((noinline)) void store(unsigned long address, unsigned long pc, int kind, long thread) {
    struct copy *copy = pending ? copy_to(pc, thread) : NULL;
    long size = kind & SIZE;
    unsigned long first = kind & UNALIGNED ? address & ~7UL : address;
    if (copy && !copy->inserted)
        address = first;
    if (kind & UNALIGNED) {
        unsigned long at;
        long part = part_of_store(pc, address, &at);
        if (!(kind & STRINGS) || part == 1) { /* a single byte is checked for these, too */
            kind &= ~STRINGS;
            first = at;
            size = part;
        }
    }
    unsigned long states = shadow_states(first, size);
    if (states && !is_internal(thread)) {
        if (is_bad_write(first, size, pc, states, kind))
            report_error(shadow_among(states, FREED) ? FREED_WRITE : OUTSIDE_WRITE, (long)pc, size, first,
                         NULL, thread);
        else
            shadow_define(first, size);
    }
    if (copy)
        end_copy(copy, address, first, size);
}

/* A store by the allocator, which writes outside of blocks as well. */
void StoreInside(unsigned long address, long size) {
    unsigned long states = shadow_states(address, size);
    if (states && !shadow_among(states, NO_MEMORY))
        shadow_define(address, size);
}

/* The site handles bytes that are good or become good. This routine is for single bytes, or a part that does
   not end in another quadword. */
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

void StoreQuad(unsigned long address, unsigned long pc, int kind, long thread) {
    long *states = shadow_quad(address);
    if (((*states | pending) & not_own) | (address & 7))
        store(address, pc, kind, thread);
    else
        *states = GOOD;
}

void StoreLong(unsigned long address, unsigned long pc, int kind, long thread) {
    int *states = (int *)((char *)shadow_quad(address) + (address & 4));
    if (((*states | pending) & not_own) | (address & 3))
        store(address, pc, kind, thread);
    else
        *states = GOOD;
}
