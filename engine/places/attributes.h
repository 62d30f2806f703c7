/* attributes.h: values of static attributes of places, and source positions.
   Requires an analysed program; strings live as long as the program. */
#ifndef ATOMC_ATTRIBUTES_H
#define ATOMC_ATTRIBUTES_H

#include "engine/program.h"

/* A static value: an integer (booleans 0/1, classes, registers with -1 for none, places by index), or a
   string. */
struct attribute_value {
    const char *string; /* NULL: an integer */
    int64_t integer;
};

/* The value of an attribute of the place `index` of its kind (places.h), 0 for the program; `reg`, 0 to 63:
   the register, if it takes one. A place that there is not is NO_INDEX. */
struct attribute_value attribute_value(struct program *program, enum plan_attribute attribute, uint32_t index,
                                       int reg);

/* ---- instruction_attributes.c ---- */
struct attribute_value instruction_attribute(struct program *program, enum plan_attribute attribute,
                                             uint32_t index, int reg);
/* Does it move data from or to memory? A load to the zero register, a prefetch, does not. */
bool word_reads_memory(uint32_t word);
bool word_writes_memory(uint32_t word);
/* Name of the procedure that an instruction calls, where known, else "". */
const char *callee_name(const struct program *program, uint32_t instruction);

/* ---- pipeline.c ---- */
enum pipeline_value {
    PIPELINE_CYCLES,     /* in which the instructions are issued */
    PIPELINE_STALLS,     /* of these, in which none is */
    PIPELINE_LAST_STALLS /* just before the last one */
};
/* Of a 21064 that begins with the first of these instructions, all of one block. */
struct attribute_value pipeline_value(const struct program *program, uint32_t first, uint32_t last,
                                      enum pipeline_value wanted);

/* ---- lines.c ---- */
/* Releases what program_line() keeps; called by program_close(). */
void program_lines_close(struct program *program);

static inline struct attribute_value integer_value(int64_t integer) {
    return (struct attribute_value){NULL, integer};
}
static inline struct attribute_value string_value(const char *string) {
    return (struct attribute_value){string, 0};
}
/* Source file and line of an instruction. */
struct attribute_value file_of(struct program *program, uint32_t instruction);
struct attribute_value line_of(struct program *program, uint32_t instruction);

#endif
