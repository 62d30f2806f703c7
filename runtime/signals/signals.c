/* signals.c: signals of the program: handlers run as copies and see original addresses; signals that end
   the program first lead to the calls after it; jumps to original text continue in the copy. Compiled
   without floating-point registers. */
#include "runtime/counts/counts.h"
#include "runtime/signals/signals.h"
#include "runtime/threads/threads.h"
#include "runtime/report/report.h"
#include "runtime/text/text.h"

#include <errno.h>

enum {
    SIGNALS = 65,
    SHOWN_BITS = 14, /* contexts, of all threads: 1 << SHOWN_BITS */
    SHOWN = 1 << SHOWN_BITS,
    SHOWN_TRIES = 64, /* slots where each may be */
    HANDLER_DEFAULT = 0,
    HANDLER_IGNORE = 1,
    FLAG_ONSTACK = 1,
    FLAG_RESTART = 2,
    FLAG_NODEFER = 8,
    FLAG_RESETHAND = 0x10,
    FLAG_SIGINFO = 0x40,
    OPERATION_SIGNALS = 0x88, /* ILL and FPE: of operate instructions */
    ADD_MASK = 1,             /* SIG_BLOCK */
    CLEAR_MASK = 2,           /* SIG_UNBLOCK */
    SET_MASK = 3,             /* SIG_SETMASK */
    UCONTEXT_OLD_MASK = 16,   /* offset of OSF's mask in a ucontext, */
    UCONTEXT_REGISTERS = 48,  /* ... and of the sigcontext */
    FRAME_UCONTEXT = 128,     /* of the ucontext in a signal frame */
    CONTEXT_MASK = 648,       /* of a ucontext's mask after its sigcontext */
};

struct action { /* of rt_sigaction */
    long handler, flags, mask;
};

static struct action actions[SIGNALS]; /* the program's actions */
static long restorers[SIGNALS];

static int has_handler(long signal) {
    return actions[signal].handler != HANDLER_DEFAULT && actions[signal].handler != HANDLER_IGNORE;
}

int atomc_has_handler(long signal) {
    return has_handler(signal);
}

int atomc_sender_is_known(long signal) {
    return !has_handler(signal) || actions[signal].flags & FLAG_SIGINFO;
}

/* ---- signal contexts show original addresses ------------------------------------------------------------------ */

/* Contexts that were changed: on return from the handler, execution continues at the original place, unless
   the handler changed the pc. Found by their addresses. A handler that does not return leaves its context
   here. */
static struct shown {
    struct saved_context *context;
    long original, copy;
    long moved;                       /* distance by which the stack pointer is lower there */
    int fault;                        /* enum fault */
    int forks;                        /* forks_before, when it was changed */
    long kept[SITE_FRAME_KEPT_WORDS]; /* contents of SITE_FRAME there, which the handler's sites use too */
} shown[SHOWN];

static int forks_before; /* the number of consecutive forks that led to this process */

static struct shown *place_of_shown(const struct saved_context *context, unsigned try) {
    unsigned long hash = (unsigned long)context / 16 * 0x9e3779b97f4a7c15UL;
    return &shown[((hash >> (64 - SHOWN_BITS)) + try) % SHOWN];
}

/* 0: it has not been changed. */
static struct shown *find_shown(const struct saved_context *context) {
    for (unsigned try = 0; try < SHOWN_TRIES; try++)
        if (place_of_shown(context, try)->context == context)
            return place_of_shown(context, try);
    return 0;
}

/* If there is no room, replaces one of those that are probably abandoned. */
static struct shown *find_or_take_shown(struct saved_context *context) {
    static unsigned next;
    struct shown *found = find_shown(context);
    for (unsigned try = 0; try < SHOWN_TRIES && !found; try++)
        if (__sync_bool_compare_and_swap(&place_of_shown(context, try)->context, 0, context))
            found = place_of_shown(context, try);
    if (!found) {
        found = place_of_shown(context, __sync_fetch_and_add(&next, 1) % SHOWN_TRIES);
        found->context = context;
    }
    return found;
}

static void copy_kept(long *to, const long *from) {
    for (int i = 0; atomc_image.own_frames && i < SITE_FRAME_KEPT_WORDS; i++)
        to[i] = from[i];
}

static long moved_at(unsigned long address) {
    const uint32_t *moved = (const uint32_t *)atomc_image.moved;
    for (unsigned long i = 0; i < atomc_image.moved_count; i++)
        if (moved[i] == address)
            return (long)atomc_image.moved_by;
    return 0;
}

/* A fault of the instruction at the pc, or of the one before it, whose signal has the pc of the next. */
enum fault { NO_FAULT, FAULT_AT, FAULT_BEFORE };

static enum fault fault_of(long signal, const struct saved_context *saved) {
    unsigned long pc = (unsigned long)saved->pc;
    long original = atomc_text_address(pc) ? 0 : atomc_original_of(pc - 4, 0);
    if ((signal != SIGNAL_FPE && signal != SIGNAL_TRAP && signal != SIGNAL_ILL) || !original)
        return FAULT_AT;
    uint32_t word = ((const uint32_t *)pc)[-1]; /* it, or code that was inserted ahead of it */
    return (signal == SIGNAL_ILL || atomc_traps_behind(word)) && word == atomc_original_word(original)
               ? FAULT_BEFORE
               : FAULT_AT;
}

/* `behind`: control has left the instruction for the next one. Code inserted between the two is on the path
   of neither yet. */
