/* deferral.c: deferral of signals: a signal that arrives during inserted code is delivered at the program's
   next instruction. Inserted code is executed step by step up to this instruction. The analysis side
   continues by itself with all signals blocked, and returns to one of the entries of entry.S, which leads
   here. Compiled without floating-point registers. */
#include <string.h>

#include "runtime/counts/counts.h"
#include "runtime/signals/internal.h"
#include "runtime/threads/threads.h"
#include "runtime/text/text.h"

enum {
    WALKS = 8,
    MOST_STEPS = 100000,
    STEPS_IN_ROUTINE = 64, /* between two searches for its return address */
};

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
        atomc_deferrals[i].thread = atomc_deferrals[i].thread == parent ? thread : 0;
}

/* A routine that blocks signals, and then sets the mask of before, may have done so while a signal was
   deferred: all signals were blocked, and now they are not. What it has set is the program's mask, without
   those that it had blocked. All are blocked here; an emulator does not have all of them. */
static void note_mask(long mask) {
    const long all = atomc_deferral_mask() & ~UNCERTAIN_BITS & atomc_kernel_mask();
    long *deferred = atomc_deferred_mask();
    if (deferred && (mask & all) != all)
        *deferred = mask;
}

/* The routine at the context's pc will return to an entry of entry.S. */
static int defer_to_entry(struct saved_context *context) {
    struct walk_slot *slot = take_slot();
    struct atomc_return found;
    int state = atomc_find_return(context, &slot->walk, &found);
    give_slot(slot);
    if (state == FOUND_DELIVERY) {
        note_mask(context->mask);
        context->mask = atomc_deferral_mask();
        return DEFERRED;
    }
    struct atomc_deferral *deferral = state == FOUND_RETURN ? atomc_take_deferral() : 0;
    if (!deferral)
        return NOT_DEFERRED;
    long entry = atomc_entry_of(deferral);
    deferral->target = found.target;
    deferral->signal = 0;
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
           (is_system_call_word(code[0]) || is_system_call_word(code[-1]));
}

/* True if the context is in a springboard, outside of the copies. The program itself has no address in the
   copies. */
static int is_in_springboard(const struct saved_context *context) {
    return atomc_is_in_copies(atomc_springboard_target(context));
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

/* A routine has returned to an entry of entry.S; `link`: the address after the entry. */
void atomc_returned(const struct saved_context *saved, unsigned long link, struct saved_context *context) {
    long entry = (long)link - RETURN_ENTRY_BYTES;
    struct atomc_deferral *deferral = atomc_deferral_of((unsigned long)entry);
    const long all = atomc_deferral_mask();
    long mask = 0;
    RAW(CALL_rt_sigprocmask, ADD_MASK, &all, &mask, 8, 0, 0);
    note_mask(mask);
    *context = *saved;
    for (unsigned reg = 0; reg < STACK_REGISTER; reg++)
        if (context->registers[reg] == entry)
            context->registers[reg] = (long)deferral->target;
    context->pc = (long)deferral->target;
    context->mask = deferral->mask;
    deferral->thread = 0;
    if (atomc_advance(context) == AT_INSTRUCTION)
        atomc_return_room();
}

int atomc_returns_at(unsigned long pc) {
    return pc - (unsigned long)atomc_entries.returns < (unsigned long)ATOMC_DEFERRALS * RETURN_ENTRY_BYTES;
}

void atomc_returned_at(struct saved_context *saved, struct saved_context *context) {
    unsigned long entry = (unsigned long)atomc_entry_of(atomc_deferral_of((unsigned long)saved->pc));
    saved->registers[STACK_REGISTER] += 16; /* the entry has lowered it */
    atomc_returned(saved, entry + RETURN_ENTRY_BYTES, context);
}
