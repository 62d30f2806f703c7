/* signals.h: signals of the program: delivered at its instructions, with its masks, on its stacks. */
#ifndef ATOMC_RUNTIME_SIGNALS_H
#define ATOMC_RUNTIME_SIGNALS_H

#include "runtime/kernel/kernel.h"

/* ---- signals.c ---- */

void atomc_change_handler(long *registers);      /* rt_sigaction, sigaction */
void atomc_leave_handler(const long *registers); /* rt_sigreturn, sigreturn; does not return */
/* Of the program's. */
int atomc_has_handler(long signal);
/* Before an execve, and when it has failed (exec.c): how many signals are ignored, and are so in the
 * program that comes. */
int atomc_show_ignored(int is_shown);
/* In a child: what has come while rows were written was the parent's, and so are the counts of what its
 * handlers have interrupted. */
void atomc_signals_after_fork(void);
/* Does the kernel say who has sent the signal? */
int atomc_sender_is_known(long signal);
/* The copy looked up an address outside of the text: does what is left of the jump. False: it is not at that.
 */
int atomc_finish_lookup(struct saved_context *context);
void atomc_install_fault_handler(void);
void atomc_end_handlers(void);
void atomc_end_by(long signal) __attribute__((noreturn));

/* ---- program_registers.c ---- */

/* `registers`: as the gate has stored them (entry.S): $0 to $31, and floating-point registers after them. */

/* The program's $30 at its system call. */
long atomc_stack_pointer_of(const long *registers);
/* Address of the callsys that the kernel shows a handler: in a library, or in the copies after the gate. */
unsigned long atomc_place_of_call(const long *registers);
/* A child is about to begin on another stack: the words that the copy has stored for this call move there. */
void atomc_begin_other_stack(long *registers);
/* Calls can ask for the program's registers at this system call. */
void atomc_set_registers(const long *registers);
/* The program ends in a copy at this address. */
void atomc_set_last_pc(unsigned long address);

/* ---- deferral.c: signals are delivered at instructions of the program ---- */

enum {
    AT_INSTRUCTION, /* the context is the program's, at an instruction of its */
    IN_INSTRUCTION, /* it is, but for what inserted code has done already for the instruction */
    DEFERRED,       /* the analysis side goes on, and signals are blocked until it returns */
    NOT_DEFERRED,   /* the analysis side goes on; where it returns to is not known */
};
/* Moves a context that a signal has interrupted forward. */
int atomc_advance(struct saved_context *context);
/* True if it is at an instruction that is none of the program's. */
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

/* At a system call in the copies, where one that waits is found, or just after it. */
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

/* The analysis side is at work there: routines, wrappers, the runtime. */
int atomc_is_private(unsigned long pc);
/* On the way from there to the program, for a signal. */
int atomc_is_delivery(unsigned long pc);

/* ---- returns.c: where the analysis side returns to in the copies ---- */

enum { MOST_STORED = 40, MOST_DECISIONS = 96 };

/* A walk along the code: registers, as far as they are known, and what has been stored. */
struct atomc_walk {
    unsigned long pc;
    uint32_t known; /* registers */
    long value[32];
    long origin[32]; /* where it is now: a register's number, an address, or -1: nowhere */
    struct atomc_walk_store {
        long address, value, origin;
        int known;
    } stored[MOST_STORED];
    unsigned stored_count;
    int is_true;            /* control itself will go this way, and values are what they will be */
    struct atomc_decision { /* at a branch */
        unsigned long pc;
        unsigned char way;  /* 1: taken */
        unsigned char open; /* the other has not been tried */
    } decisions[MOST_DECISIONS];
    unsigned decision_count, next;
};

struct atomc_return {
    unsigned long target;
    long *slot;   /* where the address is on the stack, or 0: */
    unsigned reg; /* in this register */
};

enum { FOUND_NOTHING, FOUND_RETURN, FOUND_DELIVERY /* what delivers a signal comes first */ };

