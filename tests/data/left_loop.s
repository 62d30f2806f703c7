# left_loop.s: a loop that is little but reads of a frame that $30 has left, so many that pages end in some: QEMU looks for signals where a
# page ends, but not otherwise in a block. For locked_left.c.
        .section .note.GNU-stack,"",@progbits
        .text
        .align 4
# $16: is written to; $17: how often
        .globl repeated
        .ent repeated
repeated:
        .frame $15,32,$26,0
        lda     $30, -32($30)
        stq     $15, 0($30)
        mov     $30, $15
        .prologue 0
1:
        .rept   400
        lda     $30, -32($15)
        lda     $1, -32($15)
        mov     $15, $30
        addq    $1, 8, $3
        addq    $31, 0, $4
        addq    $31, 0, $5
        addq    $31, 0, $6
        ldq     $2, 0($1)
        addq    $31, 0, $7
        ldq     $3, 0($3)
        addq    $31, 0, $8
        .endr
        subq    $17, 1, $17
        beq     $17, 2f
        br      $31, 1b
2:      ldq     $15, 0($30)
        lda     $30, 32($30)
        ret     $31, ($26), 1
        .end repeated
