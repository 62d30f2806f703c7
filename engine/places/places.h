/* places.h: places of each kind by number, in address order, and what is inside of them.
   Requires an analysed program for which places_find() was called. */
#ifndef ATOMC_PLACES_H
#define ATOMC_PLACES_H

#include "engine/program.h"
#include "plan/plan.h"

uint32_t place_count(const struct program *program, enum plan_place kind);
/* Where a place begins; for an edge the last instruction of the block that it leaves. */
uint32_t place_instruction(const struct program *program, enum plan_place kind, uint32_t place);
uint64_t place_address(const struct program *program, enum plan_place kind, uint32_t place);
const struct edge *place_edge(const struct program *program, uint32_t place);

/* The places of `kind` inside the place `container` of kind `outer`: those of [*first, *first + *count) for
   which place_is_inside(). */
void places_inside(const struct program *program, enum plan_place outer, uint32_t container,
                   enum plan_place kind, uint32_t *first, uint32_t *count);
bool place_is_inside(const struct program *program, enum plan_place outer, uint32_t container,
                     enum plan_place kind, uint32_t place);
uint32_t places_counted(const struct program *program, enum plan_place outer, uint32_t container,
                        enum plan_place kind);
/* The blocks that control may go on to, or come from, each once, in address order; the caller frees them. */
uint32_t *block_neighbours(const struct program *program, uint32_t index, bool successors, uint32_t *count);

#endif