/* From a context whose pc is in the analysis side. `walk`: memory to work in. */
int atomc_find_return(const struct saved_context *context, struct atomc_walk *walk,
                      struct atomc_return *found);

/* ---- masks.c: which signals the program blocks, where the kernel may not ---- */

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

/* ---- requeue.c: signals that cannot be delivered yet arrive again ---- */

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

/* All of these are about the calling thread, and called with all signals blocked unless something else is
   said. `info`: siginfo_t, or 0 where the kernel has told none. */

/* A signal comes again when this thread lets it in. */
void atomc_send_again(long signal, const void *info);
/* As atomc_send_again; a queued one before all others of its number. */
void atomc_send_first(long signal, const void *info);
/* As atomc_send_first, but in a millisecond. */
void atomc_come_again(long signal, const void *info);

/* The kernel has delivered a signal. `info` becomes that of the one that is delivered. 0: there is none. */
int atomc_find_info(long signal, void *info);
/* It can be delivered to the program. If others of its number have been waiting, they come again: of signals
   that are not queued, `info` becomes the older one's. */
void atomc_find_oldest(long signal, void *info);

/* The first of the set that is to come again, for a program that waits for it; 0: there is none. Signals need
   not be blocked. */
long atomc_take_waiting(long signals, void *info);
/* Those that are to come again. The kernel has none but the program's after this. Signals need not be
 * blocked. */
long atomc_waiting_signals(void);
/* The kernel gets all queued ones back, in their order: the program is about to become another one. */
void atomc_give_back(void);

/* The program ignores the signal from now on, in all threads: what waits is lost, as it is in the kernel. */
void atomc_ignore_waiting(long signal);
void atomc_forget_waiting(void);     /* the thread ends */
void atomc_waiting_after_fork(void); /* in the child, to which nothing was sent */

/* ---- signal_stacks.c: the stacks of signals: of the runtime and of the program ---- */

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

/* ---- stack_room.c: room on the stacks of the program for inserted code ---- */

/* An instruction that is none of the program's has faulted. True: it was for want of room on the program's
   stack, and can be made again now. */
int atomc_lend_room(const struct saved_context *saved);
/* Likewise: it spills below a $30 that is no stack. True: up to the program's next instruction, it must be
   executed step by step. */
int atomc_spills_nowhere(const struct saved_context *saved);
/* The calling thread is at an instruction of the program. */
void atomc_forget_spills(void);
/* Where what is spilled at the address is, if it has been executed step by step. */
unsigned long atomc_spilled_at(unsigned long address);
/* The calling thread is at an instruction of the program. */
void atomc_return_room(void);
/* It is about to execute what is there, which may be an instruction of the program after what is inserted
 * before it. */
void atomc_return_room_at(unsigned long pc);

/* ---- crash.c ---- */

/* Writes to standard error where in the analysis code the signal's pc is; the registers as they were then. */
void atomc_report_crash(long signal, unsigned long pc, const long *registers);
/* The signal has waited too long for it to return. */
void atomc_report_stuck(long signal, unsigned long pc, const long *registers);
/* The same of a routine that has been inlined at the original address. */
void atomc_report_crash_at(long signal, unsigned long original);
/* Does the instruction make signals whose pc is the next one's: arithmetic, bpt, bugchk, gentrap? (Alpha
   Architecture Reference Manual, 4.7.8: a trap's pc is after the instruction.) */
int atomc_traps_behind(uint32_t word);
/* Can the instruction at the pc, or the one before, have made the signal? If that cannot be told: true. */
int atomc_may_fault(long signal, const struct saved_context *saved);
void atomc_report_full_stack(unsigned long pc, const long *registers);
void atomc_report_abort(unsigned long pc, const long *registers);
/* True if it is a memory access of a routine that has been inlined among the copies. */
int atomc_is_inlined_access(unsigned long pc);

#endif
