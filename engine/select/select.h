/* select.h: places, sets as bit maps, and folded values. Requires an analysed program and a checked plan. */
#ifndef ATOMC_SELECT_H
#define ATOMC_SELECT_H

#include "engine/places/places.h"
#include "engine/select/sites.h"

struct pattern;
struct demangled_names;

/* The members of a plan set, over the indices of its kind of place. */
struct member_map {
    uint64_t *bits;  /* one per place; NULL before the set is asked for */
    uint32_t *ranks; /* members before each 64-place word */
    uint32_t place_count, member_count;
};

struct selection {
    struct arena *arena;
    const struct plan *plan;
    struct program *program;
    struct diagnostics *diagnostics;
    struct member_map *sets;             /* per plan set */
    uint32_t *variables;                 /* the places of the loops entered so far */
    struct pattern *patterns;            /* regular expressions compiled so far: a list */
    struct demangled_names *shown_names; /* demangled so far */
    uint32_t *calls_of, *next_call; /* place_sites.c: lists of call sites by procedure; NULL: not made yet */
    bool failed;                    /* an error was reported */
};

/* ---- fold.c ---- */

struct member_map *selection_set(struct selection *selection, uint32_t index);
/* With room for the places of so many loops. */
struct selection selection_make(const struct plan *plan, struct program *program,
                                struct diagnostics *diagnostics, uint32_t loops);
/* Frees all that was made with it. */
void selection_release(struct selection *selection);
/* Per counter of the plan, and one more: the number of its first cell among all; in the arena. */
uint64_t *lay_out_cells(struct selection *selection, struct arena *arena);
/* Folds a static expression; places are their indices. */
struct attribute_value fold(struct selection *selection, const struct plan_expression *expression);
/* Calls visit(context) with selection->variables[depth] set to each place of the loop in turn. */
void each_place(struct selection *selection, const struct plan_loop *loops, uint32_t depth,
                void (*visit)(struct selection *selection, void *context), void *context);

/* ---- nothing.c ---- */

/* Do symbols name procedures? */
bool has_symbols(const struct program *program);
/* Does the condition compare with the name of a procedure that there is not? */
bool asks_for_unknown(struct selection *selection, const struct plan_expression *condition);
/* Warns that the loops reach no place for which the guard holds, and says why if that is seen. */
void nothing_selected(struct selection *selection, const struct source_span *where,
                      const struct plan_loop *loops, uint32_t loop_count,
                      const struct plan_expression *guard);

/* The statements of a tool that comes with atomc. It is made for programs of all kinds: that one statement
   has no place says nothing. */
struct stock_statements {
    const char *tool;     /* NULL: the user's, of which nothing is noted */
    bool selected, empty; /* some had a place; some had none */
    bool lacks_name;      /* one of these asks for a procedure that there is not */
    bool told;            /* a warning was given, of this tool or one before */
};
/* Notes a statement, and tells of the tool before if it is the first of another one. */
void note_stock_statement(struct selection *selection, struct stock_statements *noted, const char *tool,
                          const struct plan_loop *loops, uint32_t loop_count,
                          const struct plan_expression *guard, bool selected);
/* Warns if all have no place, or if that is so because what they look for has no name or is in a library. */
void tell_of_stock_tool(struct selection *selection, struct stock_statements *noted);

/* ---- shown_names.c ---- */

/* The symbol as C++ writes the name; one of C as it is. */
const char *shown_name(struct selection *selection, const char *symbol);
/* True if it is the name of a procedure or an entry, or what a call calls. */
bool is_name(const struct plan_expression *expression);
/* True if it is a source file. */
bool is_file(const struct plan_expression *expression);
/* The same as it is shown in a report or passed to C: names of procedures are demangled where that is wanted.
 */
struct attribute_value fold_shown(struct selection *selection, const struct plan_expression *expression);

#endif
