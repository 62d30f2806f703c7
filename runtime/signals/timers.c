/* timers.c: timers that send signals. Compiled without floating-point registers. */
#include "runtime/signals/internal.h"

enum { NOTIFY_THREAD = 4 /* SIGEV_THREAD_ID */ };

int atomc_make_timer(struct atomc_timer *timer, long signal, long thread, const void *value) {
    struct {
        const void *value;
        int signal, notify, thread, unused;
        long rest[5];
    } event = {
        .value = value, .signal = (int)signal, .notify = thread ? NOTIFY_THREAD : 0, .thread = (int)thread};
    timer->signal = 0;
    timer->process = process_id();
    if (RAW(CALL_timer_create, 1 /* CLOCK_MONOTONIC */, &event, &timer->number, 0, 0, 0) >= 0)
        timer->signal = (int)signal;
    return timer->signal != 0;
}

int atomc_set_timer(const struct atomc_timer *timer, const long when[4]) {
    return timer->signal && timer->process == process_id() &&
           RAW(CALL_timer_settime, timer->number, 0, when, 0, 0, 0) >= 0;
}
