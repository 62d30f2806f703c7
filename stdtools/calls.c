/* calls.c: follows the activations on each thread's stack by entries, returns and blocks (calls.inc). The
   stack pointer tells which activations have been left by longjmp, by an exception, or by a tail
   call. Included by the tool, whose parameter `cycles` is a constant here. */
#include <limits.h>
#include <stdlib.h>

#include "calls.h"

struct thread *threads;
int in_cycles;
static int has_libraries; /* their procedures may not be among these */

/* Before anything has been executed. */
static struct frame no_frames[2] = {{.procedure = -1}};
static struct thread no_thread = {.top = no_frames, .end = no_frames + 1};

void Begin(int count, int is_dynamic) {
    has_libraries = is_dynamic;
    procedure_count = count;
    procedures = reserved(count, sizeof *procedures);
    in_cycles = cycles;
    no_frames[0].item = first_item(&no_thread);
}

void Procedure(int number, long pc, long size, const char *name, const char *file, int line) {
    procedures[number] = (struct procedure){pc, size, name, file, line, number};
}

/* What is executed counts for the top activation of the thread that executed last, but not yet for its
   procedure: as long as blocks are of this procedure, in this thread, and not above this stack pointer. */
static struct {
    struct thread *thread;
    long id, sp, cost;
    int procedure; /* or part of one; -1: look */
} now = {.thread = &no_thread, .id = -1, .procedure = -1};

/* Done at each entry and return. */
#define OFTEN static inline __attribute__((always_inline))

static __attribute__((noinline)) struct thread *find_thread(long id) {
    static struct thread *last;
    static long count;
    for (last = threads; last && last->id != id; last = last->next)
        ;
    if (last)
        return last;
    if (threads && !threads->next && threads->id == 0) { /* the first one, before it had a thread pointer */
        threads->id = id;
        return last = threads;
    }
    if (!threads)
        find_wholes();
    last = allocated(1, sizeof *last);
    *last = (struct thread){
        .id = id, .number = ++count, .next = threads, .frames = allocated(64, sizeof *last->frames)};
    last->top = last->frames;
    last->end = last->frames + 64;
    *last->top = (struct frame){.procedure = -1, .sp = LONG_MAX, .item = first_item(last)};
    return threads = last;
}

OFTEN struct thread *thread_of(long id) {
    return now.id == id ? now.thread : find_thread(id);
}

static __attribute__((noinline)) void make_room(struct thread *thread) {
    long depth = thread->top - thread->frames, room = 2 * (thread->end - thread->frames);
    thread->frames = realloc(thread->frames, room * sizeof *thread->frames);
    if (!thread->frames)
        abort();
    thread->top = thread->frames + depth;
    thread->end = thread->frames + room;
}

static void push(struct thread *thread, struct frame frame, int called) {
    if (thread->top + 1 == thread->end)
        make_room(thread);
    *++thread->top = frame;
    on_push(thread, called);
}

static inline void pop(struct thread *thread) {
    if (is_watched(thread->top))
        on_pop(thread);
    thread->top--;
}

static void add_cost(struct thread *thread, long cost) {
    on_cost(thread->top, cost);
    if (is_watched(thread->top))
        on_watched_cost(thread, cost);
}

static unsigned cycles_now(void) {
    return cycles ? (unsigned)__builtin_alpha_rpcc() : 0;
}

/* Cycles since the last entry or return in this thread count for its activation, without those of this
 * analysis. */
static struct thread *last_thread;
static unsigned last_cycles;
static void tick(struct thread *thread) {
    if (cycles && last_thread == thread && thread->top > thread->frames)
        add_cost(thread, cycles_now() - last_cycles);
}
static void tock(struct thread *thread) {
    last_thread = thread;
    last_cycles = cycles_now();
}

static int lies_in(long pc, int number) {
    return (unsigned long)(pc - procedures[number].pc) < (unsigned long)procedures[number].size;
}

OFTEN void count_now(void) {
    add_cost(now.thread, now.cost);
    now.cost = 0;
}

OFTEN void set_now(struct thread *thread, int procedure) {
    now.thread = thread;
    now.id = thread->id;
    now.procedure = procedure;
    now.sp = thread->top->sp;
}

/* Procedures that resume what handlers have interrupted. */
static int *resuming, resuming_count;

void Resumes(int number) {
    resuming = realloc(resuming, (resuming_count + 1) * sizeof *resuming);
    if (!resuming)
        abort();
    resuming[resuming_count++] = number;
}

