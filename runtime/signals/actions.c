/* actions.c: the action of the program for each signal (sigaction), and the action that is set in the kernel.
   The runtime's handler is entered first for signals with a handler, and for signals that would end the
   process. Compiled without floating-point registers. */
#include "runtime/report/report.h"
#include "runtime/signals/internal.h"
#include "runtime/threads/threads.h"

static struct atomc_action actions[SIGNALS];
static long restorers[SIGNALS];
static long ignored[SIGNALS]; /* how often the program has begun to ignore the signal */

const struct atomc_action *atomc_action_of(long signal) {
    return &actions[signal];
}

long atomc_times_ignored(long signal) {
    return ignored[signal];
}

int atomc_has_handler(long signal) {
    return actions[signal].handler != HANDLER_DEFAULT && actions[signal].handler != HANDLER_IGNORE;
}

int atomc_is_ignored(long signal) {
    return actions[signal].handler == HANDLER_IGNORE;
}

int atomc_sender_is_known(long signal) {
    return FLAGS_OF_KERNEL & FLAG_SIGINFO || !atomc_has_handler(signal) ||
           actions[signal].flags & FLAG_SIGINFO;
}

/* ---- what the kernel is told ------------------------------------------------------------------------------------ */

/* Signals that end a process by default: all but KILL, which cannot be handled, and URG STOP TSTP CONT CHLD
   TTIN TTOU WINCH. */
int atomc_ends_process(long signal) {
    const long others = SIGNAL_BIT(SIGNAL_KILL) | SIGNAL_BIT(SIGNAL_URG) | SIGNAL_BIT(SIGNAL_STOP) |
                        SIGNAL_BIT(SIGNAL_TSTP) | SIGNAL_BIT(SIGNAL_CONT) | SIGNAL_BIT(SIGNAL_CHLD) |
                        SIGNAL_BIT(SIGNAL_TTIN) | SIGNAL_BIT(SIGNAL_TTOU) | SIGNAL_BIT(SIGNAL_WINCH);
    return !(others & SIGNAL_BIT(signal));
}

/* True if a report is written on this signal. */
int atomc_is_reported(long signal) {
    return (atomc_report_signals() & SIGNAL_BIT(signal)) != 0;
}

/* The runtime's handler is installed for signals with a handler, SIGSEGV, SIGBUS, the signal for stops,
   signals that cause reports, and signals that would end the process. A one-shot handler stays installed
   until the program's handler is called. */
static long install_action(long signal) {
    struct atomc_action told = actions[signal];
    long restorer = restorers[signal];
    int always = signal == SIGNAL_SEGV || signal == SIGNAL_BUS || signal == TRAP_SIGNAL ||
                 (atomc_image.stops && signal == STOP_SIGNAL) || atomc_is_reported(signal);
    if (atomc_has_handler(signal)) {
        told.handler = (long)atomc_entries.signal;
        told.flags = (told.flags & ~(long)FLAG_RESETHAND) | FLAGS_OF_KERNEL;
    } else if (always || (atomc_ends_process(signal) && told.handler == HANDLER_DEFAULT)) {
        told = (struct atomc_action){.handler = (long)atomc_entries.signal,
                                     .flags = FLAG_SIGINFO | FLAG_RESTART};
        restorer = (long)atomc_signal_return;
    }
    if (signal == SIGNAL_SEGV || signal == SIGNAL_BUS || signal == TRAP_SIGNAL)
        told.flags |= FLAG_ONSTACK;
    return SET_ACTION(signal, &told, restorer);
}

long atomc_take_always(long signal) {
    const struct atomc_action taken = {.handler = (long)atomc_entries.signal,
                                       .flags = FLAG_SIGINFO | FLAG_RESTART};
    return SET_ACTION(signal, &taken, (long)atomc_signal_return);
}

