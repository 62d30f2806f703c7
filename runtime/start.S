# start.S: entry of an instrumented program, hand-over to the program, and the gates that system calls take.
# Requires atomc_image filled in by atomc; everything here is below 2 GB, so absolute addresses take ldah/lda.

#include "runtime/gated_calls.h"

#define PAL_callsys 0x83
#define PAL_rduniq  0x9e
#define PAL_wruniq  0x9f

        .set noat
        .set noreorder
        .text

# The kernel enters here, with its vector (argc, argv, ...) at $30. The program's stack is left as it is: a
# copy of the vector is made on a stack of our own, and the private C library starts on that.
        .align 4
        .globl atomc_start
        .ent atomc_start
atomc_start:
        br      $27, 1f
1:      ldgp    $29, 0($27)
        mov     $30, $16
        lda     $30, atomc_private_stack
        lda     $30, 0x4000($30)
        lda     $27, atomc_prepare
        jsr     $26, ($27)
        ldgp    $29, 0($26)
        mov     $0, $30
        mov     $31, $0
        mov     $31, $26
        lda     $27, _start
        jmp     $31, ($27)
        .end atomc_start

# void atomc_enter_program(long initial_stack, long entry_copy, long fpcr, long thread_pointer): never returns.
# Registers are as the kernel would have left them: zero, but for $30 (and what names the entry, which _start
# takes from its own pc).
        .align 4
        .globl atomc_enter_program
        .ent atomc_enter_program
atomc_enter_program:
        mov     $16, $30
        mov     $17, $9
        stq     $18, -8($30)
        ldt     $f0, -8($30)
        stq     $31, -8($30)
        mt_fpcr $f0
        trapb
        mov     $19, $16
        call_pal PAL_wruniq
        mov     $9, $28
        .irp r, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,29
        mov     $31, $\r
        .endr
        .irp r, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30
        fmov    $f31, $f\r
        .endr
        jmp     $31, ($28)
        .end atomc_enter_program

# long atomc_raw_system_call(number, a0..a5 on the stack from a5): v0, or -errno. The only callsys instructions
# of the analysis image, with those in the gates below, that atomc leaves alone: between the two symbols.
        .align 4
        .globl atomc_ungated_begin
atomc_ungated_begin:
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
        call_pal PAL_callsys
        subq    $31, $0, $1
        cmovne  $19, $1, $0
        ret     $31, ($26), 1
        .end atomc_raw_system_call

# Every other callsys of the analysis image is a `bsr $28, atomc_private_gate`. The C library takes $1-$8, $22-$25,
# $27 and $28 as clobbered by a system call; all else is kept. Calls that would leave a trace in the
# program (heap, descriptors, registrations with the kernel) are handled in C.
        .align 4
        .globl atomc_private_gate
        .ent atomc_private_gate
atomc_private_gate:
        .irp number, 17, 41, 45, 71, 73, 90, 97, 341, 411, 450, 466, 487, 511, 527
        lda     $27, -\number($0)
        beq     $27, 1f
        .endr
        call_pal PAL_callsys
        ret     $31, ($28), 1
1:      lda     $30, -96($30)
        stq     $0, 0($30)              # struct gate_registers
        stq     $16, 8($30)
        stq     $17, 16($30)
        stq     $18, 24($30)
        stq     $19, 32($30)
        stq     $20, 40($30)
        stq     $21, 48($30)
        stq     $26, 56($30)
        stq     $28, 64($30)
        stq     $29, 72($30)
        mov     $30, $16
        br      $27, 2f
2:      ldgp    $29, 0($27)
        lda     $27, atomc_private_system_call
        jsr     $26, ($27)
        ldq     $0, 0($30)
        ldq     $16, 8($30)
        ldq     $17, 16($30)
        ldq     $18, 24($30)
        ldq     $19, 32($30)
        ldq     $20, 40($30)
        ldq     $21, 48($30)
        ldq     $26, 56($30)
        ldq     $28, 64($30)
        ldq     $29, 72($30)
        lda     $30, 96($30)
        ret     $31, ($28), 1
        .end atomc_private_gate



# The program's system calls come here first, by `bsr $26`, with $26 and $28 saved by the copy. Returns with $28 = 0 if
# the copy is to make the call itself, and 1 if it has been made. Everything else is kept.
        .align 4
        .globl atomc_program_gate
        .ent atomc_program_gate
atomc_program_gate:
        .irp number, ATOMC_GATED_CALLS
        lda     $28, -\number($0)
        beq     $28, 1f
        .endr
        mov     $31, $28
        ret     $31, ($26), 1
