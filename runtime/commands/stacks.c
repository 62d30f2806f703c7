/* stacks.c: the calling context of each thread, for $stack: the stacks and the tree of hiprof
   (stdtools/calls.c, contexts.c), under names of the runtime. compiler/stacks.c adds the calls. Requires
   the routines' lock. Compiled without floating-point registers. */
#include <stdlib.h>
#include <string.h>

#include "runtime/commands/commands.h"

#define Begin           atomc_stack_begin
#define Procedure       atomc_stack_procedure
#define Resumes         atomc_stack_resumes
#define Enter           atomc_stack_enter
#define Return          atomc_stack_return
#define Resume          atomc_stack_resume
#define Execute         atomc_stack_execute
#define Arrive          atomc_stack_arrive
#define Check           atomc_stack_check
#define Continue        atomc_stack_continue
#define end_calls       atomc_stack_end
#define threads         atomc_stack_threads
#define in_cycles       atomc_stack_cycles
#define procedures      atomc_stack_procedures
#define procedure_count atomc_stack_procedure_count
#define allocated       atomc_stack_allocated
#define reserved        atomc_stack_reserved
#define find_wholes     atomc_stack_find_wholes

enum { cycles = 0, DEEPEST = 1000 };
#include "stdtools/calls.c"
#include "stdtools/contexts.c"
#include "stdtools/procedures.c"
#include "runtime/counts/counts.h"

/* One tree: threads with the same chain of calls are in the same context. */
static struct node *root;

static inline void *first_item(const struct thread *thread) {
    (void)thread;
    deepest = DEEPEST;
    if (!root)
        root = make_node(-1, 0);
    return root;
}

static inline void on_cost(struct frame *frame, long cost) {
    (void)frame, (void)cost;
}

static inline void on_deeper(struct thread *thread, struct node *deeper, int called) {
    (void)called;
    thread->top->item = deeper;
}

static inline void on_watched_cost(struct thread *thread, long cost) {
    (void)thread, (void)cost;
}

static inline void on_pop(struct thread *thread) {
    (void)thread;
}

/* The procedures' names, outermost first; computed once for each node, in a member that is not used
   otherwise. */
static const char *stack_text(struct node *node) {
    static char *line;
    static size_t room;
    if (node->self)
        return (const char *)node->self;
    if (node->depth == 0)
        return "";
    const char *outer = stack_text(node->parent), *name = name_of_node(node);
    size_t length = strlen(outer), more = strlen(name);
    if (length + more + 2 > room) {
        free(line);
        room = 2 * (length + more + 2);
        line = allocated(room, 1);
    }
    memcpy(line, outer, length);
    if (length > 0)
        line[length++] = ';';
    memcpy(line + length, name, more + 1);
    const char *text = atomc_same_text(line);
    node->self = (long)text;
    return text;
}

const char *atomc_stack_text(long procedure, long sp, long id) {
    find_activation((int)procedure, sp, id);
    return stack_text(now.thread->top->item);
}

long atomc_stack_depth(long procedure, long sp, long id) {
    find_activation((int)procedure, sp, id);
    return now.thread->top - now.thread->frames;
}

void atomc_forget_stack(long id) {
    if (now.id == id)
        now.id = -1;
    for (struct thread *thread = threads; thread; thread = thread->next)
        if (thread->id == id)
            thread->id = -1;
}

int atomc_follows_stacks(void) {
    return threads != NULL;
}
