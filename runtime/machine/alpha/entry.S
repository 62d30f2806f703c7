# entry.S: entry of an instrumented program, hand-over to the program, and the gates that system calls take.
# Requires atomc_image filled in by atomc; everything here is below 2 GB, so absolute addresses take ldah/lda.

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
$ALL_BUT_FAULTS = -1 - (1 << ($SIGNAL_SEGV - 1)) - (1 << ($SIGNAL_BUS - 1))

        .set noat
        .set noreorder
        .text

# To the label if the call in $0 is one of those that the gate looks for.
        .macro  look_for number, gate, wanted, scratch, label
        .if     \gate & \wanted
        lda     \scratch, -\number($0)
        beq     \scratch, \label
        .endif
        .endm

# All registers but $30, into a struct sigcontext at $30. Changes $1 and $f0.
        .macro  store_context
        .irp r, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29
        stq     $\r, 32+8*\r($30)
        .endr
        .irp r, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30
        stt     $f\r, 296+8*\r($30)
        .endr
        mf_fpcr $f0
        stt     $f0, 552($30)
        stq     $31, 0($30)
        lda     $1, 8($31)              # user mode
        stq     $1, 24($30)
        stq     $31, 32+8*31($30)
        stq     $31, 288($30)
        stq     $31, 296+8*31($30)
        .endm

# The kernel enters here, with its vector (argc, argv, ...) at $30. All registers are kept, in a context below it, for the
# program. Its stack is left as it is: atomc_prepare clears the context, and makes a copy of the vector on a stack of our
# own, on which the private C library starts.
        .align 4
        .globl atomc_start, atomc_start_loaded
        .ent atomc_start
atomc_start:
        lda     $30, -CONTEXT_BYTES($30)
        store_context
atomc_start_loaded:
        br      $27, 1f
1:      ldgp    $29, 0($27)
        lda     $16, CONTEXT_BYTES($30)
        mov     $30, $17
        stq     $16, 32+8*30($17)
        lda     $30, atomc_private_stack
        lda     $30, FIRST_STACK_BYTES($30)
        lda     $27, atomc_prepare
        jsr     $26, ($27)
        ldgp    $29, 0($26)
        mov     $0, $30
        mov     $31, $0
        mov     $31, $26
        lda     $27, _start
        jmp     $31, ($27)
        .end atomc_start

        .align 4
        .globl atomc_ungated_begin
atomc_ungated_begin:
#define INTERRUPTED 4 /* EINTR */
# Every other callsys of the analysis image is a `bsr $28, atomc_private_gate`. The C library takes $1-$8, $22-$25,
# $27 and $28 as clobbered by a system call; all else is kept. Calls that would leave a trace in the
# program (heap, descriptors, registrations with the kernel) are handled in C.
        .align 4
        .globl atomc_private_gate
        .ent atomc_private_gate
atomc_private_gate:
#define SYSTEM_CALL(number, name, gate, private) look_for number, GATE_##private, (GATE_HANDLED | GATE_OPENS), $27, 1f;
#include "plan/system_calls.def"
#undef SYSTEM_CALL
        br      $27, 3f
3:      ldgp    $27, 0($27)
        ldah    $27, atomc_moved_descriptors($27) !gprelhigh
        ldl     $27, atomc_moved_descriptors($27) !gprellow
        bne     $27, 4f
5:      mov     $0, $24
        mov     $19, $25
6:      call_pal ALPHA_PAL_CALLSYS
        beq     $19, 7f
        lda     $27, -INTERRUPTED($0)   # by a signal of the program's, which is not the analysis side's
        bne     $27, 7f
        mov     $24, $0
        mov     $25, $19
        br      $31, 6b
7:      ret     $31, ($28), 1
4:
#define SYSTEM_CALL(number, name, gate, private) look_for number, GATE_##private, GATE_TAKES, $27, 1f;
#include "plan/system_calls.def"
#undef SYSTEM_CALL
        br      $31, 5b
1:      lda     $30, -96($30)
        stq     $0, 0($30)              # struct atomc_private_call
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



# Calls the routine with the program's registers, $26 and $28 of which the copy has saved, and returns $28 = its result.
        .macro slow_gate routine
        br      $28, 3f