static int resumes(int number) {
    int i = 0;
    while (i < resuming_count && resuming[i] != number)
        i++;
    return i < resuming_count;
}

/* A handler returns to such a procedure, or to what the kernel has put on the stack. Its stack may be above
   that of the frames that it has interrupted, which stay. */
static int is_handler(long ra) {
    const struct procedure *last = &procedures[procedure_count - 1];
    for (int i = 0; i < resuming_count; i++)
        if (lies_in(ra, resuming[i]))
            return 1;
    return !has_libraries && (ra < procedures[0].pc || ra >= last->pc + last->size);
}

/* Frames below the stack pointer have been left. So has a frame at the stack pointer that did not make this
   call and is not active: it was left, or made a tail call, which has its return address. */
static __attribute__((noinline)) void enter(int number, long ra, long sp, long id) {
    count_now();
    struct thread *thread = thread_of(id);
    tick(thread);
    if (!is_handler(ra))
        while (thread->top->sp < sp ||
               (thread->top->sp == sp &&
                (thread->top->ra == ra || !lies_in(ra, procedure_of_frame(thread->top)))))
            pop(thread);
    int whole = procedures[number].whole == number;
    if (whole)
        push(thread, (struct frame){.procedure = number, .sp = sp, .ra = ra}, 1);
    tock(thread);
    set_now(thread, whole ? number : -1);
}

/* Mostly all frames stay, and the call is one that has been made before. */
void Enter(int number, long ra, long sp, long id) {
    struct thread *thread = now.thread;
    struct frame *top = thread->top;
    if (cycles || now.id != id || top->sp <= sp || top + 1 == thread->end || !is_known(top, number)) {
        enter(number, ra, sp, id);
        return;
    }
    on_cost(top, now.cost);
    now.cost = 0;
    push_known(top, number);
    top[1].procedure = number;
    top[1].sp = sp;
    top[1].ra = ra;
    thread->top = top + 1;
    now.procedure = number;
    now.sp = sp;
}

static __attribute__((noinline)) void leave(int number, long sp, long id) {
    count_now();
    struct thread *thread = thread_of(id);
    tick(thread);
    while (thread->top->sp < sp)
        pop(thread);
    if (thread->top->sp == sp && procedure_of_frame(thread->top) == procedures[number].whole)
        pop(thread);
    tock(thread);
    set_now(thread, procedure_of_frame(thread->top));
}

/* Mostly the activation is the one that was entered last. */
void Return(int number, long sp, long id) {
    struct thread *thread = now.thread;
    struct frame *top = thread->top;
    if (cycles || now.id != id || top->sp != sp || top->procedure != number) {
        leave(number, sp, id);
        return;
    }
    on_cost(top, now.cost);
    now.cost = 0;
    thread->top = top - 1;
    now.procedure = top[-1].procedure;
    now.sp = top[-1].sp;
}

/* The current activation is of this procedure, however control reached it. */
static __attribute__((noinline)) void find_activation(int number, long sp, long id) {
    count_now();
    struct thread *thread = thread_of(id);
    int whole = procedures[number].whole;
    while (!resumes(number) &&
           (thread->top->sp < sp || (thread->top->sp == sp && procedure_of_frame(thread->top) != whole)))
        pop(thread);
    if (procedure_of_frame(thread->top) != whole)
        push(thread, (struct frame){.procedure = whole, .sp = sp}, 0);
    set_now(thread, number);
}

void Execute(int number, int instructions, long sp, long id) {
    if (now.procedure != number || now.sp < sp || now.id != id)
        find_activation(number, sp, id);
    now.cost += instructions;
}

/* The same of the only thread. */
void Arrive(int number, int instructions, long sp) {
    if (now.procedure != number || now.sp < sp)
        find_activation(number, sp, 0);
    now.cost += instructions;
}

/* A block of the only thread that is entered by a call or by branches. Handlers of signals that are not seen
   to return leave other procedures behind. */
void Check(int number, int instructions, long sp) {
    if (now.procedure != number)
        find_activation(number, sp, 0);
    now.cost += instructions;
}

/* The same where they are seen. */
void Continue(int instructions) {
    now.cost += instructions;
}

void end_calls(void) {
    count_now();
    for (struct thread *thread = threads; thread; thread = thread->next)
        while (is_watched(thread->top))
            pop(thread);
}