static void show_original(struct saved_context *saved, enum fault fault, long *fault_address, int behind) {
    long copy = saved->pc, twin = atomc_text_address((unsigned long)copy);
    long original = twin ? twin : atomc_original_of(fault == FAULT_BEFORE ? copy - 4 : copy, 0);
    behind |= fault == FAULT_BEFORE;
    if (!original)
        return;
    original += behind ? 4 : 0;
    struct shown *as_shown = find_or_take_shown(saved);
    as_shown->original = original;
    as_shown->copy = copy;
    as_shown->fault = fault;
    as_shown->forks = forks_before;
    as_shown->moved = moved_at((unsigned long)copy);
    copy_kept(as_shown->kept, (const long *)(SITE_FRAME + SITE_FRAME_KEPT));
    atomc_keep_records((unsigned long)(as_shown - shown));
    saved->pc = original;
    saved->registers[30] += as_shown->moved;
    if (fault_address && *fault_address == copy)
        *fault_address = original;
}

/* At a system call, or just after it: the call has been executed, and no inserted code is active. */
static int in_system_call(unsigned long pc) {
    const uint32_t *code = (const uint32_t *)pc;
    return atomc_at_system_call(pc) &&
           (code[0] == ALPHA_PAL_CALLSYS || (ALPHA_IS(code[0], BR) && alpha_ra(code[0]) == ALPHA_ZERO));
}

/* times = 1: execution may never continue there; -1: it does. */
static void note_fault_place(const struct saved_context *saved, enum fault fault, int times) {
    unsigned long pc = saved->pc;
    if (fault == FAULT_BEFORE) {
        atomc_note_stop(&atomc_image, pc - 4, ATOMC_STOP_FAULT, times, saved->registers, atomc_records());
        return;
    }
    if (in_system_call(pc))
        return;
    /* Code of a site after a system call: the call is the last instruction that was executed. */
    int behind = !fault && atomc_at_system_call(pc) && *(const uint32_t *)pc != ALPHA_PAL_CALLSYS;
    enum atomc_stop stop = fault ? ATOMC_STOP_FAULT : behind ? ATOMC_STOP_BEHIND : ATOMC_STOP_BEFORE;
    atomc_note_stop(&atomc_image, behind ? pc - 4 : pc, stop, times, saved->registers, atomc_records());
}

/* Another thread may be updating a table. */
static void renew_cells(unsigned long copy, enum fault fault) {
    int threaded = atomc_threaded;
    int64_t *records = atomc_records();
    long own = thread_pointer();
    if (threaded)
        atomc_call_lock(atomc_lock);
    set_thread_pointer(atomc_private_thread_pointer);
    atomc_renew_cells(&atomc_image, copy, fault != NO_FAULT, records);
    set_thread_pointer(own);
    if (threaded)
        atomc_call_lock(atomc_unlock);
}

static void block_all_signals(void) {
    const long all = ~FAULT_SIGNALS;
    RAW(CALL_rt_sigprocmask, SET_MASK, &all, 0, 8, 0, 0);
}

/* A signal has arrived at a call that may wait, or while it waited: the call is made now. */
static void begin_call_again(const struct saved_context *saved) {
    if (atomc_waits && atomc_call_waits((unsigned long)saved->pc))
        atomc_begin_call();
}

/* The handler returns: the call is made here, because no signal may arrive between the record and the
   kernel's action. */
void atomc_leave_handler(const long *registers) {
    struct saved_context *saved = (struct saved_context *)registers[16];
    long *mask = &saved->mask;
    if (registers[0] == CALL_rt_sigreturn) {
        atomc_before_sigreturn(registers[16]);
        saved = (struct saved_context *)(registers[16] + FRAME_UCONTEXT + UCONTEXT_REGISTERS);
        mask = (long *)((char *)saved + CONTEXT_MASK);
    }
    int found = 0;
    enum fault fault = NO_FAULT;
    block_all_signals();
    atomc_forget_deferral();
    struct shown *as_shown = find_shown(saved);
    if (as_shown) {
        copy_kept((long *)(SITE_FRAME + SITE_FRAME_KEPT),
                  as_shown->kept); /* also if the handler continues nearby */
        atomc_restore_records((unsigned long)(as_shown - shown));
        if (as_shown->original == saved->pc) {
            saved->pc = as_shown->copy;
            fault = (enum fault)as_shown->fault;
            saved->registers[30] -= as_shown->moved;
            found = 1;
        }
        as_shown->context = 0;
    } else {
        atomc_set_aside(saved);
    }
    /* A context that no signal has made, or that was changed, leads to the target of a jump, and control
       arrives from outside; or to the middle of a block. */
    unsigned long copy = found ? 0 : copy_of(saved->pc);
    int is_foreseen = copy && !(map_word(saved->pc) & MAP_UNFORESEEN);
    if (!found && !(as_shown && copy && atomc_in_same_block(&atomc_image, as_shown->copy, copy)))
        atomc_clear_records();
    else if (as_shown && as_shown->forks != forks_before)
        renew_cells(found ? (unsigned long)saved->pc - (fault == FAULT_BEFORE ? 4 : 0) : copy, fault);
    *mask = atomc_take_mask(*mask);
    atomc_check_stack(saved->registers[30]);
    if (is_foreseen)
        saved->pc = (long)copy;
    else if (copy)
        atomc_go_on_unforeseen(saved);
    else
        note_fault_place(saved, fault, -1);
    begin_call_again(saved);
    RAW(registers[0], registers[16], 0, 0, 0, 0, 0);
}

