/* internal.h: one action of a plan as it is applied to its places: between select.c, make.c, which makes
   sites, and place_sites.c, which knows at which points of the program each kind of place has them. */
#ifndef ATOMC_SELECT_INTERNAL_H
#define ATOMC_SELECT_INTERNAL_H

#include "engine/select/select.h"

struct demangled_names;

/* The action that is being expanded. */
struct expansion {
    struct sites *sites;
    size_t replacement_capacity, skip_capacity;
    const struct plan_action *action; /* one of `together` actions from `first`: those of one statement */
    const struct plan_action *first;
    uint32_t together;
    uint32_t group;       /* of the sites that are being made */
    uint32_t depth;       /* of the loop entered last */
    uint64_t *cell_bases; /* per counter, and one more: its first cell among all */
    uint32_t object;      /* whose event it belongs to; the program is 0 */
    bool selected, held;  /* some place was; where the guard may hold */
};

/* ---- make.c ---- */

/* Shared: there are few, and many of each. */
const struct site_expression *make_constant(struct expansion *expansion, int64_t value);
/* The way that a condition takes that is known here. */
const struct plan_expression *resolved(struct selection *selection, const struct plan_expression *expression);
const struct site_expression *make_site_expression(struct selection *selection, struct expansion *expansion,
                                                   const struct plan_expression *expression,
                                                   uint32_t instruction);
/* The static address of what is at the address: that itself in a program without libraries. */
const struct site_expression *make_static(const struct program *program, struct expansion *expansion,
                                          const struct site_expression *address);
/* `and`, `or`, if one side is known: the other, or nothing (select/logic.c). Else itself. */
const struct site_expression *settled_logic(struct expansion *expansion, const struct site_expression *logic);
/* The guard of the action at hand, NULL if it has none that is dynamic. */
const struct site_expression *make_guard(struct selection *selection, struct expansion *expansion,
                                         uint32_t instruction);
/* What the statement does, at one point; with another guard than its own. */
void add_guarded_sites(struct selection *selection, struct expansion *expansion, uint32_t instruction,
                       enum site_point point, const struct site_expression *guard);
void add_sites(struct selection *selection, struct expansion *expansion, uint32_t instruction,
               enum site_point point);
/* What the statement does before or after the program (object 0) or a library. */
void add_object_event(struct selection *selection, struct expansion *expansion, uint32_t object);
/* The action's arguments with the loops where they stand. */
const struct site_argument *fill_arguments(struct selection *selection, struct expansion *expansion,
                                           uint32_t instruction);

/* The statement is not done at the instruction. */
void skip_statement(struct expansion *expansion, uint32_t instruction, enum skip_reason reason);

/* ---- lengths.c ---- */

/* Of what an update's amount is made: .lengths of its site. `notes`: values that it depends on are noted at
 * the site. */
const struct site_lengths *lengths_of(struct selection *selection, struct expansion *expansion,
                                      const struct plan_expression *amount, uint32_t instruction, bool notes);

/* ---- order.c ---- */

/* Calls before the program, where outer scopes go first, or after it, where they go last. */
void sort_program_sites(struct site_list *sites, bool after, struct arena *scratch);
/* By instruction, point, scope and statement; what is alike stays in its order. */
void sort_sites(struct site *sites, size_t count, struct arena *scratch);

/* ---- place_sites.c ---- */

/* The sites of the action at the place that its loops stand at. */
void add_place(struct selection *selection, struct expansion *expansion);

/* ---- cells.c ---- */

/* What PLAN_OP_CELL of the plan's counter `number` chooses from. */
const struct site_cell *make_cell(const struct selection *selection, const struct expansion *expansion,
                                  uint32_t number);
/* The cell that is read is one that is known: where cells are numbered, there must be one. */
void check_read(struct selection *selection, const struct plan_expression *expression,
                const struct site_expression *made);
/* The cell that is updated is one that is known: after the counter's first. */
uint64_t settled_cell(struct selection *selection, const struct site_action *action,
                      const struct source_span *where, int64_t number);

/* ---- fold.c ---- */

bool is_member(const struct member_map *map, uint32_t place);

/* ---- needs.c ---- */

/* Reports the first thing that a tool needs and the program does not show. */
bool needs_are_met(struct selection *selection);

/* ---- arrays.c ---- */

/* The array, for a parameter that points to its elements (NULL: none is declared). */
struct site_array *fill_array(struct selection *selection, struct sites *sites, uint32_t array,
                              const struct plan_parameter *parameter);

#endif
