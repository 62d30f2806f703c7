/* entry.S: entry of an instrumented program, hand-over to the program, the gates that system calls take, and calls of routines.
   Requires atomc_image filled in by atomc. No gate changes the flags. */

#include "plan/system_calls.h"
#include "runtime/entries.h"
#include "runtime/machine/aarch64/offsets.h"

/* The numbers, as local symbols: they do not go into the object. */
#define SYSTEM_CALL(number, name, gate, private) .LCALL_##name = number;
#include SYSTEM_CALLS
#undef SYSTEM_CALL
#define SIGNAL(number, name, use) .LSIGNAL_##name = number;
#include SIGNAL_NUMBERS
#undef SIGNAL
.LALL_BUT_FAULTS = -1 - (1 << (.LSIGNAL_SEGV - 1)) - (1 << (.LSIGNAL_BUS - 1))

        .arch   armv8-a
        .text

/* To the label if the call in x8 is one of those that the gate looks for. */
#define LOOK_FOR(number, gate, wanted, scratch, label) \
        .if (gate) & (wanted); \
        sub scratch, x8, number; \
        cbz scratch, label; \
        .endif;

        .macro  get_address to, symbol
        adrp    \to, \symbol
        add     \to, \to, :lo12:\symbol
        .endm

/* Two registers are stored at the stack pointer, or loaded, where each register has a place by its number. */
        .macro  store_pair kind, first, offset, bytes
        store_pair_of \kind\first, \kind, \first, \offset, \bytes
        .endm
        .altmacro
        .macro  store_pair_of a, kind, first, offset, bytes
        store_two \kind, \first, %\first+1, \offset, \bytes
        .endm
        .macro  store_two kind, first, second, offset, bytes
        stp     \kind\()\first, \kind\()\second, [sp, #\offset+\bytes*\first]
        .endm
        .macro  load_pair kind, first, offset, bytes
        load_two \kind, \first, %\first+1, \offset, \bytes
        .endm
        .macro  load_two kind, first, second, offset, bytes
        ldp     \kind\()\first, \kind\()\second, [sp, #\offset+\bytes*\first]
        .endm

/* The stack pointer goes down or up by so many bytes; the limit of one instruction is 4095. */
        .macro  lower_stack bytes
        sub     sp, sp, #(\bytes) & 0xff000
        sub     sp, sp, #(\bytes) & 0xfff
        .endm
        .macro  above_stack to, bytes
        add     \to, sp, #(\bytes) & 0xff000
        add     \to, \to, #(\bytes) & 0xfff
        .endm

/* All registers but sp and pc, into a struct saved_context at sp, which leaves the thread's signal stack as it is. Changes x0 and x1. */
        .macro  store_context
        .irp    r, 0,2,4,6,8,10,12,14,16,18,20,22,24,26,28
        store_pair x, \r, CONTEXT_REGISTERS, 8
        .endr
        str     x30, [sp, #CONTEXT_REGISTERS+8*30]
        .irp    r, 0,2,4,6,8,10,12,14,16,18,20,22,24,26,28,30
        store_pair q, \r, CONTEXT_FLOATING+16, 16
        .endr
        mrs     x0, nzcv
        str     x0, [sp, #CONTEXT_STATE]
        mov     w0, #0x8001             // FLOATING_MAGIC
        movk    w0, #0x4650, lsl #16
        mov     w1, #FLOATING_BYTES
        str     w0, [sp, #CONTEXT_FLOATING]
        str     w1, [sp, #CONTEXT_FLOATING+4]
        mrs     x0, fpsr
        str     w0, [sp, #CONTEXT_FLOATING+8]
        mrs     x0, fpcr
        str     w0, [sp, #CONTEXT_FLOATING+12]
        str     xzr, [sp, #CONTEXT_RECORDS]
        stp     xzr, xzr, [sp]
        mov     x0, #STACK_UNCHANGED
        stp     xzr, x0, [sp, #CONTEXT_STACK]
        str     xzr, [sp, #CONTEXT_STACK+16]
        .endm

/* After store_context, the record of the long vectors: the kernel would clear them on rt_sigreturn. Longer ones than the record has
   room for are not stored. Changes the first registers, flags and predicates. Source of the layout: struct sve_context in
   arch/arm64/include/uapi/asm/sigcontext.h. */
        .macro  store_scalable
        .arch   armv8-a+sve
        rdvl    x1, #1
        cmp     x1, #LONGEST_RECORDED_VECTOR
        b.hi    9f
        add     x0, sp, #CONTEXT_RECORDS
        lsl     x2, x1, #5              // bytes of the vectors
        add     x3, x1, x1, lsl #4      // of 16 predicates and the register of faults: an eighth of this
        add     x3, x2, x3, lsr #3
        add     x3, x3, #16+15
        and     x3, x3, #~15
        mov     w4, #SCALABLE_MAGIC_LOW
        movk    w4, #SCALABLE_MAGIC_HIGH, lsl #16
        stp     w4, w3, [x0]
        str     x1, [x0, #8]            // the length, and no flags
        str     xzr, [x0, x3]           // the end of the records
        add     x0, x0, #16
        add     x2, x0, x2
        .irp    r, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
        str     z\r, [x0, #\r, mul vl]
        .endr
        .irp    r, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15
        str     p\r, [x2, #\r, mul vl]
        .endr
        rdffr   p0.b
        str     p0, [x2, #16, mul vl]
9:
        .arch   armv8-a
        .endm

/* The kernel enters here, with its vector (argc, argv, ...) at sp. All registers are kept, in a context below it, for the
   program. Its stack is left as it is: atomc_prepare clears the context, and makes a copy of the vector on a stack of our
   own, on which the private C library starts. */
        .balign 16
        .globl atomc_start, atomc_start_loaded
        .type atomc_start, %function
atomc_start:
        lower_stack CONTEXT_BYTES
        store_context
atomc_start_loaded:
        above_stack x0, CONTEXT_BYTES
        mov     x1, sp
        str     x0, [x1, #CONTEXT_REGISTERS+8*31]
        get_address x2, atomc_private_stack
        add     x2, x2, #FIRST_STACK_BYTES
        mov     sp, x2
        mov     x29, xzr
        bl      atomc_prepare
        mov     sp, x0
        mov     x0, xzr
        mov     x30, xzr
        b       _start
        .size atomc_start, .-atomc_start

        .balign 16
        .globl atomc_ungated_begin
atomc_ungated_begin:
#define INTERRUPTED 4 /* EINTR */
/* Every other svc of the analysis image is a branch to one of atomc_call_stubs (engine/image/image.c), which calls this. Changes only
   x0 and x30. Calls that would leave a trace in the program (heap, descriptors, registrations with the kernel) are handled in C. */
        .globl atomc_private_gate
        .type atomc_private_gate, %function
atomc_private_gate:
        stp     x16, x17, [sp, #-16]!
#define SYSTEM_CALL(number, name, gate, private) LOOK_FOR(number, GATE_##private, GATE_HANDLED | GATE_OPENS, x16, 1f)
#include SYSTEM_CALLS
#undef SYSTEM_CALL
        adrp    x16, atomc_moved_descriptors
        ldr     w16, [x16, :lo12:atomc_moved_descriptors]
        cbnz    w16, 4f
5:      mov     x16, x0
6:      svc     #0
        add     x17, x0, #INTERRUPTED   // by a signal of the program's, which is not the analysis side's
        cbnz    x17, 7f
        mov     x0, x16
        b       6b
7:      ldp     x16, x17, [sp], #16
        ret
4:
#define SYSTEM_CALL(number, name, gate, private) LOOK_FOR(number, GATE_##private, GATE_TAKES, x16, 1f)
#include SYSTEM_CALLS
#undef SYSTEM_CALL
        b       5b
#define VECTORS 160
1:      sub     sp, sp, #VECTORS+512
        str     x8, [sp]                // struct atomc_private_call
        stp     x0, x1, [sp, #8]
        stp     x2, x3, [sp, #24]
        stp     x4, x5, [sp, #40]
        str     x30, [sp, #56]
        stp     x6, x7, [sp, #64]
        stp     x9, x10, [sp, #80]
        stp     x11, x12, [sp, #96]
        stp     x13, x14, [sp, #112]
        mrs     x6, nzcv
        stp     x15, x18, [sp, #128]
        str     x6, [sp, #144]
        .irp    r, 0,2,4,6,8,10,12,14,16,18,20,22,24,26,28,30
        store_pair q, \r, VECTORS, 16
        .endr
        mov     x0, sp
        bl      atomc_private_system_call
        .irp    r, 0,2,4,6,8,10,12,14,16,18,20,22,24,26,28,30
        load_pair q, \r, VECTORS, 16
        .endr
        ldr     x6, [sp, #144]
        ldp     x15, x18, [sp, #128]
        msr     nzcv, x6
        ldp     x13, x14, [sp, #112]
        ldp     x11, x12, [sp, #96]
        ldp     x9, x10, [sp, #80]
        ldp     x6, x7, [sp, #64]
        ldr     x30, [sp, #56]
        ldp     x4, x5, [sp, #40]
        ldp     x2, x3, [sp, #24]
        ldp     x0, x1, [sp, #8]
        ldr     x8, [sp]
        add     sp, sp, #VECTORS+512
        ldp     x16, x17, [sp], #16
        ret
        .size atomc_private_gate, .-atomc_private_gate

/* Calls the routine with the program's registers, x30 and x16 of which the copy has saved, and returns x16 = its result. */
        .macro slow_gate routine
        adrp    x16, atomc_image+IMAGE_OWN_FRAMES
        ldr     x16, [x16, #:lo12:atomc_image+IMAGE_OWN_FRAMES]
        cbnz    x16, 4f
        sub     sp, sp, #GATE_BYTES
        str     x17, [sp, #8*17]
        add     x16, sp, #GATE_BYTES
        b       5f
4:      mov     x16, #SITE_FRAME
        str     x17, [x16, #SITE_FRAME_SPILLED]
        mov     x17, sp
        str     x17, [x16, #SITE_FRAME_GATE]
        sub     x17, x16, #GATE_BYTES
        mov     sp, x17
        ldr     x17, [x16, #SITE_FRAME_SPILLED]
        str     x17, [sp, #8*17]
        ldr     x16, [x16, #SITE_FRAME_GATE]
5:      str     x16, [sp, #8*31]
        .irp    r, 0,2,4,6,8,10,12,14,18,20,22,24,26,28
        store_pair x, \r, 0, 8
        .endr
        str     x30, [sp, #8*30]
        .irp    r, 0,2,4,6,8,10,12,14,16,18,20,22,24,26,28,30
        store_pair d, \r, GATE_FLOATING, 8
        store_pair q, \r, GATE_VECTORS, 16
        .endr
        mrs     x1, tpidr_el0
        mrs     x2, nzcv
        mrs     x3, fpcr
        mrs     x4, fpsr
        str     x1, [sp, #GATE_SYSTEM]
        str     x2, [sp, #GATE_SYSTEM+8]
        str     x3, [sp, #GATE_SYSTEM+16]
        str     x4, [sp, #GATE_SYSTEM+24]
        mov     x0, sp
        bl      \routine
        mov     x16, x0
        ldr     x1, [sp, #GATE_SYSTEM]
        ldr     x2, [sp, #GATE_SYSTEM+8]
        ldr     x3, [sp, #GATE_SYSTEM+16]
        ldr     x4, [sp, #GATE_SYSTEM+24]
        msr     tpidr_el0, x1
        msr     nzcv, x2
        msr     fpcr, x3
        msr     fpsr, x4
        .irp    r, 0,2,4,6,8,10,12,14,16,18,20,22,24,26,28,30
        load_pair q, \r, GATE_VECTORS, 16
        .endr
        .irp    r, 0,2,4,6,8,10,12,14,18,20,22,24,26,28
        load_pair x, \r, 0, 8
        .endr
        ldr     x17, [sp, #8*31]        // where the copy has stored two registers, and has room for more
        ldr     x30, [sp, #8*30]
        str     x30, [x17, #16]
        ldr     x30, [sp, #8*17]
        str     x30, [x17, #24]
        mov     sp, x17
        ldp     x30, x17, [sp, #16]
        ret
        .endm

/* The same for the system calls of libraries (runtime/text/stubs.c). */
        .balign 16
        .globl atomc_object_gate
        .type atomc_object_gate, %function
atomc_object_gate:
#define SYSTEM_CALL(number, name, gate, private) LOOK_FOR(number, GATE_##gate, GATE_OBJECTS, x16, atomc_gate_slow)
#include SYSTEM_CALLS
#undef SYSTEM_CALL
        b       atomc_program_gate
        .size atomc_object_gate, .-atomc_object_gate

/* The program's system calls come here first, by blr x30, with x30 and x16 saved by the copy. Returns with x16 = 0 if
   the copy is to make the call itself, 1 if it has been made, -1 if the copy is to make it, and to call atomc_call_failed
   after a failure, and 2 if the copy is to make it, and to call atomc_call_ends in any case. Everything else is kept. What takes more
   than a look is done on a stack of the analysis side, if the program has no threads. */
        .balign 16
        .globl atomc_program_gate
        .type atomc_program_gate, %function
atomc_program_gate:
#define SYSTEM_CALL(number, name, gate, private) LOOK_FOR(number, GATE_##gate, GATE_ALL | GATE_NAMES, x16, atomc_gate_slow)
#include SYSTEM_CALLS
#undef SYSTEM_CALL
        .globl atomc_wait_gate          // for those that may only wait
atomc_wait_gate:
        adrp    x16, atomc_waits
        ldr     w16, [x16, :lo12:atomc_waits]
        cbnz    w16, atomc_gate_slow
        ret
atomc_gate_slow:
        slow_gate atomc_gate_call
        .size atomc_program_gate, .-atomc_program_gate

/* The clone that the gate has counted has failed, or the execve for which results have been written. Called as the gate is; keeps
   all but x16. */
        .balign 16
        .globl atomc_call_failed
        .type atomc_call_failed, %function
atomc_call_failed:
        slow_gate atomc_program_call_failed
        .size atomc_call_failed, .-atomc_call_failed

/* A call that may wait has ended. Called as the gate is; keeps all but x16. */
        .balign 16
        .globl atomc_call_ends
        .type atomc_call_ends, %function
atomc_call_ends:
        slow_gate atomc_end_call
        .size atomc_call_ends, .-atomc_call_ends

/* A handler of the program returns to the kernel's trampoline, which is not in the program's text (lookups.c): the call that the
   trampoline would make. */
        .balign 16
        .globl atomc_handler_returns
        .type atomc_handler_returns, %function
atomc_handler_returns:
        mov     x8, #.LCALL_rt_sigreturn
        sub     sp, sp, #SPILL_NEAR     // as copies do before a gate
        str     x30, [sp]
        str     x16, [sp, #8]
        bl      atomc_program_gate
        brk     #0xa7                   // the gate does not return
        .size atomc_handler_returns, .-atomc_handler_returns

/* sp goes to the thread's stack for signals, so that what is executed step by step (stepping.c) may use the program's. Where
   there are too many threads it stays there, further down. Changes x0 to x9. */
        .balign 16
        .type atomc_to_signal_stack, %function
atomc_to_signal_stack:
        mov     x8, #.LCALL_gettid
        svc     #0
        get_address x1, atomc_signal_stacks
        mov     x3, #SIGNAL_STACKS
        lsl     x4, x3, #SIGNAL_STACK_SHIFT
        mov     x5, sp
        sub     x5, x5, x1
        cmp     x5, x4
        b.lo    5f                      // a fault in here
        sub     x4, x3, #1
        and     x5, x0, x4              // where to look first
        get_address x6, atomc_signal_threads
2:      add     x7, x6, x5, lsl #3
3:      ldaxr   x8, [x7]
        cmp     x8, x0
        b.eq    4f
        cbz     x8, 6f
        add     x5, x5, #1
        and     x5, x5, x4
        subs    x3, x3, #1
        b.ne    2b
        clrex
        sub     sp, sp, #SIGNAL_FAR_DOWN
        b       5f
6:      stlxr   w9, x0, [x7]
        cbnz    w9, 3b
4:      clrex
        add     x5, x5, #1
        lsl     x5, x5, #SIGNAL_STACK_SHIFT
        add     x1, x1, x5
        mov     sp, x1
5:      ret
        .size atomc_to_signal_stack, .-atomc_to_signal_stack

/* The kernel enters here for signals: x0 is the signal, x30 where its handler returns to, and sp the frame, in which all else is. First
   all signals are blocked, but SEGV and BUS; the mask up to then is the handler's. Another signal may come before that
   (is_at_entry in signals.c and atomc_complete_entry know these instructions). Then the kernel is given the context to go on with. The
   program's stack is left as the kernel leaves it: each thread has one here, or, where there are too many, uses the program's. */
        .balign 16
        .globl atomc_signal_entry, atomc_entry_blocked, atomc_entry_known
        .type atomc_signal_entry, %function
atomc_signal_entry:
        mov     x19, x0
        mov     x20, x30
        mov     x21, sp
        sub     sp, sp, #16
        mov     x0, #2                  // SIG_SETMASK
        adr     x1, 9f
        mov     x2, sp
        mov     x3, #8
        mov     x8, #.LCALL_rt_sigprocmask
        svc     #0
atomc_entry_blocked:
        ldr     x22, [sp], #16
atomc_entry_known:
        bl      atomc_to_signal_stack
        lower_stack CONTEXT_BYTES+SIGINFO_ROOM
        mov     x0, x19
        mov     x1, x21
        add     x2, x21, #SIGINFO_ROOM
        mov     x3, x22
        add     x4, sp, #SIGINFO_ROOM
        mov     x5, x20
        mov     x6, x21
        mov     x29, xzr
        bl      atomc_take_signal
        sub     x0, x0, #SIGINFO_ROOM
        mov     sp, x0
        mov     x8, #.LCALL_rt_sigreturn
        svc     #0
        .balign 8
9:      .quad   .LALL_BUT_FAULTS
        .size atomc_signal_entry, .-atomc_signal_entry

/* Where routines of the analysis side return to if a signal waits for that: an entry for each (deferral.c). All
   registers are the program's, or its wrapper's. */
        .balign 16
        .globl atomc_returns, atomc_returns_end
        .type atomc_returns, %function
atomc_returns:
        .rept   ATOMC_DEFERRALS
        sub     sp, sp, #16
        str     x30, [sp]
        nop
        bl      1f
        .endr
1:      lower_stack CONTEXT_BYTES
        store_context
        adrp    x0, atomc_has_long_vectors
        ldr     x0, [x0, #:lo12:atomc_has_long_vectors]
        cbz     x0, 2f
        store_scalable
2:
        above_stack x0, CONTEXT_BYTES
        ldr     x1, [x0]
        add     x0, x0, #16
        str     x1, [sp, #CONTEXT_REGISTERS+8*30]
        str     x0, [sp, #CONTEXT_REGISTERS+8*31]
        mov     x19, x30
        mov     x20, sp
        bl      atomc_to_signal_stack
        lower_stack CONTEXT_BYTES+SIGINFO_ROOM
        mov     x0, x20
        mov     x1, x19
        add     x2, sp, #SIGINFO_ROOM
        mov     x29, xzr
        bl      atomc_returned
        mov     x8, #.LCALL_rt_sigreturn
        svc     #0
atomc_returns_end:
        .size atomc_returns, .-atomc_returns

/* With --for=qemu the kernel enters a copy of this, among the program's pages (engine/output/loader.c): it maps what atomc has added,
   from the file that is executed, and goes on at atomc_start_loaded. Behind the copy is where that is, and then struct atomc_loaded[]. */
        .balign 16
        .globl atomc_loader, atomc_loader_end
        .type atomc_loader, %function
atomc_loader:
        lower_stack CONTEXT_BYTES
        store_context
        above_stack x19, CONTEXT_BYTES
        adr     x20, atomc_loader_end
        adr     x1, 90f
        mov     x0, #-100               // AT_FDCWD
        mov     x2, xzr                 // O_RDONLY
        mov     x3, xzr
        mov     x8, #.LCALL_openat
        svc     #0
        tbz     x0, #63, 5f
        ldr     x4, [x19]               // no /proc: the name that the kernel was given
        add     x4, x19, x4, lsl #3
        add     x4, x4, #16             // behind argc, the arguments and 0
2:      ldr     x5, [x4], #8
        cbnz    x5, 2b
3:      ldp     x5, x1, [x4], #16
        cbz     x5, 9f
        sub     x5, x5, #KERNEL_AT_EXECFN
        cbnz    x5, 3b
        mov     x0, #-100
        mov     x2, xzr
        mov     x3, xzr
        svc     #0
        tbnz    x0, #63, 9f
5:      mov     x22, x0
        ldr     x23, [x20], #8
6:      ldr     x1, [x20, #LOADED_LENGTH]
        cbz     x1, 8f
        ldr     x0, [x20, #LOADED_ADDRESS]
        ldr     x2, [x20, #LOADED_PROTECTION]
        ldr     x5, [x20, #LOADED_OFFSET]
        mov     x3, #KERNEL_MAP_FIXED_NOREPLACE
        orr     x3, x3, #KERNEL_MAP_PRIVATE
        mov     x4, x22
        tbz     x5, #63, 7f
        mov     x5, xzr                 // nothing of the file
        mov     x4, #-1
        orr     x3, x3, #KERNEL_MAP_ANONYMOUS
7:      mov     x8, #.LCALL_mmap
        svc     #0
        ldr     x1, [x20, #LOADED_ADDRESS]
        sub     x1, x0, x1
        cbnz    x1, 9f
        ldr     x1, [x20, #LOADED_ZEROED]
        ldr     x2, [x20, #LOADED_ZEROED_END]
        add     x20, x20, #LOADED_BYTES
10:     cmp     x1, x2
        b.hs    6b
        tst     x1, #7
        b.eq    11f
        strb    wzr, [x1], #1
        b       10b
11:     str     xzr, [x1], #8
        b       10b
8:      mov     x0, x22
        mov     x8, #.LCALL_close
        svc     #0
        br      x23
9:      mov     x0, #2
        adr     x1, 91f
        mov     x2, #92f-91f
        mov     x8, #.LCALL_write
        svc     #0
        mov     x0, #127
        mov     x8, #.LCALL_exit_group
        svc     #0
90:     .asciz  "/proc/self/exe"
91:     .ascii  "atomc: cannot map the instrumented program from its file; without --for=qemu the kernel does it\n"
92:     .balign 16
atomc_loader_end:
        .size atomc_loader, .-atomc_loader
        .globl atomc_ungated_end
atomc_ungated_end:

/* For each svc of the analysis side, which is replaced by a branch to one of these: atomc writes them so, with a branch back as the
   last word. */
#define CALL_STUBS 4096
        .balign 16
        .globl atomc_call_stubs, atomc_call_stubs_end, atomc_gate_stubs, atomc_gate_stubs_end
        .type atomc_call_stubs, %function
atomc_call_stubs:
atomc_gate_stubs:
        .rept   CALL_STUBS
        str     x30, [sp, #-16]!
        bl      atomc_private_gate
        ldr     x30, [sp], #16
        udf     #0
        .endr
atomc_call_stubs_end:
atomc_gate_stubs_end:
        .size atomc_call_stubs, .-atomc_call_stubs

/* Wrappers of routines go on here (engine/machine/aarch64/emit.c): x16 is the routine, x30 the number of its arguments at
   sp + ROUTINE_LINKAGE, and x16, x17 and the return address are at sp. All registers are kept: also those that are longer than 16 bytes,
   which a C library uses where the processor has them. The routine's arithmetic is the same whatever the program's modes are. Threads
   call routines in turn. */
        .balign 16
        .globl atomc_call_routine
        .type atomc_call_routine, %function
atomc_call_routine:
        sub     sp, sp, #ROUTINE_BYTES
        .irp    r, 0,2,4,6,8,10,12,14
        store_pair x, \r, 0, 8
        .endr
        stp     x18, x19, [sp, #128]
        str     x20, [sp, #144]
        mov     x19, sp
        mrs     x0, nzcv
        mrs     x1, fpcr
        mrs     x2, fpsr
        mrs     x3, tpidr_el0
        stp     x0, x1, [sp, #ROUTINE_SYSTEM]
        stp     x2, x3, [sp, #ROUTINE_SYSTEM+16]
        adrp    x20, atomc_has_long_vectors
        ldr     x20, [x20, #:lo12:atomc_has_long_vectors]
        cbnz    x20, 5f
        .irp    r, 0,2,4,6,8,10,12,14,16,18,20,22,24,26,28,30
        store_pair q, \r, ROUTINE_VECTORS, 16
        .endr
1:      adrp    x0, atomc_threaded
        ldr     w0, [x0, #:lo12:atomc_threaded]
        cbz     x0, 7f
        stp     x16, x30, [sp, #-16]!
        mrs     x0, tpidr_el0
        bl      atomc_lock
        ldp     x16, x30, [sp], #16
7:      adrp    x0, atomc_private_thread_pointer
        ldr     x0, [x0, #:lo12:atomc_private_thread_pointer]
        msr     tpidr_el0, x0
        msr     fpcr, xzr
        ldp     x0, x1, [x19]
        ldp     x2, x3, [x19, #16]
        cbz     x30, 3f
        add     x17, x30, #1            // room, a multiple of 16 bytes
        and     x17, x17, #~1
        sub     sp, sp, x17, lsl #3
        add     x17, x19, #ROUTINE_BYTES+ROUTINE_LINKAGE
        mov     x9, sp
2:      ldr     x10, [x17], #8
        str     x10, [x9], #8
        sub     x30, x30, #1
        cbnz    x30, 2b
3:      blr     x16
        ldp     x0, x1, [x19, #ROUTINE_SYSTEM]
        ldp     x2, x3, [x19, #ROUTINE_SYSTEM+16]
        cbnz    x20, 6f
        mov     sp, x19
        .irp    r, 0,2,4,6,8,10,12,14,16,18,20,22,24,26,28,30
        load_pair q, \r, ROUTINE_VECTORS, 16
        .endr
4:      msr     nzcv, x0
        msr     fpcr, x1
        msr     fpsr, x2
        msr     tpidr_el0, x3
        adrp    x0, atomc_threaded
        ldr     w0, [x0, #:lo12:atomc_threaded]
        cbz     x0, 8f
        bl      atomc_unlock
8:      ldr     x20, [sp, #144]
        ldp     x18, x19, [sp, #128]
        .irp    r, 0,2,4,6,8,10,12,14
        load_pair x, \r, 0, 8
        .endr
        add     sp, sp, #ROUTINE_BYTES
        ldp     x16, x17, [sp]
        ldr     x30, [sp, #16]
        add     sp, sp, #ROUTINE_LINKAGE
        ret
        .arch   armv8-a+sve
5:      addvl   sp, sp, #-3             // 16 predicates and the register of faults, of an eighth each
        mov     x20, sp
        .irp    r, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15
        str     p\r, [x20, #\r, mul vl]
        .endr
        rdffr   p0.b
        str     p0, [x20, #16, mul vl]
        addvl   sp, sp, #-32
        mov     x17, sp
        .irp    r, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
        str     z\r, [x17, #\r, mul vl]
        .endr
        b       1b
6:      addvl   x17, x20, #-32
        .irp    r, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
        ldr     z\r, [x17, #\r, mul vl]
        .endr
        ldr     p0, [x20, #16, mul vl]
        wrffr   p0.b
        .irp    r, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15
        ldr     p\r, [x20, #\r, mul vl]
        .endr
        mov     sp, x19
        b       4b
        .arch   armv8-a
        .size atomc_call_routine, .-atomc_call_routine

/* $static: the static address of what is at x16, into x16 (library_places.c has the table). Changes x16, x17 and x30. */
        .balign 16
        .globl atomc_find_static
        .type atomc_find_static, %function
atomc_find_static:
        lsr     x17, x16, #DISTANCES_ADDRESS_BITS
        cbnz    x17, 2f                 // no address
        str     x0, [sp, #-16]!
        get_address x0, atomc_distances
        lsr     x17, x16, #DISTANCES_LEAF_SHIFT
        ldr     x0, [x0, x17, lsl #3]
        cbz     x0, 1f
        ubfx    x17, x16, #DISTANCES_PAGE_SHIFT, #DISTANCES_LEAF_SHIFT-DISTANCES_PAGE_SHIFT
        ldr     x0, [x0, x17, lsl #3]
        sub     x16, x16, x0
1:      ldr     x0, [sp], #16
2:      ret
        .size atomc_find_static, .-atomc_find_static

        .section .note.GNU-stack, "", @progbits
