/* hiprof.h: from hiprof.c, which makes the trees, to hiprof_print.c, which prints them. */
#ifndef ATOMC_HIPROF_H
#define ATOMC_HIPROF_H

#include "calls.h"
#include "contexts.h"

struct sum { /* of a procedure */
    int procedure, active;
    long calls, self, total;
};
/* Calls deeper than `depth` are not in regular nodes of the trees; the output mentions that. */
void print_profile(const char *out, const struct node *roots, struct sum *sums, int least,
                   int depth); /* sorts the sums */
/* The same as tables, for programs. */
void write_tables(const char *out, const char *tree, const struct node *roots, struct sum *sums, int depth);
long calls_of(const struct node *node);     /* for DEEPER, the calls below it */
long deeper_calls(const struct node *node); /* in the trees of a list */
void print_stacks(const char *out, const struct node *roots);
void write_page(const char *out, const char *program, const struct node *roots, const struct sum *sums,
                const struct arc *arcs, int arc_count, int least,
                int depth); /* after print_profile: sums are sorted */

#endif