/* ---- what the kernel is told ------------------------------------------------------------------------------------ */

/* Signals that end a process by default: all but KILL, which cannot be handled, and URG STOP TSTP CONT CHLD
   TTIN TTOU WINCH. */
static int ends_process(long signal) {
    const long others = SIGNAL_BIT(9) | SIGNAL_BIT(16) | SIGNAL_BIT(17) | SIGNAL_BIT(18) | SIGNAL_BIT(19) |
                        SIGNAL_BIT(20) | SIGNAL_BIT(21) | SIGNAL_BIT(22) | SIGNAL_BIT(28);
    return !(others & SIGNAL_BIT(signal));
}

/* True if a report is written on this signal. */
static int is_report_signal(long signal) {
    return (atomc_report_signals() & SIGNAL_BIT(signal)) != 0;
}

/* The runtime's handler is installed for signals with a handler, SIGSEGV, SIGBUS, the signal for stops,
   those of reports, and those that would end the process. A one-shot handler stays until the program's is
   called. */
static long install_action(long signal) {
    struct action told = actions[signal];
    long restorer = restorers[signal];
    int always = signal == SIGNAL_SEGV || signal == SIGNAL_BUS ||
                 (atomc_image.stops && signal == STOP_SIGNAL) || is_report_signal(signal);
    if (has_handler(signal)) {
        told.handler = (long)atomc_signal_entry;
        told.flags &= ~(long)FLAG_RESETHAND;
    } else if (always || (ends_process(signal) && told.handler == HANDLER_DEFAULT)) {
        told = (struct action){.handler = (long)atomc_signal_entry, .flags = FLAG_SIGINFO | FLAG_RESTART};
        restorer = (long)atomc_signal_return;
    }
    if (signal == SIGNAL_SEGV || signal == SIGNAL_BUS)
        told.flags |= FLAG_ONSTACK;
    return RAW(CALL_rt_sigaction, signal, &told, 0, 8, restorer, 0);
}

/* The program has ended: its handlers are no longer called, except for faults, which belong to analysis
   routines. INT, ALRM and TERM serve to end routines that never end. */
void atomc_end_handlers(void) {
    const long faults = FAULT_SIGNALS;
    long mask = 0;
    for (long signal = 1; signal < SIGNALS; signal++)
        if (has_handler(signal))
            mask |= SIGNAL_BIT(signal);
    mask &= ~faults & ~(long)ENDING_SIGNALS;
    if (mask)
        RAW(CALL_rt_sigprocmask, ADD_MASK, &mask, 0, 8, 0, 0);
    RAW(CALL_rt_sigprocmask, CLEAR_MASK, &faults, 0, 8, 0, 0);
}

void atomc_install_fault_handler(void) {
    atomc_prepare_records(SHOWN);
    for (long signal = 1; signal < SIGNALS; signal++) {
        if (!ends_process(signal) && !is_report_signal(signal))
            continue;
        RAW(CALL_rt_sigaction, signal, 0, &actions[signal], 8, 0, 0);
        install_action(signal);
    }
}

/* For signals that the program ignores, and on which reports are written: tells the kernel that they are
   ignored, as another program inherits that; or undoes it. */
int atomc_show_ignored(int is_shown) {
    static const struct action ignored = {.handler = HANDLER_IGNORE};
    int count = 0;
    for (long signal = 1; signal < SIGNALS; signal++) {
        if (!is_report_signal(signal) || actions[signal].handler != HANDLER_IGNORE)
            continue;
        if (is_shown)
            RAW(CALL_rt_sigaction, signal, &ignored, 0, 8, 0, 0);
        else
            install_action(signal);
        count++;
    }
    return count;
}

/* The structure of sigaction(156) has handler, mask, flags; that of rt_sigaction handler, flags, mask. */
void atomc_change_handler(long *registers) {
    long *a = registers + 16, signal = a[0], result = 0;
    int old_form = registers[0] == CALL_sigaction, known = signal > 0 && signal < SIGNALS;
    if (!known || signal == SIGNAL_KILL ||
        signal == SIGNAL_STOP) { /* the kernel reports the error; KILL and STOP cannot be changed */
        set_result(registers, RAW(registers[0], a[0], a[1], a[2], a[3], a[4], a[5]));
        return;
    }
    struct action before = actions[signal];
    if (!ends_process(signal) && !is_report_signal(signal) &&
        !has_handler(signal)) /* may have been inherited */
        RAW(CALL_rt_sigaction, signal, 0, &before, 8, 0, 0);
    if (a[1]) {
        const long *action = (const long *)a[1];
        long restorer = restorers[signal], all = -1, mask = 0;
        /* No signal in between: the kernel would still call the old handler, with the old form of frame. */
        RAW(CALL_rt_sigprocmask, SET_MASK, &all, &mask, 8, 0, 0);
        actions[signal].handler = action[0];
        actions[signal].flags = old_form ? (int)action[2] : action[1];
        actions[signal].mask = old_form ? action[1] : action[2];
        restorers[signal] = old_form ? 0 : a[4];
        result = install_action(signal);
        if (result < 0) {
            actions[signal] = before;
            restorers[signal] = restorer;
        } else if (action[0] == HANDLER_IGNORE) {
            atomc_ignore_waiting(signal);
        }
        RAW(CALL_rt_sigprocmask, SET_MASK, &mask, 0, 8, 0, 0);
    }
    if (a[2] && result >= 0) {
        long *old = (long *)a[2];
        old[0] = before.handler;
        old[1] = old_form ? before.mask : before.flags;
        old[2] = old_form ? before.flags : before.mask;
    }
    set_result(registers, result);
}