3:      ldgp    $28, 0($28)
        ldah    $28, atomc_image+IMAGE_OWN_FRAMES($28) !gprelhigh
        ldq     $28, atomc_image+IMAGE_OWN_FRAMES($28) !gprellow
        bne     $28, 4f
        lda     $30, -512($30)
        lda     $28, 512($30)
        br      $31, 5f
4:      ldah    $28, SITE_FRAME >> 16($31)
        stq     $30, SITE_FRAME_GATE($28)
        lda     $30, -512($28)
        ldq     $28, SITE_FRAME_GATE+512($30)
5:      stq     $28, 8*30($30)
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
        call_pal ALPHA_PAL_RDUNIQ
        stq     $0, 8*31($30)
        mov     $0, $17
        mov     $30, $16
        lda     $27, \routine
        jsr     $26, ($27)
        mov     $0, $28
        ldq     $16, 8*31($30)
        call_pal ALPHA_PAL_WRUNIQ
        ldt     $f0, 504($30)
        mt_fpcr $f0
        .irp r, 0,1,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30
        ldt     $f\r, 256+8*\r($30)
        .endr
        .irp r, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,29
        ldq     $\r, 8*\r($30)
        .endr
        ldq     $30, 8*30($30)
        ret     $31, ($26), 1
        .endm

# The same for the system calls of libraries (runtime/text/stubs.c).
        .align 4
        .globl atomc_object_gate
        .ent atomc_object_gate
atomc_object_gate:
#define SYSTEM_CALL(number, name, gate, private) look_for number, GATE_##gate, GATE_OBJECTS, $28, atomc_gate_slow;
#include "plan/system_calls.def"
#undef SYSTEM_CALL
        br      $31, atomc_program_gate
        .end atomc_object_gate

# The program's system calls come here first, by `bsr $26`, with $26 and $28 saved by the copy. Returns with $28 = 0 if
# the copy is to make the call itself, 1 if it has been made, -1 if the copy is to make it, and to call atomc_call_failed
# after a failure, and 2 if the copy is to make it, and to call atomc_call_ends in any case. Everything else is kept. What takes more
# than a look is done on a stack of the analysis side, if the program has no threads.
        .align 4
        .globl atomc_program_gate
        .ent atomc_program_gate
atomc_program_gate:
#define SYSTEM_CALL(number, name, gate, private) look_for number, GATE_##gate, (GATE_ALL | GATE_NAMES), $28, atomc_gate_slow;
#include "plan/system_calls.def"
#undef SYSTEM_CALL
        .globl atomc_wait_gate          # for those that may only wait
atomc_wait_gate:
        br      $28, 1f
1:      ldgp    $28, 0($28)
        ldah    $28, atomc_waits($28) !gprelhigh
        ldl     $28, atomc_waits($28) !gprellow
        bne     $28, atomc_gate_slow
        ret     $31, ($26), 1
atomc_gate_slow:
        slow_gate atomc_gate_call
        .end atomc_program_gate

# The clone that the gate has counted has failed, or the execve for which results have been written. Called as the gate is; keeps
# all but $28.
        .align 4
        .globl atomc_call_failed
        .ent atomc_call_failed
atomc_call_failed:
        slow_gate atomc_program_call_failed
        .end atomc_call_failed

# A call that may wait has ended. Called as the gate is; keeps all but $28.
        .align 4
        .globl atomc_call_ends
        .ent atomc_call_ends
atomc_call_ends:
        slow_gate atomc_end_call
        .end atomc_call_ends

# $30 goes to the thread's stack for signals, so that what is executed step by step (stepping.c) may use the program's. Where
# there are too many threads it stays there, further down. Called by `bsr $28`, with $29 set; changes $0, $1, $3-$8, $12, $19, $20.
        .align 4
        .ent atomc_to_signal_stack
atomc_to_signal_stack:
        lda     $0, $CALL_gettid($31)
        call_pal ALPHA_PAL_CALLSYS
        lda     $1, atomc_signal_stacks
        lda     $3, SIGNAL_STACKS
        sll     $3, SIGNAL_STACK_SHIFT, $4
        subq    $30, $1, $5
        cmpult  $5, $4, $5
        bne     $5, 5f                  # a fault in here
        subq    $3, 1, $4
        and     $0, $4, $5              # where to look first
        lda     $6, atomc_signal_threads
