/* exec.c: a program that executes another one (execve). Requires the gate of system calls. Another process
   writes the results beforehand, in their present state: it has a copy of all data. If the call fails, or a
   handler runs before it, the program continues as if no results had been written. Compiled without
   floating-point registers. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "runtime/process/process.h"
#include "runtime/report/report.h"
#include "runtime/signals/signals.h"
#include "runtime/text/text.h"
#include "runtime/threads/threads.h"

/* True if the kernel will execute the file. (Programs try each directory of PATH.) */
static int can_execute(const long *registers) {
    const long *a = registers + FIRST_ARGUMENT;
    unsigned char begin[4] = {0};
    long at = registers[NUMBER_REGISTER] == CALL_execveat,
         flags = at ? a[4] & (AT_EMPTY_PATH | AT_SYMLINK_NOFOLLOW) : 0;
    long directory = at ? a[0] : AT_FDCWD, path = a[at];
    if (RAW(CALL_faccessat2, directory, path, X_OK, flags, 0, 0) < 0 &&
        (flags || RAW(CALL_faccessat, directory, path, X_OK, 0, 0, 0) < 0))
        return 0;
    if (flags & AT_EMPTY_PATH)
        return 1;
    long file = RAW(CALL_openat, directory, path, O_RDONLY | O_CLOEXEC, 0, 0, 0);
    if (file < 0)
        return 1; /* the file need not be readable */
    long size = RAW(CALL_pread64, file, begin, sizeof begin, 0, 0, 0);
    RAW(CALL_close, file, 0, 0, 0, 0, 0);
    return size >= 2 && ((begin[0] == '#' && begin[1] == '!') || (begin[0] == 0x7f && begin[1] == 'E'));
}

/* ---- the process that writes -------------------------------------------------------------------------------- */

/* Makes a process that the program does not notice. If the kernel refuses, makes one that ends with
   SIGCHLD. */
static long begin_process(void) {
    long result = RAW(CALL_clone, 0, 0, 0, 0, 0, 0);
    return result == -EINVAL ? RAW(CALL_clone, SIGCHLD, 0, 0, 0, 0, 0) : result;
}

/* Waits for its end, and removes its SIGCHLD, unless one was pending before. */
static void wait_for_process(long process, long waiting_before) {
    static const long now[2];
    const long ended = 1L << (SIGCHLD - 1);
    while (RAW(CALL_wait4, process, 0, __WALL, 0, 0, 0) == -EINTR)
        ;
    if (!(waiting_before & ended))
        RAW(CALL_rt_sigtimedwait, &ended, 0, now, 8, 0, 0);
}

static void end_for_execve(const long *registers) {
    atomc_forget_vfork();
    atomc_copies_after_fork();
    atomc_threaded = 0;        /* the positions of the other threads have been recorded */
    if (*atomc_child_number()) /* the parent may read the streams for the new program's output */
        atomc_no_streams();
    atomc_set_registers(registers);
    atomc_end_program(0);
    /* results were being written already: this process must not continue */
    RAW(CALL_exit_group, 0, 0, 0, 0, 0, 0);
}

/* ---- timers ---------------------------------------------------------------------------------------------------- */

/* Timers of setitimer continue in the new program, and so do their pending signals. While results are
   written they are stopped; the signals are sent later instead. Timers belong to the process, and the
   thread that has stopped them may have to wait while another one calls execve. */
enum { INTERVAL_TIMERS = 3 }; /* ITIMER_REAL, ITIMER_VIRTUAL, ITIMER_PROF */
static struct timer { long interval[2], left[2]; /* struct itimerval */ } still[INTERVAL_TIMERS];
static long still_lock;

static int is_running(const struct timer *timer) {
    return timer->interval[0] || timer->interval[1] || timer->left[0] || timer->left[1];
}

static void lock_timers(void) {
    while (!__sync_bool_compare_and_swap(&still_lock, 0, 1))
        RAW(CALL_sched_yield, 0, 0, 0, 0, 0, 0);
}

static void unlock_timers(void) {
    __sync_synchronize();
    still_lock = 0;
}

