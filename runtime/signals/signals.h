/* signals.h: signals of the program: they are delivered at its instructions, with its masks, on its
   stacks. */
#ifndef ATOMC_RUNTIME_SIGNALS_H
#define ATOMC_RUNTIME_SIGNALS_H

#include "runtime/kernel/kernel.h"

/* ---- signals.c: entry.S calls it ---- */

/* ---- actions.c: the program's action for each signal ------ */

void atomc_change_handler(long *registers); /* rt_sigaction, sigaction */
/* True if the program has a handler for it. */
int atomc_has_handler(long signal);
/* Called before an execve, and after it has failed (exec.c): returns the number of signals that are ignored,
   and will be ignored in the new program. */
int atomc_show_ignored(int is_shown);
/* True if the kernel reports the sender of the signal. */
int atomc_sender_is_known(long signal);
void atomc_install_fault_handler(void);
void atomc_end_handlers(void);

/* ---- shown_contexts.c: contexts as the program's handlers see them ---- */

void atomc_prepare_shown_contexts(void);
void atomc_leave_handler(const long *registers); /* rt_sigreturn, sigreturn; does not return */

/* ---- fatal_signals.c: signals that end the process ---- */

void atomc_end_by(long signal) __attribute__((noreturn));

/* ---- signal_rows.c: stops, and rows that are written on signals ---- */

/* Called in a child: signals that arrived while rows were written belong to the parent, and so do the counts
   of code that its handlers interrupted. */
void atomc_signals_after_fork(void);

/* ---- program_registers.c ---- */

/* `registers`: as stored by the gate (entry.S): $0 to $31, followed by floating-point registers. */

/* The program's $30 at its system call. */
long atomc_stack_pointer_of(const long *registers);
/* The address of the callsys that a handler sees: in a library, or in the copies after the gate. */
unsigned long atomc_place_of_call(const long *registers);
/* A child is about to start on another stack: copies the words that the copy has stored for this call to that
   stack. */
void atomc_begin_other_stack(long *registers);
/* Calls can read the program's registers at this system call. */
void atomc_set_registers(const long *registers);
/* The program ends in a copy at this address. */
void atomc_set_last_pc(unsigned long address);

/* ---- deferral.c: signals are delivered at instructions of the program ---- */

enum {
    AT_INSTRUCTION, /* the context is the program's, at one of its instructions */
    IN_INSTRUCTION, /* the context is at the instruction, except that inserted code has already run for it */
    DEFERRED,       /* the analysis side continues, and signals are blocked until it returns */
    NOT_DEFERRED,   /* the analysis side continues; its return address is unknown */
};
/* Moves an interrupted context forward. */
int atomc_advance(struct saved_context *context);
/* True if it is at an instruction that is not the program's. */
int atomc_is_between(const struct saved_context *context);

/* True at a system call in the copies, where a waiting thread is found, or just after it. */
int atomc_at_system_call(unsigned long pc);

/* Called in the child, whose thread is a copy of this one. */
void atomc_deferrals_after_fork(long parent);

/* An entry of entry.S could not store below $30, at this pc. Execution continues in the other context. */
int atomc_returns_at(unsigned long pc);
void atomc_returned_at(struct saved_context *saved, struct saved_context *context);

/* ---- deferral_table.c ---- */

/* The thread leaves the analysis side other than by a return, or ends. */
void atomc_forget_deferral(void);

/* The address to which a routine of the analysis side with this return address will return: another one, if
   a signal is deferred until then. */
unsigned long atomc_return_address(unsigned long link);

/* The mask of the kernel while a signal is deferred until the analysis side returns. */
long atomc_deferral_mask(void);

/* While a signal is deferred for the calling thread: the address of the program's mask; otherwise 0. */
long *atomc_deferred_mask(void);

/* ---- returns.c: where the analysis side returns to in the copies ---- */

/* True between the analysis side and the program, for a signal. */
int atomc_is_delivery(unsigned long pc);

