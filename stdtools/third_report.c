/* third_report.c: the errors that third finds, one entry for each kind and place; and their table. */
#include <stdlib.h>
#include <string.h>

#include "addresses.h"
#include "atomc.h"
#include "callers.h"
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
    [WRONG_SIZE] = "delete of another size",
    [ABSURD_SIZE] = "absurd size",
    [OVERLAP] = "overlapping copy",
    [WILD_READ] = "read of no memory",
    [WILD_WRITE] = "write to no memory",
    [WILD_JUMP] = "jump to no memory",
    [LEAK] = "leak",
};

struct place {
    long pc;
    const char *procedure, *file;
    int line;
};
static struct found {
    enum error error;
    const char *routine;   /* routine of the C library, called at the place; or NULL */
    struct place at, from; /* from: the call that allocated the block; pc 0 if unknown */
    const struct callers *callers, *from_callers;
    long times, bytes, block_size, distance;
    const char *shown; /* the callers, as the table has them */
    int next;          /* the next entry with the same hash; -1: none */
} * errors;
static int error_count;
enum { BUCKETS = 4096 };
static int first_errors[BUCKETS]; /* and 1 */

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
    unsigned long before = block->address - sought, after = offset - size + 1;
    unsigned long distance = offset < size ? 0 : before < after ? before : after;
    if (distance < nearest_distance) {
        nearest = block;
        nearest_distance = distance;
    }
}

static void look_at_freed(void) {
    for (unsigned long i = freed_count; i > 0 && freed_count - i < 4096; i--)
        look_at(&freed[(i - 1) % 4096]);
}

/* The block that contains the address or is nearest to it, if one is possible. The memory between blocks is
   near one that may have been freed. */
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

static int is_same(const struct found *a, const struct found *b) {
    return a->error == b->error && a->at.pc == b->at.pc && a->routine == b->routine &&
           a->callers == b->callers;
}

/* The number of an equal error found before; or of this one, which is added. */
static int number_of(const struct found *found) {
    unsigned long hash =
        ((unsigned long)found->at.pc / 4 + found->error) * 31 + (unsigned long)found->callers / 16;
    int *first = &first_errors[hash * 0x9e3779b97f4a7c15 >> 52];
    for (int i = *first - 1; i >= 0; i = errors[i].next)
        if (is_same(&errors[i], found))
            return i;
    if ((error_count & (error_count - 1)) == 0)
        errors = realloc(errors, (2 * error_count + 1) * sizeof *errors);
    if (!errors)
        abort();
    errors[error_count] = *found;
    errors[error_count].next = *first - 1;
    *first = ++error_count;
    return error_count - 1;
}

static int has_no_block(enum error error) {
    return error == UNSET_STACK_READ || error == ABSURD_SIZE || (error >= WILD_READ && error <= WILD_JUMP);
}

static int add_error(const struct found *found, long bytes, unsigned long address,
                     const struct block *block) {
    int number = number_of(found);
    struct found *error = &errors[number];
    if (error->times++ == 0)
        error->bytes = bytes;
    else
        error->bytes += error->error == LEAK ? bytes : 0;
    if (error->times > 1)
        return number;
    if (!block)
        block = has_no_block(error->error) ? NULL : block_near(address, error->error);
    if (block) {
        error->from.pc = block->site;
        error->from_callers = block->item;
        error->block_size = block->size;
        error->distance = (long)address - block->address;
    }
    return number;
}

/* The most recent errors of accesses, by place: most are repeated. */
static struct repeated {
    long pc;
    int error; /* and 1 */
    int number, procedure;
} repeated[256];

void Forget(void) {
    error_count = 0;
    memset(first_errors, 0, sizeof first_errors);
    memset(repeated, 0, sizeof repeated);
}

static void report_access(enum error error, long pc, long bytes, unsigned long address, long thread) {
    struct repeated *last = &repeated[pc / 4 % 256];
    if (last->pc == pc && last->error == (int)error + 1 &&
        are_callers(errors[last->number].callers, last->procedure, thread)) {
        errors[last->number].times++;
        return;
    }
    struct found found = {.error = error, .at.pc = pc, .callers = callers_of(pc, thread)};
    *last = (struct repeated){pc, (int)error + 1, add_error(&found, bytes, address, NULL), procedure_at(pc)};
}

