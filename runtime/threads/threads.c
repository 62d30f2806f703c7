/* threads.c: stops the program's other threads at instructions of the program, where all executed code is
   counted: permanently when the program ends, temporarily when it forks, or for the rows of a report.
   Requires that STOP_SIGNAL, if sent from here, leads to atomc_stop_comes() with all signals blocked, and
   that the program does not block it (gate.c). Compiled without floating-point registers.

   One thread at a time has the right to stop the others. Meanwhile it does not hold the lock of routines: a
   thread in a routine, or waiting for one, continues to the next instruction of the program. */
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "runtime/threads/threads.h"

enum {
    THREAD_NUMBERS = 1 << 22, /* more than the kernel uses */
    MOST_FOREIGN = 16,
    PATIENCE = 100,   /* threads that have not answered are given up after this number of checks in sequence
                         that found all of them waiting in the kernel, */
    LIMIT = 10000,    /* ... or after this number of checks in all, a millisecond apart */
    FIRST_LOOKS = 50, /* ... except for the first checks */
    CLEAN = 2,        /* checks that must find no thread: a thread may have been made before the first one
                         ended */
    MOST_MOMENTS = 1000,
    TRIED = 1 << 15, /* numbers */
    FUTEX_WAIT = 0,
    FUTEX_WAKE = 1,
};

/* An entry for each thread number. Its members are longwords: a processor may be unable to store less without
   rewriting neighbouring bytes, which another thread may be changing. */
static struct thread {
    unsigned asked;   /* the stop for which it was sent the signal, */
    unsigned stopped; /* ... and the stop in which it stopped */
    int owed;         /* signals that were sent and have not arrived yet */
    unsigned is;      /* TAKING, STANDING, REPORTING */
    unsigned waits;   /* the thread is in a system call whose end will be reported */
} * threads;
enum {
    TAKING = 1,    /* the thread has accepted any signal (sigwait) */
    STANDING = 2,  /* the thread waits for the right to stop others */
    REPORTING = 4, /* the signal was sent to the thread, for rows */
};
static unsigned stop_number;      /* stopped threads wait until this changes */
static int active;                /* a stop is in progress, */
static long stopping_process;     /* ... of the threads of this process */
static int turn;                  /* the thread that has the right to stop others; 0 if none has */
static int in_moment;             /* ... for rows of a report */
static int foreign[MOST_FOREIGN]; /* an emulator's own threads, which existed before the program's */
static int foreign_count;
static int current_thread(void) {
    return (int)RAW(CALL_gettid, 0, 0, 0, 0, 0, 0);
}

/* ---- which threads exist ----------------------------------------------------------------------------------- */

static char *append_string(char *to, const char *text) {
    while (*text)
        *to++ = *text++;
    *to = 0;
    return to;
}

static int has_proc(void) {
    return CAN_ACCESS("/proc/self/task") >= 0;
}

/* Reads the thread's file in /proc with that name, and adds a 0. Returns false if there is no such file. */
static long read_thread_file(int number, const char *name, char *text, long size) {
    char path[64], digits[16], *digit = digits + sizeof digits;
    *--digit = 0;
    for (int rest = number; rest > 0; rest /= 10)
        *--digit = (char)('0' + rest % 10);
    append_string(append_string(append_string(path, "/proc/self/task/"), digit), name);
    long file = OPEN_FILE(path);
    if (file < 0)
        return 0;
    long length = RAW(CALL_read, file, text, size - 1, 0, 0, 0);
    RAW(CALL_close, file, 0, 0, 0, 0, 0);
    text[length > 0 ? length : 0] = 0;
    return length > 0;
}

/* The state of the thread in /proc: R (running), S, D (waiting), Z, X (ended); '?' if /proc is not
   available. */
static char thread_state(int number) {
    char text[256], state = 'X';
    if (!read_thread_file(number, "/stat", text, sizeof text))
        return has_proc() ? state : '?';
    for (const char *at = text; *at; at++) /* after the last bracket of its name */
        if (at[0] == ')' && at[1] == ' ')
            state = at[2];
    return state;
}

static int number_in_name(const char *name) {
    int number = 0;
    for (; *name >= '0' && *name <= '9'; name++)
        number = 10 * number + *name - '0';
    return *name || number >= THREAD_NUMBERS ? 0 : number;
}

