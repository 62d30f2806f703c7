/* requeue.c: redelivery: a signal that cannot be delivered yet is sent again: when the mask allows it, or by
   a timer, after a millisecond, then after 2, 4 and so on up to 32: so it comes late by at most as long as it
   has waited, and a long routine is seldom interrupted. Compiled without floating-point registers.

   Queued signals (32 to 64) keep their order. A delivered signal is older than all signals of the same
   number that the kernel still holds. So the older signal is stored in a list of the thread, and only a mark
   is sent, with a value that no other code uses. When the kernel then delivers a mark or another signal of
   that number, the program receives the first signal of the list, and another signal is appended to the list.
   While the list is not empty, a mark is pending. */
#include <stddef.h>
#include <string.h>

#include "runtime/signals/internal.h"

enum {
    SI_TIMER = -2,
    SIGINFO_BYTES = 128,
    CODE_OFFSET = 8,   /* in siginfo_t, of si_code */
    VALUE_OFFSET = 24, /* of si_value */
    FIRST_QUEUED = 32,
    MOST_OWN = 64, /* signals of threads: further signals are redelivered immediately, after earlier signals
                      of their number */
    MOST_WAITING = 512, /* the same for all threads together */
};

static struct waiting {
    int used, has_info;
    struct waiting *next;
    char info[SIGINFO_BYTES];
} waiting_signals[MOST_WAITING];

/* A signal number of a thread, with signals that have been redelivered or will be. The timer belongs to the
   thread: one of the process would send the signal to any thread. */
static struct own_signal {
    long thread, signal; /* thread 0: free */
    struct atomc_timer timer;
    int is_marked; /* the kernel has a mark */
    int is_timed;  /* the timer's signal may be pending, or will arrive */
    int tries;     /* redeliveries of the same signal by the timer so far */
    long ignored;  /* atomc_times_ignored(signal) at the latest query */
    struct waiting *first, *last;
} own_signals[MOST_OWN];

static long sending_thread(void) {
    return RAW(CALL_gettid, 0, 0, 0, 0, 0, 0);
}

/* The kernel has one of this thread's signals: takes it. */
static int take_from_kernel(long signal, void *info) {
    static const long no_time[2] = {0, 0};
    const long bit = SIGNAL_BIT(signal);
    return RAW(CALL_rt_sigtimedwait, &bit, info, no_time, 8, 0, 0) == signal;
}

static long block_signals(void) {
    const long all = -1;
    long before = 0;
    RAW(CALL_rt_sigprocmask, ADD_MASK, &all, &before, 8, 0, 0);
    return before;
}

static void set_kernel_mask(long mask) {
    RAW(CALL_rt_sigprocmask, SET_MASK, &mask, 0, 8, 0, 0);
}

/* ---- the list -------------------------------------------------------------------------------------------------- */

static void free_waiting(struct waiting *waiting) {
    __sync_lock_release(&waiting->used);
}

/* 0: the list is full. */
static struct waiting *make_waiting(const void *info) {
    for (int i = 0; i < MOST_WAITING; i++) {
        struct waiting *waiting = &waiting_signals[i];
        if (!__sync_bool_compare_and_swap(&waiting->used, 0, 1))
            continue;
        waiting->next = 0;
        waiting->has_info = info != 0;
        if (info)
            memcpy(waiting->info, info, SIGINFO_BYTES);
        return waiting;
    }
    return 0;
}

static int put_last(struct own_signal *own, const void *info) {
    struct waiting *waiting = make_waiting(info);
    if (!waiting)
        return 0;
    if (own->first)
        own->last->next = waiting;
    else
        own->first = waiting;
    own->last = waiting;
    return 1;
}

static int put_first(struct own_signal *own, const void *info) {
    struct waiting *waiting = make_waiting(info);
    if (!waiting)
        return 0;
    waiting->next = own->first;
    if (!own->first)
        own->last = waiting;
    own->first = waiting;
    return 1;
}

/* The list must not be empty. Returns `info`, or 0 if no information is available. `info` may be 0. */
static void *take_first(struct own_signal *own, void *info) {
    struct waiting *waiting = own->first;
    int has_info = info && waiting->has_info;
    if (has_info)
        memcpy(info, waiting->info, SIGINFO_BYTES);
    own->first = waiting->next;
    free_waiting(waiting);
    return has_info ? info : 0;
}

static void remove_all_signals(struct own_signal *own) {
    while (own->first)
        take_first(own, 0);
}

/* ---- a thread's signals ------------------------------------------------------------------------------------------ */

/* Signals that were lost when the program ignored the signal are removed. */
static struct own_signal *looked_at(struct own_signal *own) {
    if (own->ignored != atomc_times_ignored(own->signal)) {
        remove_all_signals(own);
        own->is_marked = 0;
        own->ignored = atomc_times_ignored(own->signal);
    }
    return own;
}

