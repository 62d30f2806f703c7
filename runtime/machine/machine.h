/* machine.h: the machine-specific part of the runtime: system calls, registers and contexts, memory
   accesses that may fault, instructions that the runtime executes itself. Sources: machine/alpha/.
   Structures of the kernel: arch/alpha/include/uapi/asm. */
#ifndef ATOMC_RUNTIME_MACHINE_H
#define ATOMC_RUNTIME_MACHINE_H

#include "codegen/alpha/alpha.h"
#include "codegen/alpha/words.h"
#include "plan/system_calls.h"
#include "runtime/entries.h"
#include "runtime/interface.h"

/* The registers that the kernel saves for a signal handler and restores afterwards: the first part of struct
   sigcontext, as far as the kernel reads it. */
struct saved_context {
    long onstack, mask, pc, ps, registers[32], owned, floating[32], control;
};

static inline long thread_pointer(void) {
    register long value __asm__("$0");
    __asm__ volatile("call_pal %1" : "=r"(value) : "i"(ALPHA_PAL_RDUNIQ));
    return value;
}
static inline void set_thread_pointer(long value) {
    register long argument __asm__("$16") = value;
    __asm__ volatile("call_pal %1" : : "r"(argument), "i"(ALPHA_PAL_WRUNIQ) : "memory");
}

/* Sets the registers of a system call's result: $0, and $19, which is 1 after an error. */
static inline void set_result(long *registers, long result) {
    registers[19] = result < 0 && result > -4096;
    registers[0] = registers[19] ? -result : result;
}

/* ---- primitives.S ---- */

/* Makes a system call that bypasses the gates. Returns its result, or -errno. */
long atomc_raw_system_call(long number, long a0, long a1, long a2, long a3, long a4, long a5);
#define RAW(number, a, b, c, d, e, f)                                                                        \
    atomc_raw_system_call(number, (long)(a), (long)(b), (long)(c), (long)(d), (long)(e), (long)(f))

/* The private C library's thread pointer; 0 until that library has started. */
extern long atomc_private_thread_pointer;

/* Passes a context to the kernel in which execution continues. */
void atomc_enter_program(const struct saved_context *context) __attribute__((noreturn));

/* The lock of analysis routines: [0] is 0, or the holder's thread pointer + 1, or the mark of inlined code;
   [1] is how often the holder has taken it. These functions do not follow C's calling convention:
   atomc_call_lock calls them. */
extern long atomc_lock_owner[2];
void atomc_lock(void);
void atomc_unlock(void);

void atomc_on_private_stack(long stack, void (*routine)(long), long argument);
/* Calls a routine with `count` arguments of 8 bytes. The first six are passed in both integer and
   floating-point registers: the routine reads the registers that it expects. `arguments` has room for at
   least six. */
void atomc_call(long routine, long arguments, long count);

/* Return false if the memory cannot be accessed. The address is a multiple of the size: 8, or 1, 2, 4 or
   8. */
int atomc_try_load(unsigned long address, long *value);
int atomc_try_store(long address, long value, long bytes);
extern const uint32_t atomc_tries[], atomc_tries_end[], atomc_try_failed[];
/* $memory loads at the first two addresses; after a fault there, execution continues at the third. */
extern const uint32_t atomc_read_low[], atomc_read_high[], atomc_read_failed[];

/* Executes an instruction of the program on seven operands. Each operation is an instruction and a return;
   after a trap, execution continues at atomc_operate_failed. */
int atomc_operate(const uint32_t *operation, long *operands);
extern const uint32_t atomc_operations[], atomc_operate_begin[], atomc_operate_end[], atomc_operate_failed[];
/* Reads the word of an instruction that is executed step by step. The test oracle watches this load. */
uint32_t atomc_read_stepped(const uint32_t *pc);

/* Sets the kernel's mask and makes a system call; returns its result, or 1 if a signal arrived between the
   two. Then execution continues at atomc_masked_again. */
long atomc_masked_call(const long *mask, const long *call);
extern const uint32_t atomc_masked_begin[], atomc_masked_end[], atomc_masked_again[];
/* The return address of atomc's own handlers. */
extern void atomc_signal_return(void);

/* ---- entry.S: the kernel and the program enter the runtime here; process/start.c alone names these places,
   and others find them in atomc_entries ---- */

extern const uint32_t atomc_signal_entry[], atomc_entry_blocked[], atomc_entry_known[];
extern const uint32_t atomc_returns[], atomc_returns_end[];
void atomc_object_gate(void);
void atomc_call_failed(void);
void atomc_call_ends(void);

/* ---- stepping.c ---- */

/* The state of execution by the runtime. */
struct atomc_stepper {
    struct saved_context *context;
    unsigned long locked; /* the address locked by ldq_l or ldl_l; 0 if none is */
    uint64_t locked_value;
    int interrupt_flag; /* flag of rs and rc: a signal clears it */
};

/* Executes the instruction at the pc. Returns 0 and does nothing if inserted code has no such instruction,
   or if it would fault. */
int atomc_step(struct atomc_stepper *stepper);
/* The same, but executes this word in place of the word at the pc. */
int atomc_step_as(struct atomc_stepper *stepper, uint32_t word);
/* .opcode is ALPHA_INVALID if the runtime does not execute such instructions. */
const struct atomc_kind *atomc_kind_of(uint32_t word);

#endif
