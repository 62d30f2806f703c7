/* signals.c: a signal arrives, from a fault or a sender. Either the signal is delivered to the program's
   handler at an instruction of the program, or control continues in the copies (a jump to original text), or
   the process ends. Compiled without floating-point registers. */
#include "runtime/counts/counts.h"
#include "runtime/report/report.h"
#include "runtime/signals/internal.h"
#include "runtime/text/text.h"
#include "runtime/threads/threads.h"

enum {
    OPERATION_SIGNALS = SIGNAL_BIT(SIGNAL_ILL) | SIGNAL_BIT(SIGNAL_FPE), /* of operate instructions */
};

static int is_fault_signal(long signal) {
    return (FAULT_SIGNALS & SIGNAL_BIT(signal)) != 0;
}

/* `info` 0: it is unknown, but an instruction that cannot fault has not caused it. */
static int was_sent(long signal, const int *info, const struct saved_context *saved) {
    if (!is_fault_signal(signal))
        return 1;
    if (!info)
        return !atomc_may_fault(signal, saved);
    int code = info[2]; /* si_code: at most 0 by kill, 0x80 by the kernel */
    return code <= 0 || code == 0x80;
}

/* At a library's system call, or just after it, execution can continue in the library itself. */
static void leave_stub(struct saved_context *saved) {
    unsigned long pc =
        atomc_object_pc((unsigned long)saved->pc, (unsigned long)saved->registers[SCRATCH_REGISTER]);
    if (pc)
        saved->pc = (long)pc;
}

/* The mask for an execve has been set, with signals that the kernel's mask otherwise lacks: the call must
   not be made with the mask of a handler. */
static void leave_execute(struct saved_context *saved) {
    const uint32_t *pc = (const uint32_t *)saved->pc;
    if (pc < atomc_masked_begin || pc >= atomc_masked_end)
        return;
    saved->pc = (long)atomc_masked_again;
    saved->mask &= ~atomc_blocked();
}

/* A load for $memory has faulted: its result is 0. Or a memory access that stepping.c makes for the program
   has faulted. The program's handler is not called for this fault. */
static int finish_read(long signal, struct saved_context *context) {
    unsigned long pc = (unsigned long)context->pc;
    const uint32_t *code = (const uint32_t *)pc;
    if (signal != SIGNAL_SEGV && signal != SIGNAL_BUS)
        return 0;
    if (code == atomc_read_low || code == atomc_read_high) {
        context->pc = (long)atomc_read_failed;
    } else if (code >= atomc_tries && code < atomc_tries_end) {
        context->pc = (long)atomc_try_failed;
    } else if (code >= atomc_operate_begin && code < atomc_operate_end) {
        context->pc = (long)atomc_operate_failed;
    } else {
        return pc >= atomc_image.copies && pc < atomc_image.copies_end && atomc_finish_memory_read(context);
    }
    return 1;
}

/* A signal delivered by the kernel. */
struct arrival {
    long signal, info, context, restorer;
    struct saved_context *saved; /* in the context */
    long mask, frame;            /* frame for the handler; its stack pointer */
    struct saved_context *enter; /* room for another context in which to continue */
    int waits;                   /* the signal has ended a wait with another mask (masks.c) */
};

/* Inlined code holds the lock where it accesses memory; the owner is the high part of the lock's address
   (engine/inline/lock.c). */
static void release_inlined_lock(void) {
    long address = (long)&atomc_lock_owner;
    if (atomc_lock_owner[0] == ((address + 0x8000) & ~0xffffL)) {
        __sync_synchronize();
        atomc_lock_owner[0] = 0;
    }
}

/* A copy that may be moved forward: inserted code may then store where the kernel has put its frame.
 */
static struct saved_context *copy_context(const struct arrival *arrival) {
    *arrival->enter = *arrival->saved;
    return arrival->enter;
}

/* Moves the frame to where the program expects it. */
static void place_frame(struct arrival *arrival) {
    long stack_pointer =
        arrival->saved->registers[STACK_REGISTER] + atomc_moved_at((unsigned long)arrival->saved->pc);
    int wants_stack = (atomc_action_of(arrival->signal)->flags & FLAG_ONSTACK) != 0;
    long moved =
        atomc_place_frame(arrival->frame, arrival->info == 0, stack_pointer, wants_stack) - arrival->frame;
    arrival->frame += moved;
    arrival->context += moved;
    arrival->info += arrival->info ? moved : 0;
    arrival->saved = (struct saved_context *)((char *)arrival->saved + moved);
}

