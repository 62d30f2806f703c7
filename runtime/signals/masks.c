/* masks.c: the program's signal masks. The kernel never blocks signals that the runtime needs: SIGSEGV and
   SIGBUS, by which control returns to the copies (signals.c), and the signal for stops (threads.c). For each
   thread it is recorded here whether the program blocks SIGSEGV or SIGBUS; a signal that is sent while it is
   blocked is queued here. Compiled without floating-point registers. */
#include <errno.h>
#include <signal.h>
#include <string.h>

#include "runtime/signals/internal.h"
#include "runtime/threads/threads.h"

enum { KNOWN = 1, INFO = 128 /* bytes of a siginfo_t */ };
static const long held_signals[] = {SIGBUS, SIGSEGV OTHER_HELD_SIGNALS};
enum { HELD_SIGNALS = sizeof held_signals / sizeof *held_signals };

/* Indexed by the number of the thread's stack. */
static struct {
    long blocked; /* bits of HELD_BITS; KNOWN: the mask is valid; otherwise the mask is inherited */
    struct {
        int waits, has_info;
        char info[INFO];
    } sent[HELD_SIGNALS];
    /* The last wait with another mask, for signals that are blocked otherwise. */
    unsigned long wait_place; /* the address of its callsys; 0: the thread has not made the call */
    long wait_mask;
} masks[SIGNAL_STACKS + 1];
static long inherited; /* used by threads without a valid mask */
static int are_used;   /* some thread has blocked them */

/* -1: there are too many threads. Then the kernel blocks the signals that the program blocks. */
static int number_of_mask(int take) {
    return atomc_signal_thread_number(take);
}

long atomc_blocked(void) {
    int number = are_used ? number_of_mask(0) : -1;
    if (!are_used)
        return 0;
    return number >= 0 && masks[number].blocked & KNOWN ? masks[number].blocked & ~(long)KNOWN : inherited;
}

void atomc_forget_mask(int number) {
    memset(&masks[number], 0, sizeof masks[number]);
}

void atomc_move_mask(int from, int to) {
    if (from == to)
        return;
    masks[to] = masks[from];
    atomc_forget_mask(from);
}

void atomc_inherit_mask(void) {
    inherited = atomc_blocked();
}

/* Signals that were sent and are no longer blocked are redelivered, once the kernel's mask allows it. */
static int send_held(int number) {
    int sent = 0;
    for (int i = 0; i < HELD_SIGNALS; i++)
        if (masks[number].sent[i].waits && !(masks[number].blocked & SIGNAL_BIT(held_signals[i]))) {
            masks[number].sent[i].waits = 0;
            atomc_send_again(held_signals[i],
                             masks[number].sent[i].has_info ? masks[number].sent[i].info : 0);
            sent = 1;
        }
    return sent;
}

void atomc_let_in(void) {
    const long bits = HELD_BITS;
    RAW(CALL_rt_sigprocmask, SIG_UNBLOCK, &bits, 0, 8, 0, 0);
}

int atomc_set_blocked(long bits) {
    if (!bits && !are_used)
        return IS_SET;
    int number = number_of_mask(1);
    if (number < 0)
        return NO_PLACE;
    are_used = 1;
    masks[number].blocked = bits | KNOWN;
    return send_held(number) ? HAS_SENT : IS_SET;
}

long atomc_take_mask(long mask) {
    mask &= atomc_image.stops ? ~STOP_BIT : -1L;
    return atomc_set_blocked(mask & HELD_BITS) != NO_PLACE ? mask & ~HELD_BITS : mask;
}

int atomc_hold_signal(long signal, const void *info) {
    int number = atomc_blocked() & SIGNAL_BIT(signal) ? number_of_mask(1) : -1;
    for (int i = 0; number >= 0 && i < HELD_SIGNALS; i++) {
        if (held_signals[i] != signal)
            continue;
        if (!masks[number].sent[i].waits && info)
            memcpy(masks[number].sent[i].info, info, INFO);
        masks[number].sent[i].has_info = info != 0;
        masks[number].sent[i].waits = 1;
        return 1;
    }
    return 0;
}

/* ---- waits with another mask ----------------------------------------------------------------------------------- */

