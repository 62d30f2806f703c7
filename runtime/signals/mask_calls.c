/* mask_calls.c: the program's system calls that set, show or wait with signal masks. Compiled without
   floating-point registers. */
#include <signal.h>

#include "runtime/signals/internal.h"
#include "runtime/threads/threads.h"

long atomc_kernel_mask(void) {
    long mask = 0;
    RAW(CALL_rt_sigprocmask, 0, 0, &mask, 8, 0, 0);
    return mask;
}

/* Blocks all signals. If a signal is deferred until the gate returns (deferral.c), the kernel's mask differs
   from the program's mask: then returns the address of the program's mask, else 0. A stale deferral blocks
   less. */
static long *block_all_and_get(long *mask) {
    const long all = atomc_deferral_mask();
    RAW(CALL_rt_sigprocmask, SIG_BLOCK, &all, mask, 8, 0,
        0); /* signals that are to be redelivered remain blocked */
    return (*mask | UNCERTAIN_BITS) == (atomc_kernel_mask() | UNCERTAIN_BITS) ? atomc_deferred_mask() : 0;
}

/* The mask that the kernel would have for the calling thread if no signal were deferred. `set`: applied by
   `how` (SIG_BLOCK, ...), unless that is 0. Returns the previous mask. */
static long program_mask(long how, const long *set) {
    long mask = atomc_kernel_mask();
    if (!set && !atomc_deferred_mask())
        return mask;
    long *deferred = block_all_and_get(&mask);
    long before = deferred ? *deferred : mask, after = before;
    if (set)
        after = how == SIG_BLOCK ? before | *set : how == SIG_UNBLOCK ? before & ~*set : *set;
    if (deferred)
        *deferred = after;
    else
        RAW(CALL_rt_sigprocmask, SIG_SETMASK, &after, 0, 8, 0, 0);
    return before;
}

/* The part of the program's mask that is missing in the kernel's mask. The signal for stops is shown as
   blocked if the program blocks the next one too. */
static long shown_only(void) {
    long before = atomc_image.stops ? program_mask(0, 0) : 0;
    return atomc_blocked() | (before & STOP_BIT << 1 ? STOP_BIT : 0);
}

int atomc_change_mask(long *registers) {
    long *a = registers + FIRST_ARGUMENT, how = a[0], mask = 0, result;
    int by_value = registers[NUMBER_REGISTER] == CALL_osf_sigprocmask, asks = by_value || a[2];
    int sets = by_value || a[1];
    if (!by_value && (a[3] != 8 || (a[1] && !atomc_is_readable(a[1]))))
        return 0; /* the kernel reports the error */
    if (sets && how != SIG_BLOCK && how != SIG_UNBLOCK && how != SIG_SETMASK)
        return 0;
    mask = by_value ? a[1] : a[1] ? *(long *)a[1] : 0;
    int state = IS_SET;
    long only = shown_only(), blocked = only & HELD_BITS,
         ours = HELD_BITS | (atomc_image.stops ? STOP_BIT : 0);
    if (sets) {
        long wanted = how == SIG_BLOCK     ? blocked | (mask & HELD_BITS)
                      : how == SIG_UNBLOCK ? blocked & ~mask
                                           : mask & HELD_BITS;
        state = atomc_set_blocked(wanted);
        if (state == NO_PLACE)
            ours &= ~HELD_BITS;
    }
    int shows = only && asks, strips = sets && how != SIG_UNBLOCK && mask & ours;
    if (!shows && !strips && state != HAS_SENT)
        return 0;
    mask &= ~ours;
    long before = program_mask(how, sets ? &mask : 0) | only;
    result = by_value ? before : asks ? RAW(registers[NUMBER_REGISTER], how, 0, a[2], a[3], 0, 0) : 0;
    if (state == HAS_SENT)
        atomc_let_in();
    if (!by_value && asks && result >= 0) /* the kernel has written its own mask to this memory */
        *(long *)a[2] = before;
    set_result(registers, result);
    return 1;
}

int atomc_pending_call(long *registers) {
    long *a = registers + FIRST_ARGUMENT, bits = atomc_held_signals(), again = atomc_waiting_signals();
    bits |= again ? again & program_mask(0, 0) : 0;
    if (!bits)
        return 0;
    long result = RAW(registers[NUMBER_REGISTER], a[0], a[1], a[2], a[3], a[4], a[5]);
    if (result >= 0)
        *(long *)a[0] |= bits;
    set_result(registers, result);
    return 1;
}

int atomc_wait_call(long *registers) {
    long *a = registers + FIRST_ARGUMENT;
    if (!atomc_is_readable(a[0]))
        return 0;
    long wanted = *(long *)a[0];
    if (atomc_image.stops && wanted & STOP_BIT)
        atomc_takes_signals();
    long held = atomc_take_held(wanted, (void *)a[1]);
    if (held) {
        set_result(registers, held);
        return 1;
    }
    long again = atomc_take_waiting(wanted, (void *)a[1]);
    if (again)
        set_result(registers, again);
    return again != 0;
}

int atomc_execute_call(long *registers) {
    const long *a = registers + FIRST_ARGUMENT;
    const long call[] = {registers[NUMBER_REGISTER], a[0], a[1], a[2], a[3], a[4], a[5]};
    long blocked = atomc_blocked(), mask, result;
    if (atomc_is_vfork_child()) /* it never returns, or atomc does not track it */
        atomc_free_signal_stack();
    if (!blocked)
        return 0;
    do {
        if (block_all_and_get(
                &mask)) /* first the program's handler runs: the new program must not inherit that mask */
            return 0;
        mask |= blocked;
        result = atomc_masked_call(&mask, call);
    } while (result == 1);
    RAW(CALL_rt_sigprocmask, SIG_UNBLOCK, &blocked, 0, 8, 0, 0);
    atomc_set_blocked(blocked);
    set_result(registers, result);
    return 1;
}