static struct saved_context *enter_handler(const struct arrival *arrival) {
    struct saved_context *enter = arrival->enter;
    long handler = atomc_action_of(arrival->signal)->handler;
    /* The kernel adds signals to the mask: if it has not done so, the mask is that of a wait (sigsuspend). */
    long blocked = atomc_blocked();
    int is_waiting = arrival->waits || (arrival->saved->mask & ~arrival->mask) != 0;
    *enter = *arrival->saved;
    arrival->saved->mask |= blocked;
    if (arrival->info) {
        *(long *)((char *)arrival->saved + CONTEXT_MASK) |= blocked;
        *(long *)(arrival->context + UCONTEXT_OLD_MASK) |= blocked;
    }
    atomc_upcalls.stay();
    atomc_before_handler(arrival->signal, handler, arrival->restorer, arrival->saved);
    atomc_handler_is_called(arrival->signal);
    enter->pc = copy_of(handler) ? (long)copy_of(handler) : handler;
    enter->mask = atomc_take_mask(arrival->mask | (is_waiting ? 0 : blocked));
    enter->registers[FIRST_ARGUMENT] = arrival->signal;
    enter->registers[FIRST_ARGUMENT + 1] = arrival->info;
    enter->registers[FIRST_ARGUMENT + 2] = arrival->context;
    enter->registers[LINK_REGISTER] = arrival->restorer;
    enter->registers[CALLEE_REGISTER] = handler;
    enter->registers[STACK_REGISTER] = arrival->frame;
    SET_HANDLER_FRAME(enter, arrival->frame);
    NOTE_RESTORER(arrival->restorer);
    atomc_check_stack(arrival->frame);
    return enter;
}

/* A replaced procedure returns to the routine that has called it. If its return has no register for a lookup,
   the return jumps to the routine's return address (engine/copy/replacements.c). */
static uint64_t retained_return(uint64_t pc) {
    const struct atomc_retained *retained = (const struct atomc_retained *)atomc_image.retained;
    for (unsigned long i = 0; i < atomc_image.retained_count; i++)
        if (pc && retained[i].back == pc)
            return *(const uint32_t *)pc;
    return 0;
}

/* An entry of entry.S has stored the first register below $30. */
static struct saved_context *return_again(struct arrival *arrival) {
    struct saved_context *saved = arrival->saved, *forward = copy_context(arrival);
    atomc_returned_at(saved, forward);
    return forward;
}

/* The program has jumped to an address without a copy, or to one whose word in the map has changed: continues
   in the copy. False if the signal has another cause. */
static int continue_in_copy(struct saved_context *saved) {
    long lost;
    unsigned long from = (unsigned long)saved->pc;
    if (atomc_follow_text(saved, &lost)) {
        if (lost)
            atomc_enter_unforeseen(saved, lost);
        atomc_carry_aside(from, saved);
        return 1;
    }
    int is_own = atomc_text_address((unsigned long)saved->pc) != 0; /* an access of the program */
    if (!is_own)
        atomc_straighten(saved);
    long unforeseen = is_own ? 0 : atomc_unforeseen_target(saved);
    uint64_t there = is_own ? 0 : copy_of((uint64_t)saved->pc);
    if (!is_own && !there)
        there = retained_return((uint64_t)saved->pc);
    if (unforeseen) {
        atomc_enter_unforeseen(saved, unforeseen);
        atomc_carry_aside(from, saved);
        return 1;
    }
    if (there) {
        saved->pc = (long)there;
        atomc_carry_aside(from, saved);
        return 1;
    }
    return 0;
}

/* Enters the program's handler, with the context that the program would have without inserted code. */
static struct saved_context *enter_handler_of_fault(struct arrival *arrival) {
    place_frame(arrival);
    struct saved_context *saved = arrival->saved;
    enum fault fault = atomc_fault_of(arrival->signal, saved);
    atomc_note_place(saved, fault, 1);
    atomc_show_original(saved, fault, arrival->info ? (long *)arrival->info + 2 : 0, 0);
    atomc_show_word((unsigned long)saved->pc - (fault == FAULT_BEFORE ? 4 : 0));
    return enter_handler(arrival);
}

