/* dynmem_accesses.c: for -D accesses=true of dynmem.atd: the live block that an address is in, and the uses
   of each block. */
#include <stdlib.h>

#include "allocated.h"
#include "atomc.h"

#include "dynmem.h"
#include "table.h"

/* The uses of a piece of memory: an entry for each 8 bytes, as allocators align blocks at least so. */
enum { PIECE_SHIFT = 20, UNIT_SHIFT = 3, UNITS = 1 << (PIECE_SHIFT - UNIT_SHIFT), BUCKETS = 1 << 12 };
static struct piece {
    unsigned long number;
    struct piece *next;
    struct use *units[UNITS];
} * pieces[BUCKETS];

static struct piece *find_piece(unsigned long number) {
    static struct piece *last;
    if (last && last->number == number)
        return last;
    struct piece *piece = pieces[number % BUCKETS];
    while (piece && piece->number != number)
        piece = piece->next;
    if (piece)
        last = piece;
    return piece;
}

static struct piece *piece_of(unsigned long number) {
    struct piece *piece = find_piece(number);
    if (piece)
        return piece;
    piece = allocated(1, sizeof *piece);
    piece->number = number;
    piece->next = pieces[number % BUCKETS];
    return pieces[number % BUCKETS] = piece;
}

static void mark(unsigned long address, unsigned long size, struct use *use) {
    unsigned long unit = address >> UNIT_SHIFT, last = (address + (size ? size - 1 : 0)) >> UNIT_SHIFT;
    for (; unit <= last; unit++)
        piece_of(unit / UNITS)->units[unit % UNITS] = use;
}

static struct use *use_at(unsigned long address) {
    struct piece *piece = find_piece(address >> PIECE_SHIFT);
    return piece ? piece->units[(address >> UNIT_SHIFT) % UNITS] : NULL;
}

/* A load or store of a byte at the address and of bytes after it. realloc copies a block that is still here.
 */
void Access(unsigned long address, int is_store, long thread) {
    struct use *use = use_at(address);
    if (!use || address - use->address >= use->size || in_allocator(thread))
        return;
    if (is_store)
        use->writes++;
    else
        use->reads++;
    use->touched = 1;
}

void begin_use(const struct block *block) {
    struct use *use = allocated(1, sizeof *use);
    *use = (struct use){.address = block->address, .size = block->size, .birth = *executed};
    mark(use->address, use->size, use);
}

/* The use of a block; NULL: the allocator gave the same memory again, and it was not seen that it was freed.
 */
static struct use *use_of(const struct block *block) {
    struct use *use = use_at(block->address);
    return use && use->address == (unsigned long)block->address ? use : NULL;
}

struct use end_use(const struct block *block) {
    struct use *use = use_of(block), ended = {0};
    if (!use)
        return ended;
    ended = *use;
    ended.lifetime = *executed - ended.birth;
    mark(use->address, use->size, NULL);
    free(use);
    return ended;
}

/* In a child of fork, whose clock begins at 0. */
static void restart_use(struct block *block) {
    struct use *use = use_of(block);
    if (use)
        use->reads = use->writes = use->birth = 0;
}

void restart_uses(void) {
    each_block(restart_use);
}

void add_use(struct site *site, const struct use *use) {
    site->reads += use->reads;
    site->writes += use->writes;
    site->untouched += !use->touched;
    site->instructions += use->lifetime;
}

void write_accesses(const char *out, const struct site *sites, int count) {
    char source[4096];
    atomc_begin_table("dynmem", out,
                      "'Procedure|'Source|@Site|#Blocks|#Bytes|#Reads|#Writes|~Lifetime|#Untouched");
    for (const struct site *site = sites; site < sites + count; site++) {
        snprintf(source, sizeof source, *site->file ? "%s:%d" : "", site->file, site->line);
        atomc_add_row((long)site->procedure, source, site->pc ? site->pc - 4 : 0, site->blocks, site->bytes,
                      site->reads, site->writes, site->blocks ? site->instructions / site->blocks : 0,
                      site->untouched);
    }
    atomc_end_table();
}
