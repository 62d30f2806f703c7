/* stacks.c: the calling context of each thread, for $stack: the stacks and the tree of hiprof
   (stdtools/calls.c, contexts.c), under names of the runtime; and the procedures that are unwound.
   compiler/stacks.c adds the calls. Requires
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
struct thread;
static inline void note_left(const struct thread *thread);
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
    note_left(thread);
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

const char *atomc_context_text(void *context) {
    return stack_text(context);
}

const char *atomc_stack_text(long procedure, long sp, long id) {
    find_activation((int)procedure, sp, id);
    return stack_text(now.thread->top->item);
}

long atomc_stack_depth(long procedure, long sp, long id) {
    find_activation((int)procedure, sp, id);
    return now.thread->top - now.thread->frames;
}

/* ---- `on unwind` ---------------------------------------------------------------------------------------- */

/* Handlers that are active, for each thread innermost first. */
static struct handler {
    struct event event;
    long key;             /* from 1 */
    long restorer, frame; /* the handler's return address; the address of the kernel's frame */
    int entered;          /* an instrumented procedure: a frame of the thread's stack has the key */
    int returned;
    struct handler *outer;
} * handlers;

static struct handler **find_handler(long thread) {
    struct handler **place = &handlers;
    while (*place && (*place)->event.thread != thread)
        place = &(*place)->outer;
    return place;
}

static void leave_handler(struct handler **place, long event) {
    struct handler *handler = *place;
    handler->event.event = event;
    if (atomc_has_event(event))
        atomc_note_event(&handler->event);
    *place = handler->outer;
    free(handler);
}

/* .begun of a watched frame has two parts: the number, from 1, of the procedure whose unwinding is an event,
   or of its part in which control is, until it is left by a return or a branch; and the key of the handler,
   or 0. */
enum { KEY_SHIFT = 32 };
#define NUMBER_MASK ((1L << KEY_SHIFT) - 1)

static inline void note_left(const struct thread *thread) {
    const struct frame *frame = thread->top;
    long number = frame->begun & NUMBER_MASK, key = frame->begun >> KEY_SHIFT;
    if (number)
        atomc_note_event(&(struct event){.event = COMMAND_UNWIND,
                                         .number = number - 1,
                                         .thread = thread->id,
                                         .depth = frame - thread->frames,
                                         .context = frame->item});
    for (struct handler **place = &handlers; key && *place; place = &(*place)->outer)
        if ((*place)->key == key && !(*place)->returned) {
            leave_handler(place, COMMAND_SIGNAL_UNWIND);
            break;
        }
}

static void watch(struct frame *frame, int number, long key) {
    long kept = is_watched(frame) ? frame->begun : 0;
    frame->procedure |= WATCHED;
    frame->begun = (kept & (key ? NUMBER_MASK : ~NUMBER_MASK)) | (key ? key << KEY_SHIFT : number + 1);
}

void atomc_stack_enter_watched(int number, long ra, long sp, long id) {
    atomc_stack_enter(number, ra, sp, id);
    int is_unwound = atomc_has_unwind(number);
    if (is_unwound && procedures[number].whole != number) /* it is a part of an active procedure */
        find_activation(number, sp, id);
    if (is_unwound)
        watch(now.thread->top, number, 0);
    if (!handlers)
        return;
    struct handler *handler = *find_handler(id);
    if (handler && !handler->entered && handler->restorer == ra) {
        handler->entered = 1;
        watch(now.thread->top, number, handler->key);
    }
}

/* Control enters the procedure in its middle: from a part of it, or by a call. */
void atomc_stack_inside(int number, long sp, long id) {
    if (!atomc_has_unwind(number))
        return;
    find_activation(number, sp, id);
    struct thread *thread = now.thread;
    if (is_watched(thread->top) && thread->top->begun & NUMBER_MASK)
        push(thread, (struct frame){.procedure = procedures[number].whole, .sp = sp}, 0);
    watch(thread->top, number, 0);
    set_now(thread, number);
}

/* Control leaves the procedure by a return or a branch. */
void atomc_stack_left(int number, long id) {
    const struct thread *thread = thread_of(id);
    struct frame *frame = thread->top;
    while (frame > thread->frames && procedure_of_frame(frame) != procedures[number].whole)
        frame--;
    if (!is_watched(frame) || (frame->begun & NUMBER_MASK) != number + 1)
        return;
    frame->begun &= ~NUMBER_MASK;
    if (!frame->begun)
        frame->procedure = procedure_of_frame(frame);
}

void atomc_stack_return_watched(int number, long to, long sp, long id) {
    if (handlers) {
        struct handler *handler = *find_handler(id);
        if (handler && handler->restorer == to)
            handler->returned = 1;
    }
    atomc_stack_return(number, to, sp, id);
}

/* Control continues at this place, from another one than before it. */
void atomc_stack_land(long pc, long sp, long id) {
    struct thread *thread = thread_of(id);
    count_now();
    go_on(thread, pc, sp);
    set_now(thread, procedure_of_frame(thread->top));
}

void atomc_begin_handler(const struct event *event, long return_address, long ra, long sp, long frame) {
    static long count;
    struct handler *handler = allocated(1, sizeof *handler);
    *handler = (struct handler){.event = *event, .key = ++count, .restorer = return_address, .frame = frame};
    if (threads) {
        struct thread *thread = thread_of(event->thread);
        restorer = return_address;
        count_now();
        go_on(thread, continuation(thread, event->pc, sp, ra), sp);
        set_now(thread, procedure_of_frame(thread->top));
        handler->event.depth = thread->top - thread->frames;
        handler->event.context = thread->top->item;
    }
    handler->outer = handlers;
    handlers = handler;
    handler->event.event = COMMAND_SIGNAL_BEFORE;
    if (atomc_has_event(COMMAND_SIGNAL_BEFORE))
        atomc_note_event(&handler->event);
}

void atomc_end_handler(long id, long frame) {
    const struct handler *ended = *find_handler(id);
    while (ended && !(ended->event.thread == id && ended->frame == frame))
        ended = ended->outer;
    for (struct handler **place; ended && *(place = find_handler(id)) != ended;)
        leave_handler(place, COMMAND_SIGNAL_UNWIND);
    if (ended)
        leave_handler(find_handler(id), COMMAND_SIGNAL_AFTER);
}

void atomc_end_stack(long id) {
    for (struct thread *thread = threads; thread; thread = thread->next)
        if (thread->id == id)
            pop_to(thread, thread->frames);
    for (struct handler **place; *(place = find_handler(id));)
        leave_handler(place, COMMAND_SIGNAL_UNWIND);
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
