# arithmetic.s: jumps to a place that is computed from the program counter; see arithmetic.c. Each adds the number of the place.
        .section .note.GNU-stack,"",@progbits
        .set    noat
        .set    noreorder
        .text

# Behind a call: its return address, and 16 bytes for each number, as libffi stores results.
        .align  4
        .globl  behind_call
        .ent    behind_call
behind_call:
        .frame  $30,32,$26,0
        lda     $30, -32($30)
        stq     $26, 0($30)
        stq     $16, 8($30)
        .prologue 0
        mov     $18, $27
        jsr     $26, ($27), 0
0:      ldq     $3, 8($30)
        lda     $1, 9f-0b($26)
        ldq     $26, 0($30)
        cmovlt  $3, 1, $3
        addq    $3, $3, $3
        lda     $30, 32($30)
        s8addq  $3, $1, $1
        jmp     $31, ($1), 0
        .align  4
9:      lda     $0, 1($0)
        ret     $31, ($26), 1
        .align  4
        lda     $0, 2($0)
        ret     $31, ($26), 1
        .align  4
        lda     $0, 3($0)
        br      $31, 8f
        .align  4
        lda     $0, 4($0)
8:      ret     $31, ($26), 1
        .end    behind_call

# The same through $27, by which calls are made too.
        .globl  through_27
        .ent    through_27
through_27:
        .frame  $30,0,$26,0
        .prologue 0
        mov     $31, $0
        br      $27, 1f
1:      s4addq  $16, $27, $27
        addq    $27, 12, $27
        jmp     $31, ($27), 0
        addq    $0, 1, $0
        addq    $0, 1, $0
        addq    $0, 1, $0
        addq    $0, 1, $0
        ret     $31, ($26), 1
        .end    through_27

# By what looks like a return.
        .globl  by_return
        .ent    by_return
by_return:
        .frame  $30,0,$26,0
        .prologue 0
        mov     $26, $1
        mov     $31, $0
        br      $26, 1f
1:      s4addq  $16, $26, $26
        lda     $26, 12($26)
        ret     $31, ($26), 1
        addq    $0, 1, $0
        addq    $0, 1, $0
        addq    $0, 1, $0
        addq    $0, 1, $0
        mov     $1, $26
        ret     $31, ($26), 1
        .end    by_return

# By a call of a place in a row.
        .globl  by_call
        .ent    by_call
by_call:
        .frame  $30,16,$26,0
        lda     $30, -16($30)
        stq     $26, 0($30)
        .prologue 0
        mov     $31, $0
        br      $2, 1f
1:      s8addq  $16, $2, $2
        lda     $2, 9f-1b($2)
        jsr     $26, ($2), 0
        addq    $0, 1, $0
        ldq     $26, 0($30)
        lda     $30, 16($30)
        ret     $31, ($26), 1
9:      addq    $0, 2, $0
        ret     $31, ($26), 1
        addq    $0, 3, $0
        ret     $31, ($26), 1
        addq    $0, 4, $0
        ret     $31, ($26), 1
        addq    $0, 5, $0
        ret     $31, ($26), 1
        .end    by_call

# To a row that stands in another procedure.
        .globl  elsewhere
        .ent    elsewhere
elsewhere:
        .frame  $30,0,$26,0
        .prologue 0
        mov     $31, $0
        br      $2, 1f
1:      s8addq  $16, $2, $2
        lda     $2, 9f-1b($2)
        jmp     $31, ($2), 0
        .end    elsewhere
        .globl  row
        .ent    row
row:
        .frame  $30,0,$26,0
        .prologue 0
        mov     $31, $0
9:      addq    $0, 2, $0
        ret     $31, ($26), 1
        addq    $0, 3, $0
        ret     $31, ($26), 1
        addq    $0, 4, $0
        ret     $31, ($26), 1
        addq    $0, 5, $0
        ret     $31, ($26), 1
        .end    row

# To one of the places behind the call of the procedure that jumps.
        .globl  behind_caller
        .ent    behind_caller
behind_caller:
        .frame  $30,16,$26,0
        lda     $30, -16($30)
        stq     $26, 0($30)
        .prologue 0
        mov     $31, $0
        bsr     $26, choose
        br      $31, 1f
        br      $31, 2f
        br      $31, 3f
        addq    $0, 1, $0
3:      addq    $0, 1, $0
2:      addq    $0, 1, $0
1:      addq    $0, 1, $0
        ldq     $26, 0($30)
        lda     $30, 16($30)
        ret     $31, ($26), 1
        .end    behind_caller
        .ent    choose
choose:
        .frame  $30,0,$26,0
        .prologue 0
        s4addq  $16, $26, $26
        ret     $31, ($26), 1
        .end    choose
