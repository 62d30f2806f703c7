/* fork.c: the program makes a process or a thread, or a thread ends. Compiled without floating-point
   registers. */
#define _GNU_SOURCE
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <unistd.h>

#include "runtime/commands/commands.h"
#include "runtime/counts/counts.h"
#include "runtime/kernel/line.h"
#include "runtime/process/process.h"
#include "runtime/report/report.h"
#include "runtime/signals/signals.h"
#include "runtime/text/text.h"
#include "runtime/threads/threads.h"

/* The thread leaves all its procedures. The end of the last thread is that of the program, which leaves none.
 */
static void end_stack(void) {
    if (atomc_live_threads > 1)
        atomc_execute_here(atomc_end_stack, thread_pointer());
}

/* Forgets the analysis side's data on the thread. */
static void forget_thread(void) {
    end_stack();
    atomc_forget_thread();
    if (!atomc_follows_stacks())
        return;
    if (atomc_threaded)
        atomc_call_lock(atomc_lock);
    atomc_forget_stack(thread_pointer());
    if (atomc_threaded)
        atomc_call_lock(atomc_unlock);
}

/* Flushes buffers first, so that they are written once, not by both parent and child. No other thread may be
   in an analysis routine during the fork: the child would not have this thread, and would wait for it. Sets
   the child's thread pointer again: under qemu-system, the child starts with the pointer that its parent had
   when it was last scheduled, which may be the private pointer. True if the call was made. */
static long fork_process(long *registers) {
    long *a = registers + FIRST_ARGUMENT, result = -1, all = ~FAULT_SIGNALS, before = 0;
    long own = thread_pointer(), made_here = registers[NUMBER_REGISTER] == CALL_fork || a[1] == 0;
    long thread = RAW(CALL_gettid, 0, 0, 0, 0, 0, 0);
    int threaded = atomc_threaded,
        renumbered = registers[NUMBER_REGISTER] == CALL_clone && (a[0] & CLONE_NEWPID) != 0;
    if (threaded && made_here) /* the child has only this thread */
        atomc_hold_threads(HOLD_RUNNING);
    else if (threaded)
        atomc_call_lock(atomc_lock);
    atomc_forget_vfork();
    set_thread_pointer(atomc_private_thread_pointer);
    atomc_flush();
    set_thread_pointer(own);
    if (made_here) {
        /* The kernel restarts a fork if a signal arrives: with a fast timer it would never finish. */
        RAW(CALL_rt_sigprocmask, SIG_SETMASK, &all, &before, 8, 0, 0);
        result = RAW(registers[NUMBER_REGISTER], a[0], a[1], a[2], a[3], a[4], a[5]);
        if (result == 0 && !(registers[NUMBER_REGISTER] == CALL_clone && a[0] & CLONE_SETTLS))
            set_thread_pointer(own);
        if (result == 0) {
            atomc_copies_after_fork();
            atomc_thread_counts_after_fork();
            atomc_deferrals_after_fork(thread);
            atomc_waiting_after_fork();
            atomc_signal_stacks_after_fork(thread);
            atomc_masks_after_fork();
            atomc_descriptors_after_fork();
            atomc_execves_after_fork();
            atomc_signals_after_fork();
            atomc_forget_unforeseen();
            atomc_renumber_threads();
            atomc_forget_left_out();
        }
        RAW(CALL_rt_sigprocmask, SIG_SETMASK, &before, 0, 8, 0, 0);
        set_result(registers, result);
        set_second_result(registers, result == 0);
        if (result > 0) {
            set_thread_pointer(atomc_private_thread_pointer);
            atomc_have_child(renumbered ? 0 : result);
            set_thread_pointer(own);
        }
        if (result == 0) {
            own = thread_pointer();
            set_thread_pointer(atomc_private_thread_pointer);
            atomc_begin_child_series();
            atomc_begin_child(&atomc_image);
            atomc_forget_keys();
            atomc_make_calls(atomc_image.forked, atomc_image.forked_count);
            set_thread_pointer(own);
        }
        if (result == 0)
            atomc_only_thread();
        if (threaded)
            atomc_free_threads();
    } else if (threaded) {
        atomc_call_lock(atomc_unlock);
    }
    if (made_here && result == 0) {
        atomc_live_threads = 1;
        atomc_threaded = atomc_waits = 0;
    }
    return made_here;
}

/* Otherwise the child's sites would share one frame with the sites of the first thread. */
static void stop_unforeseen_thread(const long *registers) {
    struct line line = {.length = 0};
    add_text(
        &line,
        "atomc: the program makes a thread, which was not foreseen: stopped. --stack=program instruments "
        "it for threads\n");
    write_line(&line);
    atomc_stop_program(registers);
}

static long clone_thread(long *registers) {
    long flags = registers[FIRST_ARGUMENT];
    if (atomc_image.own_frames)
        stop_unforeseen_thread(registers);
    if (atomc_image.unthreaded && !atomc_threaded)
        atomc_report_thread();
    atomc_thread_counts_at_clone(registers);
    __sync_add_and_fetch(&atomc_live_threads, flags & CLONE_THREAD ? 1 : 0);
    atomc_threaded = 1;
    atomc_waits = atomc_image.stops != 0;
    return flags & CLONE_THREAD ? -1 : 0;
}

long atomc_call_vfork(long *registers) {
    (void)registers;
    atomc_begin_vfork();
    atomc_keep_aside();
    atomc_inherit_mask();
    return 0;
}

long atomc_call_clone(long *registers) {
    long flags = registers[FIRST_ARGUMENT], stack = registers[FIRST_ARGUMENT + 1];
    atomc_inherit_mask();
    if (stack)
        atomc_begin_other_stack(registers);
    if ((flags & (CLONE_VM | CLONE_VFORK)) == CLONE_VM)
        return clone_thread(registers);
    return flags & CLONE_VFORK ? atomc_call_vfork(registers) : fork_process(registers);
}

long atomc_call_fork(long *registers) {
    return fork_process(registers);
}

/* clone3 has features that are not supported here, and its callers can use clone instead. */
long atomc_call_clone3(long *registers) {
    set_result(registers, -ENOSYS);
    return 1;
}

long atomc_call_exit(long *registers) {
    atomc_free_signal_stack();
    atomc_forget_deferral();
    atomc_forget_waiting();
    forget_thread();
    atomc_thread_counts_end();
    return __sync_sub_and_fetch(&atomc_live_threads, 1) != 0 ? 0 : atomc_call_exit_group(registers);
}

/* A call made by the copy has failed: a clone, which has been counted, or an execve. Or it has made a thread,
   in which this code runs. */
void atomc_program_call_failed(const long *registers) {
    if (registers[RESULT_REGISTER] == 0)
        atomc_begin_signal_stack();
    else if (atomc_is_executing() || atomc_is_showing_ignored()) {
        atomc_stay();
    } else {
        atomc_thread_counts_not_cloned(registers);
        __sync_sub_and_fetch(&atomc_live_threads, 1);
    }
}
