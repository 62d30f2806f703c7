/* shadow.c: a byte of state for each byte of memory, in pieces that are made on first use. */
#include <stdlib.h>
#include <string.h>

#include "shadow.h"

enum { PAGE = 4096 };
unsigned char shadow_good[PIECE] __attribute__((aligned(8)));
long shadow_pieces[PIECES];

unsigned char *shadow_of(unsigned long address) {
    static unsigned char nowhere[PAGE]; /* no memory is there */
    if (address >> SPACE_SHIFT)
        return memset(nowhere, GOOD, sizeof nowhere);
    long *piece = &shadow_pieces[address / PIECE];
    if (*piece == 0) {
        unsigned char *states = calloc(1, PIECE);
        if (!states)
            abort();
        *piece = states - shadow_good;
    }
    return shadow_good + *piece + address % PIECE;
}

/* The part of the range whose states are in one piece. */
static long part(unsigned long address, long size) {
    long room = PIECE - address % PIECE;
    room = address >> SPACE_SHIFT ? PAGE : room;
    return size < room ? size : room;
}

void shadow_set(unsigned long address, long size, enum state state) {
    for (long n; size > 0; address += n, size -= n)
        memset(shadow_of(address), state, n = part(address, size));
}

void shadow_define(unsigned long address, long size) {
    for (; size > 0; address++, size--) {
        unsigned char *state = shadow_of(address);
        if (*state == UNSET_HEAP || *state == UNSET_STACK)
            *state = GOOD;
    }
}

void shadow_forget(unsigned long address, unsigned long size) {
    unsigned long end = address + size < 1ul << SPACE_SHIFT ? address + size : 1ul << SPACE_SHIFT;
    for (unsigned long to; address < end; address = to) {
        to = (address / PIECE + 1) * PIECE;
        to = to < end ? to : end;
        if (shadow_pieces[address / PIECE])
            memset(shadow_of(address), GOOD, to - address);
    }
}

void shadow_copy(unsigned char *states, unsigned long address, long size, int put) {
    for (long n; size > 0; address += n, states += n, size -= n) {
        n = part(address, size);
        if (put)
            memcpy(shadow_of(address), states, n);
        else
            memcpy(states, shadow_of(address), n);
    }
}
