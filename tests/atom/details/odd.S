# odd.S: a procedure that is entered in two places, one that goes on in another, and one that jumps there.
        .set noat
        .globl odd
        .ent odd
odd:    addl    $16, 1, $16
        .globl odd_inside
odd_inside:
        addl    $16, 2, $0
        ret     $31, ($26), 1
        .end odd
        .globl goes_on
        .ent goes_on
goes_on: addl   $16, 3, $16
        br      $31, odd
        .end goes_on
        .globl jumps
        .ent jumps
jumps:  ldgp    $29, 0($27)
        lda     $27, odd
        jmp     $31, ($27), odd
        .end jumps
        .section .note.GNU-stack, "", @progbits
