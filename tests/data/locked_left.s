# locked_left.s: adds to a cell in a locked sequence of two blocks, the second of which goes on behind it; see locked_left.c.
        .section .note.GNU-stack,"",@progbits
        .text
        .align 4
# $16: the cell; $17: how often
        .globl repeated
        .ent repeated
repeated:
        .frame $30,0,$26,0
        .prologue 0
1:      ldq_l   $1, 0($16)
        lda     $2, 1($1)
        blt     $1, 2f
        mov     $2, $3
        stq_c   $3, 0($16)
        addq    $31, 0, $4
        addq    $31, 0, $5
        addq    $31, 0, $6
        beq     $3, 1b
        subq    $17, 1, $17
        bne     $17, 1b
2:      ret     $31, ($26), 1
        .end repeated