/* An instruction has caused it: of the program, inserted, or of the analysis side. */
static struct saved_context *take_fault(struct arrival *arrival) {
    struct saved_context *saved = arrival->saved;
    long signal = arrival->signal;
    if (signal == SIGNAL_SEGV && (atomc_takes_count(saved) || atomc_finds_switch(saved)))
        return saved;
    if ((signal == SIGNAL_SEGV || signal == SIGNAL_BUS) && atomc_leave_shortcut(saved))
        return saved; /* the fault happens there again */
    if ((signal == SIGNAL_SEGV || signal == SIGNAL_BUS) && atomc_is_between(saved) &&
        !atomc_moved_at((unsigned long)saved->pc) && atomc_lend_room(saved)) {
        struct saved_context *forward = copy_context(arrival);
        if (atomc_advance(forward) == AT_INSTRUCTION)
            atomc_return_room();
        return forward;
    }
    if (signal == SIGNAL_SEGV && atomc_returns_at((unsigned long)saved->pc)) /* there, $30 is not a stack
                                                                                pointer */
        return return_again(arrival);
    if ((signal == SIGNAL_SEGV || signal == SIGNAL_BUS) && atomc_is_between(saved) &&
        atomc_spills_nowhere(saved)) {
        struct saved_context *forward = copy_context(arrival);
        int state = atomc_advance(forward);
        if (state != DEFERRED && state != NOT_DEFERRED)
            atomc_forget_spills();
        if (state != IN_INSTRUCTION || atomc_is_programs((unsigned long)forward->pc))
            return forward; /* the program's own access may fault, with its own registers */
    }
    if ((signal == SIGNAL_SEGV || signal == TRAP_SIGNAL) && continue_in_copy(saved))
        return saved;
    if (atomc_is_inlined_access((unsigned long)saved->pc)) {
        atomc_end_by_fault(signal, saved);
        return saved;
    }
    if (finish_read(signal, saved) || (signal == SIGNAL_SEGV && atomc_finish_lookup(saved)))
        return saved;
    if (atomc_is_inlined(saved->pc))
        release_inlined_lock();
    if (atomc_is_analysis_fault(saved)) {
        atomc_end_by_fault(signal, saved);
        return saved;
    }
    if (atomc_has_handler(signal) && !(atomc_blocked() & SIGNAL_BIT(signal)))
        return enter_handler_of_fault(arrival);
    if (atomc_is_ignored(signal))
        atomc_die_on_return(signal, 0, saved); /* a fault cannot be ignored */
    else
        atomc_end_by_signal(signal, 0, saved);
    return saved;
}

/* True if the analysis code's C library has sent it to the thread itself, by a system call. */
static int is_abort(const struct arrival *arrival) {
    const struct saved_context *saved = arrival->saved;
    return arrival->signal == SIGNAL_ABRT && atomc_is_private((unsigned long)saved->pc) &&
           is_system_call_word(((const uint32_t *)saved->pc)[-1]) &&
           saved->registers[FIRST_ARGUMENT] == process_id() &&
           saved->registers[FIRST_ARGUMENT + 2] == SIGNAL_ABRT;
}