/* The mask with which sigsuspend and the like wait. Returns false if the call has no such mask. */
static int find_wait_mask(const long *registers, long *mask) {
    const long *a = registers + FIRST_ARGUMENT;
    const long *place = 0;
    switch (registers[NUMBER_REGISTER]) {
    case CALL_sigsuspend:
        *mask = a[0];
        return 1;
    case CALL_rt_sigsuspend:
        place = a[1] == 8 ? (const long *)a[0] : 0;
        break;
    case CALL_ppoll:
        place = a[4] == 8 ? (const long *)a[3] : 0;
        break;
    case CALL_pselect6:
        if (a[5] && atomc_is_readable(a[5]) && atomc_is_readable(a[5] + 8) && ((const long *)a[5])[1] == 8)
            place = (const long *)((const long *)a[5])[0];
        break;
    case CALL_epoll_pwait:
    case CALL_epoll_pwait2:
        place = a[5] == 8 ? (const long *)a[4] : 0;
        break;
    default:
        return 0;
    }
    if (!place || !atomc_is_readable((long)place))
        return 0;
    *mask = *place;
    return 1;
}

/* A queued signal that is blocked otherwise is delivered when the kernel applies that mask. */
void atomc_wait_with_mask(const long *registers, unsigned long place) {
    long mask, blocked = atomc_blocked() & HELD_BITS;
    int number = blocked ? number_of_mask(1) : -1;
    if (number < 0 || !find_wait_mask(registers, &mask))
        return;
    masks[number].wait_place = place;
    masks[number].wait_mask = mask;
    for (int i = 0; i < HELD_SIGNALS; i++)
        if (masks[number].sent[i].waits && !(mask & SIGNAL_BIT(held_signals[i]))) {
            masks[number].sent[i].waits = 0;
            atomc_send_again(held_signals[i],
                             masks[number].sent[i].has_info ? masks[number].sent[i].info : 0);
        }
}

int atomc_is_waiting(const struct saved_context *context) {
    int number = are_used ? number_of_mask(0) : -1;
    return number >= 0 && masks[number].wait_place &&
           (unsigned long)context->pc == masks[number].wait_place + 4 && has_error(context->registers, EINTR);
}

/* A signal that arrives just before the wait ends it. */
int atomc_waits_for(long signal, struct saved_context *context) {
    int number = are_used ? number_of_mask(0) : -1;
    if (number < 0 || !masks[number].wait_place || masks[number].wait_mask & SIGNAL_BIT(signal))
        return 0;
    if ((unsigned long)context->pc == masks[number].wait_place) {
        context->pc += 4;
        set_error(context->registers, EINTR);
    }
    return atomc_is_waiting(context);
}

/* ---- what waits ------------------------------------------------------------------------------------------------ */

long atomc_held_signals(void) {
    int number = are_used ? number_of_mask(0) : -1;
    long bits = 0;
    for (int i = 0; number >= 0 && i < HELD_SIGNALS; i++)
        bits |= masks[number].sent[i].waits ? SIGNAL_BIT(held_signals[i]) : 0;
    return bits;
}

long atomc_take_held(long signals, void *info) {
    int number = are_used ? number_of_mask(0) : -1;
    for (int i = 0; number >= 0 && i < HELD_SIGNALS; i++)
        if (masks[number].sent[i].waits && signals & SIGNAL_BIT(held_signals[i])) {
            masks[number].sent[i].waits = 0;
            if (info && masks[number].sent[i].has_info)
                memcpy(info, masks[number].sent[i].info, INFO);
            return held_signals[i];
        }
    return 0;
}

void atomc_masks_after_fork(void) {
    int number = are_used ? number_of_mask(0) : -1;
    for (int i = 0; number >= 0 && i < HELD_SIGNALS; i++) /* queued signals belong to the parent */
        masks[number].sent[i].waits = 0;
}

void atomc_prepare_masks(void) {
    long mask = 0;
    RAW(CALL_rt_sigprocmask, 0, 0, &mask, 8, 0, 0);
    if (!(mask & HELD_BITS))
        return;
    inherited = mask & HELD_BITS;
    are_used = 1;
    RAW(CALL_rt_sigprocmask, SIG_UNBLOCK, &inherited, 0, 8, 0, 0);
}
