/* dynmem.h: shared by the analysis routines of dynmem.atd. */
#ifndef ATOMC_DYNMEM_H
#define ATOMC_DYNMEM_H

#include "call_tree.h"
#include "heap.h"

/* Allocations at one place, by its return address. */
struct site {
    long pc, blocks, bytes, freed_blocks, freed_bytes, peak, lifetimes;
    const char *procedure, *file;
    int line;
    long reads, writes, untouched, instructions; /* with -D accesses=true; instructions of all lifetimes */
};

/* Bytes by calling context (-D callers=N, dynmem_tree.c). */
void add_to_context(struct block *block, long thread);
void remove_from_context(const struct block *block);
void forget_contexts(void); /* in a child of fork: restarts the counts except for allocated bytes */
void write_contexts(const char *out, const struct places *places);

/* The uses of a block (-D accesses=true, dynmem_accesses.c). */
struct use {
    unsigned long address, size;
    long birth, lifetime; /* in instructions */
    long reads, writes;
    int touched;
};
void begin_use(const struct block *block);
struct use end_use(const struct block *block);
void add_use(struct site *site, const struct use *use);
void restart_uses(void); /* in a child of fork */
void write_accesses(const char *out, const struct site *sites, int count);

#endif
