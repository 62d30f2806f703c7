/* kept.S: instructions at which all registers are in use, and the memory below the stack pointer. */

        .arch   armv8.2-a+sve

#define FRAME  0x1000           /* bytes below which is the memory that is compared */
#define BELOW  2048             /* bytes of it */
#define STATE  16               /* struct state of kept.c is at sp + STATE: */
#define VECTORS 256
#define SYSTEM 768

        .macro  pairs operation, base
        \operation x2, x3, [\base, #8*2]
        \operation x4, x5, [\base, #8*4]
        \operation x6, x7, [\base, #8*6]
        \operation x8, x9, [\base, #8*8]
        \operation x10, x11, [\base, #8*10]
        \operation x12, x13, [\base, #8*12]
        \operation x14, x15, [\base, #8*14]
        \operation x16, x17, [\base, #8*16]
        \operation x18, x19, [\base, #8*18]
        \operation x20, x21, [\base, #8*20]
        \operation x22, x23, [\base, #8*22]
        \operation x24, x25, [\base, #8*24]
        \operation x26, x27, [\base, #8*26]
        \operation x28, x29, [\base, #8*28]
        .endm
        .macro  vectors operation, base
        \operation q0, q1, [\base]
        \operation q2, q3, [\base, #16*2]
        \operation q4, q5, [\base, #16*4]
        \operation q6, q7, [\base, #16*6]
        \operation q8, q9, [\base, #16*8]
        \operation q10, q11, [\base, #16*10]
        \operation q12, q13, [\base, #16*12]
        \operation q14, q15, [\base, #16*14]
        \operation q16, q17, [\base, #16*16]
        \operation q18, q19, [\base, #16*18]
        \operation q20, q21, [\base, #16*20]
        \operation q22, q23, [\base, #16*22]
        \operation q24, q25, [\base, #16*24]
        \operation q26, q27, [\base, #16*26]
        \operation q28, q29, [\base, #16*28]
        \operation q30, q31, [\base, #16*30]
        .endm
        .macro  save_kept
        stp     x29, x30, [sp, #-176]!
        stp     x19, x20, [sp, #16]
        stp     x21, x22, [sp, #32]
        stp     x23, x24, [sp, #48]
        stp     x25, x26, [sp, #64]
        stp     x27, x28, [sp, #80]
        stp     d8, d9, [sp, #96]
        stp     d10, d11, [sp, #112]
        stp     d12, d13, [sp, #128]
        stp     d14, d15, [sp, #144]
        str     x1, [sp, #160]
        .endm
        .macro  restore_kept
        ldp     d14, d15, [sp, #144]
        ldp     d12, d13, [sp, #128]
        ldp     d10, d11, [sp, #112]
        ldp     d8, d9, [sp, #96]
        ldp     x27, x28, [sp, #80]
        ldp     x25, x26, [sp, #64]
        ldp     x23, x24, [sp, #48]
        ldp     x21, x22, [sp, #32]
        ldp     x19, x20, [sp, #16]
        ldp     x29, x30, [sp], #176
        .endm

        .text
/* void general(const struct state *before, struct state *after): all registers and the memory below the stack pointer become
   `before`, and `after` is their state after the nop. */
        .globl  general
        .type   general, %function
general:
        save_kept
        sub     sp, sp, #FRAME
        add     x1, x0, #SYSTEM+24      // the memory
        sub     x2, sp, #BELOW
1:      ldr     x3, [x1], #8
        str     x3, [x2], #8
        cmp     sp, x2
        b.ne    1b
        ldr     x1, [x0, #SYSTEM]
        ldr     x2, [x0, #SYSTEM+8]
        ldr     x3, [x0, #SYSTEM+16]
        msr     nzcv, x1
        msr     fpcr, x2
        msr     fpsr, x3
        add     x1, x0, #VECTORS
        vectors ldp, x1
        pairs   ldp, x0
        ldr     x30, [x0, #8*30]
        ldp     x0, x1, [x0]
        nop
        stp     x0, x1, [sp, #STATE]
        add     x0, sp, #STATE
        pairs   stp, x0
        str     x30, [x0, #8*30]
        mrs     x1, nzcv
        mrs     x2, fpcr
        mrs     x3, fpsr
        str     x1, [x0, #SYSTEM]
        str     x2, [x0, #SYSTEM+8]
        str     x3, [x0, #SYSTEM+16]
        add     x1, x0, #VECTORS
        vectors stp, x1
        add     x1, x0, #SYSTEM+24
        sub     x2, sp, #BELOW
2:      ldr     x3, [x2], #8
        str     x3, [x1], #8
        cmp     sp, x2
        b.ne    2b
        msr     fpcr, xzr
        msr     fpsr, xzr
        ldr     x1, [sp, #FRAME+160]
        mov     x2, #SYSTEM+24+BELOW
3:      ldr     x3, [x0], #8
        str     x3, [x1], #8
        subs    x2, x2, #8
        b.ne    3b
        add     sp, sp, #FRAME
        restore_kept
        ret
        .size   general, .-general

/* void scalable(const void *before, void *after): the same for the long vectors, the predicates and the register of faults. */
        .globl  scalable
        .type   scalable, %function
scalable:
        save_kept
        mov     x3, x0
        mov     x4, x1
        mov     x7, #3
        .irp    r, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
        ldr     z\r, [x3, #\r, mul vl]
        .endr
        addvl   x3, x3, #31
        addvl   x3, x3, #1
        addvl   x4, x4, #31
        addvl   x4, x4, #1
        ldr     p0, [x3, #16, mul vl]
        wrffr   p0.b
        .irp    r, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15
        ldr     p\r, [x3, #\r, mul vl]
        .endr
        nop
        .irp    r, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15
        str     p\r, [x4, #\r, mul vl]
        .endr
        rdffr   p0.b
        str     p0, [x4, #16, mul vl]
        .irp    r, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
        str     z\r, [x1, #\r, mul vl]
        .endr
        restore_kept
        ret
        .size   scalable, .-scalable

/* uint64_t vector_bytes(void) */
        .globl  vector_bytes
        .type   vector_bytes, %function
vector_bytes:
        rdvl    x0, #1
        ret
        .size   vector_bytes, .-vector_bytes

/* long load(const long *address): the load may fault. */
        .globl  load
        .type   load, %function
load:
        ldr     x0, [x0]
        ret
        .size   load, .-load

        .section .note.GNU-stack, "", @progbits
