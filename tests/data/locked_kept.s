# kept.s: adds to a list of cells in locked sequences that overwrite what they have used.
        .section .note.GNU-stack,"",@progbits
        .text
        .align 4
# $16: the first cell: its address for the next, and a number; returns their number
        .globl add_all
        .ent add_all
add_all:
        .frame $30,0,$26,0
        .prologue 0
        mov     $31, $0
        mov     $31, $1
1:      lda     $2, 8($16)
        lda     $4, 3
        ldq_l   $1, 0($2)
        addq    $1, $4, $1
        mov     $1, $4
        addq    $16, $31, $3
        ldq     $3, 0($3)
        stq_c   $1, 0($2)
        beq     $1, 1b
        addq    $0, 1, $0
        mov     $3, $16
        bne     $16, 1b
        ret     $31, ($26), 1
        .end add_all
