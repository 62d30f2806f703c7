/* watchdog.c: INT, ALRM and TERM are sent to end a program that hangs. They wait for a routine of the
   analysis side for some seconds only. Compiled without floating-point registers. */
#include "runtime/signals/internal.h"

enum {
    TIMEOUT = 5,             /* seconds */
    TIMEOUT_AT_END = 30,     /* while results are written */
    HALF_SECOND = 500000000, /* nanoseconds */
    SI_TIMER = -2,
    VALUE_OFFSET = 24, /* in siginfo_t, of si_value */
};

/* Milliseconds of CLOCK_MONOTONIC, never 0; of the time that the thread has run. */
static long milliseconds(long clock) {
    long time[2] = {0, 0};
    RAW(CALL_clock_gettime, clock, time, 0, 0, 0, 0);
    return time[0] * 1000 + time[1] / 1000000 + 1;
}

static long monotonic_time(void) {
    return milliseconds(1 /* CLOCK_MONOTONIC */);
}

static long running_time(long thread) {
    enum { SCHEDULED = 2, PER_THREAD = 4 }; /* clock_getcpuclockid(3) */
    return milliseconds(~thread << 3 | SCHEDULED | PER_THREAD);
}

static void begin_watch(struct atomc_watch *watch, long thread) {
    const long run = running_time(thread);
    *watch = (struct atomc_watch){.checked = monotonic_time(), .began = run, .run = run};
}

/* Called twice in so many seconds, or more often. True if the thread has run for so long, or has been blocked
   for so long, as a thread that hangs; and in any case after a minute. A busy machine lets a thread run for a
   small part of the time, and a process may be stopped: then nothing hangs. A stop, however long, is between
   two checks. */
static int is_watch_over(struct atomc_watch *watch, long thread, long seconds) {
    enum { MINUTE = 60, ACTIVE = 1000 /* a thread that could run has run for more than a thousandth */ };
    const long now = monotonic_time(), passed = now - watch->checked;
    if (passed < seconds * 450) /* timers are not exact */
        return 0;
    const long run = running_time(thread);
    watch->idle = run - watch->run < passed / ACTIVE ? watch->idle + 1 : 0;
    watch->checks++;
    watch->checked = now;
    watch->run = run;
    return watch->idle == 2 || run - watch->began >= seconds * 900 || watch->checks * seconds >= 2 * MINUTE;
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
    static const long when[4] = {0, 0, TIMEOUT / 2, TIMEOUT % 2 * HALF_SECOND};
    long signal = watchdog_signal();
    if ((timer.signal != signal || !atomc_set_timer(&timer, when)) &&
        atomc_make_timer(&timer, signal, process_id(), atomc_deferrals))
        atomc_set_timer(&timer, when);
}

static int is_deferral_over(struct atomc_deferral *deferral) {
    if (deferral->thread && deferral->signal && !deferral->is_over)
        deferral->is_over = is_watch_over(&deferral->watch, deferral->thread, TIMEOUT);
    return deferral->thread && deferral->signal && deferral->is_over;
}

/* A signal by which people and programs end a hanging program waits for the thread's routine. */
void atomc_start_watchdog(long signal) {
    long thread = RAW(CALL_gettid, 0, 0, 0, 0, 0, 0);
    int is_waiting = 0;
    if (!(SIGNAL_BIT(signal) & ENDING_SIGNALS) || !watchdog_signal())
        return;
    for (int i = 0; i < ATOMC_DEFERRALS; i++) {
        if (atomc_deferrals[i].thread == thread && !atomc_deferrals[i].signal) {
            begin_watch(&atomc_deferrals[i].watch, thread);
            atomc_deferrals[i].is_over = 0;
            atomc_deferrals[i].signal = signal;
        } else {
            is_waiting |= atomc_deferrals[i].thread && atomc_deferrals[i].signal;
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
            is_waiting |= atomc_deferrals[i].thread && atomc_deferrals[i].signal;
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
    static struct atomc_watch watch;
    static long latest; /* a signal one second after the previous one is the same one, redelivered */
    long now = monotonic_time(), thread = RAW(CALL_gettid, 0, 0, 0, 0, 0, 0);
    if (!(SIGNAL_BIT(signal) & ENDING_SIGNALS))
        return 0;
    if (now - latest > 2000)
        begin_watch(&watch, thread);
    latest = now;
    return is_watch_over(&watch, thread, atomc_timeout());
}
