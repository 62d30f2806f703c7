/* end.c: the end of the program: stops the other threads, and makes the calls after the program, on a stack
   of the analysis side. Compiled without floating-point registers; finish.c makes reports. */
#include <signal.h>

#include "runtime/process/process.h"
#include "runtime/signals/signals.h"
#include "runtime/text/text.h"
#include "runtime/threads/threads.h"

void atomc_end_program(long status) {
    if (atomc_is_vfork_child())
        return;
    static long ending; /* the thread that ends the program */
    long thread = RAW(CALL_gettid, 0, 0, 0, 0, 0, 0);
    if (__sync_lock_test_and_set(&atomc_is_ending,
                                 1)) { /* another thread is ending the program, and this one with it */
        if (atomc_threaded && ending != thread) {
            atomc_stand();
            for (;;)
                RAW(CALL_sched_yield, 0, 0, 0, 0, 0, 0);
        }
        return;
    }
    ending = thread;
    atomc_end_handlers();
    long own = thread_pointer();
    if (atomc_threaded) {
        if (own == atomc_private_thread_pointer) /* a routine ends the program: other threads may wait for the
                                                    lock */
            atomc_lock_owner[0] = atomc_lock_owner[1] = 0;
        atomc_hold_threads(HOLD_ALL); /* the memory is never freed */
    }
    set_thread_pointer(atomc_private_thread_pointer);
    atomc_on_private_stack(atomc_after_stack, status < 0 ? atomc_after_signal : atomc_after_program, status);
    set_thread_pointer(own);
}

void atomc_stop_program(const long *registers) {
    atomc_set_registers(registers);
    atomc_end_program(-SIGABRT);
    atomc_end_by(SIGABRT);
}

static void leave_parent(void) {
    if (!atomc_is_vfork_child())
        return;
    atomc_free_signal_stack();
    atomc_give_back_aside();
}

void atomc_exit_program(long status) {
    leave_parent();
    atomc_end_program(status);
    for (;;) /* a child of vfork */
        RAW(CALL_exit_group, status, 0, 0, 0, 0, 0);
}

long atomc_call_exit_group(long *registers) {
    leave_parent();
    atomc_set_registers(registers);
    atomc_end_program(registers[FIRST_ARGUMENT] & 255);
    return 0;
}