static void stop_timers(void) {
    static const struct timer none;
    struct timer before;
    lock_timers();
    for (long i = 0; i < INTERVAL_TIMERS; i++)
        if (RAW(CALL_setitimer, i, &none, &before, 0, 0, 0) >= 0 && is_running(&before))
            still[i] = before;
    unlock_timers();
}

/* A timer that another thread has set meanwhile is left unchanged. A timer whose signal is pending begins
   its next interval when the signal is accepted. */
static void continue_timers(void) {
    struct timer now;
    lock_timers();
    for (long i = 0; i < INTERVAL_TIMERS; i++) {
        struct timer *timer = &still[i];
        if (!is_running(timer))
            continue;
        if (!timer->left[0] && !timer->left[1]) {
            timer->left[0] = timer->interval[0];
            timer->left[1] = timer->interval[1];
        }
        if (RAW(CALL_getitimer, i, &now, 0, 0, 0, 0) >= 0 && !is_running(&now))
            RAW(CALL_setitimer, i, timer, 0, 0, 0, 0);
        *timer = (struct timer){{0, 0}, {0, 0}};
    }
    unlock_timers();
}

/* ---- one that is about to be made ------------------------------------------------------------------------------ */

enum { MOST_SENT = 128 };
static struct {
    long thread;    /* the thread that has written results, and makes the call next; 0 if none */
    int threaded;   /* the other threads are stopped, and the thread has the lock */
    int sent_count; /* signals of timers that end with the program (timer_create) */
    struct {
        long signal, info[16];
    } sent[MOST_SENT];
} about;

int atomc_is_executing(void) {
    return about.thread && about.thread == RAW(CALL_gettid, 0, 0, 0, 0, 0, 0);
}

/* Signals that the program would handle now. */
static long waiting_handlers(long blocked) {
    long waiting = 0, handled = 0;
    RAW(CALL_rt_sigpending, &waiting, 8, 0, 0, 0, 0);
    for (long signal = 1; signal < 65; signal++)
        if (atomc_has_handler(signal))
            handled |= SIGNAL_BIT(signal);
    return waiting & handled & ~blocked & ~FAULT_SIGNALS;
}

/* True if a signal has arrived in the gate, before any row is written, and its handler is pending. The
   handler runs before the call, and then the gate begins the call again (signal_rows.c). With threads,
   another thread could accept the signal. */
static int handler_comes_first(void) {
    const long *mask = atomc_deferred_mask();
    return !atomc_threaded && mask && waiting_handlers(*mask);
}

/* On execve the kernel removes pending signals of timers. Otherwise a fast timer would have a handler run
   before each attempt of the call. */
static void take_sent_by_timers(long signals) {
    enum { TIMER = -2 /* SI_TIMER */ };
    static const long now[2];
    for (long signal = 1; signal < 65; signal++) {
        const long bit = SIGNAL_BIT(signal);
        long *info = about.sent[about.sent_count].info;
        if (!(signals & bit) || about.sent_count == MOST_SENT ||
            RAW(CALL_rt_sigtimedwait, &bit, info, now, 8, 0, 0) != signal)
            continue;
        if (((const int *)info)[2] == TIMER)
            about.sent[about.sent_count++].signal = signal;
        else
            atomc_send_again(signal, info);
    }
}

/* ---- what it ignores --------------------------------------------------------------------------------------- */

/* Threads for whose call the kernel knows which signals are ignored; 0: free. The copy makes the call, with
   the program's mask. If the runtime made the call here, the new program would inherit the mask of a handler
   that is deferred until the gate returns (deferral.c). */
enum { MOST_SHOWING = 64 };
static long showing[MOST_SHOWING];
static int showing_count;

static long *place_of_showing(long thread) {
    for (int i = 0; i < MOST_SHOWING && showing_count; i++)
        if (showing[i] == thread)
            return &showing[i];
    return 0;
}

int atomc_is_showing_ignored(void) {
    return showing_count && place_of_showing(RAW(CALL_gettid, 0, 0, 0, 0, 0, 0));
}

