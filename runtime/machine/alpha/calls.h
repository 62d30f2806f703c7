/* calls.h: Linux on Alpha for the rooms of the runtime: results of system calls, calls that other machines
   make by other calls, and the structures of signals (arch/alpha/include/uapi/asm). Each machine has these
   names. */
#ifndef ATOMC_RUNTIME_CALLS_H
#define ATOMC_RUNTIME_CALLS_H

/* ---- contexts of signals -------------------------------------------------------------------------------- */

/* The registers that the kernel saves for a signal handler and restores afterwards: the first part of struct
   sigcontext, as far as the kernel reads it. */
struct saved_context {
    long onstack, mask, pc, ps, registers[32], owned, floating[32], control;
};
enum {
    UCONTEXT_REGISTERS = 48, /* offset of the saved_context in a ucontext */
    UCONTEXT_OLD_MASK = 16,  /* offset of OSF's mask in a ucontext */
    FRAME_UCONTEXT = 128,    /* offset of the ucontext in a signal frame */
    CONTEXT_MASK = 648,      /* offset of a ucontext's mask after its saved_context */
    BASIC_FRAME = 648,       /* bytes of struct sigframe, */
    FRAME = 832,             /* ... and of rt_sigframe */
    FRAME_STACK = 128 + 24,  /* offset of the stack_t in an rt_sigframe */
    FRAME_CODE = 16,         /* room for code after it, which Linux leaves, but qemu-user does not */
    FRAME_ALIGNMENT = 32,
    LEAST_SIGNAL_STACK = 4096, /* MINSIGSTKSZ */
};
/* The value of a floating-point register in a context: its low 64 bits. */
static inline long context_floating(const struct saved_context *context, unsigned reg) {
    return context->floating[reg];
}
/* The address of the frame, or the context, that the program's rt_sigreturn or sigreturn restores; and that
   call. */
#define SIGRETURN_FRAME(registers) ((registers)[FIRST_ARGUMENT])
#define MAKE_SIGRETURN(registers, context)                                                                   \
    RAW((registers)[NUMBER_REGISTER], (registers)[FIRST_ARGUMENT], 0, 0, 0, 0, 0)

enum {
    ADD_MASK = 1,   /* SIG_BLOCK */
    CLEAR_MASK = 2, /* SIG_UNBLOCK */
    SET_MASK = 3,   /* SIG_SETMASK */
};

/* ---- actions of signals --------------------------------------------------------------------------------- */

struct atomc_action { /* of rt_sigaction */
    long handler, flags, mask;
};
enum {
    FLAG_ONSTACK = 1,
    FLAG_RESTART = 2,
    FLAG_RESETHAND = 0x10,
    FLAG_SIGINFO = 0x40,
    FLAGS_OF_KERNEL = 0, /* that the runtime adds to those of the program's handlers */
};
/* The action that is set in the kernel; the restorer is an argument of the call. */
#define SET_ACTION(signal, action, restorer) RAW(CALL_rt_sigaction, signal, action, 0, 8, restorer, 0)
/* The structure of sigaction has handler, mask, flags: the old form. That of rt_sigaction has handler, flags,
   mask; the restorer is the call's fifth argument. */
#define READ_ACTION(action, restorer, words, is_old, argument)                                               \
    do {                                                                                                     \
        (action).handler = (words)[0];                                                                       \
        (action).flags = (is_old) ? (int)(words)[2] : (words)[1];                                            \
        (action).mask = (is_old) ? (words)[1] : (words)[2];                                                  \
        (restorer) = (is_old) ? 0 : (argument);                                                              \
    } while (0)
#define WRITE_ACTION(action, words, is_old)                                                                  \
    do {                                                                                                     \
        (words)[0] = (action).handler;                                                                       \
        (words)[1] = (is_old) ? (action).mask : (action).flags;                                              \
        (words)[2] = (is_old) ? (action).flags : (action).mask;                                              \
    } while (0)

/* A handler's frame has nothing that a register points to. */
#define SET_HANDLER_FRAME(context, frame)

/* True for a signal whose pc is always after its instruction. */
#define ILL_TRAPS_BEHIND(signal) ((signal) == SIGNAL_ILL)

/* The program sets a handler; it will return to this address. */
#define PREPARE_HANDLERS()
#define NOTE_RESTORER(address)

/* Entries of entry.S that no other machine has. */
#define MACHINE_ENTRIES
#define MACHINE_ENTRY_VALUES

/* The processor's features, by the kernel: none matters. */
#define NOTE_FEATURES(entry)

/* The signal of atomc's traps, besides SIGSEGV, and signals whose masks the runtime holds besides SIGBUS and
 * SIGSEGV. */
enum { TRAP_SIGNAL = SIGNAL_SEGV };
#define OTHER_HELD_BITS 0
#define OTHER_HELD_SIGNALS

/* ---- results of system calls ------------------------------------------------------------------------------ */

/* Sets the registers of a system call's result, and of its error. */
static inline void set_result(long *registers, long result) {
    registers[ERROR_REGISTER] = result < 0 && result > -4096;
    registers[RESULT_REGISTER] = registers[ERROR_REGISTER] ? -result : result;
}
static inline int has_failed(const long *registers) {
    return registers[ERROR_REGISTER] != 0;
}
/* True if this error is the result. */
static inline int has_error(const long *registers, long error) {
    return registers[ERROR_REGISTER] == 1 && registers[RESULT_REGISTER] == error;
}
static inline void set_error(long *registers, long error) {
    registers[RESULT_REGISTER] = error;
    registers[ERROR_REGISTER] = 1;
}
/* Registers that the kernel also sets in the two processes of a fork. */
static inline void set_second_result(long *registers, int is_child) {
    registers[SECOND_RESULT] = is_child;
}

/* ---- calls ------------------------------------------------------------------------------------------------- */

enum { CALL_process_id = CALL_getxpid };

/* For reading. */
#define OPEN_FILE(path) RAW(CALL_open, path, 0, 0, 0, 0, 0)
/* The arguments of atomc_open_own(). */
#define OPEN_OWN(path, flags)         CALL_open, (long)(path), (flags), 0, 0, 0, 0
#define CAN_ACCESS(path)              RAW(CALL_access, path, 0, 0, 0, 0, 0)
#define READ_LINK(link, target, size) RAW(CALL_readlink, link, target, size, 0, 0, 0)

/* The status of a file. */
struct file_status { /* struct stat64 */
    uint64_t device, number, special;
    int64_t size;
    uint64_t blocks;
    uint32_t mode, user, group, block_size, links, pad;
    uint64_t accessed, accessed_nanoseconds, modified, modified_nanoseconds, changed, changed_nanoseconds;
    int64_t unused[3];
};
#define STATUS_OF(file, status) RAW(CALL_fstat64, file, status, 0, 0, 0, 0)

#endif