/* ---- signals arrive ---------------------------------------------------------------------------------------------- */

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

/* With the private C library, on its own stack. */
static void call_on_own_stack(void (*write)(long), long argument) {
    long own = thread_pointer();
    set_thread_pointer(atomc_private_thread_pointer);
    atomc_on_private_stack(atomc_after_stack, write, argument);
    set_thread_pointer(own);
}

/* The calling thread has reached a count, or a time, for which rows are due, and stands at an instruction
   of the program. */
static void write_due_rows(void) {
    if (atomc_is_ending || atomc_is_vfork_child() || !atomc_hold_for_rows(atomc_rows_are_due))
        return;
    call_on_own_stack(atomc_write_due_rows, 0);
    atomc_free_threads();
}

/* At execve, for which results have been written: they are written again when the handler has returned. A
   library's system call is entered again in any case. */
static void gate_again(struct saved_context *saved) {
    enum { FARTHEST = 16, WORDS = 5 /* of the gate's call, before its jsr (engine/copy/gate.c) */ };
    const uint32_t *code = (const uint32_t *)saved->pc;
    long number = saved->registers[0];
    if (!atomc_at_system_call((unsigned long)saved->pc) || *code != ALPHA_PAL_CALLSYS ||
        (number != CALL_execve && number != CALL_execveat))
        return;
    for (int i = 1; i <= FARTHEST; i++) {
        const uint32_t *begin = code - i - WORDS;
        int calls = ALPHA_IS(code[-i], JSR) && alpha_ra(code[-i]) == ALPHA_RA;
        if (calls && alpha_ra(*begin) == ALPHA_SP && alpha_rb(*begin) == ALPHA_SP &&
            (ALPHA_IS(*begin, LDA) || ALPHA_IS(*begin, LDAH)))
            saved->pc = (long)begin;
        if (calls)
            return;
    }
}

/* Rows come before the results written for the end, which are undone. */
static void stay_for_rows(struct saved_context *saved) {
    if (!atomc_upcalls.is_executing())
        return;
    atomc_upcalls.stay();
    gate_again(saved);
}

/* Another thread ends the program, forks, or writes rows: this one goes to an instruction of the program,
   and may never continue. Or this thread writes rows there. */
static void stop_here(struct saved_context *context) {
    switch (atomc_advance(context)) {
    case DEFERRED:
        context->mask |= STOP_BIT;
        atomc_stop_later(1);
        break;
    case NOT_DEFERRED:
        atomc_stop_later(0);
        atomc_writes_rows(); /* the rows stay due: the signal will be sent again */
        break;
    default:
        if (atomc_writes_rows()) {
            stay_for_rows(context);
            note_fault_place(context, NO_FAULT, 1);
            write_due_rows();
        } else {
            note_fault_place(context, NO_FAULT, 1);
        }
        atomc_wait_stopped();
        note_fault_place(context, NO_FAULT, -1);
    }
}

/* The program's handler is about to be called: a one-shot handler is removed now. */
static void use_up(long signal) {
    if (!(actions[signal].flags & FLAG_RESETHAND))
        return;
    actions[signal].handler = HANDLER_DEFAULT;
    install_action(signal);
}

/* The program sees its own instruction, also after a system call, which is where a signal finds a waiting
   thread. */
static void show_interrupted(struct saved_context *saved) {
    unsigned long pc = (unsigned long)saved->pc;
    int behind =
        atomc_at_system_call(pc) && *(const uint32_t *)pc != ALPHA_PAL_CALLSYS && !atomc_begins_copy(pc);
    show_original(saved, NO_FAULT, 0, behind);
}

