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

/* The value of an attribute of the place `index`: of a procedure, block or instruction index as
   attributes.def says for the attribute; 0 for the program. */
struct attribute_value attribute_value(struct program *program, enum plan_attribute attribute,
                                       uint32_t index);

/* Releases what program_line() keeps; called by program_close(). */
void program_lines_close(struct program *program);

#endif
