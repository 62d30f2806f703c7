/* third_heap.c: the states of memory when blocks are allocated and freed (the events of heap.h). */
#include <stdlib.h>

#include "callers.h"
#include "shadow.h"
#include "third.h"

static unsigned char *moved_states; /* address of the last freed block */
int has_chunks;
long block_total;

/* True if the allocator is the C library's, with a chunk's size before each block. */
void Chunks(int are_there) {
    has_chunks = are_there;
}

/* The number of bytes that the chunk can hold, from the word before the block. */
static long usable_size(const struct block *block) {
    unsigned long chunk = has_chunks ? ((const unsigned long *)block->address)[-1] : 0;
    return (long)(chunk & ~7UL) - (chunk & 2 ? 16 : 8);
}

void on_allocate(struct block *block, long thread) {
    block_total++;
    long usable = usable_size(block);
    note_block(block->address);
    block->item = callers_of_call(block->site, thread);
    shadow_set(block->address, block->size, block->cleared ? GOOD : UNSET_HEAP);
    if (moved_states && block->moved > 0)
        shadow_put(moved_states, block->address, block->moved);
    free(moved_states);
    moved_states = NULL;
    if (has_chunks)
        shadow_set(block->address - 8, 8, OUTSIDE);
    if (usable >= block->size)
        shadow_set(block->address + block->size, usable - block->size + 8, OUTSIDE);
}

/* The bytes that realloc copies. */
static void keep_states(const struct block *block) {
    moved_states = malloc(block->size + 1);
    if (!moved_states)
        abort();
    shadow_keep(moved_states, block->address, block->size);
}

void on_free(struct block *block, long address, long site, long thread) {
    if (!block) {
        report_error(shadow_state(address) == FREED ? DOUBLE_FREE : WRONG_FREE, site, 0, address, NULL,
                     thread);
        return;
    }
    if (block->family != freeing_family)
        report_error(MISMATCHED_FREE, site, block->size, block->address, block, thread);
    if (freeing_moves)
        keep_states(block);
    shadow_set(block->address, block->size, FREED);
    remember_freed(block);
}

/* ---- blocks that the allocator gives back to the kernel --------------------------------------------------- */

/* Unmapped memory keeps the state FREED until it is mapped again, because an access is an error that can be
   reported. The states of incomplete pieces take memory: only the latest such ranges are stored. */
enum { UNMAPPED = 1024, KEPT = 32 << 20 };
static struct { unsigned long from, size; } unmapped[UNMAPPED];
static unsigned long unmapped_first, unmapped_end, unmapped_kept;

static unsigned long kept_of(unsigned long size) {
    return size < 2 * PIECE ? size : 2 * PIECE;
}

static void forget_first(void) {
    unsigned long number = unmapped_first++ % UNMAPPED;
    if (unmapped[number].size > 0)
        shadow_give_back(unmapped[number].from, unmapped[number].size);
    unmapped_kept -= kept_of(unmapped[number].size);
}

void note_given_back(unsigned long from, unsigned long size) {
    unmapped[unmapped_end++ % UNMAPPED].from = from;
    unmapped[(unmapped_end - 1) % UNMAPPED].size = size;
    unmapped_kept += kept_of(size);
    while (unmapped_kept > KEPT || unmapped_end - unmapped_first == UNMAPPED)
        forget_first();
}

void note_mapped(unsigned long from, unsigned long size) {
    for (unsigned long i = unmapped_first; i < unmapped_end; i++) {
        unsigned long number = i % UNMAPPED, other = unmapped[number].from;
        if (other - from >= size && from - other >= unmapped[number].size)
            continue;
        shadow_give_back(other, unmapped[number].size);
        unmapped_kept -= kept_of(unmapped[number].size);
        unmapped[number].size = 0;
    }
    shadow_forget(from, size);
}

/* ---- sizes ------------------------------------------------------------------------------------------------ */

void on_absurd_size(long size, long site, long thread) {
    report_error(ABSURD_SIZE, site, size, 0, NULL, thread);
}

/* A sized delete passes the block's size. A block allocated with size 0 has one byte. */
void SizedDelete(long address, long size, int family, long site, long thread) {
    const struct block *block = address ? find_block(address) : NULL;
    if (block && (int)block->family == family && block->size != (size ? size : 1))
        report_error(WRONG_SIZE, site, size, address, block, thread);
}

/* The program queries the usable size of the block: all of that becomes part of the block. */
void AskUsable(long address) {
    struct block *block = address ? find_block(address) : NULL;
    long usable = block ? usable_size(block) : 0;
    if (!block || usable <= block->size)
        return;
    shadow_set(block->address + block->size, usable - block->size, UNSET_HEAP);
    block->size = usable;
}
