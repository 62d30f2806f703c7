# wide.s: one procedure whose copy is larger than a branch reaches. wide(value, cells) goes through `turns` conditional branches, adds
# what it did to cells[0] (not taken) and cells[1] (taken), and begins again, by a branch back over all of it, until value is 0.
        .section .note.GNU-stack,"",@progbits
        .set    noat
        .text
        .globl  wide
        .ent    wide
wide:
        .frame  $30,0,$26
        clr     $0
        clr     $1
again:
        turn = 0
        .rept   turns
        srl     $16, turn & 63, $2
        blbc    $2, 1f
        addq    $0, 1, $0
        stq     $0, 0($17)
        br      2f
1:      addq    $1, 1, $1
        stq     $1, 8($17)
        # A way out from the middle, to the end.
        .if     turn % 1000 == 500
        beq     $16, out
        .endif
2:
        turn = turn + 1
        .endr
        subq    $16, 1, $16
        bge     $16, again
out:    mov     $0, $0
        ret     $31, ($26), 1
        .end    wide
