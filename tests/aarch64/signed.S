/* signed.S: transfers that authenticate their target, with each key and each kind of modifier. A transfer leaves its registers as
   they are: the callees and the callers see the signed addresses. */
        .arch   armv8.3-a
        .macro  begin name
        .globl  \name
        .type   \name, %function
        .balign 4
\name:
        .endm
        .macro  end name
        .size   \name, .-\name
        .endm
        .text

/* Returns twice its argument; the address that was not authenticated is in x30 afterwards. */
        .macro  returns name, sign, return
        begin   \name
        \sign
        adrp    x1, signed_link
        str     x30, [x1, :lo12:signed_link]
        add     x0, x0, x0
        .globl  \name\()_end
\name\()_end:
        \return
        end     \name
        .endm
        returns by_a, paciasp, retaa
        returns by_b, pacibsp, retab

/* Both, called: 4 times its argument, and 1000 for each x30 that is the signed one. */
        begin   both
        pacibsp
        stp     x29, x30, [sp, #-16]!
        .irp    name, by_a, by_b
        bl      \name
        adrp    x1, signed_link
        ldr     x1, [x1, :lo12:signed_link]
        cmp     x1, x30
        add     x2, x0, #1000
        csel    x0, x2, x0, eq
        .endr
        ldp     x29, x30, [sp], #16
        retab
        end     both

/* A jump by each instruction. */
        begin   jumps
        mov     x2, #77
        .macro  by sign, jump
        adr     x1, 1f
        \sign
        \jump
        brk     #1
1:      add     x0, x0, #3
        .endm
        by      "pacia x1, x2", "braa x1, x2"
        by      "pacib x1, x2", "brab x1, x2"
        by      "pacia x1, sp", "braa x1, sp"
        by      "pacib x1, sp", "brab x1, sp"
        by      "paciza x1", "braaz x1"
        by      "pacizb x1", "brabz x1"
        ret
        end     jumps

/* A call by each instruction: the callee has the signed address in x1. */
        begin   seen
        cmp     x1, x19
        add     x2, x0, #100
        csel    x0, x2, x0, eq
        ret
        end     seen
        begin   calls
        paciasp
        stp     x29, x30, [sp, #-32]!
        str     x19, [sp, #16]
        .macro  call sign, call
        adr     x1, seen
        mov     x2, x0
        \sign
        mov     x19, x1
        \call
        add     x0, x0, #1
        .endm
        call    "pacia x1, x2", "blraa x1, x2"
        call    "pacib x1, x2", "blrab x1, x2"
        call    "pacia x1, sp", "blraa x1, sp"
        call    "pacib x1, sp", "blrab x1, sp"
        call    "paciza x1", "blraaz x1"
        call    "pacizb x1", "blrabz x1"
        ldr     x19, [sp, #16]
        ldp     x29, x30, [sp], #32
        retaa
        end     calls

/* Its return address is another one than was signed. */
        begin   forged
        paciasp
        eor     x30, x30, #16
        retaa
        end     forged

/* As many calls of by_a as x0 says. */
        begin   many
        stp     x29, x30, [sp, #-32]!
        str     x19, [sp, #16]
        mov     x19, x0
1:      mov     x0, #1
        bl      by_a
        .globl  many_return
many_return:
        subs    x19, x19, #1
        b.ne    1b
        ldr     x19, [sp, #16]
        ldp     x29, x30, [sp], #32
        ret
        end     many

        .bss
        .balign 8
signed_link:
        .skip   8
