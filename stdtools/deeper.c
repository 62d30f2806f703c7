/* deeper.c: calls below the deepest level of hiprof's trees. There, a tree has one node for each procedure,
   independent of its caller. Callers, and costs including callees, are recorded here. Included by hiprof.c
   after contexts.c. */

/* Data for a thread with such calls. */
struct deeper {
    long cost;   /* sum over all of them */
    int *active; /* by procedure */
};

/* Callers and callees, by their hash; a free place has no calls and is not `used`. */
static struct deep_arc {
    struct arc arc;
    int used;
} * deep_arcs;
static long deep_room, deep_count;

static struct deep_arc *place_of_arc(int caller, int callee) {
    unsigned long at = ((unsigned long)caller * 0x10001 + callee) * 0x9e3779b97f4a7c15 >> 20;
    for (at &= deep_room - 1; deep_arcs[at].used; at = (at + 1) & (deep_room - 1))
        if (deep_arcs[at].arc.caller == caller && deep_arcs[at].arc.callee == callee)
            break;
    return &deep_arcs[at];
}

static void grow_arcs(void) {
    struct deep_arc *old = deep_arcs;
    long room = deep_room;
    deep_room = room ? 2 * room : 256;
    deep_arcs = allocated(deep_room, sizeof *deep_arcs);
    for (long i = 0; i < room; i++)
        if (old[i].used)
            *place_of_arc(old[i].arc.caller, old[i].arc.callee) = old[i];
    free(old);
}

/* Called for the top frame. */
static struct arc *deep_arc_of(const struct frame *top) {
    if (2 * deep_count >= deep_room)
        grow_arcs();
    int caller = procedure_of_frame(top - 1), callee = procedure_of_frame(top);
    struct deep_arc *place = place_of_arc(caller, callee);
    if (!place->used) {
        *place = (struct deep_arc){{.caller = caller, .callee = callee}, 1};
        deep_count++;
    }
    return &place->arc;
}

/* True if the procedure is active above: its cost is in the total of the first activation. */
static int is_inner(struct node *node) {
    enum { NO = 1, YES };
    if (!node->is_inner) {
        const struct node *above = node->parent;
        while (above->depth > 0 && above->procedure != node->procedure)
            above = above->parent;
        node->is_inner = above->depth > 0 ? YES : NO;
    }
    return node->is_inner == YES;
}

static inline void on_deeper(struct thread *thread, struct node *deeper, int called) {
    struct frame *top = thread->top;
    struct deeper *all = thread->watched;
    struct node *node = child_of(deeper, top->procedure);
    if (!all) {
        all = thread->watched = allocated(1, sizeof *all);
        all->active = allocated(procedure_count, sizeof *all->active);
    }
    node->calls += called;
    all->active[top->procedure]++;
    deep_arc_of(top)->calls += called;
    top->item = node;
    top->begun = all->cost;
    top->procedure += WATCHED;
}

static inline void on_watched_cost(struct thread *thread, long cost) {
    ((struct deeper *)thread->watched)->cost += cost;
}

static inline void on_pop(struct thread *thread) {
    const struct frame *top = thread->top;
    const struct deeper *all = thread->watched;
    if (--all->active[procedure_of_frame(top)] == 0 && !is_inner(top->item))
        deep_arc_of(top)->total += all->cost - top->begun;
}

static void begin_anew(struct frame *top, const struct deeper *all) {
    for (; is_watched(top); top--)
        top->begun = all->cost;
}

/* Called in a child of fork, which has only this thread. */
static void forget_deeper(const struct thread *thread) {
    free(deep_arcs);
    deep_arcs = NULL;
    deep_room = deep_count = 0;
    begin_anew(thread->top, thread->watched);
    for (long i = 0; i < stack_count; i++)
        begin_anew(stacks[i]->top, stacks[i]->watched);
}