static struct own_signal *find_own(long signal) {
    long thread = sending_thread();
    for (int i = 0; i < MOST_OWN; i++)
        if (own_signals[i].thread == thread && own_signals[i].signal == signal)
            return looked_at(&own_signals[i]);
    return 0;
}

/* 0: the list is full. */
static struct own_signal *find_or_take_own(long signal) {
    long thread = sending_thread();
    struct own_signal *own = find_own(signal);
    for (int i = 0; i < MOST_OWN && !own; i++)
        if (__sync_bool_compare_and_swap(&own_signals[i].thread, 0, thread)) {
            own = &own_signals[i];
            own->signal = signal;
            own->first = 0;
            own->is_marked = own->is_timed = own->tries = 0;
            own->ignored = atomc_times_ignored(signal);
        }
    return own;
}

/* ---- what brings the next ------------------------------------------------------------------------------------------ */

static int start_timer(struct own_signal *own) {
    enum { FIRST_AFTER = 1000000 /* nanoseconds */, MOST_DOUBLINGS = 5 };
    const int doublings = own->tries < MOST_DOUBLINGS ? own->tries : MOST_DOUBLINGS;
    const long when[4] = {0, 0, 0, (long)FIRST_AFTER << doublings};
    own->is_timed =
        atomc_set_timer(&own->timer, when) ||
        (atomc_make_timer(&own->timer, own->signal, own->thread, own) && atomc_set_timer(&own->timer, when));
    return own->is_timed;
}

/* Its signal may be pending already. */
static void set_no_timer(struct own_signal *own) {
    static const long never[4] = {0, 0, 0, 0};
    if (own->is_timed)
        atomc_set_timer(&own->timer, never);
}

/* The value of a mark is the address at which it is noted, that of the timer's signal is `own`. If the
   kernel has no room, the timer sends it. */
static void send_mark(struct own_signal *own) {
    int info[SIGINFO_BYTES / sizeof(int)] = {(int)own->signal, 0, SI_TIMER};
    const void *value = &own->is_marked;
    if (own->is_marked)
        return;
    memcpy((char *)info + VALUE_OFFSET, &value, sizeof value);
    own->is_marked = 1; /* the signal may be delivered immediately */
    if (RAW(CALL_rt_tgsigqueueinfo, process_id(), own->thread, own->signal, info, 0, 0) >= 0) {
        set_no_timer(own);
    } else {
        own->is_marked = 0;
        start_timer(own);
    }
}

/* The thread that a mark or a timer's signal belongs to; 0: the program sent the signal. A mark is noted as
   delivered. */
static struct own_signal *sender_of(long signal, const void *info) {
    const char *value = info ? *(const char *const *)((const char *)info + VALUE_OFFSET) : 0;
    if (!info || *(const int *)((const char *)info + CODE_OFFSET) != SI_TIMER)
        return 0;
    for (int i = 0; i < MOST_OWN; i++) {
        struct own_signal *own = &own_signals[i];
        int is_mark = value == (const char *)&own->is_marked;
        if ((!is_mark && value != (const char *)own) || own->signal != signal)
            continue;
        looked_at(own);
        if (is_mark)
            own->is_marked = 0;
        else
            own->is_timed = 0;
        return own;
    }
    return 0;
}

/* Removes the timer's signal, if it is pending already. A pending signal of the program stays. Signals that
   are not queued are merged, regardless of their sender. */
static void stop_timer(struct own_signal *own) {
    char info[SIGINFO_BYTES];
    set_no_timer(own);
    if (take_from_kernel(own->signal, info) && !sender_of(own->signal, info))
        atomc_send_again(own->signal, info);
}

/* ---- a signal has come ------------------------------------------------------------------------------------------- */

void atomc_send_again(long signal, const void *info) {
    const long bit = SIGNAL_BIT(signal);
    if (bit & FAULT_SIGNALS) /* other signals are blocked here */
        RAW(CALL_rt_sigprocmask, ADD_MASK, &bit, 0, 8, 0, 0);
    atomc_start_watchdog(signal);
    long process = process_id(), thread = sending_thread();
    if (!info || RAW(CALL_rt_tgsigqueueinfo, process, thread, signal, info, 0, 0) < 0)
        RAW(CALL_tgkill, process, thread, signal, 0, 0, 0);
}

/* If the kernel provides no information, all signals of a number are equal. */
void atomc_send_first(long signal, const void *info) {
    struct own_signal *own = info && signal >= FIRST_QUEUED ? find_or_take_own(signal) : 0;
    if (own && put_first(own, info))
        send_mark(own);
    else
        atomc_send_again(signal, info);
}

