/* bbv.h: the blocks that an interval has executed, for bbv.c, which writes them, and bbv_blocks.c, which
   finds them. Blocks are looked at in groups of neighbours: where one is executed, others are. */
#ifndef ATOMC_BBV_H
#define ATOMC_BBV_H

enum { GROUP = 8 };

struct group {
    const volatile long *cells; /* what its blocks have executed */
    long first;                 /* block, from 0 */
    long written;               /* the sum of what is in lines */
    long last;                  /* the number of the interval that executed some of it last */
};
extern long *written; /* of each block, what is in lines */

static inline long sum_of(const volatile long *cells) {
    return cells[0] + cells[1] + cells[2] + cells[3] + cells[4] + cells[5] + cells[6] + cells[7];
}

static inline long any_of(const volatile long *cells) {
    return cells[0] | cells[1] | cells[2] | cells[3] | cells[4] | cells[5] | cells[6] | cells[7];
}

void *for_blocks(long size); /* zeroed memory of so many bytes for each block, in whole groups */
void begin_groups(void);
/* To be called before sums are made. */
void look_at_cells(void);
/* Groups that have executed so many instructions, or more, or all that have executed some: of those that are
   in no line's `recent` ones. In order; they are forgotten here. The instructions are added to *total. */
struct group *find_groups(long instructions, long *count, long *total);
void keep_group(struct group group); /* is recent no longer */
void begin_child(void);              /* what has been executed up to now is the parent's */
void end_child(void); /* counts begin at the fork: also those of recent groups, by rebase_group */
void rebase_group(struct group *group);

#endif
