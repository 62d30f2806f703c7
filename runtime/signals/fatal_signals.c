/* fatal_signals.c: signals that end the process: a signal with its default action, after the calls after the
   program; a crash of the analysis code; a routine that does not return. Compiled without floating-point
   registers. */
#include "runtime/signals/internal.h"
#include "runtime/text/text.h"
#include "runtime/threads/threads.h"

enum {
    NEAR_STACK = 1 << 16, /* bytes: a fault at this distance from the stack pointer is one of the stack */
    SHALLOW_STACK = 4096, /* words: frames of a call, up to the address that it returns to */
};

/* True if it is a memory access of an analysis routine that has been inlined into the copies. Accesses of
   the program are unchanged, and accesses to the stack are not a routine's. */
int atomc_is_inlined(unsigned long pc) {
    long original = atomc_original_of(pc, 0);
    uint32_t word = original ? *(const uint32_t *)pc : 0;
    return original && word != atomc_original_word(original) && access_base(word) != STACK_REGISTER;
}

/* True if the instruction accessed the stack. The kernel does not report the address to every handler. */
static int is_of_stack(const struct saved_context *saved) {
    uint32_t word = *(const uint32_t *)saved->pc;
    long address = REGISTER_VALUE(saved->registers, access_base(word)) + access_displacement(word);
    long distance = address - saved->registers[STACK_REGISTER];
    return access_base(word) != NO_REGISTER && distance > -NEAR_STACK && distance < NEAR_STACK;
}

/* True if the data of an analysis routine on the stack are close to a call of the program. Then the program
   has filled the stack. */
static int is_called_nearby(const struct saved_context *saved) {
    long word;
    for (long at = saved->registers[STACK_REGISTER] & ~7L, i = 0; i < SHALLOW_STACK; i++, at += 8)
        if (atomc_try_load(at, &word) && atomc_is_in_copies((unsigned long)word & ~3UL))
            return 1;
    return 0;
}

/* True if an analysis routine has caused the fault, even if the program has a handler for it. False if it has
   only reached the end of the program's stack, as the program itself would soon have done. */
int atomc_is_analysis_fault(const struct saved_context *saved) {
    return atomc_is_private((unsigned long)saved->pc) && !(is_of_stack(saved) && is_called_nearby(saved));
}

/* The signal is to end the process. To end itself, an emulator sends the signal to its process. Then the
   signal can be lost to a thread that waits for it (sigwait), if the other threads block it. Stopped threads
   block it. So a timer sends it to this thread, repeatedly, from `nanoseconds` on. The timer does not expire
   immediately: the signal may still be blocked, and an emulator, which cannot block SIGSEGV for itself, would
   only record that the signal has arrived.
 */
static void make_fatal(long signal, long nanoseconds) {
    enum { AGAIN = 10000000 /* nanoseconds */ };
    static const struct atomc_action none;
    const long when[4] = {0, AGAIN, 0, nanoseconds};
    struct atomc_timer timer;
    RAW(CALL_rt_sigaction, signal, &none, 0, 8, 0, 0);
    if (atomc_threaded && atomc_make_timer(&timer, signal, RAW(CALL_gettid, 0, 0, 0, 0, 0, 0), 0))
        atomc_set_timer(&timer, when);
}

/* The timer sends to this thread, because another thread may be in a wait that never ends. */
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

/* The signal ends the process when the handler returns. A fault happens again at its instruction; any other
   signal is sent again, unblocked. After ILL and TRAP, and FPE by gentrap, the pc is that of the next
   instruction. */
