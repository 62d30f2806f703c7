/* bbv.h: the blocks that an interval has executed, for bbv.c, which writes them, and bbv_blocks.c, which
   finds them. */
#ifndef ATOMC_BBV_H
#define ATOMC_BBV_H

struct known {
    const volatile long *cell; /* what the block has executed */
    long before;               /* the same, in a line already */
};

void *for_blocks(long size); /* zeroed memory of so many bytes for each block */
void begin_blocks(void);
/* Blocks that have executed so many instructions, or more, or all that have executed some: of those that are
   in no line's `recent` ones. In order; they are forgotten here. The instructions are added to *total. */
struct known *find_blocks(long instructions, int *count, long *total);
void keep_block(struct known block); /* is recent no longer */
void begin_child(void);              /* what has been executed up to now is the parent's */
void end_child(void);                /* counts begin at the fork */
void rebase_block(struct known *block);

#endif
