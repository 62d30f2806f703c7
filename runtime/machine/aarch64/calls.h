/* calls.h: Linux on AArch64 for the rooms of the runtime: results of system calls, calls that other machines
   make by other calls, and the structures of signals (include/uapi/asm-generic, arch/arm64/include/uapi/asm;
   tests/machine/aarch64/structures.c compares them). Each machine has these names. */
#ifndef ATOMC_RUNTIME_CALLS_H
#define ATOMC_RUNTIME_CALLS_H

/* ---- contexts of signals -------------------------------------------------------------------------------- */

/* A struct ucontext. The records after the registers may have another order and others between them (SVE);
   the kernel writes the first one first, for all programs. */
struct saved_context {
    long flags, link;
    long stack, stack_flags, stack_size; /* stack_t */
    long mask, more_masks[16];
    long fault_address, registers[32]; /* the last one is the stack pointer */
    long pc, ps;
    struct {
        uint32_t magic, size; /* FLOATING_MAGIC, bytes */
        uint32_t status, control;
        struct atomc_vector {
            uint64_t low, high;
        } vectors[32];
    } __attribute__((aligned(16))) floating;
    uint8_t records[4096 - 528]; /* struct _aarch64_ctx, ended by one of zeroes */
};
enum {
    FLOATING_MAGIC = 0x4650 << 16 | 0x8001,
    UCONTEXT_REGISTERS = 0, /* offset of the saved_context in a ucontext */
    UCONTEXT_OLD_MASK = 40, /* the same mask as */
    CONTEXT_MASK = 40,      /* this one */
    FRAME_UCONTEXT = 128,   /* offset of the ucontext in a signal frame, after siginfo_t */
    FRAME = FRAME_UCONTEXT + sizeof(struct saved_context), /* bytes of rt_sigframe */
    BASIC_FRAME = FRAME,                                   /* there is no other */
    FRAME_STACK = FRAME_UCONTEXT + 16,                     /* offset of the stack_t in an rt_sigframe */
    FRAME_CODE = 16, /* room for a record of the frame pointer and the link after it */
    FRAME_ALIGNMENT = 16,
    LEAST_SIGNAL_STACK = 5120, /* MINSIGSTKSZ */
    NO_STACK_CHANGE = 0x40,    /* flags of a stack_t that the kernel refuses, and ignores for sigreturn */
};
/* The value of a floating-point register in a context: its low 64 bits. */
static inline long context_floating(const struct saved_context *context, unsigned reg) {
    return (long)context->floating.vectors[reg].low;
}
/* The address of the frame that the program's rt_sigreturn restores, at its stack pointer; and that call. */
#define SIGRETURN_FRAME(registers)         atomc_stack_pointer_of(registers)
#define MAKE_SIGRETURN(registers, context) atomc_enter_program(context)

enum {
    ADD_MASK = 0,   /* SIG_BLOCK */
    CLEAR_MASK = 1, /* SIG_UNBLOCK */
    SET_MASK = 2,   /* SIG_SETMASK */
};

/* ---- actions of signals --------------------------------------------------------------------------------- */

struct atomc_action { /* of rt_sigaction */
    long handler, flags, restorer, mask;
};
enum {
    FLAG_ONSTACK = 1 << 27,
    FLAG_RESTART = 1 << 28,
    FLAG_RESETHAND = INT32_MIN, /* bit 31 */
    FLAG_SIGINFO = 4,
    /* Without it the frame has room for a siginfo_t, but nothing is written there. */
    FLAGS_OF_KERNEL = FLAG_SIGINFO,
};
/* The action that is set in the kernel; the restorer is a part of it. */
#define SET_ACTION(signal, action, restorer)                                                                 \
    ((void)(restorer), RAW(CALL_rt_sigaction, signal, action, 0, 8, 0, 0))
#define READ_ACTION(action, restorer, words, is_old, argument)                                               \
    do {                                                                                                     \
        (action) = *(const struct atomc_action *)(words);                                                    \
        (restorer) = (is_old) ? (argument) : 0;                                                              \
    } while (0)
