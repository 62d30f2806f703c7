/* contexts.h: the nodes of contexts.c: a procedure, called in one way from the thread's beginning on. */
#ifndef ATOMC_CONTEXTS_H
#define ATOMC_CONTEXTS_H

enum { LAST = 8 };
struct node {
    int procedure, depth;    /* depth: 0 is a thread's root, whose procedure is the thread's number */
    long calls, self, total; /* total: with its callees', known at the end */
    struct node *parent, *children, *next;
    struct node *last[LAST]; /* the child entered last of each remainder of procedures' numbers */
};

#endif
