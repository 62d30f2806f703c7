/* primitives.S: what C of the runtime and inserted code call: system calls as they are, memory that may not be there, the
   lock of analysis routines, roundings. Requires nothing of the rest. */

#include "codegen/register_set.h"
#include "plan/system_calls.h"
#include "runtime/entries.h"
#include "runtime/machine/aarch64/offsets.h"

/* The numbers, as local symbols: they do not go into the object. */
#define SYSTEM_CALL(number, name, gate, private) .LCALL_##name = number;
#include SYSTEM_CALLS
#undef SYSTEM_CALL

        .arch   armv8-a
        .text

        .macro  get_address to, symbol
        adrp    \to, \symbol
        add     \to, \to, :lo12:\symbol
        .endm

/* long atomc_raw_system_call(number, a0..a5): the result, or -errno. The only svc instructions of the analysis image, with
   those of entry.S, that atomc leaves alone: between atomc_primitives_begin and _end. */
        .balign 16
        .globl atomc_primitives_begin
atomc_primitives_begin:
        .globl atomc_raw_system_call
        .type atomc_raw_system_call, %function
atomc_raw_system_call:
        mov     x8, x0
        mov     x0, x1
        mov     x1, x2
        mov     x2, x3
        mov     x3, x4
        mov     x4, x5
        mov     x5, x6
        svc     #0
        ret
        .size atomc_raw_system_call, .-atomc_raw_system_call

/* void atomc_enter_program(const struct saved_context *context): the kernel sets all registers, and goes on there. Never returns. */
        .balign 16
        .globl atomc_enter_program
        .type atomc_enter_program, %function
atomc_enter_program:
        sub     x0, x0, #SIGINFO_ROOM
        mov     sp, x0
        mov     x8, #.LCALL_rt_sigreturn
        svc     #0
        .size atomc_enter_program, .-atomc_enter_program

/* long atomc_masked_call(const long *mask, const long *call): sets the kernel's mask, and makes the system call (its number, then six
   arguments): its result, or -errno. 1: a signal came in between, and the call has not been made (signals.c). */
        .balign 16
        .globl atomc_masked_call, atomc_masked_begin, atomc_masked_end, atomc_masked_again
        .type atomc_masked_call, %function
atomc_masked_call:
        mov     x9, x1
        mov     x1, x0
        mov     x0, #2                  // SIG_SETMASK
        mov     x2, xzr
        mov     x3, #8
        mov     x8, #.LCALL_rt_sigprocmask
        svc     #0
