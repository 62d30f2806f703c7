/* select.h: places, sets as bit maps, and folded values. Requires an analysed program and a checked plan. */
#ifndef ATOMC_SELECT_H
#define ATOMC_SELECT_H

#include "engine/places/places.h"
#include "engine/select/sites.h"

struct pattern;
struct demangled_names;

/* The members of a plan set, over the indices of its kind of place. */
struct member_map {
    uint64_t *bits;  /* one per place; NULL before the set is first used */
    uint32_t *ranks; /* members before each 64-place word */
    uint32_t place_count, member_count;
};

struct selection {
    struct arena *arena;
    const struct plan *plan;
    struct program *program;
    struct diagnostics *diagnostics;
    struct member_map *sets;             /* per plan set */
    uint32_t *variables;                 /* the current places of the loops */
    struct pattern *patterns;            /* list of the regular expressions compiled so far */
    struct register_number *registers;   /* list of the names of registers that were looked up so far */
    struct demangled_names *shown_names; /* names demangled so far */
    uint32_t *calls_of, *next_call; /* place_sites.c: lists of call sites by procedure; NULL: not made yet */
    bool failed;                    /* an error was reported */
};

/* ---- fold.c ---- */

struct member_map *selection_set(struct selection *selection, uint32_t index);
/* Allocates room for the places of `loops` loops. */
struct selection selection_make(const struct plan *plan, struct program *program,
                                struct diagnostics *diagnostics, uint32_t loops);
/* Frees all that was made with it. */
void selection_release(struct selection *selection);
/* Per counter of the plan, and for the end: the number of its first cell; allocated in the arena. */
uint64_t *lay_out_cells(struct selection *selection, struct arena *arena);
/* Folds a static expression; places are their indices. */
struct attribute_value fold(struct selection *selection, const struct plan_expression *expression);
/* Calls visit(context) with selection->variables[depth] set to each place of the loop in turn. */
void each_place(struct selection *selection, const struct plan_loop *loops, uint32_t depth,
                void (*visit)(struct selection *selection, void *context), void *context);

/* ---- nothing.c ---- */

/* True if procedures have symbols. */
bool has_symbols(const struct program *program);
/* True if the condition compares with the name of a procedure that does not exist. */
bool asks_for_unknown(struct selection *selection, const struct plan_expression *condition);
/* Warns that no place for which the guard holds is selected, with the reason if it is apparent. */
void nothing_selected(struct selection *selection, const struct source_span *where,
                      const struct plan_loop *loops, uint32_t loop_count,
                      const struct plan_expression *guard);

/* The statements belong to a stock tool. The tool is made for all kinds of programs: a statement without
   places is normal. */
struct stock_statements {
    const char *tool;     /* NULL: a user's tool, which is not tracked */
    bool selected, empty; /* some statements had places; other statements had none */
    bool lacks_name;      /* some condition names a procedure that does not exist */
    bool told;            /* a warning was given, for this tool or an earlier one */
};
/* Notes a statement; if it is the first of another tool, reports on the previous tool. */
void note_stock_statement(struct selection *selection, struct stock_statements *noted, const char *tool,
                          const struct plan_loop *loops, uint32_t loop_count,
                          const struct plan_expression *guard, bool selected);
/* Warns if no statement has a place, or if statements compare with names that do not exist or belong to a
   library. */
void tell_of_stock_tool(struct selection *selection, struct stock_statements *noted);

/* ---- refused.c ---- */

/* True if the tool or the program needs a feature that atomc does not have yet for the machine; reports it.
 */
bool refuse_unfinished(struct rewrite *rewrite);

/* ---- shown_names.c ---- */

/* The C++ name for the symbol; a C symbol is unchanged. */
const char *shown_name(struct selection *selection, const char *symbol);
/* True if it is the name of a procedure or an entry, or a call's callee. */
bool is_name(const struct plan_expression *expression);
/* True if it is a source file. */
bool is_file(const struct plan_expression *expression);
/* The same in the form for a report or for C: names of procedures are demangled if that is requested.
 */
struct attribute_value fold_shown(struct selection *selection, const struct plan_expression *expression);

#endif
