# primitives.S: what C of the runtime and inserted code call: system calls as they are, memory that may not be there,
# instructions of the program on given operands, the lock of analysis routines, roundings. Requires nothing of the rest.

#include "codegen/alpha/registers.h"
#include "codegen/alpha/words.h"
#include "plan/system_calls.h"
#include "runtime/entries.h"

/* The numbers, as local symbols: they do not go into the object. */
#define SYSTEM_CALL(number, name, gate, private) $CALL_##name = number;
#include "plan/system_calls.def"
#undef SYSTEM_CALL
#define SIGNAL(number, name, use) $SIGNAL_##name = number;
#include "plan/signals.def"
#undef SIGNAL
$OPERATE_SIGNALS = (1 << ($SIGNAL_ILL - 1)) + (1 << ($SIGNAL_FPE - 1))

        .set noat
        .set noreorder
        .text

# long atomc_raw_system_call(number, a0..a5 on the stack from a5): v0, or -errno. The only callsys instructions
# of the analysis image, with those of entry.S, that atomc leaves alone: between atomc_primitives_begin and _end.
        .align 4
        .globl atomc_primitives_begin
atomc_primitives_begin:
        .globl atomc_raw_system_call
        .ent atomc_raw_system_call
atomc_raw_system_call:
        mov     $16, $0
        mov     $17, $16
        mov     $18, $17
        mov     $19, $18
        mov     $20, $19
        mov     $21, $20
        ldq     $21, 0($30)
        call_pal ALPHA_PAL_CALLSYS
        subq    $31, $0, $1
        cmovne  $19, $1, $0
        ret     $31, ($26), 1
        .end atomc_raw_system_call

# void atomc_enter_program(const struct saved_context *context): the kernel sets all registers, and goes on there. Never returns.
        .align 4
        .globl atomc_enter_program
        .ent atomc_enter_program
atomc_enter_program:
        lda     $0, $CALL_sigreturn($31)
        call_pal ALPHA_PAL_CALLSYS
        .end atomc_enter_program

# long atomc_masked_call(const long *mask, const long *call): sets the kernel's mask, and makes the system call (its number, then six arguments):
# its result, or -errno. 1: a signal came in between, and the call has not been made (signals.c).
        .align 4
        .globl atomc_masked_call, atomc_masked_begin, atomc_masked_end, atomc_masked_again
        .ent atomc_masked_call
atomc_masked_call:
        mov     $17, $21
        mov     $16, $17
        mov     3, $16                  # SIG_SETMASK
        mov     $31, $18
        mov     8, $19
        lda     $0, $CALL_rt_sigprocmask($31)
        call_pal ALPHA_PAL_CALLSYS
atomc_masked_begin:
        ldq     $0, 0($21)
        ldq     $16, 8($21)
        ldq     $17, 16($21)
        ldq     $18, 24($21)
        ldq     $19, 32($21)
        ldq     $20, 40($21)
        ldq     $21, 48($21)
        call_pal ALPHA_PAL_CALLSYS
atomc_masked_end:
        subq    $31, $0, $1
        cmovne  $19, $1, $0
        ret     $31, ($26), 1
atomc_masked_again:
        mov     1, $0
        ret     $31, ($26), 1
        .end atomc_masked_call

# int atomc_try_load(unsigned long address, long *value), int atomc_try_store(long address, long value, long bytes):
# a fault there is told by its pc (signals.c).
        .align 4
        .globl atomc_try_load, atomc_try_store, atomc_tries, atomc_tries_end, atomc_try_failed
        .ent atomc_try_load
atomc_tries:
atomc_try_load:
        ldq     $1, 0($16)
        stq     $1, 0($17)
        mov     1, $0
        ret     $31, ($26), 1
        .end atomc_try_load
        .ent atomc_try_store
atomc_try_store:
        mov     1, $0
        cmpeq   $18, 8, $1
        bne     $1, 3f
        cmpeq   $18, 4, $1
        bne     $1, 2f
        cmpeq   $18, 2, $1
        bne     $1, 1f
        .arch   ev56
        stb     $17, 0($16)
        ret     $31, ($26), 1
1:      stw     $17, 0($16)
        ret     $31, ($26), 1
        .arch   ev4
2:      stl     $17, 0($16)
        ret     $31, ($26), 1
3:      stq     $17, 0($16)
        ret     $31, ($26), 1
atomc_tries_end:
atomc_try_failed:
        mov     $31, $0
        ret     $31, ($26), 1
        .end atomc_try_store

# uint32_t atomc_read_stepped(const uint32_t *pc): the word of the instruction that is executed step by step. The first
# instruction here reads it and nothing else, so the oracle sees by it what is executed like that (tests/oracle/oracle.c, stepped=).
        .align 4
        .globl atomc_read_stepped
        .ent atomc_read_stepped
