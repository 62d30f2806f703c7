/* program.S: a program, and its copies as atomc makes them, by macros: the words of the program, which are never executed, the
   copies, and the map. image.c fills in the other tables of the runtime. */

#define SPILL_NEAR 1040

/* An instruction, the same in both. */
        .macro  both insn:vararg
        .section .copies, "ax", %progbits
.Lcopy\@:
        \insn
        .section .program, "a", %progbits
        \insn
        .section .map, "a", %progbits
        .word   .Lcopy\@
        .endm
/* An instruction of the program; the copy follows. */
        .macro  original insn:vararg
        .section .map, "a", %progbits
        .word   .Lcopy_of\@
        .section .program, "a", %progbits
        \insn
        .section .copies, "ax", %progbits
.Lcopy_of\@:
        .endm
        .macro  place name
        .section .program, "a", %progbits
\name:
        .section .copies, "ax", %progbits
\name\()_copy:
        .endm
        .macro  address to, of
        original nop
        movz    \to, #:abs_g0_nc:\of
        movk    \to, #:abs_g1:\of
        .endm
        .macro  branch insn, target
        original \insn \target
        \insn   \target\()_copy
        .endm
        .macro  branch_if insn, reg, target
        original \insn \reg, \target
        \insn   \reg, \target\()_copy
        .endm
        .macro  call target
        original bl \target
        movz    x30, #:abs_g0_nc:.Lafter\@
        movk    x30, #:abs_g1:.Lafter\@
        b       \target\()_copy
        .section .program, "a", %progbits
.Lafter\@:
        .endm
        .macro  call_register reg
        original blr \reg
        eor     x16, \reg, #0x20000000
        ldr     w16, [x16]
        movz    x30, #:abs_g0_nc:.Lafter\@
        movk    x30, #:abs_g1:.Lafter\@
        br      x16
        .section .program, "a", %progbits
.Lafter\@:
        .endm
        .macro  return
        original ret
        eor     x16, x30, #0x20000000
        ldr     w16, [x16]
        br      x16
        .endm
/* An instruction with inserted code: a count in a cell. */
        .macro  counted cell, insn:vararg
        .section .copies, "ax", %progbits
