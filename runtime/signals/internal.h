/* internal.h: shared by the sources of this room: actions of the program, contexts in handlers, the table of
   deferrals, held masks. */
#ifndef ATOMC_RUNTIME_SIGNALS_INTERNAL_H
#define ATOMC_RUNTIME_SIGNALS_INTERNAL_H

#include "runtime/signals/signals.h"

enum {
    SIGNALS = 65,
    HANDLER_DEFAULT = 0,
    HANDLER_IGNORE = 1,
};

/* ---- actions.c ---- */

const struct atomc_action *atomc_action_of(long signal); /* the program's actions */
/* The runtime takes the signal, whatever the program has asked for. */
long atomc_take_always(long signal);
int atomc_is_ignored(long signal); /* by the program */
/* The number of times the program has begun to ignore the signal, in all threads. Each time, waiting signals
   are lost, as they are in the kernel. */
long atomc_times_ignored(long signal);
/* By default. */
int atomc_ends_process(long signal);
/* A report is written when it arrives. */
int atomc_is_reported(long signal);
/* The program's handler is about to be called. */
void atomc_handler_is_called(long signal);

/* ---- shown_contexts.c ---- */

/* A fault of the instruction at the pc, or of the one before it, whose signal has the pc of the next. */
enum fault { NO_FAULT, FAULT_AT, FAULT_BEFORE };
enum fault atomc_fault_of(long signal, const struct saved_context *saved);
/* The distance by which the copies have lowered the program's $30 at the address. */
long atomc_moved_at(unsigned long address);
/* The pc of the context becomes the address of the program's own instruction. `executed`: control has moved
   from the instruction to the next one. */
void atomc_show_original(struct saved_context *saved, enum fault fault, long *fault_address, int executed);
/* The same where a signal that was sent has interrupted the program. */
void atomc_show_interrupted(struct saved_context *saved);
/* Updates derived counts: execution may end at the context (times 1), or continues there (-1). */
void atomc_note_place(const struct saved_context *saved, enum fault fault, int times);
/* A signal has arrived at a call that may wait, or while it waited: the call is made now. */
void atomc_begin_call_again(const struct saved_context *saved);
/* Called in a child: contexts from before the fork belong to the parent. */
void atomc_contexts_after_fork(void);

/* ---- fatal_signals.c ---- */

/* A memory access of an analysis routine that has been inlined among the copies. */
int atomc_is_inlined(unsigned long pc);
/* An analysis routine has caused the fault, even if the program has a handler for it. */
int atomc_is_analysis_fault(const struct saved_context *saved);
/* The signal ends the process when the handler returns. */
void atomc_die_on_return(long signal, int sent, struct saved_context *saved);
/* A signal that the program leaves at its default. */
void atomc_end_by_signal(long signal, int sent, struct saved_context *saved);
/* The signal is that of atomc_exit_later(): ends the program. Else it returns. */
void atomc_exit_here(long signal, const struct saved_context *saved);
/* In a child of fork. */
void atomc_forget_exit(void);
/* The analysis code has made it. */
void atomc_end_by_fault(long signal, struct saved_context *saved);
/* An analysis routine does not return, and the program is ended by a signal. */
void atomc_end_stuck(long signal, struct saved_context *saved);

/* ---- signal_rows.c ---- */

/* At an execve for which results have been written: the gate is called again. */
void atomc_gate_again(struct saved_context *saved);
/* Another thread ends the program, forks, or writes rows: this one stops at an instruction of the program. */
void atomc_stop_here(struct saved_context *context);
/* Writes the reports on the signal. */
void atomc_report_on(long signal, struct saved_context *saved);

/* ---- deferral_table.c: the signals that wait for the analysis side to return, one in each thread ---- */

/* A thread that is waited for: when it was last checked, and for how long it had run at the beginning and
   then, in milliseconds; the number of checks, and of the last ones between which it had not run. */
