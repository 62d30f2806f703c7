/* masks.h: which signals the program blocks, where the kernel may not. */
#ifndef ATOMC_RUNTIME_MASKS_H
#define ATOMC_RUNTIME_MASKS_H

#include "runtime/kernel/kernel.h"

/* BUS and SEGV, which the runtime has to get. */
#define HELD_BITS (SIGNAL_BIT(10) | SIGNAL_BIT(11))

/* Before the program: what it has inherited. */
void atomc_prepare_masks(void);
/* What of HELD_BITS the calling thread of the program blocks. */
long atomc_blocked(void);
/* A mask of the program becomes the calling thread's: what the kernel is to block. */
long atomc_take_mask(long mask);
/* A signal that the thread blocks has been sent: it waits here. False: it does not block it. */
int atomc_hold_signal(long signal, const void *info);
/* sigsuspend and the like are about to be called; `place`: that callsys. */
void atomc_wait_with_mask(const long *registers, unsigned long place);
/* The signal has come while the thread waits with a mask that lets it in. The wait has ended. */
int atomc_waits_for(long signal, struct saved_context *context);
/* A signal has ended such a wait just now. */
int atomc_is_waiting(const struct saved_context *context);
/* The thread is about to make another, or a process that shares its memory. */
void atomc_inherit_mask(void);
/* The thread with this number among the stacks (signal_stacks.h) is no more. */
void atomc_forget_mask(int number);
/* It has another number now. */
void atomc_move_mask(int from, int to);
/* In the child. */
void atomc_masks_after_fork(void);

/* System calls of the program: sigprocmask; sigpending; sigtimedwait; execve. True if the call has been made.
 */
int atomc_change_mask(long *registers);
int atomc_pending_call(long *registers);
int atomc_wait_call(long *registers);
int atomc_execute_call(long *registers);

#endif
