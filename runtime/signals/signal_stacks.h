/* signal_stacks.h: the stacks of signals: the runtime's and the program's. */
#ifndef ATOMC_RUNTIME_SIGNAL_STACKS_H
#define ATOMC_RUNTIME_SIGNAL_STACKS_H

#include "runtime/kernel/kernel.h"

/* The calling thread's number among those that have a stack; `take`: it gets one if it has none. -1: none. */
int atomc_signal_stack_number(int take);
/* When there is one thread: faults are told on its stack here, wherever its stack pointer is. */
void atomc_set_signal_stack(void);
/* The same for a thread that begins. */
void atomc_begin_signal_stack(void);
/* The thread ends. */
void atomc_free_signal_stack(void);
/* In the child, whose thread is a copy of this one. */
void atomc_signal_stacks_after_fork(long parent);
/* sigaltstack of the program. True if the call has been made; else the kernel says what is wrong. */
int atomc_change_signal_stack(long *registers, long stack_pointer);
/* The frame of a signal that is about to be delivered, and what the stack pointer was: returns where the
   frame is now. `wants_stack`: the handler asks for the program's stack for handlers. */
long atomc_place_frame(long frame, int is_basic, long stack_pointer, int wants_stack);
/* The kernel is about to be given back a frame with siginfo. */
void atomc_before_sigreturn(long frame);

#endif