void report_error(enum error error, long pc, long bytes, unsigned long address, const struct block *block,
                  long thread) {
    int is_call = (error >= DOUBLE_FREE && error <= ABSURD_SIZE) || error == WILD_JUMP;
    if (!is_call && !block) {
        report_access(error, pc, bytes, address, thread);
        return;
    }
    struct found found = {.error = error, .at.pc = pc};
    found.callers = error == LEAK ? block->item
                    : is_call     ? callers_of_call(pc, thread)
                                  : callers_of(pc, thread);
    add_error(&found, bytes, address, block);
}

void report_routine_error(enum error error, const char *routine, long pc, long bytes, unsigned long address,
                          long thread) {
    struct found found = {
        .error = error, .routine = routine, .at.pc = pc, .callers = callers_of_call(pc, thread)};
    add_error(&found, bytes, address, NULL);
}

/* ---- the table ------------------------------------------------------------------------------------------- */

/* Places in the program, in the order of their addresses. */
struct places {
    long count;
    const long *pcs;
    const char *const *procedures, *const *files;
    const int *lines;
};
static struct places accesses, calls;

void Places(long count, const long *pcs, const char *const *procedures, const char *const *files,
            const int *lines, int of_calls) {
    *(of_calls ? &calls : &accesses) = (struct places){count, pcs, procedures, files, lines};
}

static int find_place(struct place *place, const struct places *places, long pc) {
    long number = place_at(pc, places->pcs, places->count);
    if (number < 0)
        return 0;
    *place = (struct place){pc, places->procedures[number], places->files[number], places->lines[number]};
    return 1;
}

/* For an access, or for the call that returns to the address. */
static void name_place(struct place *place) {
    if (!find_place(place, &accesses, place->pc))
        find_place(place, &calls, place->pc - 4);
}

static const char *source_of(const struct place *place, char *buffer, size_t size) {
    snprintf(buffer, size, place->file && *place->file ? "%s:%d" : "", place->file, place->line);
    return buffer;
}

/* The chain of calls of a place, innermost first, up to main. */
static char *callers_text(const struct callers *list, const struct place *at) {
    int ended = at->procedure && strcmp(at->procedure, "main") == 0;
    char *text;
    size_t size;
    FILE *stream = open_memstream(&text, &size);
    if (!stream)
        abort();
    for (int i = 0; list && !ended && i < list->count; i++) {
        struct place place;
        if (!find_place(&place, &calls, list->ras[i] - 4))
            break;
        fprintf(stream, "%s%s", i ? " < " : "", place.procedure);
        if (*place.file) {
            const char *slash = strrchr(place.file, '/');
            fprintf(stream, " %s:%d", slash ? slash + 1 : place.file, place.line);
        }
        ended = strcmp(place.procedure, "main") == 0;
    }
    if (fclose(stream) != 0)
        abort();
    return text;
}

static int by_kind(const void *left, const void *right) {
    const struct found *a = left, *b = right;
    return a->error != b->error   ? (int)a->error - (int)b->error
           : a->at.pc != b->at.pc ? (a->at.pc > b->at.pc) - (a->at.pc < b->at.pc)
                                  : strcmp(a->shown, b->shown);
}

static int is_same_row(const struct found *a, const struct found *b) {
    return a->error == b->error && a->at.pc == b->at.pc && a->routine == b->routine &&
           strcmp(a->shown, b->shown) == 0;
}

/* Sorts the rows. Equal rows are combined: calls on one line, or beyond main. */
static void make_rows(void) {
    int count = 0;
    for (struct found *error = errors; error < errors + error_count; error++) {
        name_place(&error->at);
        name_place(&error->from);
        error->shown = callers_text(error->callers, &error->at);
    }
    qsort(errors, error_count, sizeof *errors, by_kind);
    for (int i = 0; i < error_count; i++) {
        if (count == 0 || !is_same_row(&errors[count - 1], &errors[i])) {
            errors[count++] = errors[i];
            continue;
        }
        errors[count - 1].times += errors[i].times;
        errors[count - 1].bytes += errors[i].error == LEAK ? errors[i].bytes : 0;
    }
    error_count = count;
}

/* The errors that users look for first. */
static void announce_sum(void) {
    long times = 0, leaked = 0;
    for (const struct found *error = errors; error < errors + error_count; error++)
        *(error->error == LEAK ? &leaked : &times) += error->error == LEAK ? error->bytes : error->times;
    if (block_total == 0)
        atomc_announce("third: %ld error%s on stacks; no block of the heap was seen", times,
                       times == 1 ? "" : "s");
    else
        atomc_announce("third: %ld error%s, %ld byte%s leaked", times, times == 1 ? "" : "s", leaked,
                       leaked == 1 ? "" : "s");
}

/* ---- paragraphs, on terminals ---------------------------------------------------------------------------- */

