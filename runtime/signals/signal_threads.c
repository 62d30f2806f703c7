/* signal_threads.c: numbers for threads that have received signals. Their stacks and masks are found by these
   numbers. Compiled without floating-point registers. */
#include "runtime/signals/internal.h"

/* entry.S takes one for each thread. One more, so that the address after the last does not belong to
   another variable. */
long atomc_signal_threads[SIGNAL_STACKS + 1];

/* entry.S searches in the same way. */
static int find_stack(long thread, int take) {
    for (int i = 0; i < SIGNAL_STACKS; i++) {
        int number = (int)(thread + i) & (SIGNAL_STACKS - 1);
        if (atomc_signal_threads[number] == thread ||
            (take && __sync_bool_compare_and_swap(&atomc_signal_threads[number], 0, thread)))
            return number;
    }
    return -1;
}

int atomc_signal_thread_number(int take) {
    const long all = ~FAULT_SIGNALS;
    long thread = RAW(CALL_gettid, 0, 0, 0, 0, 0, 0), before = 0;
    int number = find_stack(thread, 0);
    if (number >= 0 || !take)
        return number;
    RAW(CALL_rt_sigprocmask, SET_MASK, &all, &before, 8, 0, 0); /* a signal may take a number, too */
    number = find_stack(thread, 1);
    RAW(CALL_rt_sigprocmask, SET_MASK, &before, 0, 8, 0, 0);
    return number;
}
