/* heap.h: for analysis routines that follow the heap: the live blocks, maintained from the calls in
   heap.inc. */
#ifndef ATOMC_HEAP_H
#define ATOMC_HEAP_H

/* Families of functions that belong together: malloc and free, new and delete, new[] and delete[]. */
enum family { MALLOC, NEW, NEW_ARRAY };

struct block {
    long address, size;
    long site;          /* return address of the call that allocated it */
    long birth;         /* the tool's own, */
    void *item;         /* too */
    enum family family; /* the function family that allocated it */
    int cleared;        /* calloc's */
    long moved;         /* bytes that realloc has preserved: bytes of the last block of on_free */
    struct block *next;
};

/* The tool defines these functions: the thread has allocated a block; a block was freed by a function of
   `freeing_family`. NULL: the freed address is not that of a live block. */
void on_allocate(struct block *block, long thread);
void on_free(struct block *block, long address, long site, long thread);

extern enum family freeing_family;
extern int freeing_moves; /* by realloc: the bytes are copied to another block */
/* An impossible size was requested: a negative difference, as an unsigned number. */
void on_absurd_size(long size, long site, long thread);

/* True if the thread is inside of the allocator. */
int in_allocator(long thread);
struct block *find_block(long address);              /* the block that begins at the address, or NULL */
void each_block(void (*visit)(struct block *block)); /* all live blocks, in any order */

#endif