/* At a library's system call, or just after it, execution can continue in the library itself. */
static void leave_stub(struct saved_context *saved) {
    unsigned long pc = atomc_object_pc((unsigned long)saved->pc, (unsigned long)saved->registers[28]);
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

/* The copy looked up an address outside of the text (code on the stack or of a JIT): the sequence is
   `zapnot rb,15,t; ldl t,0(t); [ldah/ldq return address;] jmp (t)`, and the ldl faulted. Executes the rest
   of it with the real target. Without a free register, $28 is on the stack, and `ldah $28` precedes the ldl
   (engine/copy/indirect_jumps.c): no code at the target reloads it, so that is done here. */
int atomc_finish_lookup(struct saved_context *context) {
    const uint32_t *code = (const uint32_t *)context->pc, *lookup = code - 1;
    if ((unsigned long)code < atomc_image.copies || (unsigned long)code >= atomc_image.copies_end)
        return 0;
    unsigned scratch = alpha_ra(code[0]);
    int spilled =
        ALPHA_IS(code[-1], LDAH) && alpha_ra(code[-1]) == ALPHA_AT && alpha_rb(code[-1]) == ALPHA_AT;
    if (spilled)
        lookup--;
    if (code[0] != ALPHA_MEMORY_WORD(LDL, scratch, 0, scratch) || !atomc_is_lookup(*lookup, scratch))
        return 0;
    unsigned target = alpha_ra(*lookup);
    if (target == scratch)
        return 0;
    long destination = context->registers[target] & ~3L;
    for (code++; !ALPHA_IS_LIKE(code[0], JMP); code++) { /* up to the jump: the return address */
        unsigned to = alpha_ra(code[0]), base = alpha_rb(code[0]);
        long displacement = alpha_memory_displacement(code[0]);
        long from = base == ALPHA_ZERO ? 0 : context->registers[base];
        if (ALPHA_IS(code[0], LDA))
            context->registers[to] = from + displacement;
        else if (ALPHA_IS(code[0], LDAH))
            context->registers[to] = from + displacement * 65536;
        else if (ALPHA_IS(code[0], LDQ))
            context->registers[to] = *(const long *)(from + displacement);
        else
            return 0;
    }
    if (spilled) {
        context->registers[28] = *(const long *)context->registers[30];
        context->registers[30] += atomc_spill_distance;
    }
    context->pc = destination;
    atomc_carry_aside((unsigned long)code, context);
    return 1;
}

/* A load for $memory has faulted: it gives 0. Or an access made for the program (stepping.c) has faulted.
   The program's handler does not see it. */
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
    } else if (pc >= atomc_image.copies && pc < atomc_image.copies_end) {
        int single = code[1] == READ_MARK(1), first = code[1] != READ_MARK(2) && code[2] == READ_MARK(2);
        if (!ALPHA_IS(code[0], LDQ_U) || (!single && !first && code[1] != READ_MARK(2)))
            return 0;
        context->registers[alpha_ra(code[0])] = 0;
        if (!single)
            context->registers[alpha_ra(code[first ? 1 : -1])] = 0;
        context->pc = (long)(code + (first ? 3 : 2));
    } else {
        return 0;
    }
    return 1;
}

/* True if it is a memory access of an analysis routine that has been inlined into the copies. Accesses of
   the program are unchanged, and accesses to the stack are not a routine's. */
static int is_inlined(unsigned long pc) {
    long original = atomc_original_of(pc, 0);
    uint32_t word = original ? *(const uint32_t *)pc : 0;
    return original && word != atomc_original_word(original) && alpha_rb(word) != ALPHA_SP;
}

/* A signal delivered by the kernel. */
struct arrival {
    long signal, info, context, restorer;
    struct saved_context *saved; /* in the context */
    long mask, frame;            /* for the handler; its stack pointer */
    struct saved_context *enter; /* room for another context in which to continue */
    int waits;                   /* it has ended a wait with another mask (masks.c) */
};

enum {
    NEAR_STACK = 1 << 16, /* bytes: a fault at this distance from the stack pointer is one of the stack */
    SHALLOW_STACK = 4096, /* words: frames of a call, up to the address that it returns to */
};

/* True if the instruction accessed the stack. The kernel does not report the address to every handler. */
static int is_of_stack(const struct saved_context *saved) {
    uint32_t word = *(const uint32_t *)saved->pc;
    long address = saved->registers[alpha_rb(word)] + alpha_memory_displacement(word);
    long distance = address - saved->registers[30];
    return alpha_rb(word) != ALPHA_ZERO && distance > -NEAR_STACK && distance < NEAR_STACK;
}

/* True if a call of the program is close after the data of an analysis routine on the stack. Then the
   program has filled the stack. */
static int is_called_nearby(const struct saved_context *saved) {
    long word;
    for (long at = saved->registers[30] & ~7L, i = 0; i < SHALLOW_STACK; i++, at += 8)
        if (atomc_try_load(at, &word) && atomc_is_in_copies((unsigned long)word & ~3UL))
            return 1;
    return 0;
}

/* True if an analysis routine has caused the fault, whoever handles the program's. False if it has only
   reached the end of the program's stack, as the program itself would have soon. */
static int is_analysis_fault(const struct saved_context *saved) {
    return atomc_is_private((unsigned long)saved->pc) && !(is_of_stack(saved) && is_called_nearby(saved));
}

/* Inlined code holds the lock where it accesses memory; the owner is the high part of the lock's address
   (engine/inline/lock.c). */
static void release_inlined_lock(void) {
    long address = (long)&atomc_lock_owner;
    if (atomc_lock_owner[0] == ((address + 0x8000) & ~0xffffL)) {
        __sync_synchronize();
        atomc_lock_owner[0] = 0;
    }
}

/* The signal is to end the process. An emulator ends itself by sending the signal to its process. There it
   can be lost to a thread that waits for it (sigwait), if the others block it, as stopped threads do. So a
   timer sends it to this thread, repeatedly, from `nanoseconds` on. Not immediately: it may still be
   blocked, and an emulator, which cannot block SIGSEGV for itself, would only record that it has arrived.
 */
static void make_fatal(long signal, long nanoseconds) {
    enum { AGAIN = 10000000 /* nanoseconds */ };
    static const struct action none;
    const long when[4] = {0, AGAIN, 0, nanoseconds};
    struct atomc_timer timer;
    RAW(CALL_rt_sigaction, signal, &none, 0, 8, 0, 0);
    if (atomc_threaded && atomc_make_timer(&timer, signal, RAW(CALL_gettid, 0, 0, 0, 0, 0, 0), 0))
        atomc_set_timer(&timer, when);
}

/* To this thread: another one may be in a wait that never ends. */
static void send_fatal(long signal) {
    make_fatal(signal, 1000);
    RAW(CALL_tgkill, process_id(), RAW(CALL_gettid, 0, 0, 0, 0, 0, 0), signal, 0, 0, 0);
}

