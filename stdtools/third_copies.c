/* third_copies.c: unset values that are loaded and stored again: the stored bytes become unset, too. */
#include <stddef.h>

#include "shadow.h"
#include "third.h"

static struct copy copies[16];
static int copy_count;
long pending;

/* A loaded value feeds a store: byte by byte, or, for a result computed from a completely unset value, as a
   whole. */
void begin_copy(const struct load_fate *fate, unsigned long address, int width, long thread) {
    const unsigned long bytes = 0x0101010101010101;
    unsigned long states = shadow_states(address, width), unset = states & (UNSET_HEAP | UNSET_STACK) * bytes;
    int whole = shadow_among(unset, ANY) == (shadow_mask(width) & bytes);
    if ((!whole && !fate->exact) || copy_count == sizeof copies / sizeof *copies)
        return;
    struct copy *copy = &copies[copy_count++];
    pending = -1;
    copy->pc = fate->store;
    copy->thread = thread;
    copy->from = address;
    copy->added = fate->added;
    copy->inserted = fate->inserted;
    copy->states = whole ? (unset & 0xff) * bytes : unset;
}

struct copy *copy_to(unsigned long pc, long thread) {
    for (struct copy *copy = copies; copy < copies + copy_count; copy++)
        if (copy->pc == pc && copy->thread == thread)
            return copy;
    return NULL;
}

/* Sets the states of at most 8 bytes. */
static void put_states(unsigned long states, unsigned long address, long size) {
    unsigned long offset = 8 * (address & 7), mask = shadow_mask(size);
    if (offset + 8 * size > 64) {
        for (long i = 0; i < size; i++)
            *shadow_of(address + i) = (unsigned char)(states >> 8 * i);
        return;
    }
    if (address >> SPACE_SHIFT)
        return;
    if (shadow_is_shared(shadow_pieces[shadow_piece(address)]))
        shadow_of(address);
    unsigned long *quad = (unsigned long *)shadow_quad(address);
    *quad = (*quad & ~(mask << offset)) | (states & mask) << offset;
}

void end_copy(struct copy *copy, unsigned long address, unsigned long first, long size) {
    int part = !copy->added && copy->from == first; /* a bit-field that is set beside others */
    if (!part && address == first && !shadow_among(shadow_states(first, size), OUTSIDE | FREED))
        put_states(copy->states, first, size);
    else
        for (long i = 0; i < 8 && !part; i++) {
            unsigned char *state = shadow_of(address + i);
            if (address + i - first < (unsigned long)size && *state != OUTSIDE && *state != FREED)
                *state = (unsigned char)(copy->states >> 8 * i);
        }
    if (copy != &copies[--copy_count])
        *copy = copies[copy_count];
    pending = copy_count > 0 ? -1 : 0;
}
