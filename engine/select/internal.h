/* internal.h: applying one action of a plan to its places. Shared by select.c, make.c, which makes sites, and
   place_sites.c, which finds the points of the program for each kind of place. */
#ifndef ATOMC_SELECT_INTERNAL_H
#define ATOMC_SELECT_INTERNAL_H

#include "engine/select/select.h"

struct demangled_names;

/* The action that is being applied. */
struct expansion {
    struct sites *sites;
    size_t replacement_capacity, skip_capacity;
    const struct plan_action *action; /* one of `together` actions from `first`: the actions of one
                                         statement */
    const struct plan_action *first;
    uint32_t together;
    uint32_t group;       /* number of the sites in progress */
    uint32_t depth;       /* of the innermost loop entered */
    uint64_t *cell_bases; /* per counter, plus one: the number of its first cell */
    uint32_t object;      /* the object whose event it is; the program is 0 */
    bool selected, held;  /* some place was selected; the guard may hold at some place */
};

/* ---- make.c ---- */

/* Constants are shared, because there are few different constants, each used often. */
const struct site_expression *make_constant(struct expansion *expansion, int64_t value);
/* The branch of a condition that is known statically. */
const struct plan_expression *resolved(struct selection *selection, const struct plan_expression *expression);
const struct site_expression *make_site_expression(struct selection *selection, struct expansion *expansion,
                                                   const struct plan_expression *expression,
                                                   uint32_t instruction);
/* The static address for the address: in a program without libraries, the address itself. */
const struct site_expression *make_static(const struct program *program, struct expansion *expansion,
                                          const struct site_expression *address);
/* `and`, `or`: if one side is known, the other side or a constant (select/logic.c). Otherwise the result is
   the expression itself. */
const struct site_expression *settled_logic(struct expansion *expansion, const struct site_expression *logic);
/* The guard of the current action; NULL if it has no dynamic guard. */
const struct site_expression *make_guard(struct selection *selection, struct expansion *expansion,
                                         uint32_t instruction);
/* Adds the statement's sites at one point; with another guard than its own. */
void add_guarded_sites(struct selection *selection, struct expansion *expansion, uint32_t instruction,
                       enum site_point point, const struct site_expression *guard);
void add_sites(struct selection *selection, struct expansion *expansion, uint32_t instruction,
               enum site_point point);
/* Adds the statement's effects before or after the program (object 0) or a library. */
void add_object_event(struct selection *selection, struct expansion *expansion, uint32_t object);
/* The action's arguments at the current places of the loops. */
const struct site_argument *fill_arguments(struct selection *selection, struct expansion *expansion,
                                           uint32_t instruction);

/* Notes that the statement is omitted at the instruction. */
void skip_statement(struct expansion *expansion, uint32_t instruction, enum skip_reason reason);

/* ---- fields.c ---- */

/* The loads and operations that give the member which a PLAN_OP_FIELD leads to, by the types at the place. */
const struct plan_expression *field_value(struct selection *selection, struct expansion *expansion,
                                          const struct plan_expression *expression, uint32_t instruction);

/* ---- lengths.c ---- */

/* The parts of an update's amount: .lengths of its site. `notes`: the site records values on which the
   amount depends. */
const struct site_lengths *lengths_of(struct selection *selection, struct expansion *expansion,
                                      const struct plan_expression *amount, uint32_t instruction, bool notes);

/* ---- order.c ---- */

/* Sorts calls before the program, outer scopes first, or after it, outer scopes last. */
void sort_program_sites(struct site_list *sites, bool after, struct arena *scratch);
/* Sorted by instruction, point, scope and statement; the sort is stable. */
void sort_sites(struct site *sites, size_t count, struct arena *scratch);

/* ---- place_sites.c ---- */

/* Adds the sites of the action at the current place of its loops. */
void add_place(struct selection *selection, struct expansion *expansion);

/* ---- cells.c ---- */

/* The cells for PLAN_OP_CELL of the plan's counter `number`. */
const struct site_cell *make_cell(const struct selection *selection, const struct expansion *expansion,
                                  uint32_t number);
/* Checks that a cell read by a known number exists. */
void check_read(struct selection *selection, const struct plan_expression *expression,
                const struct site_expression *made);
/* Checks the known number of an updated cell, relative to the counter's first. */
uint64_t settled_cell(struct selection *selection, const struct site_action *action,
                      const struct source_span *where, int64_t number);

/* ---- fold.c ---- */

bool is_member(const struct member_map *map, uint32_t place);

/* ---- needs.c ---- */

/* Reports the first need of a tool that the program does not meet. */
bool needs_are_met(struct selection *selection);

/* ---- arrays.c ---- */

/* The array that a parameter points to (NULL: the array has no declaration). */
struct site_array *fill_array(struct selection *selection, struct sites *sites, uint32_t array,
                              const struct plan_parameter *parameter);

#endif