.Lcopy\@:
        adrp    x16, cells+8*\cell
        ldr     x17, [x16, #:lo12:cells+8*\cell]
        add     x17, x17, #1
        str     x17, [x16, #:lo12:cells+8*\cell]
        \insn
        .section .program, "a", %progbits
        \insn
        .section .map, "a", %progbits
        .word   .Lcopy\@
        .endm
/* The same: a call of a routine of the analysis side, which may change any register. */
        .macro  calling routine, insn:vararg
        .section .copies, "ax", %progbits
.Lcopy\@:
        sub     sp, sp, #688
        .irp    r, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17
        str     x\r, [sp, #8*\r]
        .endr
        stp     x18, x30, [sp, #144]
        .irp    r, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
        str     q\r, [sp, #176+16*\r]
        .endr
        mrs     x0, nzcv
        str     x0, [sp, #160]
        adrp    x1, \routine
        add     x1, x1, :lo12:\routine
        blr     x1
        ldr     x0, [sp, #160]
        msr     nzcv, x0
        .irp    r, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
        ldr     q\r, [sp, #176+16*\r]
        .endr
        .irp    r, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17
        ldr     x\r, [sp, #8*\r]
        .endr
        ldp     x18, x30, [sp, #144]
        add     sp, sp, #688
        \insn
        .section .program, "a", %progbits
        \insn
        .section .map, "a", %progbits
        .word   .Lcopy\@
        .endm
        .macro  save_for_gate
        sub     sp, sp, #SPILL_NEAR
        str     x30, [sp]
        str     x16, [sp, #8]
        .endm
        .macro  restore_after_gate
        ldr     x30, [sp]
        ldr     x16, [sp, #8]
        add     sp, sp, #SPILL_NEAR
        .endm
        .macro  system_call number
        both    mov x8, #\number
        original svc #0
        save_for_gate
        adrp    x30, atomc_program_gate
        add     x30, x30, :lo12:atomc_program_gate
        blr     x30
        tbnz    x16, #63, 3f
        tbnz    x16, #0, 1f
        restore_after_gate
        svc     #0
        b       2f
1:      restore_after_gate
        b       2f
3:      restore_after_gate
        svc     #0
        cbz     x0, 4f
        tbz     x0, #63, 2f
4:      save_for_gate
        adrp    x30, atomc_call_failed
        add     x30, x30, :lo12:atomc_call_failed
        blr     x30
        restore_after_gate
2:
        .endm
        .macro  print text
        both    mov x0, #1
        address x1, .Ltext\@
        both    mov x2, #.Lend\@-.Ltext\@
        system_call 64
        .section .rodata
.Ltext\@: .ascii "\text\n"
.Lend\@:
        .endm

/* The program's entry: the image is filled in, as atomc does in the file. */
        .text
        .globl  test_start
test_start:
        adrp    x9, filled_image
        add     x9, x9, :lo12:filled_image
        adrp    x10, atomc_image
        add     x10, x10, :lo12:atomc_image
        adrp    x11, filled_bytes
        ldr     x11, [x11, :lo12:filled_bytes]
1:      ldr     x12, [x9], #8
        str     x12, [x10], #8
        sub     x11, x11, #8
        cbnz    x11, 1b
        b       atomc_start

        .globl  program_begin, program_end, copies_end, entry_copy, handler_pc, handled
        .section .program, "a", %progbits
program_begin:
        place   entry
entry_copy:
        counted 0, nop
        print   "begins"

        /* all registers are kept over a call that the runtime makes: fcntl(100, F_DUPFD, 0) fails */
        both    mov x9, #0x1234
        both    mov x16, #0x16
        both    mov x17, #0x17
        both    mov x18, #0x18
        both    mov x30, #0x30
        both    fmov d5, #1.5
        both    subs x10, x10, x10
        both    mov x0, #100
        both    mov x1, #0
        both    mov x2, #0
        system_call 25
        both    cset x11, eq
        both    add x9, x9, x16
        both    add x9, x9, x17
        both    add x9, x9, x18
        both    add x9, x9, x30
        both    fcvtzs x12, d5
        both    add x9, x9, x11
        both    add x9, x9, x12
        both    add x9, x9, x0
        both    mov x10, #0x1234+0x16+0x17+0x18+0x30+1+1-9
        both    sub x9, x9, x10
        branch_if cbnz, x9, wrong

        /* calls, direct and by the map */
        both    mov x19, #0
        call    add_one
        address x1, add_one
        call_register x1
        both    sub x20, x19, #2
        branch_if cbnz, x20, wrong

        /* a signal that the program sends to itself */
        address x1, action
        both    mov x0, #10
        both    mov x2, #0
        both    mov x3, #8
        system_call 134
        branch_if cbnz, x0, wrong
        system_call 172
        both    mov x1, #10
        system_call 129
        branch_if cbnz, x0, wrong
        address x1, handled
        both    ldr x2, [x1]
        both    sub x2, x2, #1
        branch_if cbnz, x2, wrong
        print   "handled"

        /* signals of a timer arrive anywhere, also in inserted code: how often the loop is executed is not changed by them */
        address x1, alarm_action
        both    mov x0, #14
        both    mov x2, #0
        both    mov x3, #8
        system_call 134
        both    mov x0, #0
        address x1, interval
        both    mov x2, #0
        system_call 103
        both    mov x21, #0
        address x22, alarms
        place   loop
        counted 1, add x21, x21, #1
        call    add_one
        calling routine, nop
        both    ldr x0, [x22]
        both    sub x0, x0, #200
        branch_if tbnz, "x0, #63", loop
        both    mov x0, #0
        address x1, never
        both    mov x2, #0
        system_call 103
        address x1, loops
        both    str x21, [x1]
        print   "alarmed"

        /* a fault of the program's, at its own address; its handler goes on after it */
        address x1, fault_action
        both    mov x0, #11
        both    mov x2, #0
        both    mov x3, #8
        system_call 134
        both    mov x1, #0x1000
        place   faulting
        both    ldr x0, [x1]
        print   "faulted"

        /* the child of a fork */
        both    mov x0, #17
        both    mov x1, #0
        both    mov x2, #0
        both    mov x3, #0
        both    mov x4, #0
        system_call 220
        branch_if cbz, x0, child
        both    mov x1, #0
        both    mov x2, #0
        both    mov x3, #0
        system_call 260
        print   "parent"
        both    mov x0, #3
        system_call 94

        place   child
        print   "child"
        both    mov x0, #0
        system_call 94

        place   wrong
        print   "wrong"
        both    mov x0, #1
        system_call 94

        place   add_one
        counted 2, add x19, x19, #1
        return

        /* handlers: x0 is the signal, x2 the context */
        place   handler
        both    sub sp, sp, #16
        both    str x30, [sp]
        address x3, handled
        both    ldr x4, [x3]
        both    add x4, x4, #1
        both    str x4, [x3]
        both    ldr x4, [x2, #440]
        both    str x4, [x3, #8]
        both    ldr x30, [sp]
        both    add sp, sp, #16
        return

        place   alarm_handler
        counted 3, nop
        address x3, alarms
        both    ldr x4, [x3]
        both    add x4, x4, #1
        both    str x4, [x3]
        both    ldr x4, [x2, #440]
        address x5, program_begin
        both    sub x4, x4, x5
        address x5, program_size
        both    ldr x5, [x5]
        both    sub x4, x4, x5
        both    lsr x4, x4, #63
        both    ldr x5, [x3, #8]
        both    add x5, x5, x4
        both    str x5, [x3, #8]
        return

        place   fault_handler
        both    ldr x4, [x2, #440]
        address x5, faulting
        both    sub x4, x4, x5
        branch_if cbnz, x4, wrong
        both    ldr x4, [x1, #16]
        both    sub x4, x4, #0x1000
        branch_if cbnz, x4, wrong
        address x5, faulting
        both    add x5, x5, #4
        both    str x5, [x2, #440]
        return

        .section .program, "a", %progbits
program_end:
        .section .copies, "ax", %progbits
copies_end:

        .data
        .balign 8
        .globl  cells, alarms, loops, program_size
cells:  .quad   0, 0, 0, 0
handled: .quad  0
handler_pc: .quad 0
alarms: .quad   0, 0
loops:  .quad   0
program_size: .quad program_end-program_begin
action: .quad   handler, 4, 0, 0
alarm_action: .quad alarm_handler, 0x10000004, 0, 0
fault_action: .quad fault_handler, 4, 0, 0
interval: .quad 0, 500, 0, 500
never:  .quad   0, 0, 0, 0

        .section .note.GNU-stack, "", %progbits
