/* observe.S: executes one instruction with given registers. void observe(struct state *state): see observe.c. */
    .text
    .globl observe
    .type observe, %function
observe:
    stp x29, x30, [sp, #-176]!
    stp x19, x20, [sp, #16]
    stp x21, x22, [sp, #32]
    stp x23, x24, [sp, #48]
    stp x25, x26, [sp, #64]
    stp x27, x28, [sp, #80]
    stp d8, d9, [sp, #96]
    stp d10, d11, [sp, #112]
    stp d12, d13, [sp, #128]
    stp d14, d15, [sp, #144]
    mrs x1, tpidr_el0
    adrp x2, kept
    add x2, x2, :lo12:kept
    mov x3, sp
    stp x3, x1, [x2]
    str x0, [x2, #16]
    /* vectors, flags, sp */
    add x1, x0, #264
    ldp q0, q1, [x1], #32
    ldp q2, q3, [x1], #32
    ldp q4, q5, [x1], #32
    ldp q6, q7, [x1], #32
    ldp q8, q9, [x1], #32
    ldp q10, q11, [x1], #32
    ldp q12, q13, [x1], #32
    ldp q14, q15, [x1], #32
    ldp q16, q17, [x1], #32
    ldp q18, q19, [x1], #32
    ldp q20, q21, [x1], #32
    ldp q22, q23, [x1], #32
    ldp q24, q25, [x1], #32
    ldp q26, q27, [x1], #32
    ldp q28, q29, [x1], #32
    ldp q30, q31, [x1], #32
    ldr x1, [x0, #256]
    msr nzcv, x1
    ldr x1, [x0, #248]
    mov sp, x1
    ldp x1, x2, [x0, #8]
    ldp x3, x4, [x0, #24]
    ldp x5, x6, [x0, #40]
    ldp x7, x8, [x0, #56]
    ldp x9, x10, [x0, #72]
    ldp x11, x12, [x0, #88]
    ldp x13, x14, [x0, #104]
    ldp x15, x16, [x0, #120]
    ldp x17, x18, [x0, #136]
    ldp x19, x20, [x0, #152]
    ldp x21, x22, [x0, #168]
    ldp x23, x24, [x0, #184]
    ldp x25, x26, [x0, #200]
    ldp x27, x28, [x0, #216]
    ldp x29, x30, [x0, #232]
    ldr x0, [x0]
    b place
    .globl behind
behind:
    msr tpidr_el0, x0
    adrp x0, kept
    add x0, x0, :lo12:kept
    ldr x0, [x0, #16]
    stp x1, x2, [x0, #8]
    mrs x1, tpidr_el0
    str x1, [x0]
    stp x3, x4, [x0, #24]
    stp x5, x6, [x0, #40]
    stp x7, x8, [x0, #56]
    stp x9, x10, [x0, #72]
    stp x11, x12, [x0, #88]
    stp x13, x14, [x0, #104]
    stp x15, x16, [x0, #120]
    stp x17, x18, [x0, #136]
    stp x19, x20, [x0, #152]
    stp x21, x22, [x0, #168]
    stp x23, x24, [x0, #184]
    stp x25, x26, [x0, #200]
    stp x27, x28, [x0, #216]
    stp x29, x30, [x0, #232]
    mov x1, sp
    str x1, [x0, #248]
    mrs x1, nzcv
    str x1, [x0, #256]
    add x1, x0, #264
    stp q0, q1, [x1], #32
    stp q2, q3, [x1], #32
    stp q4, q5, [x1], #32
    stp q6, q7, [x1], #32
    stp q8, q9, [x1], #32
    stp q10, q11, [x1], #32
    stp q12, q13, [x1], #32
    stp q14, q15, [x1], #32
    stp q16, q17, [x1], #32
    stp q18, q19, [x1], #32
    stp q20, q21, [x1], #32
    stp q22, q23, [x1], #32
    stp q24, q25, [x1], #32
    stp q26, q27, [x1], #32
    stp q28, q29, [x1], #32
    stp q30, q31, [x1], #32
    adrp x2, kept
    add x2, x2, :lo12:kept
    ldp x3, x1, [x2]
    msr tpidr_el0, x1
    mov sp, x3
    ldp x19, x20, [sp, #16]
    ldp x21, x22, [sp, #32]
    ldp x23, x24, [sp, #48]
    ldp x25, x26, [sp, #64]
    ldp x27, x28, [sp, #80]
    ldp d8, d9, [sp, #96]
    ldp d10, d11, [sp, #112]
    ldp d12, d13, [sp, #128]
    ldp d14, d15, [sp, #144]
    ldp x29, x30, [sp], #176
    ret
    .size observe, . - observe

    .section .changing, "awx", %progbits
    .balign 65536
    .globl place
place:
    nop
    b behind

    .bss
    .balign 16
kept:
    .skip 32
    .section .note.GNU-stack, "", %progbits