#define WRITE_ACTION(action, words, is_old)                                                                  \
    do {                                                                                                     \
        (void)(is_old);                                                                                      \
        *(struct atomc_action *)(words) = (action);                                                          \
    } while (0)

/* x29 points to a record after a handler's frame. */
#define SET_HANDLER_FRAME(context, frame) ((context)->registers[FRAME_REGISTER] = (frame) + FRAME)

/* True for a signal whose pc is always after its instruction. */
#define ILL_TRAPS_BEHIND(signal) ((void)(signal), 0)

/* The program may set handlers, which return to the trampoline (lookups.c): before it has threads, and memory
   of its own. */
void atomc_learn_trampoline(void);
void atomc_note_trampoline(unsigned long address);
#define PREPARE_HANDLERS()     atomc_learn_trampoline()
#define NOTE_RESTORER(address) atomc_note_trampoline((unsigned long)(address))

/* Entries of entry.S that no other machine has: where a handler of the program returns to. */
extern const uint32_t atomc_handler_returns[];
#define MACHINE_ENTRIES      const uint32_t *handler_returns;
#define MACHINE_ENTRY_VALUES .handler_returns = atomc_handler_returns,

/* The processor's features, by the kernel's AT_HWCAP (uapi/asm/hwcap.h): the Scalable Vector Extension. */
extern long atomc_has_long_vectors;
#define NOTE_FEATURES(entry) (atomc_has_long_vectors = (entry) && *(entry) >> 22 & 1)

/* The signal of atomc's traps, besides SIGSEGV, and signals whose masks the runtime holds besides SIGBUS and
 * SIGSEGV. */
enum { TRAP_SIGNAL = SIGNAL_ILL };
#define OTHER_HELD_BITS    SIGNAL_BIT(SIGNAL_ILL)
#define OTHER_HELD_SIGNALS , SIGNAL_ILL

/* ---- results of system calls ------------------------------------------------------------------------------ */

static inline void set_result(long *registers, long result) {
    registers[RESULT_REGISTER] = result;
}
static inline int has_failed(const long *registers) {
    return registers[RESULT_REGISTER] < 0 && registers[RESULT_REGISTER] > -4096;
}
static inline int has_error(const long *registers, long error) {
    return registers[RESULT_REGISTER] == -error;
}
static inline void set_error(long *registers, long error) {
    registers[RESULT_REGISTER] = -error;
}
static inline void set_second_result(long *registers, int is_child) {
    (void)registers;
    (void)is_child;
}

/* ---- calls ------------------------------------------------------------------------------------------------- */

enum {
    CALL_process_id = CALL_getpid,
    AT_HERE = -100, /* AT_FDCWD */
    /* Calls of other machines: numbers that no call has. */
    CALL_fork = -0x1000,
    CALL_osf_sigprocmask,
    CALL_sigaction,
    CALL_sigreturn,
    CALL_sigsuspend,
    CALL_readlink,
};

/* For reading. */
#define OPEN_FILE(path) RAW(CALL_openat, AT_HERE, path, 0, 0, 0, 0)
/* The arguments of atomc_open_own(). */
#define OPEN_OWN(path, flags)         CALL_openat, AT_HERE, (long)(path), (flags), 0, 0, 0
#define CAN_ACCESS(path)              RAW(CALL_faccessat, AT_HERE, path, 0, 0, 0, 0)
#define READ_LINK(link, target, size) RAW(CALL_readlinkat, AT_HERE, link, target, size, 0, 0)

/* The status of a file. */
struct file_status { /* struct stat */
    uint64_t device, number;
    uint32_t mode, links, user, group;
    uint64_t special, pad;
    int64_t size;
    int32_t block_size, pad2;
    int64_t blocks;
    uint64_t accessed, accessed_nanoseconds;
    uint64_t modified, modified_nanoseconds;
    uint64_t changed, changed_nanoseconds;
    uint32_t unused[2];
};
#define STATUS_OF(file, status) RAW(CALL_fstat, file, status, 0, 0, 0, 0)

#endif
