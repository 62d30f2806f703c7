/* deferral.c: deferral of signals: a signal that arrives during inserted code is delivered at the program's
   next instruction. Inserted code is executed step by step up to there. The analysis side continues by
   itself with all signals blocked, and returns to one of the entries of entry.S, which leads here. Compiled
   without floating-point registers. */
#include <string.h>

#include "runtime/counts/counts.h"
#include "runtime/signals/signals.h"
#include "runtime/threads/threads.h"
#include "runtime/text/text.h"

enum {
    WALKS = 8,
    MOST_STEPS = 100000,
    STEPS_IN_ROUTINE = 64,   /* between two searches for its return address */
    LONGEST_SPRINGBOARD = 8, /* words */
    PATIENCE = 5,            /* seconds */
    PATIENCE_AT_END = 30,    /* while results are written */
    SI_TIMER = -2,
    VALUE_OFFSET = 24, /* in siginfo_t, of si_value */
    ENTRY_BYTES = 16,  /* of each entry in entry.S */
};

/* A thread's: there is one at a time in each. */
static struct deferral {
    long thread; /* 0: free */
    unsigned long target;
    long mask; /* the program's */
    /* the first signal by which somebody ends the program; seconds; 0: none has arrived */
    long signal, since;
} deferrals[ATOMC_DEFERRALS +
            1]; /* one more, so that the address after the last does not belong to another variable */

/* ---- memory to walk in, which is too large for a small stack of signal handlers ------------------------------- */

static struct walk_slot {
    int used;
    struct atomc_walk walk;
} slots[WALKS + 1];

static struct walk_slot *take_slot(void) {
    for (;;) {
        for (int i = 0; i < WALKS; i++)
            if (__sync_bool_compare_and_swap(&slots[i].used, 0, 1))
                return &slots[i];
        RAW(CALL_sched_yield, 0, 0, 0, 0, 0, 0);
    }
}

static void give_slot(struct walk_slot *slot) {
    __sync_lock_release(&slot->used);
}

/* ---- deferrals ------------------------------------------------------------------------------------------------ */

void atomc_deferrals_after_fork(long parent) {
    long thread = RAW(CALL_gettid, 0, 0, 0, 0, 0, 0);
    for (int i = 0; i < WALKS; i++)
        slots[i].used = 0;
    for (int i = 0; i < ATOMC_DEFERRALS; i++)
        deferrals[i].thread = deferrals[i].thread == parent ? thread : 0;
}

static struct deferral *own_deferral(void) {
    long thread = RAW(CALL_gettid, 0, 0, 0, 0, 0, 0);
    for (int i = 0; i < ATOMC_DEFERRALS; i++)
        if (deferrals[i].thread == thread)
            return &deferrals[i];
    return 0;
}

/* A deferral whose thread left the analysis side in another way is still in the table, and is reused. */
static struct deferral *take_deferral(void) {
    long thread = RAW(CALL_gettid, 0, 0, 0, 0, 0, 0);
    struct deferral *own = own_deferral();
    for (int i = 0; i < ATOMC_DEFERRALS && !own; i++)
        if (__sync_bool_compare_and_swap(&deferrals[i].thread, 0, thread))
            own = &deferrals[i];
    return own;
}

void atomc_forget_deferral(void) {
    long thread = RAW(CALL_gettid, 0, 0, 0, 0, 0, 0);
    for (int i = 0; i < ATOMC_DEFERRALS; i++)
        if (deferrals[i].thread == thread)
            deferrals[i].thread = 0;
}

int atomc_is_delivery(unsigned long pc) {
    return pc >= (unsigned long)atomc_returns && pc < (unsigned long)atomc_returns_end;
}

unsigned long atomc_return_address(unsigned long link) {
    return atomc_is_delivery(link) ? deferrals[(link - (unsigned long)atomc_returns) / ENTRY_BYTES].target
                                   : link;
}

int atomc_is_private(unsigned long pc) {
    return is_in_image(pc) || (pc >= LAYOUT_WRAPPERS && pc < LAYOUT_COPIES);
}

long atomc_deferral_mask(void) {
    return ~FAULT_SIGNALS & ~(atomc_image.stops ? STOP_BIT : 0);
}

long *atomc_deferred_mask(void) {
    struct deferral *own = own_deferral();
    return own ? &own->mask : 0;
}

/* The routine at the context's pc will return to an entry of entry.S. */
static int defer_to_entry(struct saved_context *context) {
    struct walk_slot *slot = take_slot();
    struct atomc_return found;
    int state = atomc_find_return(context, &slot->walk, &found);
    give_slot(slot);
    if (state == FOUND_DELIVERY)
        return DEFERRED;
    struct deferral *deferral = state == FOUND_RETURN ? take_deferral() : 0;
    if (!deferral)
        return NOT_DEFERRED;
    long entry = (long)atomc_returns + (deferral - deferrals) * ENTRY_BYTES;
    deferral->target = found.target;
    deferral->since = 0;
    deferral->mask = context->mask;
    if (found.slot)
        *found.slot = entry;
    else
        context->registers[found.reg] = entry;
    context->mask = atomc_deferral_mask();
    return DEFERRED;
}

