# changing.s: procedures that changing.c changes while the program runs.
        .section .note.GNU-stack,"",@progbits
        .set    noat
        .set    noreorder
        .text

        .align  4
        .globl  value
        .ent    value
value:
        .frame  $30,0,$26,0
        .prologue 0
        lda     $0, 41($31)
        ret     $31, ($26), 1
        .end    value

# Calls step() so many times, and adds a number each time.
        .globl  looped
        .ent    looped
looped:
        .frame  $30,32,$26,0
        ldgp    $29, 0($27)
        lda     $30, -32($30)
        stq     $26, 0($30)
        stq     $9, 8($30)
        stq     $10, 16($30)
        .prologue 1
        mov     $16, $9
        mov     $31, $10
1:      mov     $10, $16
        jsr     $26, step
        ldgp    $29, 0($26)
        .globl  looped_add
looped_add:
        addq    $0, 1, $10
        subq    $9, 1, $9
        bgt     $9, 1b
        bsr     $28, 2f
        mov     $10, $0
        ldq     $26, 0($30)
        ldq     $9, 8($30)
        ldq     $10, 16($30)
        lda     $30, 32($30)
        ret     $31, ($26), 1
2:      addq    $10, 100, $10
        ret     $31, ($28), 1
        .end    looped

# Writes a letter by a system call, and goes on in another procedure.
        .globl  written
        .ent    written
written:
        .frame  $30,0,$26,0
        .prologue 0
        mov     $16, $17
        lda     $16, 1($31)
        lda     $18, 1($31)
        lda     $0, 4($31)
        call_pal 0x83
        .globl  written_end
written_end:
        br      $31, one
        .end    written

        .globl  one
        .ent    one
one:
        .frame  $30,0,$26,0
        .prologue 0
        lda     $0, 1($31)
        ret     $31, ($26), 1
        .end    one
        .globl  two
        .ent    two
two:
        .frame  $30,0,$26,0
        .prologue 0
        lda     $0, 2($31)
        ret     $31, ($26), 1
        .end    two

# Changes itself, and goes on.
        .globl  itself
        .ent    itself
itself:
        .frame  $30,0,$26,0
        .prologue 0
        mov     $31, $0
        addq    $16, $16, $16
        br      $2, 1f
1:      lda     $2, 2f-1b($2)
        stl     $17, 0($2)
        call_pal 0x86
        br      $31, 3f                 # an emulator may have decoded what follows
        nop
3:      addq    $0, $16, $0
        br      $31, 2f
        nop
2:      addq    $0, 1, $0
        ret     $31, ($26), 1
        .end    itself

# Loads from an address.
        .globl  loads
        .globl  loads_from
        .ent    loads
loads:
        .frame  $30,0,$26,0
        .prologue 0
        mov     $31, $0
loads_from:
        ldq     $0, 0($16)
        addq    $0, 0, $0
        ret     $31, ($26), 1
        .end    loads
