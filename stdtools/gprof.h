/* gprof.h: from gprof_arcs.c, which counts calls, through gprof.c, which divides costs among callers, to
   gprof_print.c, which prints in gprof's layout. */
#ifndef ATOMC_GPROF_H
#define ATOMC_GPROF_H

#include "calls.h"

struct node { /* a procedure, or a cycle of them */
    long calls, self_calls, self,
        /* calls: from other procedures, or into the cycle; self_calls: by itself, or inside the cycle */
        children;
    int cycle, index; /* number of its cycle, or 0; its place in the listing */
};

/* The number of each caller's calls of each callee, caller -1 if unknown, sorted by callees and then by
   callers. Requires all counts to be complete. */
struct arc *finish_arcs(const long *entered, int *count);
/* Computes cost * part / whole, without overflow of the product. */
unsigned long scaled(unsigned long cost, unsigned long part, unsigned long whole);
/* The same as tables, for programs. */
void write_tables(const char *out, const char *calls, struct node *nodes, const struct arc *arcs,
                  int arc_count);
void print_profile(const char *out, struct node *nodes, struct node *cycles, int cycle_count,
                   const struct arc *arcs, int arc_count);

#endif
