# far.s: procedures full of loads and stores, as many as `procedures` says; each may go on in the tail of another one, far away, by a
# conditional branch. run(sum, cells) calls all of them.
        .section .note.GNU-stack,"",@progbits
        .set    noat
        .text
        .altmacro

        .macro  call_of number
        bsr     $26, f\number
        .endm

# Words WORD and STORED of the cells, by register NUMBER.
        .macro  access number, word, stored
        ldq     $\number, 8*\word($17)
        addq    $16, $\number, $16
        stq     $16, 8*\stored($17)
        .endm

        .macro  procedure i, other
        .ent    f\i
f\i:
        turn = 0
        .rept   60
        access  %(turn % 8 + 1), %((\i + turn * 7) % 100), %((\i * 3 + turn) % 100)
        turn = turn + 1
        .endr
        srl     $16, \i % 40, $1
        blbs    $1, g\other
        ret     $31, ($26), 1
g\i:
        xor     $16, \i % 256, $16
        ret     $31, ($26), 1
        .end    f\i
        .endm

        .globl  run
        .ent    run
run:
        .frame  $30,16,$26
        lda     $30, -16($30)
        stq     $26, 0($30)
        number = 0
        .rept   procedures
        call_of %(number * 1237 % procedures)
        number = number + 1
        .endr
        mov     $16, $0
        ldq     $26, 0($30)
        lda     $30, 16($30)
        ret     $31, ($26), 1
        .end    run

        number = 0
        .rept   procedures
        procedure %number, %(procedures - 1 - number)
        number = number + 1
        .endr
