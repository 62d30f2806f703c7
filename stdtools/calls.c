/* calls.c: follows the activations on each thread's stack by entries, returns and blocks (calls.inc). The
   stack pointer tells which activations have been left by longjmp, by an exception, or by a tail
   call. Included by the tool, whose parameter `cycles` is a constant here. */
#include <stdlib.h>

#include "calls.h"

struct thread *threads;
int in_cycles;

void Begin(int count) {
    procedure_count = count;
    procedures = allocated(count, sizeof *procedures);
    in_cycles = cycles;
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
} now = {.procedure = -1};

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
    *last = (struct thread){.id = id, .number = ++count, .next = threads};
    return threads = last;
}

OFTEN struct thread *thread_of(long id) {
    return now.thread && now.id == id ? now.thread : find_thread(id);
}

OFTEN struct frame *top_of(const struct thread *thread) {
    return thread->depth > 0 ? &thread->frames[thread->depth - 1] : NULL;
}

OFTEN void pop(struct thread *thread) {
    thread->depth--;
}

static __attribute__((noinline)) void make_room(struct thread *thread) {
    thread->room = 2 * thread->room + 64;
    thread->frames = realloc(thread->frames, thread->room * sizeof *thread->frames);
    if (!thread->frames)
        abort();
}

OFTEN void push(struct thread *thread, struct frame frame, int called) {
    if (thread->depth == thread->room)
        make_room(thread);
    thread->frames[thread->depth++] = frame;
    on_push(thread, &thread->frames[thread->depth - 1], called);
}

OFTEN void add_cost(struct thread *thread, long cost) {
    struct frame *top = &thread->frames[thread->depth - 1];
    on_cost(top, cost);
}

static unsigned cycles_now(void) {
    return cycles ? (unsigned)__builtin_alpha_rpcc() : 0;
}

/* Cycles since the last entry or return in this thread count for its activation, without those of this
 * analysis. */
static struct thread *last_thread;
static unsigned last_cycles;
OFTEN void tick(struct thread *thread) {
    if (last_thread == thread && thread->depth > 0 && cycles)
        add_cost(thread, cycles_now() - last_cycles);
}
OFTEN void tock(struct thread *thread) {
    last_thread = thread;
    last_cycles = cycles_now();
}

OFTEN int lies_in(long pc, int number) {
    return (unsigned long)(pc - procedures[number].pc) < (unsigned long)procedures[number].size;
}

OFTEN void count_now(void) {
    if (now.cost)
        add_cost(now.thread, now.cost);
    now.cost = 0;
}

OFTEN void set_now(struct thread *thread, int procedure) {
    struct frame *top = top_of(thread);
    now.thread = thread;
    now.id = thread->id;
    now.procedure = top ? procedure : -1;
    now.sp = top ? top->sp : 0;
}

/* Frames below the stack pointer have been left. So has a frame at the stack pointer that did not make this
   call and is not active: it was left, or made a tail call, which has its return address. */
void Enter(int number, long ra, long sp, long id) {
    count_now();
    struct thread *thread = thread_of(id);
    struct frame *top;
    tick(thread);
    while ((top = top_of(thread)) &&
           (top->sp < sp || (top->sp == sp && (top->ra == ra || !lies_in(ra, top->procedure)))))
        pop(thread);
    int whole = procedures[number].whole == number;
    if (whole)
        push(thread, (struct frame){.procedure = number, .sp = sp, .ra = ra}, 1);
    tock(thread);
    set_now(thread, whole ? number : -1);
}

void Return(int number, long sp, long id) {
    count_now();
    struct thread *thread = thread_of(id);
    struct frame *top;
    tick(thread);
    while ((top = top_of(thread)) && top->sp < sp)
        pop(thread);
    if (top && top->sp == sp && top->procedure == procedures[number].whole)
        pop(thread);
    tock(thread);
    set_now(thread, thread->depth > 0 ? top_of(thread)->procedure : -1);
}

/* The current activation is of this procedure, however control reached it. */
static void find_activation(int number, long sp, long id) {
    count_now();
    struct thread *thread = thread_of(id);
    struct frame *top;
    int whole = procedures[number].whole;
    while ((top = top_of(thread)) && (top->sp < sp || (top->sp == sp && top->procedure != whole)))
        pop(thread);
    if (!top || top->procedure != whole)
        push(thread, (struct frame){.procedure = whole, .sp = sp}, 0);
    set_now(thread, number);
}

void Execute(int number, int instructions, long sp, long id) {
    if (now.procedure != number || now.sp < sp || now.id != id)
        find_activation(number, sp, id);
    now.cost += instructions;
}

/* A block that is not reached by calls, returns and jumps, of the only thread: handlers of signals leave
   other procedures behind. */
void Continue(int number, int instructions, long sp, long id) {
    if (now.procedure != number)
        find_activation(number, sp, id);
    now.cost += instructions;
}

void end_calls(void) {
    count_now();
    for (struct thread *thread = threads; thread; thread = thread->next)
        while (thread->depth > 0)
            pop(thread);
}
