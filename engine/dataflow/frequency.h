/* frequency.h: how often blocks are likely to be executed; frequency.c. */
#ifndef ATOMC_FREQUENCY_H
#define ATOMC_FREQUENCY_H

#include "engine/program.h"

enum { CERTAIN = 256 }; /* what a chance is a part of */

/* Of the blocks of one procedure. */
struct frequencies {
    uint64_t *block; /* how often each is executed, beside the others; never 0 */
    uint16_t *taken; /* the chance that its conditional branch is taken */
    uint32_t *place; /* in an order in which all but ways back lead forward */
    uint32_t *order; /* the blocks in that order */
    uint32_t *stack, *at;
    uint16_t *again; /* of headers: the chance that the loop goes round again */
    uint32_t capacity;
};
void frequencies_find(struct frequencies *frequencies, const struct program *program, uint32_t procedure);
/* How often control goes along the edge, whose procedure this is. */
uint64_t edge_frequency(const struct frequencies *frequencies, const struct program *program,
                        const struct edge *edge);
void frequencies_free(struct frequencies *frequencies);

#endif