void atomc_end_by(long signal) {
    const long only = SIGNAL_BIT(signal);
    send_fatal(signal);
    RAW(CALL_rt_sigprocmask, CLEAR_MASK, &only, 0, 8, 0, 0);
    for (;;) /* an emulator that is slow */
        RAW(CALL_sched_yield, 0, 0, 0, 0, 0, 0);
}

enum { TIME_TO_FAULT = 10000000 /* nanoseconds */ };

/* The signal ends the process when the handler returns: a fault because it happens again, another because
   it is sent again, and not blocked there. After ILL and TRAP, and FPE by gentrap, the pc is that of the
   next instruction. */
static void die_on_return(long signal, int sent, struct saved_context *saved) {
    if (!sent && (signal == SIGNAL_ILL || signal == SIGNAL_TRAP || signal == SIGNAL_FPE)) {
        uint32_t before = ((const uint32_t *)saved->pc)[-1];
        if (ALPHA_IS(before, CALL_PAL) || signal == SIGNAL_ILL)
            saved->pc -= 4;
        else
            sent = 1;
    }
    if (!sent) {
        make_fatal(signal, TIME_TO_FAULT);
        return;
    }
    saved->mask &= ~SIGNAL_BIT(signal);
    send_fatal(signal);
}

static void keep_registers(const struct saved_context *saved) {
    for (int i = 0; i < 31; i++) {
        atomc_registers[i] = saved->registers[i];
        atomc_registers[32 + i] = saved->floating[i];
    }
    atomc_registers[30] += moved_at((unsigned long)saved->pc);
    atomc_set_last_pc(saved->pc);
}

/* The cause of the program's end, for analysis routines (stdtools/addresses.h): an access to unmapped
   memory, or a jump to memory without code. The instruction in a copy has the same registers. */
long atomc_fault_pc, atomc_fault_address, atomc_fault_return, atomc_fault_thread;

static void keep_fault(const struct saved_context *saved) {
    long copy = (long)saved->pc, original = atomc_original_of(saved->pc, &copy), word;
    atomc_fault_thread = thread_pointer();
    atomc_fault_return = atomc_static(saved->registers[26]);
    atomc_fault_pc = atomc_static(original ? original : copy);
    atomc_fault_address = copy;
    if (!atomc_try_load((long)saved->pc & ~7L, &word))
        return;
    uint32_t instruction = *(const uint32_t *)saved->pc;
    long base = alpha_rb(instruction) == ALPHA_ZERO ? 0 : saved->registers[alpha_rb(instruction)];
    atomc_fault_address = base + alpha_memory_displacement(instruction);
}

/* A signal with its default action ends the program. A fault may be that of an analysis routine. */
static void end_by_default_signal(long signal, int sent, struct saved_context *saved) {
    if (!sent && atomc_is_private((unsigned long)saved->pc)) {
        atomc_report_crash(signal, saved->pc, saved->registers);
    } else if (!sent && (signal == SIGNAL_SEGV || signal == SIGNAL_BUS) && is_inlined(saved->pc)) {
        atomc_report_crash_at(signal, atomc_original_of(saved->pc, 0));
    } else {
        note_fault_place(saved, sent ? NO_FAULT : fault_of(signal, saved), 1);
        keep_registers(saved);
        if (!sent && (signal == SIGNAL_SEGV || signal == SIGNAL_BUS))
            keep_fault(saved);
        atomc_upcalls.end_program(-signal);
    }
    die_on_return(signal, sent, saved);
}

/* A copy that may be moved forward: inserted code may then store where the kernel has put its frame.
 */
static struct saved_context *copy_context(const struct arrival *arrival) {
    *arrival->enter = *arrival->saved;
    return arrival->enter;
}

/* Moves the frame to where the program expects it. */
static void place_frame(struct arrival *arrival) {
    long stack_pointer = arrival->saved->registers[30] + moved_at((unsigned long)arrival->saved->pc);
    int wants_stack = (actions[arrival->signal].flags & FLAG_ONSTACK) != 0;
    long moved =
        atomc_place_frame(arrival->frame, arrival->info == 0, stack_pointer, wants_stack) - arrival->frame;
    arrival->frame += moved;
    arrival->context += moved;
    arrival->info += arrival->info ? moved : 0;
    arrival->saved = (struct saved_context *)((char *)arrival->saved + moved);
}

static struct saved_context *enter_handler(const struct arrival *arrival) {
    struct saved_context *enter = arrival->enter;
    long handler = actions[arrival->signal].handler;
    /* The kernel adds to the mask: if it has not, the mask is that of a wait (sigsuspend). */
    long blocked = atomc_blocked();
    int is_waiting = arrival->waits || (arrival->saved->mask & ~arrival->mask) != 0;
    *enter = *arrival->saved;
    arrival->saved->mask |= blocked;
    if (arrival->info) {
        *(long *)((char *)arrival->saved + CONTEXT_MASK) |= blocked;
        *(long *)(arrival->context + UCONTEXT_OLD_MASK) |= blocked;
    }
    atomc_upcalls.stay();
    use_up(arrival->signal);
    enter->pc = copy_of(handler) ? (long)copy_of(handler) : handler;
    enter->mask = atomc_take_mask(arrival->mask | (is_waiting ? 0 : blocked));
    enter->registers[16] = arrival->signal;
    enter->registers[17] = arrival->info;
    enter->registers[18] = arrival->context;
    enter->registers[26] = arrival->restorer;
    enter->registers[27] = handler;
    enter->registers[30] = arrival->frame;
    atomc_check_stack(arrival->frame);
    return enter;
}