/* ---- forward to the program's next instruction ------------------------------------------------------------------- */

int atomc_at_system_call(unsigned long pc) {
    const uint32_t *code = (const uint32_t *)pc;
    return pc > atomc_image.copies && pc < atomc_image.copies_end &&
           (code[0] == ALPHA_PAL_CALLSYS || code[-1] == ALPHA_PAL_CALLSYS);
}

static int read_program_word(unsigned long address, uint32_t *word) {
    long quad;
    if (address & 3 || !atomc_try_load(address & ~7UL, &quad))
        return 0;
    *word = (uint32_t)((uint64_t)quad >> 8 * (address & 4));
    return 1;
}

/* True if the context is in a springboard, outside of the copies: an address in the copies is computed, and
   jumped to; $28 may be stored before. The program itself has no such address. */
static int is_in_springboard(const struct saved_context *context) {
    long registers[32];
    uint32_t word;
    for (unsigned reg = 0; reg < 32; reg++)
        registers[reg] = reg == ALPHA_ZERO ? 0 : context->registers[reg];
    for (unsigned long pc = (unsigned long)context->pc, i = 0; i < LONGEST_SPRINGBOARD; i++, pc += 4) {
        if (!read_program_word(pc, &word))
            return 0;
        unsigned ra = alpha_ra(word), rb = alpha_rb(word);
        long displacement = alpha_memory_displacement(word);
        if (ALPHA_IS(word, JMP))
            return ra == ALPHA_ZERO && atomc_is_in_copies((unsigned long)registers[rb]);
        if (ra == ALPHA_ZERO)
            return 0;
        if (ALPHA_IS(word, LDA))
            registers[ra] = registers[rb] + displacement;
        else if (ALPHA_IS(word, LDAH))
            registers[ra] = registers[rb] + 65536 * displacement;
        else if (!ALPHA_IS(word, STQ) || ra != ALPHA_AT || rb != ALPHA_SP)
            return 0;
    }
    return 0;
}

/* A return address that cannot be found may be found some instructions later, for instance after a jump
   through a table. */
static int defer_or_step(struct atomc_stepper *stepper) {
    for (int more = STEPS_IN_ROUTINE; more <= MOST_STEPS; more *= 2) {
        if (defer_to_entry(stepper->context) == DEFERRED)
            return DEFERRED;
        for (int steps = 0; steps < more; steps++) {
            if (!atomc_step(stepper))
                return NOT_DEFERRED;
            if (!atomc_is_private((unsigned long)stepper->context->pc))
                return AT_INSTRUCTION;
        }
    }
    return NOT_DEFERRED;
}

/* True if the pc is neither in the analysis side nor at an instruction of the program. */
static int is_inserted(const struct saved_context *context) {
    unsigned long pc = (unsigned long)context->pc;
    int is_new = atomc_is_in_copies(pc) || atomc_in_stub(pc) || is_in_springboard(context);
    int is_instruction = atomc_begins_copy(pc) && !atomc_end_is_waited_for(pc);
    return is_new && !is_instruction && !atomc_at_system_call(pc) && !atomc_at_transfer_trap(pc) &&
           !atomc_is_private(pc);
}

int atomc_is_between(const struct saved_context *context) {
    return atomc_is_private((unsigned long)context->pc) || is_inserted(context);
}

/* Even where it spills below a $30 that is not a stack. */
static int step_inserted(struct atomc_stepper *stepper) {
    return atomc_step(stepper) || (atomc_spills_nowhere(stepper->context) && atomc_step(stepper)) ||
           atomc_takes_count(stepper->context) || atomc_finds_switch(stepper->context);
}

static int advance_context(struct saved_context *context) {
    struct atomc_stepper stepper = {.context = context};
    for (int steps = 0; steps < MOST_STEPS; steps++) {
        if (atomc_is_private((unsigned long)context->pc)) {
            int state = defer_or_step(&stepper);
            if (state != AT_INSTRUCTION)
                return state;
        }
        if (!is_inserted(context))
            return AT_INSTRUCTION;
        atomc_return_room_at((unsigned long)context->pc);
        if (!step_inserted(&stepper))
            return atomc_leave_shortcut(context) || atomc_finish_lookup(context) ? AT_INSTRUCTION
                                                                                 : IN_INSTRUCTION;
    }
    return IN_INSTRUCTION;
}

int atomc_advance(struct saved_context *context) {
    int state = advance_context(context);
    if (state == AT_INSTRUCTION)
        atomc_forget_spills();
    return state;
}

