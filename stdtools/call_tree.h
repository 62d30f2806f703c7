/* call_tree.h: places that a tree of calls (call_tree.c) names. */
#ifndef ATOMC_CALL_TREE_H
#define ATOMC_CALL_TREE_H

/* All calls of the program, or a part of them, in ascending order of addresses. */
struct places {
    long count;
    const long *pcs;
    const char *const *procedures, *const *files;
    const int *lines;
};

#endif