enum { MOST_STORED = 40, MOST_DECISIONS = 96 };

/* A walk along the code: known registers, and stored values. */
struct atomc_walk {
    unsigned long pc;
    uint32_t known; /* registers */
    long value[32];
    long origin[32]; /* the present location of its original value: a register's number, an address, or -1:
                        none
                      */
    struct atomc_walk_store {
        long address, value, origin;
        int known;
    } stored[MOST_STORED];
    unsigned stored_count;
    int is_true;            /* control itself will take this path, and values are correct */
    struct atomc_decision { /* at a branch */
        unsigned long pc;
        unsigned char way;  /* 1: taken */
        unsigned char open; /* the other direction has not been tried */
    } decisions[MOST_DECISIONS];
    unsigned decision_count, next;
};

struct atomc_return {
    unsigned long target;
    long *slot;   /* address of the stack slot with the return address, or 0: */
    unsigned reg; /* the address is in this register */
};

enum { FOUND_NOTHING, FOUND_RETURN, FOUND_DELIVERY /* the delivery of a signal has priority */ };

/* For a context whose pc is in the analysis side. `walk`: working memory. */
int atomc_find_return(const struct saved_context *context, struct atomc_walk *walk,
                      struct atomc_return *found);

/* ---- masks.c: which signals the program blocks, where the kernel may not ---- */

/* BUS and SEGV, and the signal of traps, which the runtime has to receive. */
#define HELD_BITS (SIGNAL_BIT(SIGNAL_BUS) | SIGNAL_BIT(SIGNAL_SEGV) | OTHER_HELD_BITS)

/* Before the program starts: the inherited mask. */
void atomc_prepare_masks(void);
/* The part of HELD_BITS that the program's calling thread blocks. */
long atomc_blocked(void);
/* A mask of the program becomes the calling thread's; returns the mask for the kernel. */
long atomc_take_mask(long mask);
/* A signal has been sent: if the thread blocks it, it is queued here. Returns false if the thread does not
   block it. */
int atomc_hold_signal(long signal, const void *info);
/* The program is about to call sigsuspend or a similar call; `place`: the address of the callsys. */
void atomc_wait_with_mask(const long *registers, unsigned long place);
/* The signal has arrived while the thread waits with a mask that allows it. The wait has ended. */
int atomc_waits_for(long signal, struct saved_context *context);
/* True if a signal has just ended such a wait. */
int atomc_is_waiting(const struct saved_context *context);
/* The thread is about to make another thread, or a process that shares its memory. */
void atomc_inherit_mask(void);
/* In the child. */
void atomc_masks_after_fork(void);

/* ---- mask_calls.c ---- */

/* System calls of the program: sigprocmask; sigpending; sigtimedwait; execve. True if the call has been made.
 */
int atomc_change_mask(long *registers);
int atomc_pending_call(long *registers);
int atomc_wait_call(long *registers);
int atomc_execute_call(long *registers);

/* ---- requeue.c: signals that cannot be delivered yet arrive again ---- */

/* All of these functions are for the calling thread, and are called with all signals blocked unless stated
   otherwise. `info`: siginfo_t, or 0 if the kernel has provided none. */

/* Redelivers a signal when this thread's mask allows it. */
void atomc_send_again(long signal, const void *info);
/* Like atomc_send_again; a queued signal is delivered before all others of its number. */
void atomc_send_first(long signal, const void *info);
/* Like atomc_send_first, but after a millisecond. */
void atomc_come_again(long signal, const void *info);

/* The kernel has delivered a signal to the runtime. Sets `info` to the signal to deliver. 0: there is
   none. */
int atomc_find_info(long signal, void *info);
/* The signal can be delivered to the program. If others of its number are waiting, they are redelivered. For
   signals that are not queued, `info` is set to the older signal. */
void atomc_find_oldest(long signal, void *info);