/* Without /proc: visits all thread numbers that can be sent a signal. Numbers are assigned in ascending
   order. Before the program has threads, only the emulator's exist, whose numbers follow its own. */
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
    /* struct linux_dirent64: number and offset of 8 bytes each, size of 2, kind of 1, the name */
    static char entries[4096] __attribute__((aligned(8)));
    long directory = OPEN_FILE("/proc/self/task"), size;
    if (directory < 0) {
        try_numbers(visit, argument);
        return;
    }
    while ((size = RAW(CALL_getdents64, directory, entries, sizeof entries, 0, 0, 0)) > 0)
        for (long at = 0; at < size; at += *(unsigned short *)(entries + at + 16))
            if (number_in_name(entries + at + 19))
                visit(number_in_name(entries + at + 19), argument);
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

/* The calling thread is the program's only one. New threads may get numbers of former threads. */
void atomc_only_thread(void) {
    int own = current_thread();
    if (!atomc_image.stops)
        return;
    RAW(CALL_mmap, threads, THREAD_NUMBERS * sizeof *threads, PROT_READ | PROT_WRITE,
        MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE, -1, 0);
    active = foreign_count = 0;
    each_thread(note_foreign, &own);
}

/* Called before the program starts. */
void atomc_prepare_stops(void) {
    const long stop = STOP_BIT;
    if (!atomc_image.stops)
        return;
    threads = mmap(0, THREAD_NUMBERS * sizeof *threads, PROT_NONE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (threads == MAP_FAILED)
        abort();
    RAW(CALL_rt_sigprocmask, SIG_UNBLOCK, &stop, 0, 8, 0, 0);
    atomc_only_thread();
}

/* ---- whose turn it is ----------------------------------------------------------------------------------- */

/* Requires the thread to be at an instruction of the program, or to have recorded its position. */
static void take_turn(void) {
    int own = current_thread();
    threads[own].is |= STANDING;
    while (!__sync_bool_compare_and_swap(&turn, 0, own))
        RAW(CALL_sched_yield, 0, 0, 0, 0, 0, 0);
    threads[own].is &= ~(unsigned)STANDING;
}

static void give_turn(void) {
    in_moment = 0;
    __sync_synchronize();
    turn = 0;
}

void atomc_stand(void) {
    if (threads)
        threads[current_thread()].is |= STANDING;
}

/* The lock of routines, for the thread that has the turn (entry.S). */
static long lock_owner;

static void take_lock(long owner) {
    while (!__sync_bool_compare_and_swap(&atomc_lock_owner[0], 0, owner))
        RAW(CALL_sched_yield, 0, 0, 0, 0, 0, 0);
    atomc_lock_owner[1] = 1;
}

static void give_lock(void) {
    atomc_lock_owner[1] = 0;
    __sync_synchronize();
    atomc_lock_owner[0] = 0;
}

/* ---- stopping them -------------------------------------------------------------------------------------- */

struct look {
    int only_running; /* threads that wait in the kernel are not stopped */
    int missing, awake;
};

/* True if it does not count until it is resumed, or gets the right to stop others. */
static int has_stopped(int number) {
    return number == turn || threads[number].stopped == stop_number || threads[number].is & STANDING ||
           threads[number].waits || is_foreign(number);
}

/* Returns true if the signal has been sent. */
static int send_stop(int number) {
    __sync_fetch_and_add(&threads[number].owed, 1);
    if (RAW(CALL_tgkill, process_id(), number, STOP_SIGNAL, 0, 0, 0) >= 0)
        return 1;
    __sync_fetch_and_sub(&threads[number].owed, 1); /* the thread has ended, or too many signals are
                                                       pending */
    return 0;
}

static void stop_one(int number, void *argument) {
    struct look *look = argument;
    struct thread *thread = &threads[number];
    if (has_stopped(number))
        return;
    char state = thread_state(number);
    if (state == 'Z' || state == 'X')
        return;
    if (thread->asked != stop_number) {
        if ((look->only_running || thread->is & TAKING) && state != 'R')
            return;
        thread->asked = stop_number; /* before the thread can cancel that */
        __sync_synchronize();
        if (!send_stop(number))
            thread->asked = 0;
    }
    look->missing++;
    look->awake += state == 'R';
}

static void wait_between_looks(int looks) {
    static const long millisecond[2] = {0, 1000000};
    if (looks < FIRST_LOOKS)
        RAW(CALL_sched_yield, 0, 0, 0, 0, 0, 0);
    else
        RAW(CALL_nanosleep, millisecond, 0, 0, 0, 0, 0);
}

/* A thread that waits and does not answer blocks the signal while it waits (sigsuspend, ppoll), or its
   vfork child is using its memory. In both cases it is in a system call, where no count is lost. */
static void stop_all(int only_running) {
    int quiet = 0, clean = 0;
    for (int looks = 0; looks < LIMIT && quiet < PATIENCE && clean < CLEAN; looks++) {
        struct look look = {.only_running = only_running};
        each_thread(stop_one, &look);
        clean = look.missing ? 0 : clean + 1;
        quiet = look.awake || looks < FIRST_LOOKS ? 0 : quiet + 1;
        if (look.missing)
            wait_between_looks(looks);
    }
}

static void begin_stop(void) {
    stop_number++;
    stopping_process = process_id();
    __sync_synchronize();
    active = 1;
    __sync_synchronize();
}

/* A thread that waits in the kernel may return in the meantime, and call a routine: it is stopped, too. */
static void stop_and_lock(int only_running) {
    for (int tries = 0; tries < LIMIT; tries++) {
        stop_all(only_running);
        if (!*(volatile long *)&atomc_lock_owner[0])
            break;
        wait_between_looks(tries);
    }
    take_lock(lock_owner);
}

static void resume_threads(void) {
    if (!active)
        return;
    active = 0;
    __sync_fetch_and_add(&stop_number, 1);
    RAW(CALL_futex, &stop_number, FUTEX_WAKE, THREAD_NUMBERS, 0, 0, 0);
}

static void stop_others(enum atomc_hold hold) {
    lock_owner = thread_pointer() + 1;
    in_moment = hold == HOLD_MOMENT;
    begin_stop();
    stop_and_lock(hold == HOLD_RUNNING || (hold == HOLD_MOMENT && has_proc()));
}

void atomc_hold_threads(enum atomc_hold hold) {
    if (!threads || turn == current_thread()) {
        if (atomc_lock_owner[0] != thread_pointer() + 1)
            take_lock(thread_pointer() + 1);
        return;
    }
    take_turn();
    stop_others(hold);
}

int atomc_hold_for_rows(int (*are_due)(void)) {
    if (turn == current_thread()) /* the thread is about to execve: the rows are written if that fails */
        return 0;
    take_turn();
    if (!are_due()) { /* the previous owner of the turn has written them */
        give_turn();
        return 0;
    }
    stop_others(HOLD_MOMENT);
    return 1;
}

void atomc_free_threads(void) {
    if (threads)
        resume_threads();
    give_lock();
    if (threads)
        give_turn();
}

/* ---- counts of one moment ------------------------------------------------------------------------------- */

/* Shows whether threads that wait in the kernel have run in between. */
struct watch {
    unsigned long sum;
    int awake;
};
static struct watch watch;

/* The position after the word in the text; 0 if it does not occur. */
static const char *text_after(const char *text, const char *word) {
    for (; *text; text++) {
        const char *at = text, *rest = word;
        while (*rest && *at == *rest) {
            at++;
            rest++;
        }
        if (!*rest)
            return at;
    }
    return 0;
}

static void watch_one(int number, void *argument) {
    static char text[4096];
    struct watch *seen = argument;
    if (has_stopped(number) || !read_thread_file(number, "/status", text, sizeof text))
        return;
    const char *state = text_after(text, "State:\t"),
               *slept = text_after(text, "\nvoluntary_ctxt_switches:\t");
    unsigned long times = 0;
    for (; slept && *slept >= '0' && *slept <= '9'; slept++)
        times = 10 * times + (unsigned long)(*slept - '0');
    seen->awake += state && *state == 'R';
    seen->sum += ((unsigned long)number << 40) + times;
}

static struct watch look_again(void) {
    struct watch seen = {0, 0};
    each_thread(watch_one, &seen);
    return seen;
}

void atomc_watch(void) {
    if (in_moment)
        watch = look_again();
}

int atomc_was_moment(void) {
    static int tries;
    if (!in_moment || !active)
        return 1;
    int has_changed = watch.awake;
    for (int looks = 0; looks < CLEAN && !has_changed; looks++) { /* a thread may be about to be scheduled */
        struct watch now = look_again();
        has_changed = now.awake || now.sum != watch.sum;
    }
    if (has_changed && ++tries < MOST_MOMENTS) {
        give_lock();
        stop_and_lock(has_proc());
        return 0;
    }
    tries = 0;
    resume_threads();
    return 1;
}

/* ---- rows that are due ---------------------------------------------------------------------------------- */

int atomc_others_count(void) {
    return threads && atomc_threaded && atomc_live_threads > 1;
}

int atomc_write_rows_later(void) {
    int own = current_thread();
    if (threads[own].is & REPORTING ||
        atomc_is_vfork_child()) /* in a vfork child, only other threads of the parent count */
        return 1;
    threads[own].is |= REPORTING;
    if (send_stop(own))
        return 1;
    threads[own].is &= ~(unsigned)REPORTING;
    return 0;
}

int atomc_writes_rows(void) {
    struct thread *thread = &threads[current_thread()];
    int writes = (thread->is & REPORTING) != 0;
    thread->is &= ~(unsigned)REPORTING;
    return writes;
}

/* ---- being stopped -------------------------------------------------------------------------------------- */

int atomc_stop_comes(void) {
    struct thread *thread = threads ? &threads[current_thread()] : 0;
    if (!thread || thread->owed <= 0)
        return 0;
    __sync_fetch_and_sub(&thread->owed, 1);
    return 1;
}

/* False in a process that only shares memory with the stopped threads: no thread would wake it if these
   threads end. False for the thread that stops the others. It may end the program from within a call that
   waits. */
static int is_stopped(void) {
    return *(volatile int *)&active && stopping_process == process_id() && turn != current_thread();
}

void atomc_wait_stopped(void) {
    unsigned number = *(volatile unsigned *)&stop_number;
    __sync_synchronize();
    if (!is_stopped() || *(volatile unsigned *)&stop_number != number)
        return; /* or a stop has just begun, and its owner will find that this thread does not wait */
    threads[current_thread()].stopped = number;
    while (*(volatile unsigned *)&stop_number == number)
        RAW(CALL_futex, &stop_number, FUTEX_WAIT, number, 0, 0, 0);
}

/* ---- calls that may wait -------------------------------------------------------------------------------- */

int atomc_waits;

/* The signal will arrive when it is no longer blocked. */
static int is_stop_pending(void) {
    long pending = 0;
    RAW(CALL_rt_sigpending, &pending, 8, 0, 0, 0, 0);
    return (pending & STOP_BIT) != 0;
}

/* The thread that stops the others sets `active`, then reads `waits`. This thread does both in the reverse
   order. So either this thread finds that it has to stop, or the other thread finds that it needs no signal.
   A signal that has been sent arrives before the call: at the gate, or, if it is blocked, at the call, which
   then starts again (signals.c). */
void atomc_begin_call(void) {
    volatile struct thread *thread = &threads[current_thread()];
    for (int tries = 0; tries < LIMIT; tries++) {
        thread->waits = 1;
        __sync_synchronize();
        if (!is_stopped() && thread->owed <= 0)
            return;
        thread->waits = 0;
        if (is_stop_pending())
            return;
        if (is_stopped())
            atomc_wait_stopped();
        else
            RAW(CALL_sched_yield, 0, 0, 0, 0, 0, 0);
    }
}

void atomc_end_call(void) {
    volatile struct thread *thread = &threads[current_thread()];
    if (!thread->waits) /* a signal has arrived meanwhile */
        return;
    thread->waits = 0;
    __sync_synchronize();
    while (is_stopped())
        atomc_wait_stopped();
}

void atomc_stop_later(int when_unblocked) {
    int own = current_thread();
    if (!when_unblocked || !send_stop(own))
        threads[own].asked = 0;
}

void atomc_takes_signals(void) {
    if (threads)
        threads[current_thread()].is |= TAKING;
}
