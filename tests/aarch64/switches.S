/* switches.S: jump tables whose address or limit is found only if something else is known. Each function takes a number below 4. */
        .macro  begin name
        .globl  \name
        .type   \name, %function
        .balign 4
\name:
        stp     x29, x30, [sp, #-64]!
        stp     x19, x20, [sp, #16]
        .endm
        .macro  end name
        ldp     x19, x20, [sp, #16]
        ldp     x29, x30, [sp], #64
        ret
        .size   \name, .-\name
        .endm
        .macro  jump to, entry, label /* by an entry of one byte */
        adr     x2, \label
        add     \to, x2, \entry, sxtb #2
        br      \to
        .endm
        .text

/* The limit is not known where a call that does not return would come back. */
        begin   limit
        adrp    x1, limit_table
        add     x1, x1, :lo12:limit_table
        add     w0, w0, #1
        cmp     w0, #4
        b.hi    1f
        cmp     w0, #0
        b.ls    1f
        sub     w0, w0, #1
        cmp     w0, #3
        b.ls    2f
1:      bl      abort
2:      ldrb    w0, [x1, w0, uxtw]
        jump    x0, w0, 3f
3:      mov     x0, #10
        b       5f
4:      mov     x0, #20
5:
        end     limit

/* Data that is no table comes behind the table: the entries there would lead into the next function, which keeps its own in a
   register over a loop. */
        begin   beyond
        adrp    x1, beyond_table
        add     x1, x1, :lo12:beyond_table
        lsr     w0, w0, #1 /* no comparison: it is below 2^31 */
        ldrb    w0, [x1, w0, uxtw]
        jump    x0, w0, 3f
3:      mov     x0, #30
        b       5f
4:      mov     x0, #40
5:
        end     beyond
        begin   kept
        adrp    x19, kept_table
        add     x19, x19, :lo12:kept_table
        mov     w20, w0
        mov     x0, #0
1:      cmp     w20, #3
        b.hi    6f
        ldrb    w3, [x19, w20, uxtw]
        sub     w20, w20, #1
        jump    x3, w3, 2f
2:      add     x0, x0, #1
        b       1b
3:      add     x0, x0, #10
        b       1b
4:      add     x0, x0, #100
        b       1b
6:
        end     kept

/* Behind exit() is code where the register has another address. */
        begin   exits
        adrp    x19, exits_table
        add     x19, x19, :lo12:exits_table
        mov     w20, w0
        mov     x0, #0
        cmp     w20, #100
        b.ne    1f
        adrp    x19, beyond_table
        add     x19, x19, :lo12:beyond_table
        bl      exit
1:      cmp     w20, #3
        b.hi    6f
        ldrb    w3, [x19, w20, uxtw]
        sub     w20, w20, #1
        jump    x3, w3, 2f
2:      add     x0, x0, #2
        b       1b
3:      add     x0, x0, #20
        b       1b
6:
        end     exits

/* The table's address is the second of two registers that are stored together, and loaded together. */
        begin   stored
        adrp    x1, stored_table
        add     x1, x1, :lo12:stored_table
        stp     x0, x1, [sp, #32]
        mov     w20, w0
        mov     x0, #0
1:      cmp     w20, #3
        b.hi    6f
        ldp     x5, x4, [sp, #32]
        ldrb    w3, [x4, w20, uxtw]
        sub     w20, w20, #1
        jump    x3, w3, 2f
2:      add     x0, x0, #3
        b       1b
3:      add     x0, x0, #30
        b       1b
6:
        end     stored

/* The index is an entry of another table. */
        begin   entry
        adrp    x1, indices
        add     x1, x1, :lo12:indices
        ldrb    w0, [x1, w0, uxtw]
        cmp     w0, #3
        b.hi    5f
        adrp    x1, entry_table
        add     x1, x1, :lo12:entry_table
        ldrb    w0, [x1, w0, uxtw]
        jump    x0, w0, 3f
3:      mov     x0, #4
        b       5f
4:      mov     x0, #40
5:
        end     entry

/* The return address is loaded together with another register, after its register was used for something else. */
        begin   returns
        adrp    x1, returns_table
        add     x1, x1, :lo12:returns_table
        cmp     w0, #3
        b.hi    5f
        mov     x30, x0
        add     x30, x30, x1
        ldrb    w0, [x30]
        ldrb    w0, [x1, w0, uxtw]
        and     w0, w0, #3
        cmp     w0, #3
        b.hi    5f
        ldrb    w0, [x1, w0, uxtw]
        jump    x0, w0, 3f
3:      mov     x0, #5
        b       5f
4:      mov     x0, #50
5:
        end     returns

/* The table's address is at the stack pointer, which moves behind another one's. */
        begin   popped
        adrp    x1, popped_table
        add     x1, x1, :lo12:popped_table
        adrp    x3, limit_table
        add     x3, x3, :lo12:limit_table
        sub     sp, sp, #32
        str     x1, [sp]
        str     x3, [sp, #16]
        ldr     x4, [sp], #16
        add     sp, sp, #16
        cmp     w0, #3
        b.hi    6f
        ldrb    w0, [x4, w0, uxtw]
        jump    x0, w0, 3f
3:      mov     x0, #6
        b       6f
4:      mov     x0, #60
        b       6f
5:      mov     x0, #600
6:
        end     popped

/* The entries are words that are extended after they are loaded; the target is kept in the frame (GCC's computed goto at -O0). */
        begin   extended
        and     x0, x0, #3
        adrp    x1, extended_table
        add     x1, x1, :lo12:extended_table
        ldr     w1, [x1, x0, lsl #2]
        sxtw    x1, w1
        adr     x0, 5f
        add     x0, x1, x0
        str     x0, [sp, #40]
        mov     x1, #0
        ldr     x0, [sp, #40]
        br      x0
3:      add     x1, x1, #7
4:      add     x1, x1, #70
5:      mov     x0, x1
        end     extended
        .pushsection .rodata
        .balign 4
extended_table:
        .word   3b - 5b, 4b - 5b, 0, 3b - 5b
        .popsection

/* The jumps of these may go to any place of their function. A table in memory that is written: no address of 4 is in it. */
        begin   changed
        adrp    x1, changed_table
        add     x1, x1, :lo12:changed_table
        mov     w2, #8
        str     w2, [x1, #8]
        ldr     w1, [x1, x0, lsl #2]
        mov     x0, #0
        adr     x2, 3f
        add     x2, x2, w1, sxtw
        br      x2
3:      add     x0, x0, #8
        nop
4:      add     x0, x0, #80
        end     changed
        .pushsection .data
        .balign 4
changed_table:
        .word   0, 0, 0, 0
        .popsection

/* The label comes from memory. */
        begin   based
        adrp    x1, based_label
        ldr     x1, [x1, :lo12:based_label]
        lsl     x2, x0, #2
        mov     x0, #0
        add     x1, x1, x2
        br      x1
3:      add     x0, x0, #9
        add     x0, x0, #90
        add     x0, x0, #900
        add     x0, x0, #4000
        end     based
        .pushsection .data
        .balign 8
based_label:
        .quad   3b
        .popsection

/* The sum with a label comes from memory: it was made in a register, in a vector, or from an entry of a table. */
        .macro  in_register
        lsl     x2, x0, #2
        add     x1, x1, x2
        str     x1, [x4, x0, lsl #3]
        .endm
        .macro  in_vector
        adrp    x2, differences
        ldr     q1, [x2, :lo12:differences]
        ldr     q2, [x2, :lo12:differences + 16]
        dup     v0.2d, x1
        add     v1.2d, v1.2d, v0.2d
        add     v2.2d, v2.2d, v0.2d
        stp     q1, q2, [x4]
        .endm
        .macro  from_table
        adrp    x2, bytes
        add     x2, x2, :lo12:bytes
        ldrb    w2, [x2, x0]
        add     x1, x1, w2, uxtb #2
        str     x1, [x4, x0, lsl #3]
        .endm
        .macro  through_memory name, sum
        begin   \name
        adrp    x4, sums
        add     x4, x4, :lo12:sums
        adr     x1, 3f
        \sum
        ldr     x1, [x4, x0, lsl #3]
        mov     x0, #0
        br      x1
3:      add     x0, x0, #1
        add     x0, x0, #10
        add     x0, x0, #100
        add     x0, x0, #1000
        end     \name
        .endm
        through_memory summed, in_register
        through_memory vectored, in_vector
        through_memory tabled, from_table
        .pushsection .bss
        .balign 16
sums:   .skip   32
        .popsection
        .pushsection .rodata
        .balign 16
differences:
        .quad   0, 4, 8, 12
bytes:  .byte   0, 1, 2, 3
        .popsection

        .section .rodata
        .balign 4
limit_table:
        .byte   0, 2, 0, 2
beyond_table:
        .byte   0, 2, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 127
kept_table:
        .byte   0, 2, 4, 0
exits_table:
        .byte   0, 2, 0, 2
stored_table:
        .byte   0, 2, 2, 0
indices:
        .byte   3, 2, 1, 0
entry_table:
        .byte   0, 2, 2, 0
returns_table:
        .byte   2, 0, 0, 2
popped_table:
        .byte   0, 4, 2, 0
