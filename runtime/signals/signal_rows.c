/* signal_rows.c: threads stop at an instruction of the program because of a signal; rows that are written at
   such a stop; reports on signals; events that the runtime finds. Compiled without floating-point registers.
 */
#include "runtime/commands/commands.h"
#include "runtime/report/report.h"
#include "runtime/signals/internal.h"
#include "runtime/threads/threads.h"
#include "stdtools/addresses.h"

/* Uses the private C library, which has its own stack. */
static void call_on_own_stack(void (*write)(long), long argument) {
    long own = thread_pointer();
    set_thread_pointer(atomc_private_thread_pointer);
    atomc_on_private_stack(atomc_after_stack, write, argument);
    set_thread_pointer(own);
}

/* The calling thread has reached a count, or a time, for which rows are due, and is at an instruction of the
   program. */
static void write_due_rows(void) {
    if (atomc_is_ending || atomc_is_vfork_child() || !atomc_hold_for_rows(atomc_rows_are_due))
        return;
    call_on_own_stack(atomc_write_due_rows, 0);
    atomc_free_threads();
}

/* At execve, for which results have been written: they are written again when the handler has returned. A
   library's system call is entered again in any case. */
void atomc_gate_again(struct saved_context *saved) {
    const uint32_t *code = (const uint32_t *)saved->pc, *begin;
    long number = saved->registers[NUMBER_REGISTER];
    if (!atomc_at_system_call((unsigned long)saved->pc) || !is_system_call_word(*code) ||
        (number != CALL_execve && number != CALL_execveat))
        return;
    begin = atomc_gate_begins(code);
    if (begin)
        saved->pc = (long)begin;
}

/* Rows are written before the results of the end, which are undone. */
static void stay_for_rows(struct saved_context *saved) {
    if (!atomc_upcalls.is_executing())
        return;
    atomc_upcalls.stay();
    atomc_gate_again(saved);
}

/* Another thread ends the program, forks, or writes rows: this thread runs to an instruction of the program,
   and may never continue. Or this thread writes rows at that instruction. */
void atomc_stop_here(struct saved_context *context) {
    switch (atomc_advance(context)) {
    case DEFERRED:
        context->mask |= STOP_BIT;
        atomc_stop_later(1);
        break;
    case NOT_DEFERRED:
        atomc_stop_later(0);
        atomc_writes_rows(); /* the rows remain due: the signal will be sent again */
        break;
    default:
        if (atomc_writes_rows()) {
            stay_for_rows(context);
            atomc_note_place(context, NO_FAULT, 1);
            write_due_rows();
        } else {
            atomc_note_place(context, NO_FAULT, 1);
        }
        atomc_wait_stopped();
        atomc_note_place(context, NO_FAULT, -1);
    }
}

/* If rows were written for each signal of a fast series, the program would have no time to run. So no rows
   are written for signals that arrive during the writing, or within an equal time after it. */
static struct {
    int waits;  /* a signal has arrived while the last rows were written */
    long until; /* nanoseconds: the end of the program's time to run; 0: no signal arrived while the last rows
                   were written */
} after_rows[SIGNALS];

void atomc_signals_after_fork(void) {
    atomc_contexts_after_fork();
    atomc_forget_exit();
    for (long signal = 1; signal < SIGNALS; signal++)
        after_rows[signal].waits = 0, after_rows[signal].until = 0;
}

static long nanoseconds_now(void) {
    long time[2] = {0, 0};
    RAW(CALL_clock_gettime, 1 /* CLOCK_MONOTONIC */, time, 0, 0, 0, 0);
    return time[0] * 1000000000 + time[1];
}

static int is_pending(long signal) {
    long pending = 0;
    RAW(CALL_rt_sigpending, &pending, 8, 0, 0, 0, 0);
    return (pending & SIGNAL_BIT(signal)) != 0;
}

/* One may be pending for the process and one for the thread. */
static int has_rows_already(long signal) {
    if (!after_rows[signal].waits && nanoseconds_now() >= after_rows[signal].until)
        return 0;
    after_rows[signal].waits = is_pending(signal);
    return 1;
}

/* Writes the reports of this signal, with the counts at that instruction of the program. The thread's
   position is recorded while it waits for its turn. */
void atomc_report_on(long signal, struct saved_context *saved) {
    if (!atomc_is_reported(signal) || !atomc_after_stack || atomc_is_ending || atomc_is_vfork_child())
        return;
    if (has_rows_already(signal))
        return;
    long began = nanoseconds_now();
    int threaded = atomc_threaded;
    stay_for_rows(saved);
    atomc_note_place(saved, NO_FAULT, 1);
    if (threaded)
        atomc_hold_threads(HOLD_MOMENT);
    call_on_own_stack(atomc_report_on_signal, signal);
    after_rows[signal].waits = is_pending(signal);
    after_rows[signal].until = after_rows[signal].waits ? 2 * nanoseconds_now() - began : 0;
    if (threaded)
        atomc_free_threads();
    atomc_note_place(saved, NO_FAULT, -1);
}

/* ---- events ---------------------------------------------------------------------------------------------- */

/* An event that is found here, and the thread to which it happens. */
struct finding {
    void (*find)(long argument);
    long argument, thread;
};

static void find_and_execute(long address) {
    const struct finding *finding = (const struct finding *)address;
    atomc_execute_events(finding->thread);
    finding->find(finding->argument);
    atomc_execute_events(finding->thread);
}

void atomc_execute_here(void (*find)(long argument), long argument) {
    struct finding finding = {find, argument, thread_pointer()};
    int threaded = atomc_threaded;
    if (!atomc_after_stack || atomc_is_ending || !atomc_has_events())
        return;
    if (threaded)
        atomc_call_lock(atomc_lock);
    call_on_own_stack(find_and_execute, (long)&finding);
    if (threaded)
        atomc_call_lock(atomc_unlock);
}

struct delivery {
    struct event event;
    long restorer, ra, sp, frame;
};

static void begin_handler(long address) {
    const struct delivery *delivery = (const struct delivery *)address;
    atomc_begin_handler(&delivery->event, delivery->restorer, delivery->ra, delivery->sp, delivery->frame);
}

void atomc_before_handler(long signal, long handler, long restorer, const struct saved_context *saved) {
    struct delivery delivery = {.event = {.thread = thread_pointer(),
                                          .signal = signal,
                                          .handler = atomc_static(handler),
                                          .pc = atomc_static(saved->pc)},
                                .restorer = atomc_static(restorer),
                                .ra = atomc_static(saved->registers[LINK_REGISTER]),
                                .sp = saved->registers[STACK_REGISTER],
                                .frame = (long)saved};
    atomc_execute_here(begin_handler, (long)&delivery);
}

static void end_handler(long address) {
    const struct delivery *delivery = (const struct delivery *)address;
    atomc_end_handler(delivery->event.thread, delivery->frame);
}

void atomc_after_handler(const struct saved_context *saved) {
    struct delivery delivery = {.event = {.thread = thread_pointer()}, .frame = (long)saved};
    atomc_execute_here(end_handler, (long)&delivery);
}