2:      s8addq  $5, $6, $7
3:      ldq_l   $8, 0($7)
        cmpeq   $8, $0, $12
        bne     $12, 4f
        beq     $8, 6f
        addq    $5, 1, $5
        and     $5, $4, $5
        subq    $3, 1, $3
        bne     $3, 2b
        lda     $30, -SIGNAL_FAR_DOWN($30)
        br      $31, 5f
6:      mov     $0, $8
        stq_c   $8, 0($7)
        beq     $8, 3b
4:      addq    $5, 1, $5
        sll     $5, SIGNAL_STACK_SHIFT, $5
        addq    $1, $5, $30
5:      ret     $31, ($28), 1
        .end atomc_to_signal_stack

# The kernel enters here for signals; $16-$18, $26 and $30 are its arguments, all else is in the frame. First all
# signals are blocked, but SEGV and BUS; the mask up to then is the handler's. Another signal may come before that
# (is_at_entry in signals.c knows these instructions). Then the kernel is given the context to go on with. The program's stack is
# left as the kernel leaves it: each thread has one here, or, where there are too many, uses the program's.
        .align 4
        .globl atomc_signal_entry, atomc_entry_blocked, atomc_entry_known
        .ent atomc_signal_entry
atomc_signal_entry:
        mov     $16, $9
        mov     $17, $10
        lda     $16, 3($31)             # SIG_SETMASK
        lda     $17, $ALL_BUT_FAULTS($31)
        lda     $0, $CALL_osf_sigprocmask($31)
        call_pal ALPHA_PAL_CALLSYS
atomc_entry_blocked:
        mov     $0, $2
atomc_entry_known:
        br      $27, 1f
1:      ldgp    $29, 0($27)
        mov     $30, $11
        bsr     $28, atomc_to_signal_stack
        lda     $30, -CONTEXT_BYTES($30)
        mov     $9, $16
        mov     $10, $17
        mov     $2, $19
        mov     $30, $20
        mov     $26, $21
        lda     $30, -16($30)
        stq     $11, 0($30)
        lda     $27, atomc_take_signal
        jsr     $26, ($27)
        mov     $0, $16
        lda     $0, $CALL_sigreturn($31)
        call_pal ALPHA_PAL_CALLSYS
        .end atomc_signal_entry

# Where routines of the analysis side return to if a signal waits for that: an entry for each (deferral.c). All
# registers are the program's, or its wrapper's.
        .align 4
        .globl atomc_returns, atomc_returns_end
        .ent atomc_returns
atomc_returns:
        .rept   ATOMC_DEFERRALS
        lda     $30, -16($30)
        stq     $28, 0($30)
        nop
        br      $28, 1f
        .endr
1:      lda     $30, -CONTEXT_BYTES($30)
        store_context
        ldq     $1, CONTEXT_BYTES($30)
        stq     $1, 32+8*28($30)
        lda     $1, CONTEXT_BYTES+16($30)
        stq     $1, 32+8*30($30)
        mov     $28, $9
        mov     $30, $10
        br      $27, 2f
2:      ldgp    $29, 0($27)
        bsr     $28, atomc_to_signal_stack
        lda     $30, -CONTEXT_BYTES($30)
        mov     $10, $16
        mov     $9, $17
        mov     $30, $18
        lda     $27, atomc_returned
        jsr     $26, ($27)
        mov     $30, $16
        lda     $0, $CALL_sigreturn($31)
        call_pal ALPHA_PAL_CALLSYS
atomc_returns_end:
        .end atomc_returns

# With --for=qemu the kernel enters a copy of this, among the program's pages (engine/output/loader.c): it maps what atomc has added,
# from the file that is executed, and goes on at atomc_start_loaded. Behind the copy is where that is, and then struct atomc_loaded[].
        .align 4
        .globl atomc_loader, atomc_loader_end
        .ent atomc_loader
atomc_loader:
        lda     $30, -CONTEXT_BYTES($30)
        store_context
        lda     $9, CONTEXT_BYTES($30)
        br      $11, 1f
