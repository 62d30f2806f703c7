/* internal.h: attributes by kind of place. */
#ifndef ATOMC_PLACES_INTERNAL_H
#define ATOMC_PLACES_INTERNAL_H

#include "engine/places/places.h"

enum pipeline_value {
    PIPELINE_CYCLES,     /* cycles in which the instructions are issued */
    PIPELINE_STALLS,     /* the number of these without an issue */
    PIPELINE_LAST_STALLS /* just before the last one */
};

/* ---- instruction_attributes.c ---- */

struct attribute_value instruction_attribute(struct program *program, enum plan_attribute attribute,
                                             uint32_t index, int reg);
/* True if it moves data from or to memory. A load to the zero register, a prefetch, does not. */
bool word_reads_memory(uint32_t word);
bool word_writes_memory(uint32_t word);
/* The name of the procedure that an instruction calls if known, else "". */
const char *callee_name(const struct program *program, uint32_t instruction);

/* ---- pipeline.c ---- */

/* For a 21064 that starts with the first of these instructions, all of one block. */
struct attribute_value pipeline_value(const struct program *program, uint32_t first, uint32_t last,
                                      enum pipeline_value wanted);

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
    struct position *list;   /* in address order, each line of a block once; NULL: not computed yet */
    uint32_t count;
};
/* Prepares the positions, which the first call of positions_of() computes, as that takes time. */
void positions_expect(struct program *program);
const struct positions *positions_of(const struct program *program);

#endif
