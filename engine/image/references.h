/* references.h: what refers to what in the analysis image. */
#ifndef ATOMC_REFERENCES_H
#define ATOMC_REFERENCES_H

#include "engine/image/image.h"

/* An instruction or a word in data at `place` tells the address `target`, or half of it and what may be the
 * other. */
struct reference {
    uint64_t target, place;
};
struct references {
    struct reference *list;
    size_t count, capacity;
    struct reference *variables; /* address and size of those of eight bytes that may be written */
    size_t variable_count, variable_capacity;
    struct reference *highs, *lows; /* halves of offsets from $gp, and where they are */
    size_t high_count, high_capacity, low_count, low_capacity;
    struct analysis_image *analysis;
    uint64_t gp;
    bool unknown; /* not all are understood */
};

void references_read(struct references *references, struct analysis_image *analysis);
void references_free(struct references *references);

#endif