1:      lda     $10, atomc_loader_end-1b($11)
        lda     $16, 90f-1b($11)
        mov     $31, $17                # O_RDONLY
        mov     $31, $18
        lda     $0, $CALL_open($31)
        call_pal ALPHA_PAL_CALLSYS
        beq     $19, 5f
        ldq     $1, 0($9)               # no /proc: the name that the kernel was given
        s8addq  $1, $9, $1
        lda     $1, 16($1)              # behind argc, the arguments and 0
2:      ldq     $2, 0($1)
        lda     $1, 8($1)
        bne     $2, 2b
3:      ldq     $2, 0($1)
        ldq     $16, 8($1)
        lda     $1, 16($1)
        beq     $2, 9f
        lda     $2, -KERNEL_AT_EXECFN($2)
        bne     $2, 3b
        mov     $31, $17
        mov     $31, $18
        lda     $0, $CALL_open($31)
        call_pal ALPHA_PAL_CALLSYS
        bne     $19, 9f
5:      mov     $0, $12
        ldq     $13, 0($10)
        lda     $10, 8($10)
6:      ldq     $17, LOADED_LENGTH($10)
        beq     $17, 8f
        ldq     $16, LOADED_ADDRESS($10)
        ldq     $18, LOADED_PROTECTION($10)
        ldq     $21, LOADED_OFFSET($10)
        ldah    $19, KERNEL_MAP_FIXED_NOREPLACE >> 16($31)
        lda     $19, KERNEL_MAP_PRIVATE($19)
        mov     $12, $20
        bge     $21, 7f
        mov     $31, $21                # nothing of the file
        subq    $31, 1, $20
        lda     $19, KERNEL_MAP_ANONYMOUS($19)
7:      lda     $0, $CALL_mmap($31)
        call_pal ALPHA_PAL_CALLSYS
        bne     $19, 9f
        ldq     $1, LOADED_ADDRESS($10)
        subq    $0, $1, $1
        bne     $1, 9f
        ldq     $1, LOADED_ZEROED($10)
        ldq     $2, LOADED_ZEROED_END($10)
        lda     $10, LOADED_BYTES($10)
        cmpult  $1, $2, $3
        beq     $3, 6b
        ldq_u   $3, 0($1)
        mskql   $3, $1, $3
        stq_u   $3, 0($1)
        bis     $1, 7, $1
        addq    $1, 1, $1
        br      $31, 11f
10:     stq     $31, 0($1)
        lda     $1, 8($1)
11:     cmpult  $1, $2, $3
        bne     $3, 10b
        br      $31, 6b
8:      mov     $12, $16
        lda     $0, $CALL_close($31)
        call_pal ALPHA_PAL_CALLSYS
        mov     $13, $27
        jmp     $31, ($27)
9:      lda     $16, 2($31)
        lda     $17, 91f-1b($11)
        lda     $18, 92f-91f($31)
        lda     $0, $CALL_write($31)
        call_pal ALPHA_PAL_CALLSYS
        lda     $16, 127($31)
        lda     $0, $CALL_exit_group($31)
        call_pal ALPHA_PAL_CALLSYS
90:     .asciz  "/proc/self/exe"
91:     .ascii  "atomc: cannot map the instrumented program from its file; without --for=qemu the kernel does it\n"
92:     .align  4
atomc_loader_end:
        .end atomc_loader
        .globl atomc_ungated_end
atomc_ungated_end:

# $static: the static address for the address in $24, into $27 (library_places.c has the table). Called by `jsr $23, ($27)`; keeps all
# but $24, $25 and $28.
        .align 4
        .globl atomc_find_static
        .ent atomc_find_static
atomc_find_static:
        mov     $24, $27
        srl     $24, DISTANCES_ADDRESS_BITS, $25
        bne     $25, 2f                 # no address
        br      $28, 1f
        .quad   atomc_distances         # at 16: $28
1:      ldq     $28, 0($28)
        srl     $24, DISTANCES_LEAF_SHIFT, $25
        s8addq  $25, $28, $28
        ldq     $28, 0($28)
        beq     $28, 2f
        sll     $24, 64-DISTANCES_LEAF_SHIFT, $25
        srl     $25, 64-DISTANCES_LEAF_SHIFT+DISTANCES_PAGE_SHIFT, $25
        s8addq  $25, $28, $28
        ldq     $28, 0($28)
        subq    $24, $28, $27
2:      ret     $31, ($23), 1
        .end atomc_find_static

        .section .note.GNU-stack, "", @progbits
