/* hiprof.c: the trees of calls for hiprof.atd, on the stacks of calls.c. */
#include <stdlib.h>
#include <string.h>

#include "atomc.h"

#include "calls.c" /* in one file, so that the work at each entry and return becomes one routine */
#include "contexts.c"
#include "deeper.c"
#include "hiprof.h"
#include "table.h"

static struct node *roots; /* one for each thread: procedure is its number */

void Depth(int depth) {
    deepest = depth;
}

static inline void *first_item(const struct thread *thread) {
    struct node *root = make_node(thread->number, 0), **place = &roots;
    while (*place)
        place = &(*place)->next;
    return thread->number > 0 ? (*place = root) : root;
}

static inline void on_cost(struct frame *frame, long cost) {
    ((struct node *)frame->item)->self += cost;
}

static void forget(struct node *node) {
    node->calls = node->self = 0;
    for (struct node *child = node->children; child; child = child->next)
        forget(child);
}

/* Called in a child of fork, which has one thread, whose activations continue. */
void Forget(void) {
    count_now();
    if (!now.thread->frames)
        return;
    roots = now.thread->frames->item;
    roots->next = NULL;
    forget(roots);
    forget_deeper(now.thread);
    threads = now.thread;
    threads->next = NULL; /* the other threads do not exist in this process */
}

/* ---- the results ----------------------------------------------------------------------------------------- */

static struct sum *sums;
static struct arc *arcs;
static int with_arcs, arc_count, *latest_of; /* indexed by callee: 1 + the number of the last arc to it */

static int most_first(const void *left, const void *right) {
    const struct node *a = *(struct node *const *)left, *b = *(struct node *const *)right;
    return a->total != b->total ? (a->total < b->total ? 1 : -1) : a->procedure - b->procedure;
}

/* Sorts a list of siblings. */
static void sort(struct node **list) {
    int count = 0;
    for (struct node *node = *list; node; node = node->next)
        count++;
    struct node **order = allocated(count, sizeof *order), *node = *list;
    for (int i = 0; i < count; i++, node = node->next)
        order[i] = node;
    qsort(order, count, sizeof *order, most_first);
    for (int i = 0; i < count; i++)
        order[i]->next = order[i + 1];
    *list = order[0];
    free(order);
}

static void add_arc(int caller, int callee, long calls, long total) {
    static int room;
    int i = with_arcs ? latest_of[callee] - 1 : -1;
    if (!with_arcs || (calls == 0 && total == 0)) /* data of another process, which has forked */
        return;
    while (i >= 0 && arcs[i].caller != caller)
        i = arcs[i].next - 1;
    if (i < 0) {
        if (arc_count == room && !(arcs = realloc(arcs, (room = 2 * room + 64) * sizeof *arcs)))
            abort();
        i = arc_count++;
        arcs[i] = (struct arc){.caller = caller, .callee = callee, .next = latest_of[callee]};
        latest_of[callee] = arc_count;
    }
    arcs[i].calls += calls;
    arcs[i].total += total;
}

static void add_totals(struct node *node) {
    node->total = node->self;
    for (struct node *child = node->children; child; child = child->next) {
        add_totals(child);
        node->total += child->total;
    }
    sort(&node->children);
}

/* The totals of the procedures are totals of arcs. */
static void add_deeper_sums(const struct node *deeper) {
    for (const struct node *node = deeper->children; node; node = node->next) {
        sums[node->procedure].calls += node->calls;
        sums[node->procedure].self += node->self;
    }
}

/* The total of a recursive call is included in that of the procedure's first activation. */
static void add_sums(const struct node *node) {
    struct sum *sum = node->depth > 0 ? &sums[node->procedure] : NULL;
    if (sum) {
        long total = sum->active++ ? 0 : node->total;
        sum->calls += node->calls;
        sum->self += node->self;
        sum->total += total;
        add_arc(node->parent->depth > 0 ? node->parent->procedure : -1, node->procedure, node->calls, total);
    }
    for (const struct node *child = node->children; child; child = child->next)
        if (child->procedure == DEEPER)
            add_deeper_sums(child);
        else
            add_sums(child);
    if (sum)
        sum->active--;
}

static void add_deep_arcs(void) {
    for (long i = 0; i < deep_room; i++) {
        const struct arc *arc = &deep_arcs[i].arc;
        if (!deep_arcs[i].used)
            continue;
        sums[arc->callee].total += arc->total;
        add_arc(arc->caller, arc->callee, arc->calls, arc->total);
    }
}

void Print(const char *out, const char *tree, int least, const char *folded, const char *callgrind,
           const char *page, const char *program) {
    long *self = allocated(procedure_count, sizeof *self);
    end_calls();
    with_arcs = *callgrind || *page;
    sums = allocated(procedure_count, sizeof *sums);
    latest_of = allocated(procedure_count, sizeof *latest_of);
    for (int i = 0; i < procedure_count; i++)
        sums[i].procedure = i;
    for (struct node *root = roots; root; root = root->next) {
        add_totals(root);
        add_sums(root);
    }
    add_deep_arcs();
    for (int i = 0; i < procedure_count; i++)
        self[i] = sums[i].self;
    if (*callgrind)
        write_callgrind(callgrind, program, in_cycles ? "Cycles" : "Instructions", self, arcs, arc_count);
    if (*folded)
        print_stacks(folded, roots);
    if (atomc_for_programs())
        write_tables(out, tree, roots, sums, deepest);
    else
        print_profile(out, roots, sums, least, deepest);
    if (*page)
        write_page(page, program, roots, sums, arcs, arc_count, least, deepest);
}
