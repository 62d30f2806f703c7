/* calls.c: follows the activations on each thread's stack by entries, returns and blocks (calls.inc). The
   stack pointer shows which activations longjmp, an exception, or a tail call has left. A thread may have
   several stacks, of coroutines. If control continues in a procedure and at a stack pointer that do not match
   the current stack, another stack that matches is searched for (swapcontext, longjmp and similar functions
   switch to it). If no stack matches, a new stack begins, which is below no call. Included by the tool, whose
   parameter `cycles` is a constant here. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "calls.h"

struct thread *threads;
int in_cycles;
static int has_libraries;  /* their procedures may not be among these */
static long restorer = -1; /* the return address of handlers, if the tool knows it */

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

/* Executed instructions count for the top activation of the thread that executed last. They are added to its
   procedure later: as long as blocks belong to this procedure and thread, and are not above this stack
   pointer. */
static struct {
    struct thread *thread;
    long id, sp, cost;
    int procedure; /* or a part of a procedure; -1: unknown */
} now = {.thread = &no_thread, .id = -1, .procedure = -1};

/* This is done at each entry and return. */
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
#ifdef __aarch64__
    unsigned long now;
    __asm__ volatile("mrs %0, cntvct_el0" : "=r"(now));
    return cycles ? (unsigned)now : 0;
#else
    return cycles ? (unsigned)__builtin_alpha_rpcc() : 0;
#endif
}

/* Cycles since the last entry or return in this thread are charged to its activation, without the cycles of
   this analysis. */
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

/* ---- several stacks ---------------------------------------------------------------------------------- */

/* Stacks on which no thread is running, in ascending order of the outermost activation's stack pointer. A
   stack whose memory has been reused may still be listed. */
static struct stack **stacks;
static long stack_count, stack_room;

static int whole_at(long pc) {
    int low = 0, high = procedure_count;
    while (low < high) {
        int middle = (low + high) / 2;
        if (procedures[middle].pc <= pc)
            low = middle + 1;
        else
            high = middle;
    }
    return low > 0 && lies_in(pc, low - 1) ? procedures[low - 1].whole : -1;
}

static int is_entry(long pc) {
    int whole = whole_at(pc);
    return whole >= 0 && pc >= procedures[whole].pc && pc <= procedures[whole].pc + 8;
}

static void pop_to(struct thread *thread, const struct frame *frame) {
    while (thread->top > frame)
        pop(thread);
}

/* The innermost activation of this procedure that has this stack pointer; NULL if there is none. If the top
   is on the stack of a handler above interrupted frames, the interrupted frames are searched, too. */
static struct frame *frame_at(struct frame *frames, struct frame *top, int whole, long sp) {
    while (top > frames) {
        int procedure = procedure_of_frame(top);
        if (top->sp < sp || (top->sp == sp && procedure != whole)) {
            top--;
            continue;
        }
        if (procedure == whole)
            return top;
        while (top > frames && top[-1].sp >= top->sp)
            top--;
        top--;
    }
    return NULL;
}

