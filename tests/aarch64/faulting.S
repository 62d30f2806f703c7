// faulting.S: for tests/data/faulting.c: x0 is good memory, x1 is none. No instruction of AArch64 traps as those of Alpha's traps() do.
        .arch armv8.1-a
        .text
        .globl loads, stores, begins, ends, floats, joins, traps, over, back, again
        .type loads, %function
loads:  ldr     x9, [x0]
        ldr     x10, [x1, #8]
        add     x9, x9, #1
        ldr     x11, [x0, #8]
over:   ldr     w10, [x1]
        add     x9, x9, #10
        add     x9, x9, #20
        add     x9, x9, #2
        add     x0, x9, x11
        ret
        .size loads, . - loads
        .type stores, %function
stores: ldr     x9, [x0]
again:  add     x9, x9, #3
        str     x9, [x0, #16]
back:   str     x9, [x1, #16]
        add     x9, x9, #4
        ldp     x10, x11, [x0]
        add     x0, x9, x11
        ret
        .size stores, . - stores
        .type begins, %function
begins: str     wzr, [x1]
        ldr     x9, [x0]
        mov     x10, #3
1:      ldrh    w11, [x1]
        add     x9, x9, #1
        subs    x10, x10, #1
        b.gt    1b
        mov     x0, x9
        ret
        .size begins, . - begins
        .type ends, %function
ends:   mov     x9, #0
        mov     x10, #4
2:      tbnz    x10, #63, 4f
        tbnz    x10, #0, 3f
        add     x9, x9, #5
        ldr     x11, [x1]
3:      sub     x10, x10, #1
        ldrb    w11, [x1]
        b       2b
4:      mov     x0, x9
        ret
        .size ends, . - ends
        .type traps, %function
traps:  ldr     x9, [x0]
        add     x9, x9, #7
        casp    x10, x11, x12, x13, [x1]
        mov     x0, x9
        ret
        .size traps, . - traps
        .type floats, %function
floats: ldr     d16, [x0]
        fadd    d17, d16, d16
        ldr     d18, [x1]
        fadd    d17, d17, d16
        stp     d17, d16, [x1]
        mov     x0, #8
        ret
        .size floats, . - floats
        .type joins, %function
joins:  mov     x9, #0
        tbz     x2, #0, 5f
        add     x9, x9, #1
        ldr     x10, [x1]
        add     x9, x9, #2
5:      ldr     x11, [x0]
        ldr     x10, [x1], #16
        add     x9, x9, x11
        lsr     x2, x2, #1
        tbz     x2, #0, 6f
        add     x9, x9, #3
        str     x9, [x1, #8]!
        b       7f
6:      ldr     x11, [x0, #8]
        str     x9, [x0, #24]
        add     x9, x9, x11
7:      add     x9, x9, #5
        str     x9, [x1, #16]
        ldr     x11, [x0]
        tbz     x11, #0, 8f
        add     x9, x9, x11
8:      ldxr    x10, [x1]
        add     x0, x9, #7
        ret
        .size joins, . - joins
        .section .note.GNU-stack,"",%progbits