/* If possible, the redelivery is delayed: the program continues in the meantime. */
void atomc_come_again(long signal, const void *info) {
    int is_queued = signal >= FIRST_QUEUED;
    struct own_signal *own = info || !is_queued ? find_or_take_own(signal) : 0;
    if (own && own->first && !is_queued) { /* only one such signal is pending */
        stop_timer(own);
        start_timer(own);
    } else if (!own || !put_first(own, info)) {
        atomc_send_again(signal, info);
    } else if (!own->is_marked && !start_timer(own)) {
        take_first(own, 0);
        atomc_send_again(signal, info);
    }
    if (own)
        own->tries++;
}

int atomc_find_info(long signal, void *info) {
    struct own_signal *own = sender_of(signal, info);
    int is_ours = own != 0;
    if (signal >= FIRST_QUEUED && !is_ours) {
        own = find_own(signal);
        is_ours = own && !info && own->is_marked;
        if (is_ours) /* most likely, as the handler had siginfo_t when it was sent */
            own->is_marked = 0;
    }
    if (is_ours && !own->first) /* the program has waited for it since */
        return 0;
    if (!own || !own->first)
        return 1;
    if (!is_ours && !put_last(own, info))
        atomc_send_again(signal, info);
    take_first(own, info);
    if (!own->first)
        set_no_timer(own);
    return 1;
}

void atomc_find_oldest(long signal, void *info) {
    struct own_signal *own = find_own(signal);
    char latest[SIGINFO_BYTES];
    if (own)
        own->tries = 0;
    if (!info || !own || !own->first)
        return;
    if (signal >= FIRST_QUEUED) {
        send_mark(own);
        return;
    }
    stop_timer(own);
    memcpy(latest, info, SIGINFO_BYTES);
    take_first(own, info);
    atomc_send_again(signal, latest);
}

/* ---- the program asks the kernel ----------------------------------------------------------------------------------- */

/* The list is empty, but the kernel has a mark or the timer's signal, perhaps after signals of the program:
   the first of these is added to the list. */
static void take_mark(struct own_signal *own) {
    char info[SIGINFO_BYTES];
    set_no_timer(own);
    while (own->is_marked || own->is_timed) {
        if (!take_from_kernel(own->signal, info)) {
            own->is_timed = 0;
            return;
        }
        if (sender_of(own->signal, info))
            continue;
        atomc_send_first(own->signal, info);
        return;
    }
}

static int is_waiting(struct own_signal *own) {
    looked_at(own);
    if (!own->first && own->signal >= FIRST_QUEUED)
        take_mark(own);
    return own->first != 0;
}

long atomc_waiting_signals(void) {
    long thread = sending_thread(), signals = 0, before = 0;
    for (int i = 0; i < MOST_OWN; i++) {
        if (own_signals[i].thread != thread)
            continue;
        before = before ? before : block_signals() | SIGNAL_BIT(9); /* not 0 */
        signals |= is_waiting(&own_signals[i]) ? SIGNAL_BIT(own_signals[i].signal) : 0;
    }
    if (before)
        set_kernel_mask(before);
    return signals;
}

long atomc_take_waiting(long signals, void *info) {
    signals &= atomc_waiting_signals();
    if (!signals)
        return 0;
    long before = block_signals(), signal = __builtin_ctzl((unsigned long)signals) + 1;
    struct own_signal *own = find_own(signal);
    if (own && own->first) {
        take_first(own, info);
        if (signal < FIRST_QUEUED)
            stop_timer(own);
        else
            is_waiting(own); /* a mark without a signal would only disturb the program's calls */
    } else {                 /* the signal has been delivered in the meantime */
        signal = 0;
    }
    set_kernel_mask(before);
    return signal;
}

void atomc_give_back(void) {
    long thread = sending_thread();
    for (int i = 0; i < MOST_OWN; i++) {
        struct own_signal *own = &own_signals[i];
        char info[SIGINFO_BYTES];
        if (own->thread != thread || !is_waiting(own))
            continue;
        set_no_timer(own);
        while (take_from_kernel(own->signal, info))
            if (!sender_of(own->signal, info) && !put_last(own, info)) {
                atomc_send_again(own->signal, info);
                break;
            }
        while (own->first)
            atomc_send_again(own->signal, take_first(own, info));
    }
}

void atomc_forget_waiting(void) {
    long thread = sending_thread();
    for (int i = 0; i < MOST_OWN; i++) {
        struct own_signal *own = &own_signals[i];
        if (own->thread != thread)
            continue;
        if (own->timer.signal && own->timer.process == process_id())
            RAW(CALL_timer_delete, own->timer.number, 0, 0, 0, 0, 0);
        own->timer.signal = 0;
        remove_all_signals(own);
        __sync_lock_release(&own->thread);
    }
}

void atomc_waiting_after_fork(void) {
    for (int i = 0; i < MOST_OWN; i++)
        own_signals[i].thread = 0, own_signals[i].timer.signal = 0;
    for (int i = 0; i < MOST_WAITING; i++)
        waiting_signals[i].used = 0;
}