atomc_read_stepped:
        ldl     $0, 0($16)
        ret     $31, ($26), 1
        .end atomc_read_stepped

# int atomc_operate(const uint32_t *operation, long operands[7]): executes an operate instruction of the program's, whose operands
# are $1, $2, $3 (operands[0] to [2]) or $f1, $f2, $f3 ([3] to [5]), with a FPCR ([6]). What it leaves there is in the array
# afterwards. Or a load or store of $f3 at $1. 0: it is trapped. ILL and FPE, which all of the runtime blocks, are not blocked meanwhile; one that comes leads
# to atomc_operate_failed (signals.c).
        .align 4
        .globl atomc_operate, atomc_operate_begin, atomc_operate_end, atomc_operate_failed, atomc_operations
        .ent atomc_operate
atomc_operate:
        lda     $30, -96($30)
        stq     $26, 0($30)
        stq     $16, 8($30)
        stq     $17, 16($30)
        .irp r, 0,1,2,3
        stt     $f\r, 24+8*\r($30)
        .endr
        trapb
        mf_fpcr $f0
        stt     $f0, 56($30)
        lda     $16, 2($31)             # SIG_UNBLOCK
        lda     $17, $OPERATE_SIGNALS($31)
        lda     $0, $CALL_osf_sigprocmask($31)
        call_pal ALPHA_PAL_CALLSYS
atomc_operate_begin:
        stq     $0, 64($30)
        ldq     $16, 8($30)
        ldq     $17, 16($30)
        ldt     $f0, 48($17)
        mt_fpcr $f0
        .irp r, 1,2,3
        ldq     $\r, 8*\r-8($17)
        ldt     $f\r, 8*\r+16($17)
        .endr
        trapb
        jsr     $28, ($16)
        trapb
        .irp r, 1,2,3
        stq     $\r, 8*\r-8($17)
        stt     $f\r, 8*\r+16($17)
        .endr
        mf_fpcr $f0
        stt     $f0, 48($17)
        mov     1, $0
1:      stq     $0, 72($30)
        lda     $16, 3($31)             # SIG_SETMASK
        ldq     $17, 64($30)
        lda     $0, $CALL_osf_sigprocmask($31)
        call_pal ALPHA_PAL_CALLSYS
        ldt     $f0, 56($30)
        mt_fpcr $f0
        trapb
        .irp r, 0,1,2,3
        ldt     $f\r, 24+8*\r($30)
        .endr
        ldq     $0, 72($30)
        ldq     $26, 0($30)
        lda     $30, 96($30)
        ret     $31, ($26), 1
atomc_operate_failed:
        mov     $31, $0
        br      $31, 1b
atomc_operations:
#define OPERATION(name) .long ALPHA_MATCH_##name | 1 << 21 | 2 << 16 | 3; ret $31, ($28), 1;
        ALPHA_OPERATIONS(OPERATION)
#undef OPERATION
#define OPERATION(name) .long ALPHA_MATCH_##name | 3 << 21 | 1 << 16; ret $31, ($28), 1;
        ALPHA_CONVERSIONS(OPERATION)
#undef OPERATION
atomc_operate_end:
        .end atomc_operate

# Where atomc's own handlers return to (the program's have its C library's).
        .align 4
        .globl atomc_signal_return
        .ent atomc_signal_return
atomc_signal_return:
        mov     $30, $16
        lda     $0, $CALL_rt_sigreturn($31)
        call_pal ALPHA_PAL_CALLSYS
        .end atomc_signal_return

# void atomc_on_private_stack(long stack, void (*routine)(long), long argument)
        .align 4
        .globl atomc_on_private_stack
        .ent atomc_on_private_stack
atomc_on_private_stack:
        lda     $30, -16($30)
        stq     $26, 0($30)
        stq     $9, 8($30)
        mov     $30, $9
        mov     $16, $30
        mov     $17, $27
        mov     $18, $16
        jsr     $26, ($27)
        mov     $9, $30
        ldq     $26, 0($30)
        ldq     $9, 8($30)
        lda     $30, 16($30)
        ret     $31, ($26), 1
        .end atomc_on_private_stack

# void atomc_call(long routine, long arguments, long count), see machine.h
        .align 4
        .globl atomc_call
        .ent atomc_call
atomc_call:
        lda     $30, -16($30)
        stq     $26, 0($30)
        stq     $15, 8($30)
        mov     $30, $15
        mov     $16, $27
        mov     $17, $1
        subq    $18, REGISTER_ARGUMENTS, $2
        ble     $2, 2f
        addq    $2, 1, $3               # room, a multiple of 16 bytes
        bic     $3, 1, $3
        sll     $3, 3, $3
        subq    $30, $3, $30
        mov     $30, $4
        lda     $5, 8*REGISTER_ARGUMENTS($1)
