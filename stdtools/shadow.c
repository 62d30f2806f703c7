/* shadow.c: a byte of state for each byte of memory, in pieces that are made on first use. */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "shadow.h"

unsigned char shadow_shared[SHARED] __attribute__((aligned(8)));
long *shadow_pieces;

enum { FREED_PIECE = PIECE, UNTOUCHED_PIECE = 2 * PIECE }; /* offset in shadow_shared, after the GOOD piece */

void shadow_begin(void) {
    /* 2 GB of addresses, of which few are ever touched. */
    shadow_pieces = mmap(NULL, PIECES * sizeof *shadow_pieces, PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (shadow_pieces == MAP_FAILED)
        abort();
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

/* Pieces that are shared again are reserved: a thread may be about to change one. */
static unsigned char *spare;

static unsigned char *new_piece(enum state state) {
    unsigned char *states = spare;
    if (states)
        spare = *(unsigned char **)states;
    else if (!(states = calloc(1, PIECE)))
        abort();
    else if (state == GOOD)
        return states;
    fill(states, PIECE, state);
    return states;
}

/* A shared piece is replaced by a piece of its own. */
static void own(long *piece) {
    enum state state = shadow_shared[*piece];
    *piece = new_piece(state == UNTOUCHED ? UNSET_HEAP : state) - shadow_shared;
}

/* All of the piece has that state, which pieces share. */
static void share(long *piece, long shared, enum state state) {
    if (!shadow_is_shared(*piece)) {
        *(unsigned char **)(shadow_shared + *piece) = spare;
        spare = shadow_shared + *piece;
    }
    if (state != GOOD && shadow_shared[shared] == GOOD)
        fill(shadow_shared + shared, PIECE, state);
    *piece = shared;
}

unsigned char *shadow_of(unsigned long address) {
    static unsigned char nowhere; /* no memory is mapped at such addresses */
    if (address >> SPACE_SHIFT) {
        nowhere = GOOD;
        return &nowhere;
    }
    long *piece = &shadow_pieces[address / PIECE];
    if (shadow_is_shared(*piece))
        own(piece);
    return shadow_shared + *piece + address % PIECE;
}

/* The length of the range's part whose states are in one piece. */
static long part(unsigned long address, long size) {
    long room = PIECE - address % PIECE;
    room = address >> SPACE_SHIFT ? 1 : room;
    return size < room ? size : room;
}

void shadow_set(unsigned long address, long size, enum state state) {
    for (long n; size > 0; address += n, size -= n) {
        n = part(address, size);
        if (n < PIECE || state == OUTSIDE || state == UNSET_STACK)
            fill(shadow_of(address), n, state);
        else if (state == UNSET_HEAP)
            share(&shadow_pieces[address / PIECE], UNTOUCHED_PIECE, UNTOUCHED);
        else
            share(&shadow_pieces[address / PIECE], state == FREED ? FREED_PIECE : 0, state);
    }
}

void shadow_define(unsigned long address, long size) {
    if ((address & 7) + size <= 8 && !shadow_is_shared(shadow_pieces[shadow_piece(address)])) {
        const unsigned long unset = (UNSET_HEAP | UNSET_STACK) * 0x0101010101010101ul;
        *shadow_quad(address) &= ~(long)(unset & shadow_mask(size) << 8 * (address & 7));
        return;
    }
    for (; size > 0; address++, size--) {
        int state = shadow_state(address);
        if (state == UNSET_HEAP || state == UNSET_STACK)
            *shadow_of(address) = GOOD;
    }
}

void shadow_forget(unsigned long address, unsigned long size) {
    unsigned long end = address + size < 1ul << SPACE_SHIFT ? address + size : 1ul << SPACE_SHIFT;
    for (unsigned long to; address < end; address = to) {
        long *piece = &shadow_pieces[address / PIECE];
        to = (address / PIECE + 1) * PIECE;
        to = to < end ? to : end;
        if (to - address == PIECE)
            share(piece, 0, GOOD);
        else if (*piece)
            fill(shadow_of(address), (long)(to - address), GOOD);
    }
}

/* Frees the piece that contains the address, if all its states are GOOD. */
static void tidy(unsigned long address) {
    long *piece = &shadow_pieces[shadow_piece(address)];
    const unsigned long *quad = (const unsigned long *)(shadow_shared + *piece), *end = quad + PIECE / 8;
    if (shadow_is_shared(*piece))
        return;
    while (quad < end && *quad == 0)
        quad++;
    if (quad == end)
        share(piece, 0, GOOD);
}

void shadow_give_back(unsigned long address, unsigned long size) {
    shadow_forget(address, size);
    tidy(address);
    tidy(address + size - 1);
}

void shadow_keep(unsigned char *states, unsigned long address, long size) {
    for (long i = 0; i < size; i++)
        states[i] = (unsigned char)shadow_state(address + i);
}

void shadow_put(const unsigned char *states, unsigned long address, long size) {
    for (long n; size > 0; address += n, states += n, size -= n) {
        n = part(address, size);
        memcpy(shadow_of(address), states, n);
    }
}

int shadow_outside(unsigned long address, unsigned bytes) {
    if (!shadow_among(shadow_states(address, 8), NO_MEMORY))
        return 0;
    for (; bytes; address++, bytes >>= 1)
        if (bytes & 1 && shadow_state(address) & NO_MEMORY)
            return shadow_state(address);
    return 0;
}
