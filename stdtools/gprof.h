/* gprof.h: from gprof.c, which measures, to gprof_print.c, which prints in gprof's layout. */
#ifndef ATOMC_GPROF_H
#define ATOMC_GPROF_H

#include "calls.h"

struct node { /* a procedure, or a cycle of them */
    long calls, self_calls, self,
        children;     /* calls: from others, or into the cycle; self_calls: by itself, or inside */
    int cycle, index; /* number of its cycle, or 0; its place in the listing */
};
void print_profile(const char *out, struct node *nodes, struct node *cycles, int cycle_count,
                   const struct arc *arcs, int arc_count);

#endif
