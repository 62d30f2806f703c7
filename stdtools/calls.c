/* calls.c: follows the activations on each thread's stack by entries, returns and blocks (calls.inc). The
   stack pointer tells which activations have been left by longjmp, by an exception, or by a tail
   call. */
#include <stdlib.h>

#include "calls.h"

struct thread *threads;
int in_cycles;

void Begin(int count, int cycles) {
    procedure_count = count;
    procedures = allocated(count, sizeof *procedures);
    in_cycles = cycles;
}

void Procedure(int number, long pc, long size, const char *name, const char *file, int line) {
    procedures[number] = (struct procedure){pc, size, name, file, line, number};
}

static struct thread *thread_of(long id) {
    static struct thread *last;
    static long count;
    if (last && last->id == id)
        return last;
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
    last->self = allocated(procedure_count, sizeof *last->self);
    last->active = allocated(procedure_count, sizeof *last->active);
    return threads = last;
}

static struct frame *top_of(const struct thread *thread) {
    return thread->depth > 0 ? &thread->frames[thread->depth - 1] : NULL;
}

static void pop(struct thread *thread) {
    on_pop(thread, top_of(thread));
    thread->active[top_of(thread)->procedure]--;
    thread->depth--;
}

static void push(struct thread *thread, struct frame frame, int called) {
    if (thread->depth == thread->room) {
        thread->room = 2 * thread->room + 64;
        thread->frames = realloc(thread->frames, thread->room * sizeof frame);
        if (!thread->frames)
            abort();
    }
    frame.start = thread->clock;
    frame.self_start = thread->self[frame.procedure];
    thread->frames[thread->depth++] = frame;
    thread->active[frame.procedure]++;
    on_push(thread, top_of(thread), called);
}

static void add_cost(struct thread *thread, long cost) {
    thread->clock += cost;
    thread->self[top_of(thread)->procedure] += cost;
    on_cost(thread, top_of(thread), cost);
}

static unsigned cycles_now(void) {
    return in_cycles ? (unsigned)__builtin_alpha_rpcc() : 0;
}

/* Cycles since the last entry or return in this thread count for its activation, without those of this
 * analysis. */
static struct thread *last_thread;
static unsigned last_cycles;
static void tick(struct thread *thread) {
    if (last_thread == thread && thread->depth > 0 && in_cycles)
        add_cost(thread, cycles_now() - last_cycles);
}
static void tock(struct thread *thread) {
    last_thread = thread;
    last_cycles = cycles_now();
}

static int lies_in(long pc, int number) {
    return (unsigned long)(pc - procedures[number].pc) < (unsigned long)procedures[number].size;
}

/* Frames below the stack pointer have been left. So has a frame at the stack pointer that did not make this
   call and is not active: it was left, or made a tail call, which has its return address. */
void Enter(int number, long ra, long sp, long id) {
    struct thread *thread = thread_of(id);
    struct frame *top;
    tick(thread);
    while ((top = top_of(thread)) &&
           (top->sp < sp || (top->sp == sp && (top->ra == ra || !lies_in(ra, top->procedure)))))
        pop(thread);
    if (procedures[number].whole == number)
        push(thread, (struct frame){.procedure = number, .sp = sp, .ra = ra}, 1);
    tock(thread);
}

void Return(int number, long sp, long id) {
    struct thread *thread = thread_of(id);
    struct frame *top;
    tick(thread);
    while ((top = top_of(thread)) && top->sp < sp)
        pop(thread);
    if (top && top->sp == sp && top->procedure == procedures[number].whole)
        pop(thread);
    tock(thread);
}

/* The current activation is of this procedure, however control reached it. */
void Execute(int number, int instructions, long sp, long id) {
    struct thread *thread = thread_of(id);
    struct frame *top;
    int whole = procedures[number].whole;
    while ((top = top_of(thread)) && (top->sp < sp || (top->sp == sp && top->procedure != whole)))
        pop(thread);
    if (!top || top->procedure != whole)
        push(thread, (struct frame){.procedure = whole, .sp = sp}, 0);
    add_cost(thread, instructions);
}

void end_calls(void) {
    for (struct thread *thread = threads; thread; thread = thread->next)
        while (thread->depth > 0)
            pop(thread);
}
