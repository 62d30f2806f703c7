/* shadow.c: a byte of state for each byte of memory, in pieces that are made on first use. */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "shadow.h"

unsigned char shadow_good[PIECE] __attribute__((aligned(8)));
long *shadow_pieces;

void shadow_begin(void) {
    /* 128 MB of addresses, of which few are ever touched. */
    shadow_pieces = mmap(NULL, PIECES * sizeof *shadow_pieces, PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (shadow_pieces == MAP_FAILED)
        abort();
}

unsigned char *shadow_of(unsigned long address) {
    static unsigned char nowhere; /* no memory is there */
    if (address >> SPACE_SHIFT) {
        nowhere = GOOD;
        return &nowhere;
    }
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
    room = address >> SPACE_SHIFT ? 1 : room;
    return size < room ? size : room;
}

/* Mostly long: the C library's memset takes five instructions for eight bytes. */
static void fill(unsigned char *states, long size, enum state state) {
    unsigned long eight = state * 0x0101010101010101ul;
    for (; size > 0 && (unsigned long)states % 8 != 0; size--)
        *states++ = state;
    for (; size >= 64; states += 64, size -= 64) {
        unsigned long *quad = (unsigned long *)states;
        quad[0] = quad[1] = quad[2] = quad[3] = quad[4] = quad[5] = quad[6] = quad[7] = eight;
    }
    memset(states, state, size);
}

void shadow_set(unsigned long address, long size, enum state state) {
    for (long n; size > 0; address += n, size -= n)
        fill(shadow_of(address), n = part(address, size), state);
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
            fill(shadow_of(address), (long)(to - address), GOOD);
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
