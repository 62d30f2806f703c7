# registers.S: every register holds a value that tells which it is: $n 1000 + n, $fn the bits 2000 + n, at `set`, at the end of
# the program ($0 and $16 are then the system call's), and, with an argument, at `fault`, which ends it by SIGSEGV.
        .set noat
        .set noreorder
        .globl main
        .ent main
main:   br      $27, 1f
1:      ldgp    $29, 0($27)
        lda     $1, values
        .irp r, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30
        lda     $2, 2000+\r($31)
        stq     $2, 0($1)
        ldt     $f\r, 0($1)
        .endr
        subq    $16, 1, $28
        lda     $1, after
        beq     $28, 2f
        lda     $1, fault
2:      stq     $1, -8($30)
        .irp r, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29
        lda     $\r, 1000+\r($31)
        .endr
        .globl set
set:    subq    $31, $31, $31
        ldq     $28, -8($30)
        jmp     $31, ($28), 0
fault:  lda     $28, 1028($31)
        .globl fault_at
fault_at: stq   $31, 0($31)
after:  lda     $28, 1028($31)
        lda     $0, 405($31)
        lda     $16, 7($31)
        .globl end_at
end_at: call_pal 0x83
        .end main
        .comm values, 8
        .section .note.GNU-stack, "", @progbits