/* The analysis code has caused it: the program's handler is not called. */
static void end_by_fault(long signal, struct saved_context *saved) {
    unsigned long pc = (unsigned long)saved->pc;
    int is_full = (signal == SIGNAL_SEGV || signal == SIGNAL_BUS) && is_of_stack(saved);
    if (is_full && !atomc_is_inlined_access(pc))
        atomc_report_full_stack(pc, saved->registers);
    else
        atomc_report_crash(signal, pc, saved->registers);
    die_on_return(signal, 0, saved);
}

/* A replaced procedure returns to the routine that has called it: if its return has no register for a
   lookup, it jumps to the value that it has as its return address (engine/copy/replacements.c). */
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

/* An instruction has caused it: of the program, inserted, or of the analysis side. */
static struct saved_context *take_fault(struct arrival *arrival) {
    struct saved_context *saved = arrival->saved;
    long signal = arrival->signal;
    if (signal == SIGNAL_SEGV && (atomc_takes_count(saved) || atomc_finds_switch(saved)))
        return saved;
    if ((signal == SIGNAL_SEGV || signal == SIGNAL_BUS) && atomc_leave_shortcut(saved))
        return saved; /* it happens there again */
    if ((signal == SIGNAL_SEGV || signal == SIGNAL_BUS) && atomc_is_between(saved) &&
        !moved_at((unsigned long)saved->pc) && atomc_lend_room(saved)) {
        struct saved_context *forward = copy_context(arrival);
        if (atomc_advance(forward) == AT_INSTRUCTION)
            atomc_return_room();
        return forward;
    }
    if (signal == SIGNAL_SEGV && atomc_returns_at((unsigned long)saved->pc)) /* $30 is not a stack there */
        return return_again(arrival);
    if ((signal == SIGNAL_SEGV || signal == SIGNAL_BUS) && atomc_is_between(saved) &&
        atomc_spills_nowhere(saved)) {
        struct saved_context *forward = copy_context(arrival);
        if (atomc_advance(forward) != IN_INSTRUCTION)
            return forward;
        atomc_forget_spills();
    }
    if (signal == SIGNAL_SEGV) {
        long lost;
        unsigned long from = (unsigned long)saved->pc;
        if (atomc_follow_text(saved, &lost)) {
            if (lost)
                atomc_enter_unforeseen(saved, lost);
            atomc_carry_aside(from, saved);
            return saved;
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
            return saved;
        }
        if (there) {
            saved->pc = (long)there;
            atomc_carry_aside(from, saved);
            return saved;
        }
    }
    if (atomc_is_inlined_access((unsigned long)saved->pc)) {
        end_by_fault(signal, saved);
        return saved;
    }
    if (finish_read(signal, saved) || (signal == SIGNAL_SEGV && atomc_finish_lookup(saved)))
        return saved;
    if (is_inlined(saved->pc))
        release_inlined_lock();
    if (is_analysis_fault(saved)) {
        end_by_fault(signal, saved);
        return saved;
    }
    if (has_handler(signal) && !(atomc_blocked() & SIGNAL_BIT(signal))) {
        place_frame(arrival);
        saved = arrival->saved;
        enum fault fault = fault_of(signal, saved);
        note_fault_place(saved, fault, 1);
        show_original(saved, fault, arrival->info ? (long *)arrival->info + 2 : 0, 0);
        atomc_show_word((unsigned long)saved->pc - (fault == FAULT_BEFORE ? 4 : 0));
        return enter_handler(arrival);
    }
    if (actions[signal].handler == HANDLER_IGNORE)
        die_on_return(signal, 0, saved); /* a fault cannot be ignored */
    else
        end_by_default_signal(signal, 0, saved);
    return saved;
}

/* An analysis routine does not return, and a signal requests the end of the program. */
static void end_stuck(long signal, struct saved_context *saved) {
    atomc_report_stuck(signal, (unsigned long)saved->pc, saved->registers);
    die_on_return(signal, 1, saved);
}

/* True if the analysis code's C library has sent it to the thread itself, by a system call. */
static int is_abort(const struct arrival *arrival) {
    const struct saved_context *saved = arrival->saved;
    return arrival->signal == SIGNAL_ABRT && atomc_is_private((unsigned long)saved->pc) &&
           ((const uint32_t *)saved->pc)[-1] == ALPHA_PAL_CALLSYS && saved->registers[16] == process_id() &&
           saved->registers[18] == SIGNAL_ABRT;
}

/* If rows were written for each of a fast series of signals, the program would get no time. So signals that
   arrive meanwhile have no rows, nor have those within an equal time afterwards. */
static struct {
    int waits; /* a signal has arrived while the last rows were written */
    /* nanoseconds: the end of the program's turn; 0: none arrived while the last rows were written */
    long until;
} after_rows[SIGNALS];

void atomc_signals_after_fork(void) {
    forks_before++;
    for (long signal = 1; signal < SIGNALS; signal++)
        after_rows[signal].waits = 0, after_rows[signal].until = 0;
}

