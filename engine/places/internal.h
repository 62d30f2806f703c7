/* internal.h: attributes by kind of place. */
#ifndef ATOMC_PLACES_INTERNAL_H
#define ATOMC_PLACES_INTERNAL_H

#include "engine/places/places.h"

/* ---- instruction_attributes.c ---- */

struct attribute_value instruction_attribute(struct program *program, enum plan_attribute attribute,
                                             uint32_t index, int reg);
/* True if it moves data from or to memory. A load to the zero register, a prefetch, does not. */
bool facts_read_memory(const struct facts *facts);
bool facts_write_memory(const struct facts *facts);
/* For the instructions from `first` to `last`, all of one block, on the machine that the pipeline's table
 * describes. */
struct attribute_value pipeline_value(struct program *program, uint32_t first, uint32_t last,
                                      enum pipeline_value wanted);
/* The name of the procedure that an instruction calls, or "" if it is unknown. */
const char *callee_name(const struct program *program, uint32_t instruction);

/* ---- positions.c ---- */

/* Source file and line of an instruction. */
struct attribute_value file_of(struct program *program, uint32_t instruction);
struct attribute_value line_of(struct program *program, uint32_t instruction);

/* A source line in a block. */
struct position {
    const char *file;
    uint32_t line;
    uint32_t instruction; /* the first instruction of the line in the block */
    uint32_t block;
};
struct positions {
    struct program *program; /* the program that they belong to */
    struct position *list;   /* in address order, each line of a block one time; NULL: not computed yet */
    uint32_t count;
};
/* Prepares the positions, which the first call of positions_of() computes, as that takes time. */
void positions_expect(struct program *program);
const struct positions *positions_of(const struct program *program);

#endif
