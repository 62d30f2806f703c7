/* runtime.h: the parts of the runtime to each other. It is linked with the analysis routines into one static
   image that shares nothing with the program but the process. */
#ifndef ATOMC_RUNTIME_H
#define ATOMC_RUNTIME_H

#include "codegen/words.h"
#include "runtime/interface.h"

extern struct atomc_image atomc_image; /* filled in by atomc */

/* ---- entry.S ---- */
long atomc_raw_system_call(long number, long a0, long a1, long a2, long a3, long a4, long a5);
struct saved_context;
void atomc_enter_program(const struct saved_context *context) __attribute__((noreturn));
void atomc_lock(void); /* not by C's convention: see call_lock */
void atomc_unlock(void);
void atomc_on_private_stack(long stack, void (*routine)(long), long argument);

/* ---- atomc_run.c ---- */
void atomc_prepare_run(void);

/* ---- start.c ---- */
long *atomc_program_auxiliary(void);      /* the program's auxiliary vector */
extern long atomc_private_thread_pointer; /* 0 until the private C library is up */
extern int atomc_threaded;                /* the program has, or had, more than one thread: wrappers lock */
extern long atomc_after_stack;            /* where the after-program calls run */
extern long atomc_replaced_thread;
extern long atomc_registers[]; /* the program's, for calls before and after it: ATOMC_REGISTERS */
void atomc_after_program(long status) __attribute__((noreturn));
void atomc_after_signal(long signal);
void atomc_map_call_stack(void);        /* in gate.c */
void atomc_install_fault_handler(void); /* in signals.c */
void atomc_end_handlers(void);          /* there, too */
void atomc_end_by(long signal) __attribute__((noreturn));
void atomc_update_cell(long *cell, long update, long amount);
void atomc_make_calls(uint64_t table, uint64_t count); /* struct atomc_program_call[] */
void atomc_flush(void);                                /* empties the private C library's output buffers */

static inline long thread_pointer(void) {
    register long value __asm__("$0");
    __asm__ volatile("call_pal %1" : "=r"(value) : "i"(ALPHA_PAL_RDUNIQ));
    return value;
}
static inline void set_thread_pointer(long value) {
    register long argument __asm__("$16") = value;
    __asm__ volatile("call_pal %1" : : "r"(argument), "i"(ALPHA_PAL_WRUNIQ) : "memory");
}

/* Calls a routine with so many arguments of 8 bytes each: the first six in integer and floating-point
   registers alike, of which it takes those that it wants. There are at least six at `arguments`. */
void atomc_call(long routine, long arguments, long count);

#endif