1:      ldq     $3, 0($5)
        stq     $3, 0($4)
        lda     $5, 8($5)
        lda     $4, 8($4)
        subq    $2, 1, $2
        bne     $2, 1b
2:      .irp r, 16,17,18,19,20,21
        ldq     $\r, 8*(\r-16)($1)
        ldt     $f\r, 8*(\r-16)($1)
        .endr
        jsr     $26, ($27)
        mov     $15, $30
        ldq     $26, 0($30)
        ldq     $15, 8($30)
        lda     $30, 16($30)
        ret     $31, ($26), 1
        .end atomc_call

# One lock for all analysis routines, taken by wrappers once the program has threads. Both are called by
# `jsr $28, ($28)` with $0 = the caller's thread pointer, and keep every register but $0, $1, $27 and $29. A thread
# that holds the lock already (a signal handler that interrupted an analysis routine) goes through: it has the owner's thread
# pointer, or the private one, under which nothing runs without the lock.
        .align 4
        .globl atomc_lock
        .ent atomc_lock
atomc_lock:
        br      $29, 1f
1:      ldgp    $29, 0($29)
        lda     $27, 1($0)              # never zero
        lda     $1, atomc_lock_owner
2:      ldq_l   $0, 0($1)
        bne     $0, 3f
        mov     $27, $0
        stq_c   $0, 0($1)
        beq     $0, 2b
        mb
        br      $31, 4f
3:      cmpeq   $0, $27, $0
        bne     $0, 4f
        lda     $0, atomc_private_thread_pointer
        ldq     $0, 0($0)
        addq    $0, 1, $0
        cmpeq   $0, $27, $0
        beq     $0, 5f
4:      ldq     $0, 8($1)
        addq    $0, 1, $0
        stq     $0, 8($1)
        ret     $31, ($28), 1
5:      lda     $30, -16($30)
        stq     $19, 0($30)
        lda     $0, $CALL_sched_yield($31)
        call_pal ALPHA_PAL_CALLSYS
        ldq     $19, 0($30)
        lda     $30, 16($30)
        br      $31, 2b
        .end atomc_lock

        .align 4
        .globl atomc_unlock
        .ent atomc_unlock
atomc_unlock:
        br      $29, 1f
1:      ldgp    $29, 0($29)
        lda     $1, atomc_lock_owner
        ldq     $0, 8($1)
        subq    $0, 1, $0
        stq     $0, 8($1)
        bne     $0, 2f
        mb
        stq     $31, 0($1)
2:      ret     $31, ($28), 1
        .end atomc_unlock

# Asks the kernel whether the aligned quadword at $16 can be read: futex(address, CMP_REQUEUE, 0, 0, address, 0) compares
# what is there with 0, and if it is, wakes none of those who wait there, and moves none. 0 or EAGAIN (35): it was read.
        .macro  ask_kernel no
        lda     $0, $CALL_futex($31)
        lda     $17, 132($31)           # FUTEX_CMP_REQUEUE | FUTEX_PRIVATE_FLAG
        mov     $31, $18
        mov     $31, $19
        mov     $16, $20
        mov     $31, $21
        call_pal ALPHA_PAL_CALLSYS
        lda     $0, -35($0)
        cmoveq  $19, $31, $0
        bne     $0, \no
        .endm

# $memory: the value of the $25 (1, 2, 4, 8) bytes at $24, into $27, or 0 if they cannot be read. Called by `jsr $23, ($27)`;
# keeps all but $24, $25 and $28. Nothing outside of the bytes' own quadwords is touched. A fault nevertheless, where
# another thread has taken the memory away meanwhile, is told by its pc (signals.c).
        .align 4
        .globl atomc_read_memory
        .ent atomc_read_memory
atomc_read_memory:
        lda     $30, -160($30)
        .irp r, 0,1,2,3,4,5,6,7,8
        stq     $\r, 8*\r($30)
        .endr
        .irp r, 16,17,18,19,20,21,22,23,24,25
        stq     $\r, 8*(\r-7)($30)
        .endr
        bic     $24, 7, $16
        ask_kernel atomc_read_failed
        ldq     $24, 8*17($30)
        ldq     $25, 8*18($30)
        addq    $24, $25, $16
        subq    $16, 1, $16
        bic     $16, 7, $16             # the last byte's
        bic     $24, 7, $17
        cmpeq   $16, $17, $17
        bne     $17, 1f
        ask_kernel atomc_read_failed
        ldq     $24, 8*17($30)
        ldq     $25, 8*18($30)
