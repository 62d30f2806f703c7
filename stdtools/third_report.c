/* third_report.c: the errors that third.c finds, one for each kind and place; leaks; the table. */
#include <stdlib.h>
#include <string.h>

#include "table.h"
#include "third.h"

static const char *const words[] = {
    [UNSET_HEAP_READ] = "unset heap read",
    [UNSET_STACK_READ] = "unset stack read",
    [OUTSIDE_READ] = "read outside a block",
    [FREED_READ] = "read of freed memory",
    [OUTSIDE_WRITE] = "write outside a block",
    [FREED_WRITE] = "write to freed memory",
    [DOUBLE_FREE] = "double free",
    [WRONG_FREE] = "free of no block",
    [LEAK] = "leak",
};

struct place {
    long pc;
    const char *procedure, *file;
    int line;
};
static struct found {
    enum error error;
    struct place at, from; /* from: where the block was allocated; pc 0 if it is not known */
    long times, bytes, block_size, distance;
} * errors;
static int error_count;

/* The blocks that were freed last. */
static struct block freed[4096];
static unsigned long freed_count;

void remember_freed(const struct block *block) {
    freed[freed_count++ % 4096] = *block;
}

static unsigned long sought;
static const struct block *near;

static void look_at(struct block *block) {
    if (sought - block->address + 16 < (unsigned long)block->size + 64)
        near = block;
}

/* The block that the address is in or next to. */
static const struct block *block_near(unsigned long address, enum error error) {
    sought = address;
    near = NULL;
    if (error == FREED_READ || error == FREED_WRITE || error == DOUBLE_FREE) {
        for (unsigned long i = freed_count; i > 0 && freed_count - i < 4096 && !near; i--)
            look_at(&freed[(i - 1) % 4096]);
        return near;
    }
    each_block(look_at);
    return near;
}

void report_error(enum error error, long pc, long bytes, unsigned long address, const struct block *block) {
    int i = 0;
    while (i < error_count && (errors[i].error != error || errors[i].at.pc != pc))
        i++;
    if (i < error_count) {
        errors[i].times++;
        errors[i].bytes += error == LEAK ? bytes : 0;
        return;
    }
    errors = realloc(errors, ++error_count * sizeof *errors);
    if (!errors)
        abort();
    errors[i] = (struct found){.error = error, .at = {.pc = pc}, .times = 1, .bytes = bytes};
    if (!block)
        block = error == UNSET_STACK_READ ? NULL : block_near(address, error);
    if (block) {
        errors[i].from.pc = block->site;
        errors[i].block_size = block->size;
        errors[i].distance = (long)address - block->address;
    }
}

/* ---- leaks: blocks that are not reached from data, stack, or other blocks -------------------------------- */

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

/* The C library's own pointer to the chunk behind a block lies in the block: in its last word, which the
 * chunk shares. */
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

/* Marks what the words of a range point to, and what these blocks point to: the list of those to do is in
 * `order`. */
static void mark(unsigned long from, unsigned long to) {
    int *order = malloc((block_count + 1) * sizeof *order), done = 0, count = 0;
    if (!order)
        abort();
    for (from = (from + 7) & ~7UL;;) {
        for (; from + 8 <= to; from += 8) {
            int block = block_at(*(unsigned long *)from);
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

void report_leaks(unsigned long data, unsigned long data_end, unsigned long stack, unsigned long stack_end) {
    each_block(collect);
    if (block_count == 0)
        return;
    qsort(blocks, block_count, sizeof *blocks, by_address);
    reached = calloc(block_count, 1);
    if (!reached)
        abort();
    /* Between the data and the first block is what the C library took before there was a heap: thread-local
     * data. */
    unsigned long first = blocks[0]->address;
    if (first > data_end && first - data_end < 1 << 24)
        data_end = first;
    mark(data, data_end);
    mark(stack, stack_end);
    for (int i = 0; i < block_count; i++)
        if (!reached[i])
            report_error(LEAK, blocks[i]->site, blocks[i]->size, 0, blocks[i]);
}

/* ---- the table ------------------------------------------------------------------------------------------- */

void Place(long pc, const char *procedure, const char *file, int line) {
    for (struct found *error = errors; error < errors + error_count; error++)
        for (int k = 0; k < 2; k++) {
            struct place *place = k ? &error->from : &error->at;
            if (place->pc == pc)
                *place = (struct place){pc, procedure, file, line};
        }
}

static const char *source_of(const struct place *place, char *buffer, size_t size) {
    snprintf(buffer, size, place->file && *place->file ? "%s:%d" : "", place->file, place->line);
    return buffer;
}

static int by_kind(const void *left, const void *right) {
    const struct found *a = left, *b = right;
    return a->error != b->error ? (int)a->error - (int)b->error
                                : (a->at.pc > b->at.pc) - (a->at.pc < b->at.pc);
}

void Print(const char *out) {
    char source[4096], origin[4096], block[8192];
    qsort(errors, error_count, sizeof *errors, by_kind);
    atomc_begin_table("third", out, "'Error|'Procedure|'Source|#Times|#Bytes|'Block");
    for (const struct found *error = errors; error < errors + error_count; error++) {
        block[0] = '\0';
        if (error->from.pc && error->error != LEAK)
            snprintf(block, sizeof block, "at %ld of %ld bytes from %s %s", error->distance,
                     error->block_size, error->from.procedure ? error->from.procedure : "?",
                     source_of(&error->from, origin, sizeof origin));
        atomc_add_row((long)words[error->error], error->at.procedure ? error->at.procedure : "?",
                      source_of(&error->at, source, sizeof source), error->times, error->bytes, block);
    }
    atomc_end_table();
}
