/* third_heap.c: the states of memory when blocks are allocated and freed (the events of heap.h). */
#include <stdlib.h>

#include "callers.h"
#include "shadow.h"
#include "third.h"

static unsigned char *moved_states; /* of the last freed block */
int has_chunks;
long block_total;

/* The allocator is the C library's: there is a chunk's size before each block. */
void Chunks(int are_there) {
    has_chunks = are_there;
}

/* What the chunk could hold, from the word before the block. */
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
    if (block->moved > 0)
        shadow_copy(moved_states, block->address, block->moved, 1);
    if (has_chunks)
        shadow_set(block->address - 8, 8, OUTSIDE);
    if (usable >= block->size)
        shadow_set(block->address + block->size, usable - block->size + 8, OUTSIDE);
}

void on_free(struct block *block, long address, long site, long thread) {
    if (!block) {
        report_error(*shadow_of(address) == FREED ? DOUBLE_FREE : WRONG_FREE, site, 0, address, NULL, thread);
        return;
    }
    if (block->family != freeing_family)
        report_error(MISMATCHED_FREE, site, block->size, block->address, block, thread);
    free(moved_states);
    moved_states = malloc(block->size + 1);
    if (!moved_states)
        abort();
    shadow_copy(moved_states, block->address, block->size, 0);
    shadow_set(block->address, block->size, FREED);
    remember_freed(block);
}