struct atomc_watch {
    long checked, began, run, checks, idle;
};
struct atomc_deferral {
    long thread; /* 0: free */
    unsigned long target;
    long mask;   /* the program's */
    long signal; /* the first signal that is sent to end the program; 0: none has arrived */
    struct atomc_watch watch;
    int is_over; /* the signal has waited too long */
};
/* One more, so that the address after the last is no other variable's. */
extern struct atomc_deferral atomc_deferrals[ATOMC_DEFERRALS + 1];
/* Signals that masks need not have: emulators report the first two differently, and the C library blocks its
   own two (SIGCANCEL, SIGSETXID) in no mask. */
#define UNCERTAIN_BITS                                                                                       \
    (SIGNAL_BIT(SIGNAL_KILL) | SIGNAL_BIT(SIGNAL_STOP) | STOP_BIT | SIGNAL_BIT(32) | SIGNAL_BIT(33))
/* The calling thread's entry; NULL if no entry is free. */
struct atomc_deferral *atomc_take_deferral(void);
/* Entries of entry.S, to which routines return: to the entry of a deferral, and from a deferral to its
   entry. */
enum { RETURN_ENTRY_BYTES = 16 };
long atomc_entry_of(const struct atomc_deferral *deferral);
struct atomc_deferral *atomc_deferral_of(unsigned long entry);

/* ---- mask_calls.c ---- */

/* The calling thread's, which may not be the program's. */
long atomc_kernel_mask(void);

/* ---- timers.c ---- */

/* A timer that sends a signal: one for each purpose, because a process may have only a limited number. A
   child of fork has no timer.
 */
struct atomc_timer {
    int signal, number; /* signal 0: the timer has not been made */
    long process;       /* the number is invalid in another process, or names a timer of the program */
};
/* `thread` 0: to the process. Returns false if it is impossible. */
int atomc_make_timer(struct atomc_timer *timer, long signal, long thread, const void *value);
/* `when`: seconds and nanoseconds between signals, then seconds and nanoseconds up to the first signal.
   Returns false if there is no such timer. */
int atomc_set_timer(const struct atomc_timer *timer, const long when[4]);

/* ---- watchdog.c: INT, ALRM and TERM wait for the analysis side for some seconds only ---- */

enum { ENDING_SIGNALS = 1 << 1 | 1 << 13 | 1 << 14 }; /* INT ALRM TERM */
/* Such a signal waits: from now on, its time is limited. Another signal: nothing. */
void atomc_start_watchdog(long signal);
/* A process or thread has sent a SIGSEGV. If INT, ALRM or TERM has been deferred too long because the
   thread's code on the analysis side does not end, returns that signal; else 0. *is_timer: the SIGSEGV was
   sent only for that. */
long atomc_watchdog_signal(const int *info, int *is_timer);
/* Such a signal has arrived in code of the analysis side that does not end: true if this has lasted too
   long. */
int atomc_is_stuck(long signal);
/* The timeout in seconds: it is longer when the program has ended, and results are written. */
long atomc_timeout(void);

/* ---- signal_threads.c: threads have numbers, by which their stacks and masks are found ---- */

extern long atomc_signal_threads[SIGNAL_STACKS + 1]; /* the threads of the numbers; 0: free */
/* The calling thread's number. `take`: assigns a number if the thread has none. -1: there is no free
   number. */
int atomc_signal_thread_number(int take);

/* ---- masks.c ---- */

enum { NO_PLACE, IS_SET, HAS_SENT /* the kernel blocks queued signals until they are redelivered */ };
/* The program blocks these of HELD_BITS. */
int atomc_set_blocked(long bits);
/* The kernel delivers signals of HELD_BITS. */
void atomc_let_in(void);
/* The signals that have been sent to the calling thread, and wait here. */
long atomc_held_signals(void);
/* A signal of the set is delivered; 0: there is none. */
long atomc_take_held(long signals, void *info);
/* The thread with this number has ended. */
void atomc_forget_mask(int number);
/* The thread has another number now. */
void atomc_move_mask(int from, int to);

#endif
