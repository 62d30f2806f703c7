/* third_report.c: the errors that third finds, one for each kind and place; the table. */
#include <stdlib.h>
#include <string.h>

#include "place_search.h"
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

/* The latest freed blocks. */
static struct block freed[4096];
static unsigned long freed_count;

void remember_freed(const struct block *block) {
    freed[freed_count++ % 4096] = *block;
}

static unsigned long sought;
static const struct block *near;

static void look_at(struct block *block) {
    if (sought - block->address < (unsigned long)block->size)
        near = block;
    else if (!near && sought - block->address + 16 < (unsigned long)block->size + 64)
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

/* ---- the table ------------------------------------------------------------------------------------------- */

/* Places in the program. Errors have the address so many bytes behind. */
void Places(long count, const long *pcs, const char *const *procedures, const char *const *files,
            const int *lines, long behind) {
    for (struct found *error = errors; error < errors + error_count; error++)
        for (int k = 0; k < 2; k++) {
            struct place *place = k ? &error->from : &error->at;
            long number = place_at(place->pc - behind, pcs, count);
            if (number >= 0)
                *place = (struct place){place->pc, procedures[number], files[number], lines[number]};
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
