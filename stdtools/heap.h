/* heap.h: for analysis routines that follow the heap: live blocks, as heap.inc's calls tell heap.c. */
#ifndef ATOMC_HEAP_H
#define ATOMC_HEAP_H

struct block {
    long address, size;
    long site;   /* return address of the call that allocated it */
    long birth;  /* the tool's own */
    int cleared; /* calloc's */
    long moved;  /* bytes that realloc has kept: those of the block that on_free has told last */
    struct block *next;
};

/* What the tool does: a block has come to life; it dies, or NULL: an address that is no live block's was
 * freed. */
void on_allocate(struct block *block);
void on_free(struct block *block, long address, long site);

/* Is the thread inside of the allocator? */
int in_allocator(long thread);
struct block *find_block(long address);              /* that begins there, or NULL */
void each_block(void (*visit)(struct block *block)); /* of those alive, in no order */

#endif