1:      addq    $24, $25, $28
        subq    $28, 1, $28
        .globl  atomc_read_low, atomc_read_high, atomc_read_failed
atomc_read_low:
        ldq_u   $27, 0($24)
atomc_read_high:
        ldq_u   $28, 0($28)
        extql   $27, $24, $27
        extqh   $28, $24, $28
        bis     $27, $28, $27
        lda     $28, 1($31)
        sll     $28, $25, $28
        subq    $28, 1, $28
        zapnot  $27, $28, $27
        br      $31, 2f
atomc_read_failed:
        mov     $31, $27
2:      .irp r, 0,1,2,3,4,5,6,7,8
        ldq     $\r, 8*\r($30)
        .endr
        .irp r, 16,17,18,19,20,21,22,23
        ldq     $\r, 8*(\r-7)($30)
        .endr
        lda     $30, 160($30)
        ret     $31, ($23), 1
        .end atomc_read_memory

        .globl atomc_primitives_end
atomc_primitives_end:

# The value of a floating-point register ($24, its 64 bits), rounded to a float, to nearest: into $27 as a register holds it,
# into $28 as memory does. By integers: cvtts would raise flags of the program's, or trap. Called by `jsr $23, ($27)`;
# keeps all but $24 and $25. A value that is a float already stays unchanged, as do denormal ones, which registers hold with
# exponent 0 (as lds leaves them): 64 bits that are a denormal double whose low 29 bits are 0 too.
        .align 4
        .globl atomc_round_single
        .ent atomc_round_single
atomc_round_single:
        sll     $24, 1, $25
        srl     $25, 53, $25            # exponent
        srl     $24, 29, $27
        sll     $27, 29, $27            # without what a float has no bits for
        lda     $28, -2047($25)
        beq     $28, 4f
        lda     $28, -897($25)
        blt     $28, 2f
        srl     $24, 29, $25            # half of the last place, ties to even
        and     $25, 1, $25
        ldah    $28, 4096($31)
        addq    $24, $28, $24
        addq    $24, $25, $24
        subq    $24, 1, $24
        srl     $24, 29, $27
        sll     $27, 29, $27
        sll     $27, 1, $25
        srl     $25, 53, $25
        lda     $28, -1150($25)
        ble     $28, 6f
        lda     $27, 2047($31)          # too large: infinity
        sll     $27, 52, $27
        br      $31, 5f
2:      beq     $25, 3f
        lda     $28, 926($31)           # below the least normal float: how far its last place is
        subq    $28, $25, $28
        sll     $24, 12, $27
        srl     $27, 12, $27
        lda     $25, 1($31)
        sll     $25, 52, $25
        bis     $27, $25, $27
        lda     $25, -54($28)
        cmovgt  $25, $31, $27           # shifts take six bits of that
        srl     $27, $28, $25
        and     $25, 1, $25
        addq    $27, $25, $25
        cmoveq  $27, $31, $25
        lda     $27, 1($31)
        sll     $27, $28, $27
        srl     $27, 1, $27
        subq    $27, 1, $27
        cmoveq  $25, $31, $27
        addq    $25, $27, $27
        srl     $27, $28, $27
        srl     $27, 23, $25
        sll     $27, 29, $27
        beq     $25, 5f
        lda     $27, 897($31)           # rounded up to the least normal one
        sll     $27, 52, $27
        br      $31, 5f
3:      cmpeq   $27, $24, $28           # zero, a float's denormal, or a double's, which is none
        bne     $28, 6f
        mov     $31, $27
        br      $31, 5f
4:      cmpeq   $27, $24, $28           # infinity, or not a number: quiet if bits are lost
        bne     $28, 6f
        lda     $25, 1($31)
        sll     $25, 51, $25
        bis     $27, $25, $27
        br      $31, 6f
5:      srl     $24, 63, $25
        sll     $25, 63, $25
        bis     $27, $25, $27
6:      srl     $27, 62, $28            # as sts stores it
        sll     $28, 30, $28
        sll     $27, 5, $25
        srl     $25, 34, $25
        bis     $28, $25, $28
        ret     $31, ($23), 1
        .end atomc_round_single

        .data
        .align 3
        .globl atomc_lock_owner
atomc_lock_owner:
        .quad 0                         # thread pointer + 1 of the holder
        .quad 0                         # how often it holds it
        .quad __divq, __remq            # inserted code divides by them
        .globl atomc_private_thread_pointer
atomc_private_thread_pointer:
        .quad 0                         # 0 until the private C library is up

        .section .note.GNU-stack, "", @progbits