static long nanoseconds_now(void) {
    long time[2] = {0, 0};
    RAW(CALL_clock_gettime, 1 /* CLOCK_MONOTONIC */, time, 0, 0, 0, 0);
    return time[0] * 1000000000 + time[1];
}

static int is_pending(long signal) {
    long pending = 0;
    RAW(CALL_rt_sigpending, &pending, 8, 0, 0, 0, 0);
    return (pending & SIGNAL_BIT(signal)) != 0;
}

/* One may be pending for the process and one for the thread. */
static int has_rows_already(long signal) {
    if (!after_rows[signal].waits && nanoseconds_now() >= after_rows[signal].until)
        return 0;
    after_rows[signal].waits = is_pending(signal);
    return 1;
}

/* Writes the reports of this signal, with the counts at that instruction of the program. The thread's
   position is recorded while it waits for its turn. */
static void report_on(long signal, struct saved_context *saved) {
    if (!is_report_signal(signal) || !atomc_after_stack || atomc_is_ending || atomc_is_vfork_child())
        return;
    if (has_rows_already(signal))
        return;
    long began = nanoseconds_now();
    int threaded = atomc_threaded;
    stay_for_rows(saved);
    note_fault_place(saved, NO_FAULT, 1);
    if (threaded)
        atomc_hold_threads(HOLD_MOMENT);
    call_on_own_stack(atomc_report_on_signal, signal);
    after_rows[signal].waits = is_pending(signal);
    after_rows[signal].until = after_rows[signal].waits ? 2 * nanoseconds_now() - began : 0;
    if (threaded)
        atomc_free_threads();
    note_fault_place(saved, NO_FAULT, -1);
}

/* The signal is from outside, and arrives at any instruction. */
static struct saved_context *take_sent(struct arrival *arrival) {
    struct saved_context *saved = arrival->saved;
    long signal = arrival->signal;
    if (!atomc_find_info(signal, (void *)arrival->info))
        return saved;
    if (signal == SIGNAL_SEGV || signal == SIGNAL_BUS) {
        int is_timer = 0;
        long stuck = atomc_end_patience((const int *)arrival->info, &is_timer);
        if (stuck)
            end_stuck(stuck, saved);
        if (stuck || is_timer)
            return saved;
    }
    if (is_fault_signal(signal) && !atomc_waits_for(signal, saved) &&
        atomc_hold_signal(signal, (const void *)arrival->info))
        return saved;
    arrival->waits = atomc_is_waiting(saved);
    if (is_abort(arrival)) {
        atomc_report_abort((unsigned long)saved->pc, saved->registers);
        die_on_return(signal, 1, saved);
        return saved;
    }
    struct saved_context *forward = copy_context(arrival);
    switch (atomc_advance(forward)) {
    case DEFERRED:
        atomc_find_oldest(signal, (void *)arrival->info);
        forward->mask |= SIGNAL_BIT(signal); /* also if it is the number of a fault */
        atomc_send_first(signal, (const void *)arrival->info);
        return forward;
    case NOT_DEFERRED:
        if (atomc_patience_ends(signal))
            end_stuck(signal, forward);
        else
            atomc_come_again(signal, (const void *)arrival->info);
        return forward;
    default:
        atomc_find_oldest(signal, (void *)arrival->info);
    }
    if (has_handler(signal) && atomc_is_ending)
        return forward;
    if (has_handler(signal) &&
        /* it is redelivered there immediately, with its frame on the right stack */
        forward->pc != saved->pc) {
        atomc_send_first(signal, (const void *)arrival->info);
        return forward;
    }
    report_on(signal, forward);
    if (has_handler(signal)) {
        place_frame(arrival);
        saved = arrival->saved;
        gate_again(saved);
        note_fault_place(saved, NO_FAULT, 1);
        show_interrupted(saved);
        return enter_handler(arrival);
    }
    if (actions[signal].handler != HANDLER_IGNORE && ends_process(signal) && !is_report_signal(signal))
        end_by_default_signal(signal, 1, forward);
    return forward;
}

/* The entry for another signal has been interrupted, before it has blocked this one: that one continues,
   with its own mask. */
static int is_at_entry(const struct arrival *arrival) {
    struct saved_context *saved = arrival->saved;
    const uint32_t *pc = (const uint32_t *)saved->pc;
    long signal = arrival->signal;
    if (pc < atomc_signal_entry || pc >= atomc_entry_blocked)
        return 0;
    if (pc < atomc_signal_entry + 1)
        saved->registers[9] = saved->registers[16];
    if (pc < atomc_signal_entry + 2)
        saved->registers[10] = saved->registers[17];
    saved->registers[2] = saved->mask;
    saved->pc = (long)atomc_entry_known;
    saved->mask = ~FAULT_SIGNALS | SIGNAL_BIT(signal);
    if (atomc_image.stops && signal == STOP_SIGNAL)
        atomc_send_again(signal, (const void *)arrival->info);
    else if (atomc_find_info(signal, (void *)arrival->info))
        atomc_send_first(signal, (const void *)arrival->info);
    return 1;
}

/* An instruction executed for the program (stepping.c) has trapped, which is reported there. A signal of
   the same number that was sent at the same time is redelivered. */
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

/* The kernel has entered entry.S. Returns the context in which execution continues. `context`: a ucontext
   if `info` is set; with 0, a sigcontext. */
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
        stop_here(copy_context(&arrival));
    else
        next = sent ? take_sent(&arrival) : take_fault(&arrival);
    begin_call_again(next);
    return next;
}
