/* third_leaks.c: third's leak check: finds blocks that cannot be reached from data, threads (third_roots.c)
 * or other blocks. */
#include <stdlib.h>

#include "shadow.h"
#include "third.h"

static struct block **blocks;
static unsigned char *reached;
static int block_count;

static void collect(struct block *block) {
    blocks = realloc(blocks, (block_count + 1) * sizeof *blocks);
    if (!blocks)
        abort();
    blocks[block_count++] = block;
}

static int by_address(const void *left, const void *right) {
    const struct block *a = *(struct block *const *)left, *b = *(struct block *const *)right;
    return (a->address > b->address) - (a->address < b->address);
}

/* The C library's own pointer to the chunk after a block is in the last word of the block, which the chunk
 * shares. */
static int is_chunk_behind(const struct block *block, unsigned long address) {
    unsigned long size = ((const unsigned long *)block->address)[-1] & ~7UL;
    return address == block->address + size - 16;
}

/* The number of the block that holds the address, or -1. */
static int block_at(unsigned long address) {
    int low = 0, high = block_count;
    while (low < high) {
        int middle = (low + high) / 2;
        if ((unsigned long)blocks[middle]->address <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low > 0 && address - blocks[low - 1]->address <= (unsigned long)blocks[low - 1]->size &&
                   !is_chunk_behind(blocks[low - 1], address)
               ? low - 1
               : -1;
}

/* Words that earlier calls or inserted code have left on a stack are not references. */
static int is_unset(unsigned long word) {
    return *shadow_quad(word) == UNSET_STACK * 0x0101010101010101;
}

/* Marks the blocks to which the words of a range point, and the blocks to which these point: `order` has the
   blocks still to be processed. */
void mark(unsigned long from, unsigned long to) {
    int *order = malloc((block_count + 1) * sizeof *order), done = 0, count = 0;
    if (!order)
        abort();
    /* Most words are not between the first block and the end of the last. */
    const struct block *last = blocks[block_count - 1];
    const unsigned long low = blocks[0]->address, span = last->address + (unsigned long)last->size - low;
    for (from = (from + 7) & ~7UL;;) {
        for (; from + 8 <= to; from += 8) {
            for (const unsigned long *at = (const unsigned long *)from; from + 32 <= to; from += 32, at += 4)
                if ((at[0] - low <= span) | (at[1] - low <= span) | (at[2] - low <= span) |
                    (at[3] - low <= span))
                    break;
            if (from + 8 > to)
                break;
            const unsigned long word = *(unsigned long *)from;
            if (word - low > span)
                continue;
            int block = is_unset(from) ? -1 : block_at(word);
            if (block >= 0 && !reached[block]) {
                reached[block] = 1;
                order[count++] = block;
            }
        }
        if (done == count)
            break;
        from = blocks[order[done]]->address;
        to = from + blocks[order[done++]]->size;
    }
    free(order);
}

void Leaks(int wanted) {
    each_block(collect);
    if (!wanted || block_count == 0)
        return;
    qsort(blocks, block_count, sizeof *blocks, by_address);
    reached = calloc(block_count, 1);
    if (!reached)
        abort();
    mark_roots();
    for (int i = 0; i < block_count; i++)
        if (!reached[i])
            report_error(LEAK, blocks[i]->site, blocks[i]->size, 0, blocks[i], 0);
}
