/* contexts.c: the tree of calling contexts, on the stacks of calls.c: each activation's item is its node.
   Included by the tool behind calls.c; the runtime has it for $stack. */
#include "contexts.h"

static int deepest; /* deeper calls are their caller's */

static struct node nobody = {.procedure = -1};

static struct node *make_node(int procedure, int depth) {
    struct node *node = allocated(1, sizeof *node);
    node->procedure = procedure;
    node->depth = depth;
    for (int i = 0; i < LAST; i++)
        node->last[i] = &nobody;
    return node;
}

/* The child found last comes first. */
static struct node *child_of(struct node *parent, int procedure) {
    struct node **place = &parent->children, *child = *place;
    while (child && child->procedure != procedure) {
        place = &child->next;
        child = *place;
    }
    if (child) {
        *place = child->next;
    } else {
        child = make_node(procedure, parent->depth + 1);
        child->parent = parent;
    }
    child->next = parent->children;
    return parent->last[procedure % LAST] = parent->children = child;
}

static inline void on_push(struct frame *frame, int called) {
    struct node *parent = frame[-1].item;
    struct node *node = parent->depth < deepest ? child_of(parent, frame->procedure) : parent;
    node->calls += called && node != parent;
    frame->item = node;
}

static inline int is_known(const struct frame *top, int procedure) {
    const struct node *parent = top->item;
    return parent->last[procedure % LAST]->procedure == procedure;
}

static inline void push_known(struct frame *top, int procedure) {
    struct node *parent = top->item, *node = parent->last[procedure % LAST];
    node->calls++;
    top[1].item = node;
}
