/* signal_stacks.c: the stacks on which the runtime's code for signals runs, one for each thread; and the
   program's own alternate stacks. The kernel uses the runtime's stacks, even if the program has set an
   alternate stack (sigaltstack). In an analysis routine the stack pointer is elsewhere, so the kernel could
   not know that the program's stack is in use. Faults are handled on them in any case: a routine may have no
   stack left. The frame is then moved to where the program expects it. Compiled without floating-point
   registers. */
#include <errno.h>
#include <signal.h>
#include <string.h>

#include "runtime/signals/internal.h"

enum {
    ON_STACK = 1,
    DISABLED = 2,
    SIZE = 1 << SIGNAL_STACK_SHIFT,
    /* The end of the stack given to the kernel is not aligned, so frames with room for the alternate stack
       have other addresses than frames without it. */
    TOLD = SIZE - FRAME_ALIGNMENT + FRAME_ALIGNMENT / 4,
};

struct stack { /* stack_t */
    long address;
    int flags;
    long size;
};

/* entry.S takes one for each thread. One more, so that the address after the last does not belong to
   another variable. */
char atomc_signal_stacks[(SIGNAL_STACKS + 1) << SIGNAL_STACK_SHIFT] __attribute__((aligned(32)));
static struct stack
    stacks[SIGNAL_STACKS + 1];       /* the program's alternate stack for the thread; .size 0: none */
static int are_used;                 /* some thread has had one */
static long frame_code = FRAME_CODE; /* bytes after the kernel's frames */

static long pointer_of_thread(void) {
    return RAW(CALL_gettid, 0, 0, 0, 0, 0, 0);
}

static long install_stack(int number) {
    struct stack own = {(long)atomc_signal_stacks + number * (long)SIZE, 0, TOLD};
    return RAW(CALL_sigaltstack, &own, 0, 0, 0, 0, 0);
}

void atomc_free_signal_stack(void) {
    int number = atomc_signal_thread_number(0);
    if (number < 0)
        return;
    static const struct stack none = {0, DISABLED, 0};
    stacks[number].size = 0;
    if (are_used)
        RAW(CALL_sigaltstack, &none, 0, 0, 0, 0, 0);
    atomc_forget_mask(number);
    atomc_signal_threads[number] = 0;
}

/* For the only thread, which has no such stack yet, so that an analysis routine that exhausts its stack can
   be reported. */
void atomc_set_signal_stack(void) {
    long thread = pointer_of_thread();
    int number = (int)thread & (SIGNAL_STACKS - 1); /* the first place to search */
    atomc_signal_threads[number] = thread;
    are_used = 1;
    install_stack(number);
}

/* An overflow of the thread's own stack is reported, too. */
void atomc_begin_signal_stack(void) {
    int number = atomc_signal_thread_number(1);
    if (number < 0)
        return;
    stacks[number].size = 0;
    install_stack(number);
}

void atomc_signal_stacks_after_fork(long parent) {
    long thread = pointer_of_thread();
    int from = -1, to = (int)thread & (SIGNAL_STACKS - 1); /* the first place to search */
    for (int i = 0; i < SIGNAL_STACKS; i++) {
        if (atomc_signal_threads[i] == parent)
            from = i;
        else if (atomc_signal_threads[i])
            atomc_forget_mask(i);
        atomc_signal_threads[i] = 0;
    }
    if (from < 0)
        return;
    atomc_signal_threads[to] = thread;
    atomc_move_mask(from, to);
    stacks[to] = stacks[from];
    if (from != to)
        stacks[from].size = 0;
    if (are_used)
        install_stack(to);
}

static int is_on(const struct stack *stack, long address) {
    return (unsigned long)(address - stack->address) < (unsigned long)stack->size;
}

/* The format in which the kernel reports it. */
static struct stack shown_stack(const struct stack *stack, long stack_pointer) {
    if (stack->size == 0)
        return (struct stack){0, DISABLED, 0};
    return (struct stack){stack->address, is_on(stack, stack_pointer) ? ON_STACK : 0, stack->size};
}

static long apply_stack_change(int number, const struct stack *wanted, long stack_pointer) {
    if (is_on(&stacks[number], stack_pointer))
        return -EPERM;
    if (wanted->flags != 0 && wanted->flags != ON_STACK && wanted->flags != DISABLED)
        return -EINVAL;
    if (wanted->flags != DISABLED && wanted->size < LEAST_SIGNAL_STACK)
        return -ENOMEM;
    stacks[number] = *wanted;
    if (wanted->flags == DISABLED)
        stacks[number].size = 0;
    are_used = 1;
    return install_stack(number);
}

int atomc_change_signal_stack(long *registers, long stack_pointer) {
    const long *a = registers + FIRST_ARGUMENT;
    int number = atomc_signal_thread_number(1);
    long result = 0;
    if (number < 0 || (a[0] && (!atomc_is_readable(a[0]) || !atomc_is_readable(a[0] + 16))) ||
        (a[1] && (!atomc_is_readable(a[1]) || !atomc_is_readable(a[1] + 16))))
        return 0;
    struct stack before = shown_stack(&stacks[number], stack_pointer);
    if (a[0]) {
        struct stack wanted = *(const struct stack *)a[0];
        result = apply_stack_change(number, &wanted, stack_pointer);
    }
    if (a[1] && result >= 0)
        *(struct stack *)a[1] = before;
    set_result(registers, result);
    return 1;
}

/* Replaces the kernel's stack in a saved frame by the program's. */
static void show_stack(long frame, const struct stack *stack, long stack_pointer) {
    *(struct stack *)(frame + FRAME_STACK) = shown_stack(stack, stack_pointer);
}

static long aligned_frame(long top, long size) {
    return (top - size) & -FRAME_ALIGNMENT;
}

long atomc_place_frame(long frame, int is_basic, long stack_pointer, int wants_stack) {
    int number = are_used ? atomc_signal_thread_number(0) : -1;
    if (number < 0)
        return frame;
    const struct stack *stack = &stacks[number];
    long begin = (long)atomc_signal_stacks + number * (long)SIZE, end = begin + TOLD;
    long size = is_basic ? BASIC_FRAME : FRAME, place = frame;
    if (frame >= begin && frame < end) {
        int stays = !wants_stack || stack->size == 0 || is_on(stack, stack_pointer);
        long top = stays ? stack_pointer : stack->address + stack->size;
        if (frame == aligned_frame(end, size))
            frame_code = 0;
        else if (frame == aligned_frame(end, size + FRAME_CODE))
            frame_code = FRAME_CODE;
        place = aligned_frame(top, size + frame_code);
        memcpy((void *)place, (const void *)frame, (size_t)(size + frame_code));
    }
    if (!is_basic)
        show_stack(place, stack, stack_pointer);
    return place;
}

void atomc_before_sigreturn(long frame) {
    int number = are_used ? atomc_signal_thread_number(0) : -1;
    if (number < 0)
        return;
    struct stack own = {(long)atomc_signal_stacks + number * (long)SIZE, 0, TOLD};
    *(struct stack *)(frame + FRAME_STACK) = own;
}
