/* shown_contexts.c: handlers of the program receive original addresses in the contexts of signals. When a
   handler returns, execution continues in the copies. The point in the copies that a signal has interrupted
   is recorded for derived counts. Compiled without floating-point registers. */
#include "runtime/counts/counts.h"
#include "runtime/signals/internal.h"
#include "runtime/text/text.h"
#include "runtime/threads/threads.h"

enum {
    SHOWN_BITS = 14, /* contexts, of all threads: 1 << SHOWN_BITS */
    SHOWN = 1 << SHOWN_BITS,
    SHOWN_TRIES = 64, /* slots where each may be */
};

/* Contexts that were changed: on return from the handler, execution continues at the original place, unless
   the handler changed the pc. Found by their addresses. A handler that does not return leaves its context
   here. */
static struct shown {
    struct saved_context *context;
    long original, copy;
    long moved;                       /* distance by which the stack pointer is lower there */
    int fault;                        /* enum fault */
    int forks;                        /* forks_before, when it was changed */
    long kept[SITE_FRAME_KEPT_WORDS]; /* contents of SITE_FRAME at the interruption, because the handler's
                                         sites use SITE_FRAME too */
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

/* If the table is full, replaces a context that is probably abandoned. */
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

long atomc_moved_at(unsigned long address) {
    const uint32_t *moved = (const uint32_t *)atomc_image.moved;
    for (unsigned long i = 0; i < atomc_image.moved_count; i++)
        if (moved[i] == address)
            return (long)atomc_image.moved_by;
    return 0;
}

void atomc_prepare_shown_contexts(void) {
    atomc_prepare_records(SHOWN);
}

void atomc_contexts_after_fork(void) {
    forks_before++;
}

enum fault atomc_fault_of(long signal, const struct saved_context *saved) {
    unsigned long pc = (unsigned long)saved->pc;
    long original = atomc_text_address(pc) ? 0 : atomc_original_of(pc - 4, 0);
    if ((signal != SIGNAL_FPE && signal != SIGNAL_TRAP && signal != SIGNAL_ILL) || !original)
        return FAULT_AT;
    uint32_t word = ((const uint32_t *)pc)[-1]; /* the instruction, or code that was inserted ahead of it */
    return (ILL_TRAPS_BEHIND(signal) || atomc_traps_behind(word)) && word == atomc_original_word(original)
               ? FAULT_BEFORE
               : FAULT_AT;
}

/* `executed`: control has moved from the instruction to the next one. Code inserted between the two
   instructions has not been reached yet. */
void atomc_show_original(struct saved_context *saved, enum fault fault, long *fault_address, int executed) {
    long copy = saved->pc, twin = atomc_text_address((unsigned long)copy);
    long original = twin ? twin : atomc_original_of(fault == FAULT_BEFORE ? copy - 4 : copy, 0);
    executed |= fault == FAULT_BEFORE;
    if (!original)
        return;
    original += executed ? 4 : 0;
    struct shown *as_shown = find_or_take_shown(saved);
    as_shown->original = original;
    as_shown->copy = copy;
    as_shown->fault = fault;
    as_shown->forks = forks_before;
    as_shown->moved = atomc_moved_at((unsigned long)copy);
    copy_kept(as_shown->kept, (const long *)(SITE_FRAME + SITE_FRAME_KEPT));
    atomc_keep_records((unsigned long)(as_shown - shown));
    saved->pc = original;
    saved->registers[STACK_REGISTER] += as_shown->moved;
    if (fault_address && *fault_address == copy)
        *fault_address = original;
}

/* At a system call, or just after it: the call has been executed, and no inserted code is active. */
static int in_system_call(unsigned long pc) {
    const uint32_t *code = (const uint32_t *)pc;
    return atomc_at_system_call(pc) && (is_system_call_word(code[0]) || is_plain_branch(code[0]));
}

/* times = 1: execution may never continue there; -1: execution continues there. */
void atomc_note_place(const struct saved_context *saved, enum fault fault, int times) {
    unsigned long pc = saved->pc;
    if (fault == FAULT_BEFORE) {
        atomc_note_stop(&atomc_image, pc - 4, ATOMC_STOP_FAULT, times, saved->registers, atomc_records());
        return;
    }
    if (in_system_call(pc))
        return;
    /* Code of a site after a system call: the call is the last instruction that was executed. */
    int executed = !fault && atomc_at_system_call(pc) && !is_system_call_word(*(const uint32_t *)pc);
    enum atomc_stop stop = fault ? ATOMC_STOP_FAULT : executed ? ATOMC_STOP_BEHIND : ATOMC_STOP_BEFORE;
    atomc_note_stop(&atomc_image, executed ? pc - 4 : pc, stop, times, saved->registers, atomc_records());
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
void atomc_begin_call_again(const struct saved_context *saved) {
    if (atomc_waits && atomc_call_waits((unsigned long)saved->pc))
        atomc_begin_call();
}

/* The handler returns: the call is made here, because no signal may arrive between the record and the
   kernel's action. */
void atomc_leave_handler(const long *registers) {
    struct saved_context *saved = (struct saved_context *)SIGRETURN_FRAME(registers);
    long *mask = &saved->mask;
    if (registers[NUMBER_REGISTER] == CALL_rt_sigreturn) {
        atomc_before_sigreturn(SIGRETURN_FRAME(registers));
        saved = (struct saved_context *)(SIGRETURN_FRAME(registers) + FRAME_UCONTEXT + UCONTEXT_REGISTERS);
        mask = (long *)((char *)saved + CONTEXT_MASK);
    }
    int found = 0;
    enum fault fault = NO_FAULT;
    block_all_signals();
    atomc_after_handler(saved);
    atomc_forget_deferral();
    struct shown *as_shown = find_shown(saved);
    if (as_shown) {
        copy_kept((long *)(SITE_FRAME + SITE_FRAME_KEPT),
                  as_shown->kept); /* this holds also if the handler continues nearby */
        atomc_restore_records((unsigned long)(as_shown - shown));
        if (as_shown->original == saved->pc) {
            saved->pc = as_shown->copy;
            fault = (enum fault)as_shown->fault;
            saved->registers[STACK_REGISTER] -= as_shown->moved;
            found = 1;
        }
        as_shown->context = 0;
    } else {
        atomc_set_aside(saved);
    }
    /* The program has made or changed the context itself: its pc is the target of a jump, to which control
       arrives from outside, or it is in the middle of a block. */
    unsigned long copy = found ? 0 : copy_of(saved->pc);
    int is_foreseen = copy && !(map_word(saved->pc) & MAP_UNFORESEEN);
    if (!found && !(as_shown && copy && atomc_in_same_block(&atomc_image, as_shown->copy, copy)))
        atomc_clear_records();
    else if (as_shown && as_shown->forks != forks_before)
        renew_cells(found ? (unsigned long)saved->pc - (fault == FAULT_BEFORE ? 4 : 0) : copy, fault);
    *mask = atomc_take_mask(*mask);
    atomc_check_stack(saved->registers[STACK_REGISTER]);
    if (is_foreseen)
        saved->pc = (long)copy;
    else if (copy)
        atomc_go_on_unforeseen(saved);
    else
        atomc_note_place(saved, fault, -1);
    atomc_begin_call_again(saved);
    MAKE_SIGRETURN(registers, saved);
}

/* The program receives the address of its own instruction. For a waiting thread this is the address after the
   system call. */
void atomc_show_interrupted(struct saved_context *saved) {
    unsigned long pc = (unsigned long)saved->pc;
    int executed =
        atomc_at_system_call(pc) && !is_system_call_word(*(const uint32_t *)pc) && !atomc_begins_copy(pc);
    atomc_show_original(saved, NO_FAULT, 0, executed);
}