static void print_place(FILE *file, const char *word, const char *procedure, const char *source, int line) {
    fprintf(file, "    %s %s", word, procedure ? atomc_shown_name(procedure) : "?");
    fprintf(file, source && *source && line > 0 ? ", %s:%d\n" : "\n", source, line);
}

/* In the format of callers_text(). */
static void print_callers(FILE *file, const struct callers *list, const struct place *at) {
    int ended = at->procedure && strcmp(at->procedure, "main") == 0;
    for (int i = 0; list && !ended && i < list->count; i++) {
        struct place place;
        if (!find_place(&place, &calls, list->ras[i] - 4))
            break;
        print_place(file, "  called by", place.procedure, place.file, place.line);
        ended = strcmp(place.procedure, "main") == 0;
    }
}

static void print_count(FILE *file, const char *before, long count, const char *word) {
    fprintf(file, "%s%ld %s%s", before, count, word, count == 1 ? "" : "s");
}

static void print_block(FILE *file, const struct found *error) {
    const long after = error->distance - error->block_size;
    fputs("    ", file);
    if (after == 0)
        fputs("just", file);
    else
        print_count(file, "",
                    error->distance < 0 ? -error->distance
                    : after > 0         ? after
                                        : error->distance,
                    "byte");
    fputs(error->distance < 0 ? " before" : after >= 0 ? " after" : " into", file);
    print_count(file, " a block of ", error->block_size, "byte");
    fputc('\n', file);
    print_place(file, "allocated by", error->from.procedure, error->from.file, error->from.line);
    print_callers(file, error->from_callers, &error->from);
}

/* The error, its place and its calls; then the block, and the place of its allocation. */
static void print_paragraphs(FILE *file) {
    for (const struct found *error = errors; error < errors + error_count; error++) {
        fputs(error > errors ? "\n" : "", file);
        fputs(words[error->error], file);
        if (error->bytes > 0)
            print_count(file, ": ", error->bytes, "byte");
        if (error->times > 1)
            print_count(file, ", ", error->times, error->error == LEAK ? "block" : "time");
        fputc('\n', file);
        if (error->routine)
            fprintf(file, "    in %s, called by\n", error->routine);
        print_place(file,
                    error->error == LEAK ? "allocated by"
                    : error->routine     ? "  "
                                         : "in",
                    error->at.procedure, error->at.file, error->at.line);
        print_callers(file, error->callers, &error->at);
        if (error->from.pc && error->error != LEAK)
            print_block(file, error);
    }
    if (error_count == 0)
        fputs("none\n", file);
}

static int is_printed_for_terminal(const char *out) {
    FILE *file = atomc_for_terminal(out) ? atomc_begin_text(out) : NULL;
    if (!file)
        return 0;
    print_paragraphs(file);
    atomc_end_file();
    return 1;
}

void Print(const char *out, long status) {
    char source[4096], origin[4096], block[8192];
    make_rows();
    atomc_exit_status = status && error_count > 0 ? status : -1;
    if (is_printed_for_terminal(out)) {
        announce_sum();
        return;
    }
    atomc_begin_table("third", out,
                      callers > 0
                          ? "'Error|'Procedure|'Source|#Times|#Bytes|'Block|'Callers|'Block's callers"
                            "|!inst.pc|!inst.file|!inst.line"
                          : "'Error|'Procedure|'Source|#Times|#Bytes|'Block|!inst.pc|!inst.file|!inst.line");
    for (const struct found *error = errors; error < errors + error_count; error++) {
        int has_block = error->from.pc && error->error != LEAK;
        char *block_callers = callers_text(has_block ? error->from_callers : NULL, &error->from);
        block[0] = '\0';
        if (has_block)
            snprintf(block, sizeof block, "at %ld of %ld bytes from %s %s", error->distance,
                     error->block_size, error->from.procedure ? error->from.procedure : "?",
                     source_of(&error->from, origin, sizeof origin));
        const char *procedure = error->routine        ? error->routine
                                : error->at.procedure ? error->at.procedure
                                                      : "?";
        const char *file = error->at.file ? error->at.file : "";
        source_of(&error->at, source, sizeof source);
        if (callers > 0)
            atomc_add_row((long)words[error->error], procedure, source, error->times, error->bytes, block,
                          error->shown, block_callers, (long)error->at.pc, file, (long)error->at.line);
        else
            atomc_add_row((long)words[error->error], procedure, source, error->times, error->bytes, block,
                          (long)error->at.pc, file, (long)error->at.line);
        free(block_callers);
    }
    atomc_end_table();
    announce_sum();
}
