/* dynmem.h: shared by the analysis routines of dynmem.atd. */
#ifndef ATOMC_DYNMEM_H
#define ATOMC_DYNMEM_H

#include "call_tree.h"
#include "heap.h"

/* Bytes by calling context (-D callers=N, dynmem_tree.c). */
void add_to_context(struct block *block, long thread);
void remove_from_context(const struct block *block);
void forget_contexts(void); /* in a child of fork: restarts the counts except for allocated bytes */
void write_contexts(const char *out, const struct places *places);

#endif
