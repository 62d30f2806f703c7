/* costs.S: a loop for tests/run/aarch64.sh: each iteration calls, makes the address of a page, and returns. Where leaf returns, two
   registers are free. */
        .text
        .globl  main
        .type   main, %function
main:   /* (iterations / 1000 + 1) */
        stp     x29, x30, [sp, #-32]!
        str     x19, [sp, #16]
        .irp    r, 2,3,4,5,6,7,8,9,10,11,12,13,14,15,18
        mov     x\r, #\r
        .endr
        mov     w19, #1000
        mul     w19, w19, w0
1:      mov     w0, w19
        bl      leaf
        subs    w19, w19, #1
        b.ne    1b
        .irp    r, 2,3,4,5,6,7,8,9,10,11,12,13,14,15,18
        add     x0, x0, x\r
        .endr
        mov     w0, #0
        ldr     x19, [sp, #16]
        ldp     x29, x30, [sp], #32
        ret
        .size   main, .-main

        .type   leaf, %function
leaf:
        adrp    x1, page
        tbz     w0, #0, 2f
        add     x0, x0, #1
        ret
2:      nop
        ret
        .size   leaf, .-leaf

        .data
        .balign 4096
page:   .quad   0