/* The signal is from outside, and arrives at any instruction. */
static struct saved_context *take_sent(struct arrival *arrival) {
    struct saved_context *saved = arrival->saved;
    long signal = arrival->signal;
    if (!atomc_find_info(signal, (void *)arrival->info))
        return saved;
    if (signal == SIGNAL_SEGV || signal == SIGNAL_BUS) {
        int is_timer = 0;
        long stuck = atomc_watchdog_signal((const int *)arrival->info, &is_timer);
        if (stuck)
            atomc_end_stuck(stuck, saved);
        if (stuck || is_timer)
            return saved;
    }
    if (is_fault_signal(signal) && !atomc_waits_for(signal, saved) &&
        atomc_hold_signal(signal, (const void *)arrival->info))
        return saved;
    arrival->waits = atomc_is_waiting(saved);
    if (is_abort(arrival)) {
        atomc_report_abort((unsigned long)saved->pc, saved->registers);
        atomc_die_on_return(signal, 1, saved);
        return saved;
    }
    struct saved_context *forward = copy_context(arrival);
    switch (atomc_advance(forward)) {
    case DEFERRED:
        atomc_find_oldest(signal, (void *)arrival->info);
        forward->mask |= SIGNAL_BIT(signal); /* this holds also if the number is that of a fault */
        atomc_send_first(signal, (const void *)arrival->info);
        return forward;
    case NOT_DEFERRED:
        if (atomc_is_stuck(signal))
            atomc_end_stuck(signal, forward);
        else
            atomc_come_again(signal, (const void *)arrival->info);
        return forward;
    default:
        atomc_exit_here(signal, forward);
        atomc_find_oldest(signal, (void *)arrival->info);
    }
    if (atomc_has_handler(signal) && atomc_is_ending)
        return forward;
    if (atomc_has_handler(signal) &&
        forward->pc !=
            saved->pc) { /* the signal is redelivered there immediately, with its frame on the right stack */
        atomc_send_first(signal, (const void *)arrival->info);
        return forward;
    }
    atomc_report_on(signal, forward);
    if (atomc_has_handler(signal)) {
        place_frame(arrival);
        saved = arrival->saved;
        atomc_gate_again(saved);
        atomc_note_place(saved, NO_FAULT, 1);
        atomc_show_interrupted(saved);
        return enter_handler(arrival);
    }
    if (!atomc_is_ignored(signal) && atomc_ends_process(signal) && !atomc_is_reported(signal))
        atomc_end_by_signal(signal, 1, forward);
    return forward;
}

/* The entry for another signal has been interrupted, before it has blocked this signal: that entry continues,
   with its own mask. */
static int is_at_entry(const struct arrival *arrival) {
    struct saved_context *saved = arrival->saved;
    const uint32_t *pc = (const uint32_t *)saved->pc;
    long signal = arrival->signal;
    if (pc < atomc_entries.signal || pc >= atomc_entries.signal_blocked)
        return 0;
    atomc_complete_entry(saved, pc - atomc_entries.signal);
    saved->pc = (long)atomc_entries.signal_known;
    saved->mask = ~FAULT_SIGNALS | SIGNAL_BIT(signal);
    if (atomc_image.stops && signal == STOP_SIGNAL)
        atomc_send_again(signal, (const void *)arrival->info);
    else if (atomc_find_info(signal, (void *)arrival->info))
        atomc_send_first(signal, (const void *)arrival->info);
    return 1;
}

/* An instruction executed for the program (stepping.c) has trapped. The trap is reported at this instruction.
   A signal of the same number that was sent at the same time is redelivered. */
static int ends_operation(const struct arrival *arrival) {
    struct saved_context *saved = arrival->saved;
    const uint32_t *pc = (const uint32_t *)saved->pc;
    if (!(SIGNAL_BIT(arrival->signal) & OPERATION_SIGNALS) || pc < atomc_operate_begin ||
        pc >= atomc_operate_end)
        return 0;
    if (was_sent(arrival->signal, (const int *)arrival->info, saved)) {
        saved->mask |= SIGNAL_BIT(arrival->signal);
        atomc_send_first(arrival->signal, (const void *)arrival->info);
    }
    saved->pc = (long)atomc_operate_failed;
    return 1;
}

/* The kernel has entered entry.S. Returns the context in which execution continues. `context`: a ucontext if
   `info` is not 0, else a sigcontext. */
struct saved_context *atomc_take_signal(long signal, long info, long context, long mask,
                                        struct saved_context *enter, long restorer, long frame) {
    struct arrival arrival = {.signal = signal,
                              .info = info,
                              .context = context,
                              .restorer = restorer,
                              .saved =
                                  (struct saved_context *)(info ? context + UCONTEXT_REGISTERS : context),
                              .mask = mask,
                              .frame = frame,
                              .enter = enter};
    if (is_at_entry(&arrival) || ends_operation(&arrival))
        return arrival.saved;
    int sent = was_sent(signal, (const int *)info, arrival.saved);
    leave_stub(arrival.saved);
    leave_execute(arrival.saved);
    if (atomc_waits)
        atomc_end_call();
    struct saved_context *next = enter;
    if (atomc_image.stops && signal == STOP_SIGNAL && atomc_stop_comes())
        atomc_stop_here(copy_context(&arrival));
    else
        next = sent ? take_sent(&arrival) : take_fault(&arrival);
    atomc_begin_call_again(next);
    return next;
}
