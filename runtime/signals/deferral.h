/* deferral.h: signals are delivered at instructions of the program. */
#ifndef ATOMC_RUNTIME_DEFERRAL_H
#define ATOMC_RUNTIME_DEFERRAL_H

#include "runtime/machine/alpha/stepping.h"

enum {
    AT_INSTRUCTION, /* the context is the program's, at an instruction of its */
    IN_INSTRUCTION, /* it is, but for what inserted code has done already for the instruction */
    DEFERRED,       /* the analysis side goes on, and signals are blocked until it returns */
    NOT_DEFERRED,   /* the analysis side goes on; where it returns to is not known */
};
/* Moves a context that a signal has interrupted forward. */
int atomc_advance(struct saved_context *context);
/* Is it at an instruction that is none of the program's? */
int atomc_is_between(const struct saved_context *context);

enum { ENDING_SIGNALS = 1 << 1 | 1 << 13 | 1 << 14 }; /* INT ALRM TERM */
/* INT, ALRM or TERM waits: from now on, patience is limited. Another signal: nothing. */
void atomc_begin_patience(long signal);
/* A SIGSEGV has been sent. If INT, ALRM or TERM has been waiting too long for what the thread executes on the
   analysis side, that signal; else 0. *is_timer: it is for that alone. */
long atomc_end_patience(const int *info, int *is_timer);

/* Such a signal has come where the analysis side goes on and on: has this one done so for too long? */
int atomc_patience_ends(long signal);
/* So many seconds are too long: more when the program has ended, and results are written. */
long atomc_patience(void);

/* At a system call in the copies, where one that waits is found, or just behind it. */
int atomc_at_system_call(unsigned long pc);

/* The thread leaves the analysis side by another way than a return, or ends. */
void atomc_forget_deferral(void);

/* Where a routine of the analysis side will return to that has this return address: another one, if a signal
   waits for that. */
unsigned long atomc_return_address(unsigned long link);

/* What the kernel blocks while a signal waits for the analysis side to return. */
long atomc_deferral_mask(void);

/* Where the program's mask is meanwhile, if one waits for the calling thread; 0: none does. */
long *atomc_deferred_mask(void);

/* In the child, whose thread is a copy of this one. */
void atomc_deferrals_after_fork(long parent);

/* An entry of entry.S could not store below $30, at this pc. Execution goes on in the other context. */
int atomc_returns_at(unsigned long pc);
void atomc_returned_at(struct saved_context *saved, struct saved_context *context);

#endif
