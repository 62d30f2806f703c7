/* places.h: references and misses by place, in tables by procedure and by source line (places.c). */
#ifndef ATOMC_PLACES_H
#define ATOMC_PLACES_H

enum { LOAD, STORE };

struct place {
    long references[2], misses[2], misses2[2]; /* numbers of loads and stores; misses2 at level 2 */
    const char *procedure, *file;
    int id, line; /* line of the procedure; 0 without debug information */
};
extern struct place_misses {
    long first, second; /* misses of levels 1 and 2 */
    long references;    /* where the tool does not count these itself */
} * place_misses;       /* indexed by number of the place */

void make_places(int count);
/* Sums by procedure or by line in procedures; sums without references are omitted. */
struct place_sums {
    struct place *sums, **order; /* order: most misses first */
    int count;
};
struct place_sums place_sums(int lines);
void free_sums(struct place_sums *all);

#endif
