# falls.s: first falls into second.
        .section .note.GNU-stack,"",@progbits
        .set    noat
        .text
        .globl  first
        .ent    first
first:
        ldq     $1, 0($16)
        addq    $1, 1, $1
        stq     $1, 8($16)
        .end    first
        .globl  second
        .ent    second
second:
        ldq     $0, 8($16)
        addq    $0, $17, $0
        ret     $31, ($26), 1
        .end    second
