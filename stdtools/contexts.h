/* contexts.h: the nodes of contexts.c: a procedure with the path of calls by which it was reached from the
   thread's beginning. */
#ifndef ATOMC_CONTEXTS_H
#define ATOMC_CONTEXTS_H

#include "calls.h"

enum { LAST = 8, DEEPER = -2 };
struct node {
    int procedure, depth;    /* depth: 0 for a thread's root, whose procedure is the thread's number */
    int is_inner;            /* below DEEPER: the procedure is in its context already */
    long calls, self, total; /* total: including callees, computed at the end */
    struct node *parent, *children, *next;
    struct node *last[LAST]; /* the child entered last of each remainder of procedures' numbers */
};

static inline const char *name_of_node(const struct node *node) {
    return node->procedure == DEEPER ? "(deeper)" : procedures[node->procedure].name;
}
/* For people. */
static inline const char *shown_name_of_node(const struct node *node) {
    return node->procedure == DEEPER ? "(deeper)" : shown_procedure(node->procedure);
}

#endif