/* The first signal of the set that is to be redelivered, for a program that waits for it; 0: there is none.
   Signals need not be blocked. */
long atomc_take_waiting(long signals, void *info);
/* The signals that are to be redelivered. After this the kernel has only signals of the program. Signals
   need not be blocked. */
long atomc_waiting_signals(void);
/* Returns all queued signals to the kernel, in order: the program is about to execute another program. */
void atomc_give_back(void);

void atomc_forget_waiting(void);     /* the thread ends */
void atomc_waiting_after_fork(void); /* called in the child, to which no signal was sent */

/* ---- signal_stacks.c: the stacks of signals: of the runtime and of the program ---- */

/* While there is one thread, faults are handled on its stack here, for any stack pointer. */
void atomc_set_signal_stack(void);
/* The same for a new thread. */
void atomc_begin_signal_stack(void);
/* The thread ends. */
void atomc_free_signal_stack(void);
/* The calling thread, in a routine, will end the program. */
void atomc_exit_later(long status);
/* Called in the child, whose thread is a copy of this one. */
void atomc_signal_stacks_after_fork(long parent);
/* sigaltstack by the program. Returns true if the call has been made; otherwise the kernel reports the
   error. */
int atomc_change_signal_stack(long *registers, long stack_pointer);
/* Moves the frame of a signal that is about to be delivered; returns its new address. `wants_stack`: the
   handler requests the program's alternate stack. */
long atomc_place_frame(long frame, int is_basic, long stack_pointer, int wants_stack);
/* The kernel is about to restore a frame that has siginfo. */
void atomc_before_sigreturn(long frame);

/* ---- stack_room.c: room on the stacks of the program for inserted code ---- */

/* True if the program's own instruction is at the pc, in its copy. */
int atomc_is_programs(unsigned long pc);

/* Inserted code has faulted, not an instruction of the program. Returns true if there was no room on the
   program's stack, and the instruction can be repeated now. */
int atomc_lend_room(const struct saved_context *saved);
/* The same: it spills below a $30 that is not a stack. If true, code up to the program's next instruction
   must be executed step by step. */
int atomc_spills_nowhere(const struct saved_context *saved);
/* The calling thread is at an instruction of the program. */
void atomc_forget_spills(void);
/* The present address of a word spilled at the address, if that was executed step by step. */
unsigned long atomc_spilled_at(unsigned long address);
/* The calling thread is at an instruction of the program. */
void atomc_return_room(void);
/* The thread is about to execute the code there, which may be an instruction of the program after inserted
   code. */
void atomc_return_room_at(unsigned long pc);

/* ---- crash.c ---- */

/* Writes to standard error where in the analysis code the signal's pc is; with the registers at that
   time. */
void atomc_report_crash(long signal, unsigned long pc, const long *registers);
/* The signal has been deferred too long because the routine does not return. */
void atomc_report_stuck(long signal, unsigned long pc, const long *registers);
/* The same for a routine that has been inlined at the original address. */
void atomc_report_crash_at(long signal, unsigned long original);
/* True if the instruction at the pc, or the one before, can have caused the signal. Also true if the cause is
   unknown. */
int atomc_may_fault(long signal, const struct saved_context *saved);
void atomc_report_full_stack(unsigned long pc, const long *registers);
void atomc_report_abort(unsigned long pc, const long *registers);
/* True if it is a memory access of a routine that has been inlined into the copies. */
int atomc_is_inlined_access(unsigned long pc);

/* ---- signal_rows.c: events of commands ---- */

/* Calls the function, which finds events of the calling thread, and executes their commands. Does nothing if
   no command is for an event. */
void atomc_execute_here(void (*find)(long argument), long argument);
/* A handler of the program is about to be called, with this interrupted context; it has returned to it. */
void atomc_before_handler(long signal, long handler, long restorer, const struct saved_context *saved);
void atomc_after_handler(const struct saved_context *saved);

#endif