static void begin_showing_ignored(void) {
    long thread = RAW(CALL_gettid, 0, 0, 0, 0, 0, 0);
    if (!atomc_show_ignored(1) || atomc_is_vfork_child()) /* its memory may be its parent's */
        return;
    __sync_add_and_fetch(&showing_count, 1);
    for (int i = 0; i < MOST_SHOWING; i++)
        if (__sync_bool_compare_and_swap(&showing[i], 0, thread))
            return;
    /* there is no room: the signals stay ignored until the other threads' calls have failed */
    __sync_sub_and_fetch(&showing_count, 1);
}

/* When the last one ends, the runtime handles these signals again. */
static void end_showing_ignored(void) {
    long *place = showing_count ? place_of_showing(RAW(CALL_gettid, 0, 0, 0, 0, 0, 0)) : 0;
    if (!place)
        return;
    *place = 0;
    if (__sync_sub_and_fetch(&showing_count, 1) == 0)
        atomc_show_ignored(0);
}

void atomc_stay(void) {
    end_showing_ignored();
    if (!atomc_is_executing())
        return;
    about.thread = 0;
    atomc_return_files();
    atomc_series_go_on();
    for (int i = 0; i < about.sent_count; i++)
        atomc_send_again(about.sent[i].signal, about.sent[i].info);
    if (about.threaded)
        atomc_free_threads();
}

/* The other threads stay stopped, because their further execution would not be counted. If a handler runs
   before the call, the call is made again, from its gate on (signal_rows.c). A library's call is also
   repeated after any other signal that arrived in the gate, such as one that stops threads: the written
   results are undone. */
static void write_before_execve(const long *registers) {
    long own = thread_pointer(), before = 0, waiting = 0, process, all = -1, threaded = atomc_threaded;
    atomc_stay();
    if (atomc_is_vfork_child() || !can_execute(registers))
        return;
    stop_timers();
    if (threaded)
        atomc_hold_threads(HOLD_ALL);
    set_thread_pointer(atomc_private_thread_pointer);
    atomc_flush();
    set_thread_pointer(own);
    RAW(CALL_rt_sigprocmask, SIG_BLOCK, &all, &before, 8, 0, 0);
    atomc_give_back();
    if (handler_comes_first()) {
        continue_timers();
        RAW(CALL_rt_sigprocmask, SIG_SETMASK, &before, 0, 8, 0, 0);
        return;
    }
    RAW(CALL_rt_sigpending, &waiting, 8, 0, 0, 0, 0);
    atomc_mark_files();
    atomc_series_may_end(atomc_is_marked);
    atomc_named_process = process_id();
    atomc_named_parent = getppid();
    process = begin_process();
    if (process == 0)
        end_for_execve(registers);
    atomc_named_process = 0;
    if (process > 0)
        wait_for_process(process, waiting);
    about.sent_count = 0;
    take_sent_by_timers(waiting_handlers(before));
    about.threaded = threaded != 0;
    about.thread = RAW(CALL_gettid, 0, 0, 0, 0, 0, 0);
    continue_timers();
    RAW(CALL_rt_sigprocmask, SIG_SETMASK, &before, 0, 8, 0, 0);
}

/* Called in the child of a fork. Another thread of the parent may have been about to call execve. */
void atomc_execves_after_fork(void) {
    about.thread = 0;
    if (showing_count)
        atomc_show_ignored(0);
    showing_count = 0;
    memset(showing, 0, sizeof showing);
    still_lock = 0;
    for (long i = 0; i < INTERVAL_TIMERS; i++)
        still[i] = (struct timer){{0, 0}, {0, 0}};
}

long atomc_call_execve(long *registers) {
    write_before_execve(registers);
    if (atomc_is_vfork_child())
        atomc_give_back_aside();
    begin_showing_ignored();
    if (!atomc_execute_call(registers))
        return atomc_is_executing() || atomc_is_showing_ignored() ? -1 : 0;
    atomc_stay();
    return 1;
}
SAME_CALL(execveat, execve);
