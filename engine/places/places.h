/* places.h: places of each kind by number, in address order, the places that they contain, and the values
   of their static attributes. Requires an analysed program; strings live as long as the program. */
#ifndef ATOMC_PLACES_H
#define ATOMC_PLACES_H

#include "engine/program.h"
#include "plan/plan.h"

/* A static value: an integer (booleans 0/1, classes, registers with -1 for none, places by index), or a
   string. */
struct attribute_value {
    const char *string; /* NULL: it is an integer */
    int64_t integer;
};

/* ---- attributes.c ---- */

/* The value of an attribute of the place `index` of its kind (0 for the program); `reg`, 0 to 63: the
   register, if it takes one. For a place that does not exist, the value is NO_INDEX. */
struct attribute_value attribute_value(struct program *program, enum plan_attribute attribute, uint32_t index,
                                       int reg);

/* ---- places.c ---- */

uint32_t place_count(const struct program *program, enum plan_place kind);
/* The beginning of a place (data are at no instruction); for an edge the last instruction of the block that
   it leaves. */
uint32_t place_instruction(const struct program *program, enum plan_place kind, uint32_t place);
uint64_t place_address(const struct program *program, enum plan_place kind, uint32_t place);
const struct edge *place_edge(const struct program *program, uint32_t place);
/* The places of `kind` inside the place `container` of kind `outer`: places in [*first, *first + *count) for
   which place_is_inside() is true. */
void places_inside(const struct program *program, enum plan_place outer, uint32_t container,
                   enum plan_place kind, uint32_t *first, uint32_t *count);
bool place_is_inside(const struct program *program, enum plan_place outer, uint32_t container,
                     enum plan_place kind, uint32_t place);
uint32_t places_counted(const struct program *program, enum plan_place outer, uint32_t container,
                        enum plan_place kind);
/* The successors or predecessors of the block, each once, in address order; in the arena. */
uint32_t *block_neighbours(const struct program *program, uint32_t index, bool successors, uint32_t *count,
                           struct arena *arena);
/* Fills entries, callsites, system_calls, inner_edges and data. */
void places_find(struct program *program);

/* ---- skippable.c ---- */

/* True for $26 to $30, which cannot be set: returns, calls, data and the stack depend on them. */
bool register_is_fixed(const struct program *program, int64_t number);
/* True if the instruction is part of a locked sequence, including the load and the store. */
bool in_locked_sequence(const struct program *program, uint32_t instruction);
/* The reason why a tool cannot skip the instruction; NULL if it can. */
const char *skip_obstacle(const struct program *program, uint32_t instruction);

/* ---- system_calls.c ---- */

/* The number of the system call that the instruction makes, if its block sets it to a constant; else -1. */
int64_t system_call_number(const struct program *program, uint32_t instruction);
/* The name of Linux/Alpha's system call of that number; NULL if there is none. */
const char *system_call_name(const struct architecture *architecture, int64_t number);
/* GATE_... of plan/system_calls.h. */
unsigned system_call_gate(const struct architecture *architecture, int64_t number);
bool is_system_call_named(const struct architecture *architecture, int64_t number, const char *name);

static inline struct attribute_value integer_value(int64_t integer) {
    return (struct attribute_value){NULL, integer};
}

static inline struct attribute_value string_value(const char *string) {
    return (struct attribute_value){string, 0};
}

#endif
