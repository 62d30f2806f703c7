/* tree.h: tables whose rows are nodes of trees. Nodes of several reports, or of merged ones, are identified
   if their paths from the root are equal. Requires a store. */
#ifndef ATOMC_RESULTS_TREE_H
#define ATOMC_RESULTS_TREE_H

#include "runs/results/select.h"

/* Numbers the paths of the selection's reports, made of the values of selection->by. Reports of one store
   have equal numbers for equal paths; selection_write() writes them in place of the nodes' numbers. */
bool tree_place(struct store *store, const struct selection *selection);
/* Removes the paths, for a store that remains open. Returns false after an error, which is reported. */
bool tree_end(struct store *store);
/* The number of paths. */
int64_t tree_path_count(struct store *store);

struct tree_node {
    uint32_t parent, child, next; /* 0: none */
    uint32_t depth;               /* depth of the nodes without parent: 1 */
    const char *name;             /* its first text */
    const struct cell *cells;     /* indexed by the shape's columns; NULL: there is no such row */
};
/* Rows as a tree: of a table with nodes and parents, or of one with a column of call stacks, `$stack`. */
struct tree {
    const struct shape *shape;
    /* .nodes[0] is the root above all nodes. Parents precede their children: depth first, siblings by the sum
       of their subtrees, the greatest first */
    struct tree_node *nodes;
    uint32_t count; /* with .nodes[0] */
    /* the column by which they are sorted; the shape's column_count: no column can be added */
    uint32_t measure;
};
bool is_tree(const struct shape *shape);
/* The rows of the selection, merged. False after an error, which is reported. */
bool tree_read(struct store *store, const struct selection *selection, struct arena *arena,
               struct tree *tree);
/* The measure of each node and all below it, by the numbers of nodes. The column's values are integers that
   add up. */
int64_t *tree_totals(const struct tree *tree, uint32_t column, struct arena *arena);

#endif
