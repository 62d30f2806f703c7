/* call_tree.c: data by calling context (callers.h), as a tree: a node is a call, and
   its parent is the call that entered the procedure containing it. Included by a tool, which has defined its
   data (struct amounts), how to add them (add), and the key for sorting calls in descending order (weight).
 */
#include <stdlib.h>

#include "allocated.h"
#include "place_search.h"

struct node {
    long ra;
    struct amounts own, all; /* all: with the nodes below */
    struct node *children, *next;
};

static struct node *child_of(struct node *parent, long ra) {
    struct node *child = parent->children;
    while (child && child->ra != ra)
        child = child->next;
    if (child)
        return child;
    child = allocated(1, sizeof *child);
    child->ra = ra;
    child->next = parent->children;
    return parent->children = child;
}

static int most_first(const void *left, const void *right) {
    const struct node *a = *(struct node *const *)left, *b = *(struct node *const *)right;
    long first = weight(&a->all), second = weight(&b->all);
    return first != second ? (first < second ? 1 : -1) : (a->ra > b->ra) - (a->ra < b->ra);
}

static void sort(struct node *node) {
    int count = 0;
    for (struct node *child = node->children; child; child = child->next)
        count++;
    struct node **order = allocated(count, sizeof *order), *child = node->children;
    for (int i = 0; i < count; i++, child = child->next)
        order[i] = child;
    qsort(order, count, sizeof *order, most_first);
    for (int i = 0; i < count; i++)
        order[i]->next = order[i + 1]; /* the last one is NULL */
    node->children = order[0];
    free(order);
}

static void add_up(struct node *node) {
    node->all = node->own;
    for (struct node *child = node->children; child; child = child->next) {
        add_up(child);
        add(&node->all, &child->all);
    }
    sort(node);
}

static const struct places *calls;

/* The name of a node that is a call; *place: its number in `calls`, or -1. */
static const char *name_of(const struct node *node, long *place) {
    *place = place_at(node->ra - 4, calls->pcs, calls->count);
    return *place >= 0 ? calls->procedures[*place] : node->ra ? "?" : "...";
}
