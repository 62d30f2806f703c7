/* dynmem.c: analysis routines of dynmem.atd, with heap.c. */
#include <stdlib.h>
#include <string.h>

#include "atomc.h"

#include "dynmem.h"
#include "place_search.h"
#include "table.h"

static struct site *sites; /* the first entry is for all places */
static int site_count;
static long allocated_bytes; /* the clock of lifetimes */
static const char *out_file;
static struct places calls;

static int by_pc(const void *left, const void *right) {
    const struct site *a = left, *b = right;
    return (a->pc > b->pc) - (a->pc < b->pc);
}

/* Sites are kept sorted by address. */
static struct site *site_at(long pc) {
    int low = 0, high = site_count;
    while (low < high) {
        int middle = (low + high) / 2;
        if (sites[middle].pc < pc)
            low = middle + 1;
        else
            high = middle;
    }
    if (low < site_count && sites[low].pc == pc)
        return &sites[low];
    sites = realloc(sites, (site_count + 1) * sizeof *sites);
    if (!sites)
        abort();
    memmove(sites + low + 1, sites + low, (site_count++ - low) * sizeof *sites);
    sites[low] = (struct site){.pc = pc, .procedure = pc ? "?" : "all", .file = ""};
    return &sites[low];
}

static void add_block(struct site *site, long size) {
    site->blocks++;
    site->bytes += size;
    if (site->bytes - site->freed_bytes > site->peak)
        site->peak = site->bytes - site->freed_bytes;
}

static void remove_block(struct site *site, const struct block *block, long lifetime) {
    site->freed_blocks++;
    site->freed_bytes += block->size;
    site->lifetimes += lifetime;
}

static void note_use(struct block *block) {
    struct use use = end_use(block);
    add_use(site_at(0), &use);
    add_use(site_at(block->site), &use);
}

void on_absurd_size(long size, long site, long thread) {
    (void)size, (void)site, (void)thread;
}

void on_allocate(struct block *block, long thread) {
    (void)thread;
    add_block(site_at(0), block->size);
    add_block(site_at(block->site), block->size);
    block->birth = allocated_bytes += block->size;
    if (callers > 0)
        add_to_context(block, thread);
    if (accesses)
        begin_use(block);
}

void on_free(struct block *block, long address, long site, long thread) {
    (void)address, (void)site, (void)thread;
    if (!block)
        return; /* not allocated by this allocator, or an error of the program: see third */
    long lifetime = allocated_bytes - block->birth;
    remove_block(site_at(0), block, lifetime);
    remove_block(site_at(block->site), block, lifetime);
    if (callers > 0)
        remove_from_context(block);
    if (accesses)
        note_use(block);
}

void Begin(const char *out) {
    out_file = out;
    site_at(0);
}

/* A child of fork starts with the existing blocks. */
void Fork(void) {
    for (struct site *site = sites; site < sites + site_count; site++) {
        site->blocks -= site->freed_blocks;
        site->bytes -= site->freed_bytes;
        site->freed_blocks = site->freed_bytes = site->lifetimes = 0;
        site->reads = site->writes = site->untouched = site->instructions = 0;
        site->peak = site->bytes;
    }
    if (callers > 0)
        forget_contexts();
    if (accesses)
        restart_uses();
}

/* All calls of the program: a site's address is after its call. */
void Sites(long count, const long *pcs, const char *const *procedures, const char *const *files,
           const int *lines) {
    calls = (struct places){count, pcs, procedures, files, lines};
    for (struct site *site = sites; site < sites + site_count; site++) {
        long place = place_at(site->pc - 4, pcs, count);
        if (place < 0)
            continue;
        site->procedure = procedures[place];
        site->file = files[place];
        site->line = lines[place];
    }
}

/* The sum is the first row, then rows are sorted by bytes. */
static int most_first(const void *left, const void *right) {
    const struct site *a = left, *b = right;
    if (a->pc == 0 || b->pc == 0)
        return a->pc == 0 ? -1 : 1;
    return a->bytes != b->bytes ? (a->bytes < b->bytes ? 1 : -1) : by_pc(a, b);
}

void Print(const char *tree, const char *uses) {
    char source[4096];
    if (accesses)
        each_block(note_use);
    qsort(sites, site_count, sizeof *sites, most_first);
    atomc_begin_table(
        "dynmem", out_file,
        "'Procedure|'Source|@Site|#Blocks|#Bytes|#Freed blocks|#Freed bytes|#Left blocks|#Left bytes|^Peak|"
        "~Lifetime");
    for (const struct site *site = sites; site < sites + site_count; site++) {
        snprintf(source, sizeof source, *site->file ? "%s:%d" : "", site->file, site->line);
        atomc_add_row((long)site->procedure, source, site->pc ? site->pc - 4 : 0, site->blocks, site->bytes,
                      site->freed_blocks, site->freed_bytes, site->blocks - site->freed_blocks,
                      site->bytes - site->freed_bytes, site->peak,
                      site->freed_blocks ? site->lifetimes / site->freed_blocks : 0);
    }
    atomc_end_table();
    atomc_announce("dynmem: lifetimes are in bytes that the program allocated meanwhile");
    if (callers > 0)
        write_contexts(tree, &calls);
    if (accesses)
        write_accesses(uses, sites, site_count);
}