void atomc_die_on_return(long signal, int sent, struct saved_context *saved) {
    if (!sent && (signal == SIGNAL_ILL || signal == SIGNAL_TRAP || signal == SIGNAL_FPE)) {
        uint32_t before = ((const uint32_t *)saved->pc)[-1];
        if (is_kernel_entry(before) || signal == SIGNAL_ILL)
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
    for (int i = 0; i < GENERAL_REGISTERS; i++)
        atomc_registers[i] = saved->registers[i];
    for (int i = 0; i < FLOATING_REGISTERS; i++)
        atomc_registers[FIRST_FLOATING + i] = context_floating(saved, i);
    atomc_registers[STACK_REGISTER] += atomc_moved_at((unsigned long)saved->pc);
    atomc_set_last_pc(saved->pc);
}

/* The cause of the program's end, for analysis routines (stdtools/addresses.h): an access to unmapped
   memory, or a jump to memory without code. The instruction in a copy has the same registers. */
long atomc_fault_pc, atomc_fault_address, atomc_fault_return, atomc_fault_thread;

static void keep_fault(const struct saved_context *saved) {
    long copy = (long)saved->pc, original = atomc_original_of(saved->pc, &copy), word;
    atomc_fault_thread = thread_pointer();
    atomc_fault_return = atomc_static(saved->registers[LINK_REGISTER]);
    atomc_fault_pc = atomc_static(original ? original : copy);
    atomc_fault_address = copy;
    if (!atomc_try_load((long)saved->pc & ~7L, &word))
        return;
    uint32_t instruction = *(const uint32_t *)saved->pc;
    unsigned base = access_base(instruction);
    atomc_fault_address =
        (base == NO_REGISTER ? 0 : saved->registers[base]) + access_displacement(instruction);
}

/* A signal with its default action ends the program. A fault may be that of an analysis routine. */
void atomc_end_by_signal(long signal, int sent, struct saved_context *saved) {
    if (!sent && atomc_is_private((unsigned long)saved->pc)) {
        atomc_report_crash(signal, saved->pc, saved->registers);
    } else if (!sent && (signal == SIGNAL_SEGV || signal == SIGNAL_BUS) && atomc_is_inlined(saved->pc)) {
        atomc_report_crash_at(signal, atomc_original_of(saved->pc, 0));
    } else {
        atomc_note_place(saved, sent ? NO_FAULT : atomc_fault_of(signal, saved), 1);
        keep_registers(saved);
        if (!sent && (signal == SIGNAL_SEGV || signal == SIGNAL_BUS))
            keep_fault(saved);
        atomc_upcalls.end_program(-signal);
    }
    atomc_die_on_return(signal, sent, saved);
}

/* The action `exit`: the thread ends the program at its next instruction of the program, because the counts
   of blocks and loops depend on the instruction. A signal takes it there, which the program may have blocked,
   or ignore. */
static long exiting; /* the thread; 0: none */
static long exit_status;

void atomc_exit_later(long status) {
    const long only = STOP_BIT, thread = RAW(CALL_gettid, 0, 0, 0, 0, 0, 0);
    if (!__sync_bool_compare_and_swap(&exiting, 0, thread) || atomc_is_ending)
        return;
    exit_status = status & 255;
    atomc_take_always(STOP_SIGNAL);
    RAW(CALL_rt_sigprocmask, CLEAR_MASK, &only, 0, 8, 0, 0);
    if (RAW(CALL_tgkill, process_id(), thread, STOP_SIGNAL, 0, 0, 0) < 0) /* too many are pending */
        atomc_upcalls.exit_program(exit_status);
}

void atomc_exit_here(long signal, const struct saved_context *saved) {
    if (signal != STOP_SIGNAL || exiting != RAW(CALL_gettid, 0, 0, 0, 0, 0, 0))
        return;
    exiting = 0;
    atomc_note_place(saved, NO_FAULT, 1);
    keep_registers(saved);
    atomc_upcalls.exit_program(exit_status);
}

void atomc_forget_exit(void) {
    exiting = 0;
}

/* The analysis code has caused it: the program's handler is not called. */
void atomc_end_by_fault(long signal, struct saved_context *saved) {
    unsigned long pc = (unsigned long)saved->pc;
    int is_full = (signal == SIGNAL_SEGV || signal == SIGNAL_BUS) && is_of_stack(saved);
    if (is_full && !atomc_is_inlined_access(pc))
        atomc_report_full_stack(pc, saved->registers);
    else
        atomc_report_crash(signal, pc, saved->registers);
    atomc_die_on_return(signal, 0, saved);
}

/* An analysis routine does not return, and a signal requests the end of the program. */
void atomc_end_stuck(long signal, struct saved_context *saved) {
    atomc_report_stuck(signal, (unsigned long)saved->pc, saved->registers);
    atomc_die_on_return(signal, 1, saved);
}
