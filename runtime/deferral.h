/* deferral.h: signals are delivered at instructions of the program. */
#ifndef ATOMC_RUNTIME_DEFERRAL_H
#define ATOMC_RUNTIME_DEFERRAL_H

#include "stepping.h"

enum {
    AT_INSTRUCTION, /* the context is the program's, at an instruction of its */
    IN_INSTRUCTION, /* it is, but for what inserted code has done already for the instruction */
    DEFERRED,       /* the analysis side goes on, and signals are blocked until it returns */
    NOT_DEFERRED,   /* the analysis side goes on; where it returns to is not known */
};
/* Moves a context that a signal has interrupted forward. */
int atomc_advance(struct saved_context *context);

/* A signal comes again when this thread lets it in. `info`: siginfo_t, or 0. */
void atomc_send_again(long signal, const void *info);

/* A timer that sends a signal: one each, because a process may only make so many. A child of fork has none.
 */
struct atomc_timer {
    int signal, number; /* signal 0: it has not been made */
    long process;       /* in another one, the number is nobody's, or a timer of the program's */
};
/* `thread` 0: to the process. False: it could not be. */
int atomc_make_timer(struct atomc_timer *timer, long signal, long thread, const void *value);
/* `when`: seconds and nanoseconds between signals, then up to the first. False: there is no such timer. */
int atomc_set_timer(const struct atomc_timer *timer, const long when[4]);

/* As atomc_send_again, but before those that wait already. */
void atomc_send_first(long signal, const void *info);

/* The signal comes again in a millisecond, to this thread. `info` is found then. */
void atomc_come_again(long signal, const void *info);
/* `info`, siginfo_t or 0, becomes what was sent along, if the signal has come again. 0: it has
   been taken since. */
int atomc_find_info(long signal, void *info);
/* The signal can be delivered. If others of its number are to come again, `info`
   becomes that of the first of these, and the others are sent again, this one last. */
void atomc_find_oldest(long signal, void *info);
/* The first of the set that is to come again, for a program that waits for it. `info` may be 0.
   Returns 0 if there is none. */
long atomc_take_waiting(long signals, void *info);
void atomc_forget_timers(void); /* the thread ends */

/* A SIGSEGV has been sent. If INT, ALRM or TERM has been waiting too long for what the thread executes on the
   analysis side, that signal; else 0. *is_timer: it is for that alone. */
long atomc_end_patience(const int *info, int *is_timer);

/* Such a signal has come where the analysis side goes on and on: has this one done so for too long? Not when
   the program has ended, and results are written. */
int atomc_patience_ends(long signal);

/* At a system call in the copies, where one that waits is found, or just behind it. */
int atomc_at_system_call(unsigned long pc);

/* The thread leaves the analysis side by another way than a return, or ends. */
void atomc_forget_deferral(void);

/* What the kernel blocks while a signal waits for the analysis side to return. */
long atomc_deferral_mask(void);

/* Where the program's mask is meanwhile, if one waits for the calling thread; 0: none does. */
long *atomc_deferred_mask(void);

/* In the child, whose thread is a copy of this one. */
void atomc_deferrals_after_fork(long parent);

#endif
