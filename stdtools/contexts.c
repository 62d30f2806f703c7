/* contexts.c: the tree of calling contexts, on the stacks of calls.c: the item of each activation is its
   node. Included by the tool after calls.c; the runtime uses it for $stack. */
#include "contexts.h"

static int deepest; /* deeper calls are below one node, whose procedure is DEEPER */

static struct node nobody = {.procedure = -1};

static struct node *make_node(int procedure, int depth) {
    struct node *node = allocated(1, sizeof *node);
    node->procedure = procedure;
    node->depth = depth;
    for (int i = 0; i < LAST; i++)
        node->last[i] = &nobody;
    return node;
}

/* The most recently found child is the first. */
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
    return parent->last[(unsigned)procedure % LAST] = parent->children = child;
}

/* Such a call; the tool sets the item of the top frame. */
static inline void on_deeper(struct thread *thread, struct node *deeper, int called);

static inline void on_push(struct thread *thread, int called) {
    struct frame *frame = thread->top;
    struct node *parent = frame[-1].item;
    if (parent->depth < deepest) {
        frame->item = parent = child_of(parent, frame->procedure);
        parent->calls += called;
        return;
    }
    while (parent->depth > deepest)
        parent = parent->parent;
    on_deeper(thread, child_of(parent, DEEPER), called);
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