1:      lda     $30, -512($30)
        .irp r, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,29
        stq     $\r, 8*\r($30)
        .endr
        .irp r, 0,1,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30
        stt     $f\r, 256+8*\r($30)
        .endr
        mf_fpcr $f0
        stt     $f0, 504($30)
        br      $27, 2f
2:      ldgp    $29, 0($27)
        call_pal PAL_rduniq
        stq     $0, 8*31($30)
        mov     $0, $17
        mov     $30, $16
        lda     $27, atomc_program_system_call
        jsr     $26, ($27)
        mov     $0, $28
        ldq     $16, 8*31($30)
        call_pal PAL_wruniq
        ldt     $f0, 504($30)
        mt_fpcr $f0
        .irp r, 0,1,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30
        ldt     $f\r, 256+8*\r($30)
        .endr
        .irp r, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,29
        ldq     $\r, 8*\r($30)
        .endr
        lda     $30, 512($30)
        ret     $31, ($26), 1
        .end atomc_program_gate

# The kernel enters here for the program's signals: on to the handler's copy, with the handler's own address in $27, as it
# expects. Only what the kernel passes ($16-$18, $26, $30) has to be kept.
        .align 4
        .globl atomc_signal_entry
        .ent atomc_signal_entry
atomc_signal_entry:
        lda     $30, -32($30)
        stq     $16, 0($30)
        stq     $17, 8($30)
        stq     $18, 16($30)
        stq     $26, 24($30)
        br      $27, 1f
1:      ldgp    $29, 0($27)
        lda     $27, atomc_show_context
        jsr     $26, ($27)
        ldgp    $29, 0($26)
        mov     $0, $28                 # the handler's copy
        ldq     $16, 0($30)
        ldq     $17, 8($30)
        ldq     $18, 16($30)
        ldq     $26, 24($30)
        lda     $30, 32($30)
        lda     $1, atomc_original_handlers
        s8addq  $16, $1, $1
        ldq     $27, 0($1)
        jmp     $31, ($28)
        .end atomc_signal_entry

# The kernel enters here for SIGSEGV: a jump to an original address, which is not executable, goes on in the copy; a fault of the
# program goes to its handler as the kernel would have called it. All registers are in the signal frame.
        .align 4
        .globl atomc_fault_entry
        .ent atomc_fault_entry
atomc_fault_entry:
        lda     $30, -48($30)
        stq     $16, 0($30)
        stq     $17, 8($30)
        stq     $18, 16($30)
        stq     $26, 24($30)
        lda     $19, 32($30)
        br      $27, 1f
1:      ldgp    $29, 0($27)
        lda     $27, atomc_fault
        jsr     $26, ($27)
        ldq     $16, 0($30)
        ldq     $17, 8($30)
        ldq     $18, 16($30)
        ldq     $26, 24($30)
        ldq     $28, 32($30)
        lda     $30, 48($30)
        mov     $0, $27               # as the kernel leaves it: the handler's own address
        beq     $27, 2f
        jmp     $31, ($28)
2:      ret     $31, ($26), 1
        .end atomc_fault_entry

# Where atomc's own handlers return to (the program's have its C library's).
        .align 4
        .globl atomc_signal_return
        .ent atomc_signal_return
atomc_signal_return:
        mov     $30, $16
        lda     $0, 351($31)           # rt_sigreturn
        call_pal PAL_callsys
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

# void atomc_call(long routine, long arguments, long count), see runtime.h
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
        subq    $18, 6, $2
        ble     $2, 2f
        addq    $2, 1, $3               # room, a multiple of 16 bytes
        bic     $3, 1, $3
        sll     $3, 3, $3
        subq    $30, $3, $30
        mov     $30, $4
        lda     $5, 48($1)
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
# that holds the lock already (a signal handler that interrupted an analysis routine) goes through.
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
        beq     $0, 5f
4:      ldq     $0, 8($1)
        addq    $0, 1, $0
        stq     $0, 8($1)
        ret     $31, ($28), 1
5:      lda     $30, -16($30)
        stq     $19, 0($30)
        lda     $0, 334($31)            # sched_yield
        call_pal PAL_callsys
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
        .globl atomc_ungated_end
atomc_ungated_end:

        .data
        .align 3
        .globl atomc_lock_owner
atomc_lock_owner:
        .quad 0                         # thread pointer + 1 of the holder
        .quad 0                         # how often it holds it
        .quad __divq, __remq            # inserted code divides by them


        .section .note.GNU-stack, "", @progbits
