/* third_copies.c: unset values that are loaded and stored again: the stored bytes are unset too. */
#include <stddef.h>

#include "shadow.h"
#include "third.h"

static struct copy copies[16];
static int copy_count;
long pending;

static int is_unset(int state) {
    return state == UNSET_HEAP || state == UNSET_STACK;
}

/* The value of a load goes into a store: byte by byte, or all of what is computed from a value that is wholly
 * unset. */
void begin_copy(const struct load_fate *fate, unsigned long address, int width, long thread) {
    int whole = 1;
    for (int i = 0; i < width; i++)
        whole &= is_unset(shadow_state(address + i));
    if ((!whole && !fate->exact) || copy_count == sizeof copies / sizeof *copies)
        return;
    struct copy *copy = &copies[copy_count++];
    pending = -1;
    *copy = (struct copy){fate->store, thread, address, fate->added, fate->inserted, {GOOD}};
    for (int i = 0; i < 8; i++) {
        unsigned char state = (unsigned char)shadow_state(address + (whole ? 0 : i));
        copy->states[i] = (whole || i < width) && is_unset(state) ? state : GOOD;
    }
}

struct copy *copy_to(unsigned long pc, long thread) {
    for (struct copy *copy = copies; copy < copies + copy_count; copy++)
        if (copy->pc == pc && copy->thread == thread)
            return copy;
    return NULL;
}

void end_copy(struct copy *copy, unsigned long address, unsigned long first, long size) {
    int part = !copy->added && copy->from == first; /* set beside others, as bit-fields are */
    for (long i = 0; i < 8 && !part; i++) {
        unsigned char *state = shadow_of(address + i);
        if (address + i - first < (unsigned long)size && *state != OUTSIDE && *state != FREED)
            *state = copy->states[i];
    }
    *copy = copies[--copy_count];
    pending = copy_count > 0 ? -1 : 0;
}
