/* shadow.h: the state of each byte of memory, for third. */
#ifndef ATOMC_SHADOW_H
#define ATOMC_SHADOW_H

/* GOOD: the byte has no other state. UNTOUCHED: UNSET_HEAP in memory whose bytes share one state; only
   shadow.c and the sites see it. */
enum state { GOOD, UNSET_HEAP = 1, UNSET_STACK = 2, OUTSIDE = 4, FREED = 8, UNTOUCHED = 16, ANY = 15 };

/* The states of 1 MB of memory are in one piece, a byte for each byte. Pieces with only GOOD share one piece,
   and so do pieces with only FREED, and pieces of large blocks without a store, UNTOUCHED. So the memory for
   states is proportional to the memory that the program uses. The states of any memory are found by one table
   access. Addresses are taken modulo the size of the address space; only slow paths check them exactly. */
enum {
    PIECE_SHIFT = 20,
    PIECE = 1 << PIECE_SHIFT,
    SPACE_SHIFT = 48, /* the maximum that a kernel or an emulator allocates */
    PIECES = 1 << (SPACE_SHIFT - PIECE_SHIFT)
};
enum { SHARED = 3 * PIECE };
extern unsigned char shadow_shared[SHARED];
extern long *shadow_pieces; /* PIECES: offsets from shadow_shared; the first piece there is GOOD */
void shadow_begin(void);    /* before anything else */

static inline unsigned long shadow_piece(unsigned long address) {
    return address << (64 - SPACE_SHIFT) >> (64 - SPACE_SHIFT + PIECE_SHIFT);
}
/* The states of the quadword that the byte is in. */
static inline long *shadow_quad(unsigned long address) {
    return (long *)((unsigned long)(shadow_shared + shadow_pieces[shadow_piece(address)] + address % PIECE) &
                    ~7ul);
}

static inline int shadow_is_shared(long piece) {
    return (unsigned long)piece < SHARED;
}
/* The state of this byte. */
static inline int shadow_state(unsigned long address) {
    int state = ((const unsigned char *)shadow_quad(address))[address & 7];
    return state == UNTOUCHED ? UNSET_HEAP : state;
}

/* Sets the low bit of each of `size` bytes, at most 8. */
static inline unsigned long shadow_mask(long size) {
    return size < 8 ? (1ul << 8 * size) - 1 : ~0ul;
}
/* The bytes whose state is among these, in a word of states: a bit for each, the lowest of its byte. */
static inline unsigned long shadow_among(unsigned long states, int among) {
    states &= among * 0x0101010101010101ul;
    return (states | states >> 1 | states >> 2 | states >> 3) & 0x0101010101010101ul;
}
/* The states of at most 8 bytes in one word, the first one in its lowest byte. */
static inline unsigned long shadow_states(unsigned long address, long size) {
    unsigned long offset = address & 7;
    unsigned long states = (unsigned long)*shadow_quad(address) >> 8 * offset;
    if (offset + size > 8)
        states |= (unsigned long)*shadow_quad(address + 7) << (64 - 8 * offset);
    states &= shadow_mask(size);
    unsigned long untouched = states & UNTOUCHED * 0x0101010101010101ul;
    return (states ^ untouched) | (untouched / UNTOUCHED * UNSET_HEAP);
}

enum { NO_MEMORY = OUTSIDE | FREED };

/* True if all of `size` bytes are in one of these states. */
static inline int shadow_all(unsigned long states, int among, long size) {
    return shadow_among(states, among) == (shadow_mask(size) & 0x0101010101010101);
}
/* The state of the first of these bytes, a bit for each, that is not memory of the program; 0: all are. */
int shadow_outside(unsigned long address, unsigned bytes);

/* The address of a byte's state, for changing it. The states of the following bytes, up to the next multiple
   of PIECE, follow it, if these addresses may have memory. */
unsigned char *shadow_of(unsigned long address);
void shadow_set(unsigned long address, long size, enum state state);
/* The bytes are written: unset bytes become GOOD, others keep their state. */
void shadow_define(unsigned long address, long size);
void shadow_forget(unsigned long address, unsigned long size); /* all of it is GOOD; the range may be large */
/* The same, and memory used for states is reused. */
void shadow_give_back(unsigned long address, unsigned long size);
/* The states of a range, and back. */
void shadow_keep(unsigned char *states, unsigned long address, long size);
void shadow_put(const unsigned char *states, unsigned long address, long size);

/* The use of a loaded value (fate.c), from the code after the load. */
enum fate {
    UNUSED,
    USED,
    STORED,
    MASKED,
    AGAIN
}; /* AGAIN: in fate.c only; MASKED: one byte is replaced, and the rest stored again */
struct load_fate {
    enum fate fate;
    unsigned long store; /* STORED: the address of the store */
    int added;           /* after an addition: not a part that is stored back beside a new one */
    int exact;           /* the bytes are stored exactly as loaded */
    /* the number of bytes extracted by extql and similar instructions, from the address on; 0: none */
    int width;
    int inserted; /* insql and the like have moved them to the address */
    /* The used part of a load that may fetch more bytes than needed: bits for bytes; for ldq_u the number of
       bytes from the address on. */
    unsigned part;
    int reads;
    /* the value only becomes an argument unchanged: it may be the last part of a structure, together with the
       bytes after it */
    int passed;
};
struct load_fate fate_of_load(unsigned long pc, int size, int unaligned);
/* The bytes that an stq_u at pc with this unmasked address changes: the part of a short or unaligned store.
 */
long part_of_store(unsigned long pc, unsigned long address, unsigned long *first);
/* The bytes that a store of a larger unit changes, a bit for each; the other bytes are stored back as
   loaded. */
unsigned changed_bytes(unsigned long pc, int size);

#endif
