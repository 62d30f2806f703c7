/* bbv.h: finding and writing the blocks that an interval has executed: bbv.c writes them, and bbv_blocks.c
   finds them. Blocks are processed in groups of neighbours: if a block is executed, its neighbours usually
   are. */
#ifndef ATOMC_BBV_H
#define ATOMC_BBV_H

enum { GROUP = 8 };

struct group {
    const volatile long *cells; /* the counts of its blocks */
    long first;                 /* block, from 0 */
    long written;               /* the sum of its counts that are written in lines */
    long last;                  /* the number of the interval that executed some of it last */
};
extern long *written; /* for each block, the part of its count that is written in lines */

static inline long sum_of(const volatile long *cells) {
    return cells[0] + cells[1] + cells[2] + cells[3] + cells[4] + cells[5] + cells[6] + cells[7];
}

static inline long any_of(const volatile long *cells) {
    return cells[0] | cells[1] | cells[2] | cells[3] | cells[4] | cells[5] | cells[6] | cells[7];
}

void *for_blocks(long size); /* zeroed memory of `size` bytes for each block, in whole groups */
void begin_groups(void);
/* Called before sums are made. */
void look_at_cells(void);
/* Finds groups that have executed at least `least` instructions, or all groups that have executed some,
   except for `recent` groups of a line. The result is sorted; the groups are removed from the lists. Their
   instructions are added to *total. */
struct group *find_groups(long instructions, long *count, long *total);
void keep_group(struct group group); /* no longer recent */
void begin_child(void);              /* earlier executions belong to the parent */
void end_child(void);                /* counts start at the fork; for recent groups rebase_group does that */
void rebase_group(struct group *group);

#endif