/* A routine has returned to an entry of entry.S; `link`: the address after it. Execution continues in
   `context`: the saved context may be where inserted code has its next frame. */
void atomc_returned(const struct saved_context *saved, unsigned long link, struct saved_context *context) {
    long entry = (long)link - ENTRY_BYTES;
    struct deferral *deferral = &deferrals[(entry - (long)atomc_returns) / ENTRY_BYTES];
    *context = *saved;
    for (unsigned reg = 0; reg < 30; reg++)
        if (context->registers[reg] == entry)
            context->registers[reg] = (long)deferral->target;
    context->pc = (long)deferral->target;
    context->mask = deferral->mask;
    deferral->thread = 0;
    if (atomc_advance(context) == AT_INSTRUCTION)
        atomc_return_room();
}

int atomc_returns_at(unsigned long pc) {
    return pc - (unsigned long)atomc_returns < (unsigned long)ATOMC_DEFERRALS * ENTRY_BYTES;
}

void atomc_returned_at(struct saved_context *saved, struct saved_context *context) {
    unsigned long number = ((unsigned long)saved->pc - (unsigned long)atomc_returns) / ENTRY_BYTES;
    saved->registers[ALPHA_SP] += 16; /* the entry has lowered it */
    atomc_returned(saved, (unsigned long)atomc_returns + (number + 1) * ENTRY_BYTES, context);
}

/* ---- patience -------------------------------------------------------------------------------------------------- */

static long monotonic_time(void) {
    long time[2] = {0, 0};
    RAW(CALL_clock_gettime, 1 /* CLOCK_MONOTONIC */, time, 0, 0, 0, 0);
    return time[0] + 1;
}

/* A signal that is not blocked, and whose sender is known; 0: there is none. */
static int patience_signal(void) {
    return atomc_sender_is_known(SIGNAL_SEGV)  ? SIGNAL_SEGV
           : atomc_sender_is_known(SIGNAL_BUS) ? SIGNAL_BUS
                                               : 0;
}

/* It is sent when the timeout expires. A child of fork does not have its parent's timer. It goes to the
   first thread: for a signal to the process, the kernel could choose a thread of an emulator, which would
   crash. */
static void set_timer(void) {
    static struct atomc_timer timer;
    static const long when[4] = {0, 0, PATIENCE, 0};
    long signal = patience_signal();
    if ((timer.signal != signal || !atomc_set_timer(&timer, when)) &&
        atomc_make_timer(&timer, signal, process_id(), deferrals))
        atomc_set_timer(&timer, when);
}

static int is_deferral_over(const struct deferral *deferral) {
    return deferral->thread && deferral->since && monotonic_time() - deferral->since >= PATIENCE;
}

/* A signal by which people and programs end a hanging program waits for the thread's routine. */
void atomc_begin_patience(long signal) {
    long thread = RAW(CALL_gettid, 0, 0, 0, 0, 0, 0);
    int is_waiting = 0;
    if (!(SIGNAL_BIT(signal) & ENDING_SIGNALS) || !patience_signal())
        return;
    for (int i = 0; i < ATOMC_DEFERRALS; i++) {
        if (deferrals[i].thread == thread && !deferrals[i].since) {
            deferrals[i].signal = signal;
            deferrals[i].since = monotonic_time();
        } else {
            is_waiting |= deferrals[i].thread && deferrals[i].since;
        }
    }
    if (!is_waiting) /* the timer is not set */
        set_timer();
}

long atomc_end_patience(const int *info, int *is_timer) {
    long thread = RAW(CALL_gettid, 0, 0, 0, 0, 0, 0), signal = 0;
    int is_waiting = 0;
    *is_timer =
        info && info[2] == SI_TIMER && *(void *const *)((const char *)info + VALUE_OFFSET) == deferrals;
    for (int i = 0; i < ATOMC_DEFERRALS; i++) {
        if (!is_deferral_over(&deferrals[i]))
            is_waiting |= deferrals[i].thread && deferrals[i].since;
        else if (deferrals[i].thread == thread)
            signal = deferrals[i].signal;
        else if (*is_timer)
            RAW(CALL_tgkill, process_id(), deferrals[i].thread, patience_signal(), 0, 0, 0);
    }
    if (*is_timer && is_waiting)
        set_timer();
    return signal;
}

long atomc_patience(void) {
    return atomc_is_ending ? PATIENCE_AT_END : PATIENCE;
}

int atomc_patience_ends(long signal) {
    /* a signal one millisecond after the previous one is the same one, redelivered */
    static long since, latest;
    long now = monotonic_time();
    if (!(SIGNAL_BIT(signal) & ENDING_SIGNALS))
        return 0;
    if (now - latest > 1)
        since = now;
    latest = now;
    return now - since >= atomc_patience();
}
