# no_stack.S: $30 is a general register: it holds numbers that are no address, in loops, in procedures and around system calls, while
# all other registers are in use. At the end of each round they are written. All that it stores is in a page at 2 GB.
        .set noat
        .set nomacro
        .macro each_register operation
        .irp r, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,28,29
        \operation \r
        .endr
        .endm
        .macro begin r
        lda     $\r, 100+\r($31)
        .endm
        .macro change r
        s4addq  $\r, $26, $\r
        .endm
        .macro keep r
        stq     $\r, 8*\r($27)
        .endm

        .globl _start
        .ent _start
_start: lda     $16, 1($31)             # mmap: $27 is the page
        sll     $16, 31, $16
        lda     $17, 8192($31)
        lda     $18, 3($31)
        lda     $19, 0x112($31)         # private, anonymous, fixed
        lda     $20, -1($31)
        lda     $21, 0($31)
        lda     $0, 71($31)
        callsys
        mov     $0, $27
        stq     $31, 1024($27)          # the round
        br      $1, values
        .quad   3, -3, 5000, -1, 0x7fffffffffffffff, 0x123456789abcdef0, 1 << 31, 1 << 42
values: stq     $1, 1032($27)
        .end _start

        .ent round
round:  ldq     $1, 1024($27)
        ldq     $2, 1032($27)
        s8addq  $1, $2, $2
        addq    $1, 1, $1
        stq     $1, 1024($27)
        ldq     $30, 0($2)
        each_register begin
        lda     $26, 5($31)
        stq     $26, 1040($27)
again:  addq    $30, $26, $30
        each_register change
        stq     $26, 1048($27)
        bsr     $26, leaf
        ldq     $26, 1048($27)
        blbs    $4, odd
        addq    $4, 7, $4
odd:    stl     $5, 1056($27)
        ldl     $6, 1056($27)
        stt     $f3, 1064($27)
        ldq     $26, 1040($27)
        subq    $26, 1, $26
        stq     $26, 1040($27)
        bne     $26, again
        each_register keep
        stq     $30, 8*30($27)
        lda     $16, 1($31)             # write
        mov     $27, $17
        lda     $18, 248($31)
        lda     $0, 4($31)
        callsys
        ldq     $1, 1024($27)
        cmplt   $1, 8, $1
        bne     $1, round
        mov     $31, $16
        lda     $0, 1($31)              # exit
        callsys
        .end round

        .ent leaf
leaf:   addq    $30, $5, $5
        ldq     $7, 1040($27)
        cmovlbs $30, $5, $8
        xor     $30, $9, $30
        stb     $10, 1072($27)
        ret     $31, ($26), 1
        .end leaf
