        .set    noat
        .section .note.GNU-stack, "", @progbits
        .text
        .globl  leaf
        .ent    leaf
leaf:   addq    $16, 1, $0
        ret     $31, ($26), 1
        .end    leaf
        .globl  ways
        .ent    ways
ways:   and     $16, 3, $1              # 0: conditional branch, 1: branch, 2: jump, 3: return
        beq     $1, leaf
        cmpeq   $1, 1, $2
        bne     $2, 1f
        cmpeq   $1, 2, $2
        bne     $2, 2f
        mov     $16, $0
        ret     $31, ($26), 1
1:      br      $31, leaf
2:      mov     $17, $27
        jmp     $31, ($27), 0
        .end    ways