/* The first one that is not below this stack pointer. */
static long first_stack(long sp) {
    long low = 0, high = stack_count;
    while (low < high) {
        long middle = (low + high) / 2;
        if (stacks[middle]->frames[1].sp < sp)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void forget_stack(long number) {
    memmove(&stacks[number], &stacks[number + 1], (stack_count - number - 1) * sizeof *stacks);
    stack_count--;
}

static void set_aside(struct thread *thread) {
    if (thread->top == thread->frames) {
        free(thread->frames);
        return;
    }
    struct stack *stack = allocated(1, sizeof *stack);
    *stack = (struct stack){thread->frames, thread->top, thread->end, thread->watched};
    if (stack_count == stack_room) {
        stack_room = 2 * stack_room + 16;
        stacks = realloc(stacks, stack_room * sizeof *stacks);
        if (!stacks)
            abort();
    }
    long number = first_stack(stack->frames[1].sp);
    memmove(&stacks[number + 1], &stacks[number], (stack_count - number) * sizeof *stacks);
    stacks[number] = stack;
    stack_count++;
}

static void begin_stack(struct thread *thread) {
    struct frame base = {.procedure = -1, .sp = LONG_MAX, .item = thread->frames->item};
    set_aside(thread);
    thread->frames = thread->top = allocated(64, sizeof base);
    thread->end = thread->frames + 64;
    thread->watched = NULL;
    *thread->top = base;
}

/* Changes to another stack, on which the procedure is active with this stack pointer. Stacks whose memory
   it has reused are removed. */
static int change_stack(struct thread *thread, int whole, long sp) {
    /* Frames of procedures that go from stack to stack are smaller than stacks are. */
    enum { MOST = 16, LARGEST_FRAME = 16 * 1024 };
    for (long i = first_stack(sp); i < stack_count && i < first_stack(sp) + MOST; i++) {
        struct stack *stack = stacks[i];
        const struct frame *frame = frame_at(stack->frames, stack->top, whole, sp);
        if (!frame || frame->sp - sp > LARGEST_FRAME)
            continue;
        forget_stack(i);
        while (i-- > 0 && stacks[i]->frames[1].sp >= sp)
            forget_stack(i);
        set_aside(thread);
        thread->frames = stack->frames;
        thread->top = stack->top;
        thread->end = stack->end;
        thread->watched = stack->watched;
        free(stack);
        pop_to(thread, frame);
        return 1;
    }
    return 0;
}

/* Control continues at this place with this stack pointer, on the current stack or another one. */
static int go_on(struct thread *thread, long pc, long sp) {
    int whole = whole_at(pc);
    const struct frame *frame = whole < 0 ? NULL : frame_at(thread->frames, thread->top, whole, sp);
    if (frame)
        pop_to(thread, frame);
    return frame || (whole >= 0 && change_stack(thread, whole, sp));
}

/* The same if it is on no known stack. */
static void go_elsewhere(struct thread *thread, long pc, long sp) {
    begin_stack(thread);
    if (!is_entry(pc))
        push(thread, (struct frame){.procedure = whole_at(pc), .sp = sp}, 0);
}

/* The activations above `frame` have been left, as control is not in this procedure. */
static void leave_for(struct thread *thread, struct frame *frame, int whole, long sp) {
    if (whole >= 0 && stack_count > 0 && change_stack(thread, whole, sp))
        return;
    if (whole >= 0 && frame == thread->frames && thread->top > frame)
        begin_stack(thread);
    else
        pop_to(thread, frame);
}

/* ---- entries and returns ------------------------------------------------------------------------------ */

/* Procedures that resume interrupted code after handlers. */
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

/* True if a handler returns to such a procedure, or to code that the kernel has put on the stack. Its stack
   may be above the stack of the interrupted frames, which are kept. */
static int is_handler(long ra) {
    const struct procedure *last = &procedures[procedure_count - 1];
    if (ra == restorer)
        return 1;
    for (int i = 0; i < resuming_count; i++)
        if (lies_in(ra, resuming[i]))
            return 1;
    return !has_libraries && (ra < procedures[0].pc || ra >= last->pc + last->size);
}

/* Frames below the stack pointer have been left. A frame at the stack pointer that did not make this call and
   is not active has also been left, or it made a tail call, which uses its return address. */
static __attribute__((noinline)) void enter(int number, long ra, long sp, long id) {
    count_now();
    struct thread *thread = thread_of(id);
    tick(thread);
    if (!is_handler(ra)) {
        struct frame *frame = thread->top;
        while (frame->sp < sp ||
               (frame->sp == sp && (frame->ra == ra || !lies_in(ra, procedure_of_frame(frame)))))
            frame--;
        if (frame > thread->frames && lies_in(ra, procedure_of_frame(frame)))
            pop_to(thread, frame);
        else if (frame > thread->frames && procedure_of_frame(frame) == whole_at(ra))
            pop_to(thread, frame);
        else
            leave_for(thread, frame, whole_at(ra), sp);
    }
    int whole = procedures[number].whole == number;
    if (whole)
        push(thread, (struct frame){.procedure = number, .sp = sp, .ra = ra}, 1);
    tock(thread);
    set_now(thread, whole ? number : -1);
}

/* In most cases all frames are kept, and the call has been made before. */
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

/* If no activation of the procedure has this stack pointer, the procedure has changed it: control is in
   another activation. */
static __attribute__((noinline)) void leave(int number, long to, long sp, long id) {
    count_now();
    struct thread *thread = thread_of(id);
    struct frame *frame = thread->top;
    int whole = procedures[number].whole;
    tick(thread);
    while (frame->sp < sp)
        frame--;
    if (frame->sp == sp && procedure_of_frame(frame) == whole)
        pop_to(thread, frame - 1);
    else if (!go_on(thread, to, sp)) {
        if (whole_at(to) >= 0)
            go_elsewhere(thread, to, sp);
        else
            pop_to(thread, frame);
    }
    tock(thread);
    set_now(thread, procedure_of_frame(thread->top));
}

/* Usually the activation is the last that was entered. */
void Return(int number, long to, long sp, long id) {
    struct thread *thread = now.thread;
    struct frame *top = thread->top;
    if (cycles || now.id != id || top->sp != sp || top->procedure != number) {
        leave(number, to, sp, id);
        return;
    }
    on_cost(top, now.cost);
    now.cost = 0;
    thread->top = top - 1;
    now.procedure = top[-1].procedure;
    now.sp = top[-1].sp;
}

/* The place at which interrupted code continues is in an active procedure; at an entry, the call of it was
   interrupted, and the place is after the call. A procedure may have two entries: at the second, the entry
   may have been counted. */
static long continuation(const struct thread *thread, long pc, long sp, long ra) {
    int whole = whole_at(pc);
    if (!is_entry(pc))
        return pc;
    const struct frame *frame =
        pc == procedures[whole].pc ? NULL : frame_at(thread->frames, thread->top, whole, sp);
    return frame && frame->sp == sp && frame->ra == ra ? pc : ra;
}

/* sigreturn: control continues at this place, with this stack pointer. At an entry, either a call of it was
   interrupted, or a new stack begins. */
void Resume(long pc, long sp, long ra, long id) {
    count_now();
    struct thread *thread = thread_of(id);
    struct frame *frame = thread->top;
    tick(thread);
    while (frame->sp < sp)
        frame--;
    if (!go_on(thread, continuation(thread, pc, sp, ra), sp)) {
        if (whole_at(pc) >= 0)
            go_elsewhere(thread, pc, sp);
        else
            pop_to(thread, frame);
    }
    tock(thread);
    set_now(thread, is_entry(pc) ? -1 : procedure_of_frame(thread->top));
}

/* Makes an activation of this procedure the current one, for any way in which control can have reached
   it. */
static __attribute__((noinline)) void find_activation(int number, long sp, long id) {
    count_now();
    struct thread *thread = thread_of(id);
    int whole = procedures[number].whole;
    if (!resumes(number)) {
        struct frame *frame = thread->top;
        while (frame->sp < sp || (frame->sp == sp && procedure_of_frame(frame) != whole))
            frame--;
        if (procedure_of_frame(frame) == whole)
            pop_to(thread, frame);
        else
            leave_for(thread, frame, whole, sp);
    }
    if (procedure_of_frame(thread->top) != whole)
        push(thread, (struct frame){.procedure = whole, .sp = sp}, 0);
    set_now(thread, number);
}

void Execute(int number, int instructions, long sp, long id) {
    if (now.procedure != number || now.sp < sp || now.id != id)
        find_activation(number, sp, id);
    now.cost += instructions;
}

/* The same for the only thread. */
void Arrive(int number, int instructions, long sp) {
    if (now.procedure != number || now.sp < sp)
        find_activation(number, sp, 0);
    now.cost += instructions;
}

/* A block of the only thread that is entered by a call or by branches. If a handler's return is not seen,
   other procedures seem to be left after it. */
void Check(int number, int instructions, long sp) {
    if (now.procedure != number)
        find_activation(number, sp, 0);
    now.cost += instructions;
}

/* The same if its return is seen. */
void Continue(int instructions) {
    now.cost += instructions;
}

void end_calls(void) {
    count_now();
    for (struct thread *thread = threads; thread; thread = thread->next)
        while (is_watched(thread->top))
            pop(thread);
    for (long i = 0; i < stack_count; i++) {
        struct thread aside = {
            .frames = stacks[i]->frames, .top = stacks[i]->top, .watched = stacks[i]->watched};
        while (is_watched(aside.top))
            pop(&aside);
        stacks[i]->top = aside.top;
    }
}
