/* threads.c: stops the program's other threads, so that their positions are known: for good when the program
   ends, temporarily when it forks. Requires that STOP_SIGNAL, if sent from here, calls atomc_stop_comes()
   with all signals blocked, and that the program does not block it (system_calls.c). Compiled without
   floating-point registers. */
#include <signal.h>
#include <stdlib.h>

#include "kernel.h"

enum {
    THREAD_NUMBERS = 1 << 22, /* more than the kernel gives */
    MOST_FOREIGN = 16,
    PATIENCE = 100,   /* times that all threads without an answer are found waiting, */
    LIMIT = 10000,    /* ... and that they are checked, a millisecond apart */
    FIRST_LOOKS = 50, /* ... except the first checks */
    TRIED = 1 << 15,  /* numbers */
    FUTEX_WAIT = 0,
    FUTEX_WAKE = 1,
};

/* For each thread number. */
static struct thread {
    unsigned char asked;   /* the stop in which it was sent the signal, */
    unsigned char stopped; /* ... and in which it stopped */
    unsigned char owed;    /* signals that were sent and have not come yet */
    unsigned char takes;   /* it has accepted any signal (sigwait) */
} * threads;
static int stop_number;           /* stopped threads wait until it changes */
static int active;                /* a stop is in progress, */
static int stopper;               /* ... by this thread */
static int foreign[MOST_FOREIGN]; /* an emulator's own threads, which existed before the program's */
static int foreign_count;

static int thread_number(void) {
    return (int)RAW(CALL_gettid, 0, 0, 0, 0, 0, 0);
}

/* ---- which threads exist----------------------------------------------------------------------------------- */

static char *append(char *to, const char *text) {
    while (*text)
        *to++ = *text++;
    *to = 0;
    return to;
}

/* The state of the thread in /proc: R (running), S, D (waiting), Z, X (ended); '?': /proc does not have
 * it. */
static char state_of(int number) {
    char path[64], digits[16], text[256], *digit = digits + sizeof digits, state = 'X';
    *--digit = 0;
    for (int rest = number; rest > 0; rest /= 10)
        *--digit = (char)('0' + rest % 10);
    append(append(append(path, "/proc/self/task/"), digit), "/stat");
    long file = RAW(CALL_open, path, 0, 0, 0, 0, 0);
    if (file < 0)
        return RAW(CALL_access, "/proc/self/task", 0, 0, 0, 0, 0) < 0 ? '?' : state;
    long size = RAW(CALL_read, file, text, sizeof text, 0, 0, 0);
    RAW(CALL_close, file, 0, 0, 0, 0, 0);
    for (long i = 0; i + 2 < size; i++) /* after the last bracket of its name */
        if (text[i] == ')')
            state = text[i + 2];
    return state;
}

static int number_of(const char *name) {
    int number = 0;
    for (; *name >= '0' && *name <= '9'; name++)
        number = 10 * number + *name - '0';
    return *name || number >= THREAD_NUMBERS ? 0 : number;
}

/* Without /proc: all threads that can be sent a signal. Numbers are given in order. Before the program has
   threads, only the emulator's are looked for, whose numbers follow its own. */
static void try_numbers(void (*visit)(int number, void *argument), void *argument) {
    long process = process_id(), alone = atomc_live_threads == 1;
    long end = process + (alone ? MOST_FOREIGN : TRIED), most = atomc_live_threads + foreign_count;
    for (long number = process, found = 0; number < end && (alone || found < most); number++)
        if (number < THREAD_NUMBERS && RAW(CALL_tgkill, process, number, 0, 0, 0, 0) >= 0) {
            visit((int)number, argument);
            found++;
        }
}

/* Calls `visit` for each thread of the process. */
static void each_thread(void (*visit)(int number, void *argument), void *argument) {
    /* struct linux_dirent64: 8 bytes each of number and offset, 2 of size, 1 of kind, the name */
    static char entries[4096] __attribute__((aligned(8)));
    long directory = RAW(CALL_open, "/proc/self/task", 0, 0, 0, 0, 0), size;
    if (directory < 0) {
        try_numbers(visit, argument);
        return;
    }
    while ((size = RAW(CALL_getdents64, directory, entries, sizeof entries, 0, 0, 0)) > 0)
        for (long at = 0; at < size; at += *(unsigned short *)(entries + at + 16))
            if (number_of(entries + at + 19))
                visit(number_of(entries + at + 19), argument);
    RAW(CALL_close, directory, 0, 0, 0, 0, 0);
}