atomc_masked_begin:
        ldp     x8, x0, [x9]
        ldp     x1, x2, [x9, #16]
        ldp     x3, x4, [x9, #32]
        ldr     x5, [x9, #48]
        svc     #0
atomc_masked_end:
        ret
atomc_masked_again:
        mov     x0, #1
        ret
        .size atomc_masked_call, .-atomc_masked_call

/* int atomc_try_load(unsigned long address, long *value), int atomc_try_store(long address, long value, long bytes):
   a fault there is told by its pc (signals.c). */
        .balign 16
        .globl atomc_try_load, atomc_try_store, atomc_tries, atomc_tries_end, atomc_try_failed
        .type atomc_try_load, %function
atomc_tries:
atomc_try_load:
        ldr     x2, [x0]
        str     x2, [x1]
        mov     x0, #1
        ret
        .size atomc_try_load, .-atomc_try_load
        .type atomc_try_store, %function
atomc_try_store:
        tbnz    x2, #3, 3f
        tbnz    x2, #2, 2f
        tbnz    x2, #1, 1f
        strb    w1, [x0]
        mov     x0, #1
        ret
1:      strh    w1, [x0]
        mov     x0, #1
        ret
2:      str     w1, [x0]
        mov     x0, #1
        ret
3:      str     x1, [x0]
        mov     x0, #1
        ret
atomc_tries_end:
atomc_try_failed:
        mov     x0, xzr
        ret
        .size atomc_try_store, .-atomc_try_store

/* uint32_t atomc_read_stepped(const uint32_t *pc): the word of the instruction that is executed step by step. The first
   instruction here reads it and nothing else, so the oracle sees by it what is executed like that (tests/oracle/oracle.c, stepped=). */
        .balign 16
        .globl atomc_read_stepped
        .type atomc_read_stepped, %function
atomc_read_stepped:
        ldr     w0, [x0]
        ret
        .size atomc_read_stepped, .-atomc_read_stepped

/* int atomc_operate(const uint32_t *operation, long *operands): executes no instruction of the program's: 0. */
        .balign 16
        .globl atomc_operate, atomc_operate_begin, atomc_operate_end, atomc_operate_failed, atomc_operations
        .type atomc_operate, %function
atomc_operate:
        mov     x0, xzr
atomc_operate_failed:
        ret
atomc_operations:
atomc_operate_begin:
atomc_operate_end:
        .size atomc_operate, .-atomc_operate

/* Where atomc's own handlers return to: the kernel has a trampoline of its own, and this is not used. */
        .balign 16
        .globl atomc_signal_return
        .type atomc_signal_return, %function
atomc_signal_return:
        mov     x8, #.LCALL_rt_sigreturn
        svc     #0
        .size atomc_signal_return, .-atomc_signal_return

/* void atomc_on_private_stack(long stack, void (*routine)(long), long argument) */
        .balign 16
        .globl atomc_on_private_stack
        .type atomc_on_private_stack, %function
atomc_on_private_stack:
        stp     x29, x30, [sp, #-16]!
        mov     x29, sp
        mov     sp, x0
        mov     x0, x2
        blr     x1
        mov     sp, x29
        ldp     x29, x30, [sp], #16
        ret
        .size atomc_on_private_stack, .-atomc_on_private_stack

/* void atomc_call(long routine, long arguments, long count), see machine.h: eight arguments are in registers, the others are on the
   stack. */
        .balign 16
        .globl atomc_call
        .type atomc_call, %function
atomc_call:
        stp     x29, x30, [sp, #-16]!
        mov     x29, sp
        mov     x16, x0
        mov     x17, x1
        cmp     x2, #REGISTER_ARGUMENTS
        b.ls    3f
        sub     x3, x2, #8
        cmp     x3, #0
        b.le    2f
        add     x4, x3, #1              // room, a multiple of 16 bytes
        and     x4, x4, #~1
        sub     sp, sp, x4, lsl #3
        mov     x4, sp
        add     x5, x17, #64
1:      ldr     x6, [x5], #8
        str     x6, [x4], #8
        subs    x3, x3, #1
        b.ne    1b
2:      ldp     x6, x7, [x17, #48]
        ldp     d6, d7, [x17, #48]
3:      ldp     x0, x1, [x17]
        ldp     x2, x3, [x17, #16]
        ldp     x4, x5, [x17, #32]
        ldp     d0, d1, [x17]
        ldp     d2, d3, [x17, #16]
        ldp     d4, d5, [x17, #32]
        blr     x16
        mov     sp, x29
        ldp     x29, x30, [sp], #16
        ret
        .size atomc_call, .-atomc_call

/* One lock for all analysis routines, taken by wrappers once the program has threads. Both are called by
   blr x16 with x0 = the caller's thread pointer, and keep every register but x0, x1, x16, x17 and x30, and the flags. A thread
   that holds the lock already (a signal handler that interrupted an analysis routine) goes through: it has the owner's thread
   pointer, or the private one, under which nothing runs without the lock. */
        .balign 16
        .globl atomc_lock
        .type atomc_lock, %function
atomc_lock:
        add     x17, x0, #1             // never zero
        get_address x1, atomc_lock_owner
2:      ldaxr   x0, [x1]
        cbnz    x0, 3f
        stxr    w16, x17, [x1]
        cbnz    w16, 2b
        b       4f
3:      clrex
        sub     x0, x0, x17
        cbz     x0, 4f
        adrp    x0, atomc_private_thread_pointer
        ldr     x0, [x0, :lo12:atomc_private_thread_pointer]
        add     x0, x0, #1
        sub     x0, x0, x17
        cbnz    x0, 5f
4:      ldr     x0, [x1, #8]
        add     x0, x0, #1
        str     x0, [x1, #8]
        ret
5:      str     x8, [sp, #-16]!
        mov     x8, #.LCALL_sched_yield
        svc     #0
        ldr     x8, [sp], #16
        b       2b
        .size atomc_lock, .-atomc_lock

        .balign 16
        .globl atomc_unlock
        .type atomc_unlock, %function
atomc_unlock:
        get_address x1, atomc_lock_owner
        ldr     x0, [x1, #8]
        sub     x0, x0, #1
        str     x0, [x1, #8]
        cbnz    x0, 2f
        stlr    xzr, [x1]
2:      ret
        .size atomc_unlock, .-atomc_unlock

/* Asks the kernel whether the aligned quadword at x0 can be read: futex(address, CMP_REQUEUE, 0, 0, address, 0) compares
   what is there with 0, and if it is, wakes none of those who wait there, and moves none. 0 or -EAGAIN (-11): it was read. Changes x0 to
   x5. */
        .macro  ask_kernel no
        mov     x8, #.LCALL_futex
        mov     x1, #132                // FUTEX_CMP_REQUEUE | FUTEX_PRIVATE_FLAG
        mov     x2, xzr
        mov     x3, xzr
        mov     x4, x0
        mov     x5, xzr
        svc     #0
        cbz     x0, 9f
        add     x0, x0, #11
        cbnz    x0, \no
9:
        .endm

/* $memory: what the x17 (1, 2, 4, 8) bytes at x16 are, into x16, or 0 if they cannot be read. Changes x16, x17 and x30. A fault
   nevertheless, where another thread has taken the memory away meanwhile, is told by its pc (signals.c). */
        .balign 16
        .globl atomc_read_memory
        .type atomc_read_memory, %function
atomc_read_memory:
        stp     x0, x1, [sp, #-64]!
        stp     x2, x3, [sp, #16]
        stp     x4, x5, [sp, #32]
        str     x8, [sp, #48]
        and     x0, x16, #~7
        ask_kernel atomc_read_failed
        add     x0, x16, x17
        sub     x0, x0, #1
        and     x0, x0, #~7             // the last byte's
        and     x1, x16, #~7
        sub     x1, x0, x1
        cbz     x1, 1f
        ask_kernel atomc_read_failed
1:      mov     x0, xzr
3:      sub     x17, x17, #1
        .globl  atomc_read_low, atomc_read_high, atomc_read_failed
atomc_read_low:
atomc_read_high:
        ldrb    w1, [x16, x17]
        orr     x0, x1, x0, lsl #8
        cbnz    x17, 3b
        mov     x16, x0
        b       2f
atomc_read_failed:
        mov     x16, xzr
2:      ldr     x8, [sp, #48]
        ldp     x4, x5, [sp, #32]
        ldp     x2, x3, [sp, #16]
        ldp     x0, x1, [sp], #64
        ret
        .size atomc_read_memory, .-atomc_read_memory

        .globl atomc_primitives_end
atomc_primitives_end:

/* A double (x16, its 64 bits), rounded to a float, to nearest: into x16 as a double, into x17 as memory holds the float. No flags of
   the program's are raised. Changes x16, x17 and x30. */
        .balign 16
        .globl atomc_round_single
        .type atomc_round_single, %function
atomc_round_single:
        str     q31, [sp, #-48]!
        stp     x0, x1, [sp, #16]
        mrs     x0, fpcr
        mrs     x1, fpsr
        msr     fpcr, xzr
        fmov    d31, x16
        fcvt    s31, d31
        fmov    w17, s31
        fcvt    d31, s31
        fmov    x16, d31
        msr     fpcr, x0
        msr     fpsr, x1
        ldp     x0, x1, [sp, #16]
        ldr     q31, [sp], #48
        ret
        .size atomc_round_single, .-atomc_round_single

        .data
        .balign 8
        .globl atomc_lock_owner
atomc_lock_owner:
        .quad 0                         // thread pointer + 1 of the holder
        .quad 0                         // how often it holds it
        .globl atomc_has_long_vectors
atomc_has_long_vectors:
        .quad 0                         // 1: the processor has the Scalable Vector Extension
        .globl atomc_private_thread_pointer
atomc_private_thread_pointer:
        .quad 0                         // 0 until the private C library is up

        .section .note.GNU-stack, "", @progbits
