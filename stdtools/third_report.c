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
    [MISMATCHED_FREE] = "mismatched free",
    [OVERLAP] = "overlapping copy",
    [LEAK] = "leak",
};

struct place {
    long pc;
    const char *procedure, *file;
    int line;
};
static struct found {
    enum error error;
    const char *routine;   /* of the C library, that was called there; or NULL */
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

/* The nearest block so far. */
static unsigned long sought;
static const struct block *nearest;
static unsigned long nearest_distance;

static void look_at(struct block *block) {
    unsigned long offset = sought - block->address, size = (unsigned long)block->size;
    unsigned long before = block->address - sought, behind = offset - size + 1;
    unsigned long distance = offset < size ? 0 : before < behind ? before : behind;
    if (distance < nearest_distance) {
        nearest = block;
        nearest_distance = distance;
    }
}

static void look_at_freed(void) {
    for (unsigned long i = freed_count; i > 0 && freed_count - i < 4096; i--)
        look_at(&freed[(i - 1) % 4096]);
}

/* The block that the address is in or nearest to, as far as there can be one. The memory between blocks is
   near to one, which may have been freed. */
static const struct block *block_near(unsigned long address, enum error error) {
    sought = address;
    nearest = NULL;
    nearest_distance = error == DOUBLE_FREE                              ? 1
                       : error == OUTSIDE_READ || error == OUTSIDE_WRITE ? 1 << 16
                                                                         : 64;
    if (error == FREED_READ || error == FREED_WRITE || error == DOUBLE_FREE) {
        look_at_freed();
        return nearest;
    }
    each_block(look_at);
    look_at_freed();
    return nearest;
}

static void add_error(enum error error, const char *routine, long pc, long bytes, unsigned long address,
                      const struct block *block) {
    int i = 0;
    while (i < error_count &&
           (errors[i].error != error || errors[i].at.pc != pc || errors[i].routine != routine))
        i++;
    if (i < error_count) {
        errors[i].times++;
        errors[i].bytes += error == LEAK ? bytes : 0;
        return;
    }
    errors = realloc(errors, ++error_count * sizeof *errors);
    if (!errors)
        abort();
    errors[i] =
        (struct found){.error = error, .routine = routine, .at = {.pc = pc}, .times = 1, .bytes = bytes};
    if (!block)
        block = error == UNSET_STACK_READ ? NULL : block_near(address, error);
    if (block) {
        errors[i].from.pc = block->site;
        errors[i].block_size = block->size;
        errors[i].distance = (long)address - block->address;
    }
}

void report_error(enum error error, long pc, long bytes, unsigned long address, const struct block *block) {
    add_error(error, NULL, pc, bytes, address, block);
}

void report_routine_error(enum error error, const char *routine, long pc, long bytes, unsigned long address) {
    add_error(error, routine, pc, bytes, address, NULL);
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

/* What people look for first. */
static void announce_sum(void) {
    long times = 0, leaked = 0;
    for (const struct found *error = errors; error < errors + error_count; error++)
        *(error->error == LEAK ? &leaked : &times) += error->error == LEAK ? error->bytes : error->times;
    atomc_announce("third: %ld error%s, %ld byte%s leaked", times, times == 1 ? "" : "s", leaked,
                   leaked == 1 ? "" : "s");
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
        atomc_add_row((long)words[error->error],
                      error->routine        ? error->routine
                      : error->at.procedure ? error->at.procedure
                                            : "?",
                      source_of(&error->at, source, sizeof source), error->times, error->bytes, block);
    }
    atomc_end_table();
    announce_sum();
}
