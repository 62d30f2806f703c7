/* watchdog.c: INT, ALRM and TERM are sent to end a program that hangs. They wait for a routine of the
   analysis side for some seconds only. Compiled without floating-point registers. */
#include "runtime/signals/internal.h"

enum {
    TIMEOUT = 5,         /* seconds */
    TIMEOUT_AT_END = 30, /* while results are written */
    SI_TIMER = -2,
    VALUE_OFFSET = 24, /* in siginfo_t, of si_value */
};

static long monotonic_time(void) {
    long time[2] = {0, 0};
    RAW(CALL_clock_gettime, 1 /* CLOCK_MONOTONIC */, time, 0, 0, 0, 0);
    return time[0] + 1;
}

/* A signal that is not blocked, and whose sender is known; 0: there is none. */
static int watchdog_signal(void) {
    return atomc_sender_is_known(SIGNAL_SEGV)  ? SIGNAL_SEGV
           : atomc_sender_is_known(SIGNAL_BUS) ? SIGNAL_BUS
                                               : 0;
}

/* The timer's signal arrives when the time is over. A child of fork does not inherit its parent's timer. The
   signal is sent to the first thread: if it were sent to the process, the kernel could choose a thread that
   an emulator has for itself, which crashes. */
static void set_timer(void) {
    static struct atomc_timer timer;
    static const long when[4] = {0, 0, TIMEOUT, 0};
    long signal = watchdog_signal();
    if ((timer.signal != signal || !atomc_set_timer(&timer, when)) &&
        atomc_make_timer(&timer, signal, process_id(), atomc_deferrals))
        atomc_set_timer(&timer, when);
}

static int is_deferral_over(const struct atomc_deferral *deferral) {
    return deferral->thread && deferral->since && monotonic_time() - deferral->since >= TIMEOUT;
}

/* A signal by which people and programs end a hanging program waits for the thread's routine. */
void atomc_start_watchdog(long signal) {
    long thread = RAW(CALL_gettid, 0, 0, 0, 0, 0, 0);
    int is_waiting = 0;
    if (!(SIGNAL_BIT(signal) & ENDING_SIGNALS) || !watchdog_signal())
        return;
    for (int i = 0; i < ATOMC_DEFERRALS; i++) {
        if (atomc_deferrals[i].thread == thread && !atomc_deferrals[i].since) {
            atomc_deferrals[i].signal = signal;
            atomc_deferrals[i].since = monotonic_time();
        } else {
            is_waiting |= atomc_deferrals[i].thread && atomc_deferrals[i].since;
        }
    }
    if (!is_waiting) /* the timer is not set */
        set_timer();
}

long atomc_watchdog_signal(const int *info, int *is_timer) {
    long thread = RAW(CALL_gettid, 0, 0, 0, 0, 0, 0), signal = 0;
    int is_waiting = 0;
    *is_timer =
        info && info[2] == SI_TIMER && *(void *const *)((const char *)info + VALUE_OFFSET) == atomc_deferrals;
    for (int i = 0; i < ATOMC_DEFERRALS; i++) {
        if (!is_deferral_over(&atomc_deferrals[i]))
            is_waiting |= atomc_deferrals[i].thread && atomc_deferrals[i].since;
        else if (atomc_deferrals[i].thread == thread)
            signal = atomc_deferrals[i].signal;
        else if (*is_timer)
            RAW(CALL_tgkill, process_id(), atomc_deferrals[i].thread, watchdog_signal(), 0, 0, 0);
    }
    if (*is_timer && is_waiting)
        set_timer();
    return signal;
}

long atomc_timeout(void) {
    return atomc_is_ending ? TIMEOUT_AT_END : TIMEOUT;
}

int atomc_is_stuck(long signal) {
    static long since,
        latest; /* a signal one millisecond after the previous one is the same one, redelivered */
    long now = monotonic_time();
    if (!(SIGNAL_BIT(signal) & ENDING_SIGNALS))
        return 0;
    if (now - latest > 1)
        since = now;
    latest = now;
    return now - since >= atomc_timeout();
}