static void note_foreign(int number, void *own) {
    if (number != *(int *)own && foreign_count < MOST_FOREIGN)
        foreign[foreign_count++] = number;
}

static int is_foreign(int number) {
    for (int i = 0; i < foreign_count; i++)
        if (foreign[i] == number)
            return 1;
    return 0;
}

/* The calling thread is the program's only one. */
void atomc_only_thread(void) {
    int own = thread_number();
    if (!atomc_image.stops)
        return;
    active = foreign_count = 0;
    each_thread(note_foreign, &own);
}

void atomc_let_stop(void) {
    const long stop = STOP_BIT;
    RAW(CALL_rt_sigprocmask, SIG_UNBLOCK, &stop, 0, 8, 0, 0);
}

/* Before the program. */
void atomc_prepare_stops(void) {
    if (!atomc_image.stops)
        return;
    threads = calloc(THREAD_NUMBERS, sizeof *threads); /* zero pages until one is needed */
    atomc_let_stop();
    atomc_only_thread();
}

/* ---- stopping them -------------------------------------------------------------------------------------- */

struct look {
    int only_running; /* threads that wait in the kernel are left alone */
    int missing, awake;
};

static void stop_one(int number, void *argument) {
    struct look *look = argument;
    struct thread *thread = &threads[number];
    unsigned char now = (unsigned char)stop_number;
    if (number == stopper || thread->stopped == now || is_foreign(number))
        return;
    char state = state_of(number);
    if (state == 'Z' || state == 'X')
        return;
    if (thread->asked != now) {
        if ((look->only_running || thread->takes) && state != 'R')
            return;
        __sync_fetch_and_add(&thread->owed, 1);
        if (RAW(CALL_tgkill, process_id(), number, STOP_SIGNAL, 0, 0, 0) >= 0)
            thread->asked = now;
        else /* it has ended, or too many signals are pending */
            __sync_fetch_and_sub(&thread->owed, 1);
    }
    look->missing++;
    look->awake += state == 'R';
}

static void rest(int looks) {
    static const long millisecond[2] = {0, 1000000};
    if (looks < FIRST_LOOKS)
        RAW(CALL_sched_yield, 0, 0, 0, 0, 0, 0);
    else
        RAW(CALL_nanosleep, millisecond, 0, 0, 0, 0, 0);
}

/* A thread that waits and does not answer blocks the signal while it waits (sigsuspend, ppoll), or its vfork
   child is using its memory. Either way it is in a system call, where no count is lost. */
static void stop_all(int only_running) {
    int quiet = 0;
    for (int looks = 0; looks < LIMIT && quiet < PATIENCE; looks++) {
        struct look look = {.only_running = only_running};
        each_thread(stop_one, &look);
        if (look.missing == 0)
            return;
        quiet = look.awake || looks < FIRST_LOOKS ? 0 : quiet + 1;
        rest(looks);
    }
}

void atomc_stop_threads(int only_running) {
    if (!atomc_image.stops || !atomc_threaded || !threads)
        return;
    stopper = thread_number();
    stop_number = stop_number % 255 + 1; /* a byte that is not 0 */
    __sync_synchronize();
    active = 1;
    __sync_synchronize();
    stop_all(only_running);
}

void atomc_resume_threads(void) {
    if (!active)
        return;
    active = 0;
    __sync_fetch_and_add(&stop_number, 1);
    RAW(CALL_futex, &stop_number, FUTEX_WAKE, THREAD_NUMBERS, 0, 0, 0);
}

/* ---- being stopped -------------------------------------------------------------------------------------- */

int atomc_stop_comes(void) {
    struct thread *thread = threads ? &threads[thread_number()] : 0;
    if (!thread || !thread->owed)
        return 0;
    __sync_fetch_and_sub(&thread->owed, 1);
    return 1;
}

void atomc_wait_stopped(void) {
    int number = *(volatile int *)&stop_number;
    if (!*(volatile int *)&active)
        return;
    threads[thread_number()].stopped = (unsigned char)number;
    while (*(volatile int *)&stop_number == number)
        RAW(CALL_futex, &stop_number, FUTEX_WAIT, number, 0, 0, 0);
}

void atomc_takes_signals(void) {
    if (threads)
        threads[thread_number()].takes = 1;
}
