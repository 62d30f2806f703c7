/* awkward.S: instructions whose copies are more than their words, and registers without any that is free. Each
   function returns a number that depends on what it executed. */
        .text

/* Literals of all kinds, between a branch and its target. */
        .globl  literals
        .type   literals, %function
literals:
        ldr     x0, 1f
        ldr     w1, 2f
        ldrsw   x2, 2f
        ldr     d0, 1f
        ldr     s1, 2f
        ldr     q2, 1f
        prfm    pldl1keep, 1f
        ldr     xzr, 1f
        b       3f
        .balign 16
1:      .quad   0x123456789abcdef0, 0x1122334455667788
2:      .word   0x87654321, 0
3:      add     x0, x0, x1
        add     x0, x0, x2
        fmov    x1, d0
        eor     x0, x0, x1, ror #7
        fmov    w1, s1
        add     x0, x0, x1, lsl #9
        umov    x1, v2.d[1]
        eor     x0, x0, x1
        ret
        .size   literals, .-literals

/* Branches to targets farther than tbz reaches, and as far as it reaches, forwards and back. */
        .globl  distant
        .type   distant, %function
distant:
        mov     x1, #0
1:      tbz     w0, #0, 2f
        add     x1, x1, #1
        cbz     w0, 2f
        add     x1, x1, #2
        tbnz    x0, #40, 2f
        adr     x2, 2f
        .rept   7000
        add     x1, x1, #3
        .endr
        eor     x1, x1, x2
2:      eor     x1, x1, x0
        sub     w0, w0, #1
        tbz     w0, #31, 1b
        mov     x0, x1
        ret
        .size   distant, .-distant

/* Flags that live over the heads of blocks; each of these blocks is counted. */
        .globl  flags
        .type   flags, %function
flags:
        mov     x2, #0
1:      subs    x0, x0, #1
        b.mi    4f
        tbz     x0, #0, 2f
        add     x2, x2, #5
2:      cbz     x1, 3f
        sub     x1, x1, #1
3:      adc     x2, x2, x0
        cinc    x2, x2, ne
        b       1b
4:      mov     x0, x2
        ret
        .size   flags, .-flags

/* Flags that are live over a loop's head, into a procedure and out of it: sums of numbers of several words, as libraries for large
   numbers add them. */
        .globl  carried
        .type   carried, %function
carried: /* (long *sum, const long *added, long words): the last carry */
        cmn     xzr, xzr
        cbz     x2, 2f
1:      ldr     x3, [x0]
        ldr     x4, [x1], #8
        adcs    x3, x3, x4
        str     x3, [x0], #8
        sub     x2, x2, #1
        cbnz    x2, 1b
2:      stp     x29, x30, [sp, #-16]!
        bl      3f
        cset    x0, cs
        ldp     x29, x30, [sp], #16
        ret
3:      tbz     x1, #3, 4f
        b.cc    4f
        nop
4:      ret
        .size   carried, .-carried

/* A loop in which all registers but x18 hold values, and a return from it through another register. */
        .globl  full
        .type   full, %function
full:
        stp     x29, x30, [sp, #-112]!
        stp     x19, x20, [sp, #16]
        stp     x21, x22, [sp, #32]
        stp     x23, x24, [sp, #48]
        stp     x25, x26, [sp, #64]
        stp     x27, x28, [sp, #80]
        .irp    r, 1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30
        add     x\r, x0, #\r
        .endr
1:      tbz     x0, #1, 2f
        add     x1, x1, x30
2:      .irp    r, 2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30
        eor     x1, x1, x\r, ror #\r
        .endr
        bl      3f
3:      add     x1, x1, #1
        sub     x0, x0, #1
        mov     x30, x1
        cbnz    x0, 1b
        mov     x0, x1
        ldp     x19, x20, [sp, #16]
        ldp     x21, x22, [sp, #32]
        ldp     x23, x24, [sp, #48]
        ldp     x25, x26, [sp, #64]
        ldp     x27, x28, [sp, #80]
        ldp     x29, x3, [sp], #112
        ret     x3
        .size   full, .-full

/* Jumps: into one of several sums by a computed address, and calls through x30. */
        .globl  computed
        .type   computed, %function
computed:
        mov     x4, x30
        adr     x1, 1f
        and     x2, x0, #7
        add     x1, x1, x2, lsl #3
        br      x1
1:      .rept   8
        add     x0, x0, #17
        eor     x0, x0, x0, lsl #3
        .endr
        adr     x30, 2f
        blr     x30
        b       3f
2:      add     x0, x0, #9
        ret
3:      adrp    x5, 2b
        add     x5, x5, :lo12:2b
        blr     x5
        ret     x4
        .size   computed, .-computed

/* An exclusive access that is left in its middle, and one that is repeated. */
        .globl  exclusive
        .type   exclusive, %function
exclusive:
        mov     w3, #0
1:      ldaxr   w1, [x0]
        cmp     w1, #20
        b.hs    2f
        add     w1, w1, #1
        stlxr   w2, w1, [x0]
        cbnz    w2, 1b
        add     w3, w3, #1
        b       1b
2:      clrex
        mov     w0, w3
        ret
        .size   exclusive, .-exclusive

/* Tables: bytes, halves and words beside a label; words beside the table; each entry from its own address. */
        .macro  cases count
        .set    at, 0
        .rept   \count
        add     x0, x0, #at*at+3
        b       .Lafter
        .set    at, at+1
        .endr
        .endm
        .globl  tables
        .type   tables, %function
tables:
        mov     x5, x0
        mov     x0, #0
        cmp     w5, #3
        b.hi    .Lafter
        cmp     w1, #1
        b.lo    1f
        b.eq    2f
        cmp     w1, #3
        b.lo    3f
        b.eq    4f
        b       5f
.Lafter:
        eor     x0, x0, x5
        ret
1:      adrp    x2, bytes
        add     x2, x2, :lo12:bytes
        ldrb    w2, [x2, w5, uxtw]
        adr     x3, 11f
        add     x2, x3, w2, sxtb #2
        br      x2
11:     cases   4
2:      adrp    x2, halves
        add     x2, x2, :lo12:halves
        ldrh    w2, [x2, w5, uxtw #1]
        adr     x3, 12f
        add     x2, x3, w2, sxth #2
        br      x2
12:     cases   4
3:      adrp    x2, words
        add     x2, x2, :lo12:words
        ldr     w2, [x2, w5, uxtw #2]
        adr     x3, 13f
        add     x2, x3, w2, sxtw #2
        br      x2
13:     cases   4
4:      adrp    x2, relative
        add     x2, x2, :lo12:relative
        mov     w5, w5
        ldrsw   x3, [x2, x5, lsl #2]
        add     x2, x2, x3
        br      x2
14:     cases   4
5:      adrp    x2, own
        add     x2, x2, :lo12:own
        mov     w5, w5
        add     x2, x2, x5, lsl #2
        ldr     w3, [x2]
        add     x2, x2, w3, sxtw
        br      x2
15:     cases   4
        .size   tables, .-tables

        .section .rodata
        .balign 4
bytes:  .byte   0, 2, 4, 6
halves: .hword  6, 4, 2, 0
words:  .word   0, 6, 2, 4
relative:
        .word   14b-relative, 14b+24-relative, 14b+8-relative, 14b+16-relative
own:    .word   15b-own, 15b+8-(own+4), 15b+16-(own+8), 15b+24-(own+12)
        .section .note.GNU-stack, "", @progbits