/* The program has ended: its handlers are no longer called, except for faults, which belong to analysis
   routines. INT, ALRM and TERM serve to end routines that never end; but an ALRM for which the program has a
   handler is of a timer that goes on, and would arrive before the previous one is dealt with. */
void atomc_end_handlers(void) {
    const long faults = FAULT_SIGNALS, people = ENDING_SIGNALS & ~SIGNAL_BIT(SIGNAL_ALRM);
    long mask = 0;
    for (long signal = 1; signal < SIGNALS; signal++)
        if (atomc_has_handler(signal))
            mask |= SIGNAL_BIT(signal);
    mask &= ~faults & ~people;
    if (mask)
        RAW(CALL_rt_sigprocmask, ADD_MASK, &mask, 0, 8, 0, 0);
    RAW(CALL_rt_sigprocmask, CLEAR_MASK, &faults, 0, 8, 0, 0);
}

void atomc_install_fault_handler(void) {
    for (long signal = 1; signal < SIGNALS; signal++) {
        if (!atomc_ends_process(signal) && !atomc_is_reported(signal))
            continue;
        RAW(CALL_rt_sigaction, signal, 0, &actions[signal], 8, 0, 0);
        install_action(signal);
    }
}

/* For signals that the program ignores, and on which reports are written: sets the kernel's action to ignore
   them, because a new program inherits this action; or restores the action. */
int atomc_show_ignored(int is_shown) {
    static const struct atomc_action ignored = {.handler = HANDLER_IGNORE};
    int count = 0;
    for (long signal = 1; signal < SIGNALS; signal++) {
        if (!atomc_is_reported(signal) || actions[signal].handler != HANDLER_IGNORE)
            continue;
        if (is_shown)
            RAW(CALL_rt_sigaction, signal, &ignored, 0, 8, 0, 0);
        else
            install_action(signal);
        count++;
    }
    return count;
}

void atomc_change_handler(long *registers) {
    long *a = registers + FIRST_ARGUMENT, signal = a[0], result = 0;
    int old_form = registers[NUMBER_REGISTER] == CALL_sigaction, known = signal > 0 && signal < SIGNALS;
    if (!known || signal == SIGNAL_KILL ||
        signal == SIGNAL_STOP) { /* the kernel reports the error; KILL and STOP cannot be changed */
        set_result(registers, RAW(registers[NUMBER_REGISTER], a[0], a[1], a[2], a[3], a[4], a[5]));
        return;
    }
    struct atomc_action before = actions[signal];
    if (!atomc_ends_process(signal) && !atomc_is_reported(signal) &&
        !atomc_has_handler(signal)) /* may have been inherited */
        RAW(CALL_rt_sigaction, signal, 0, &before, 8, 0, 0);
    if (a[1]) {
        const long *action = (const long *)a[1];
        long restorer = restorers[signal], all = -1, mask = 0;
        /* No signal may arrive in between: the kernel would still call the old handler, with the old format
           of frame. */
        RAW(CALL_rt_sigprocmask, SET_MASK, &all, &mask, 8, 0, 0);
        READ_ACTION(actions[signal], restorers[signal], action, old_form, a[4]);
        result = install_action(signal);
        if (result < 0) {
            actions[signal] = before;
            restorers[signal] = restorer;
        } else if (action[0] == HANDLER_IGNORE) {
            __sync_fetch_and_add(&ignored[signal], 1);
        }
        RAW(CALL_rt_sigprocmask, SET_MASK, &mask, 0, 8, 0, 0);
    }
    if (a[2] && result >= 0) {
        long *old = (long *)a[2];
        WRITE_ACTION(before, old, old_form);
    }
    set_result(registers, result);
}

/* The program's handler is about to be called: a one-shot handler is removed now. */
void atomc_handler_is_called(long signal) {
    if (!(actions[signal].flags & FLAG_RESETHAND))
        return;
    actions[signal].handler = HANDLER_DEFAULT;
    install_action(signal);
}
