# unforeseen.s: jumps whose targets nothing tells; see unforeseen.c.
        .section .note.GNU-stack,"",@progbits
        .text
        .align  4
        .globl  victim
        .ent    victim
victim:
        .frame  $30,0,$26,0
        .prologue 0
        mov     $31, $0
        addq    $0, 1, $0
        addq    $0, 1, $0
        addq    $0, 1, $0
        ret     $31, ($26), 1
        .end    victim

        .globl  by_jump
        .ent    by_jump
by_jump:
        .frame  $30,0,$26,0
        .prologue 0
        mov     $31, $0
        jmp     $31, ($16), 0
        .end    by_jump

        .globl  by_return
        .ent    by_return
by_return:
        .frame  $30,0,$26,0
        .prologue 0
        mov     $31, $0
        ret     $31, ($16), 1
        .end    by_return

        .globl  by_call
        .ent    by_call
by_call:
        .frame  $30,16,$26,0
        lda     $30, -16($30)
        stq     $26, 0($30)
        .prologue 0
        mov     $31, $0
        mov     $16, $27
        jsr     $26, ($27), 0
        ldq     $26, 0($30)
        lda     $30, 16($30)
        ret     $31, ($26), 1
        .end    by_call

# The target's register is the link: no register can keep either.
        .globl  by_link
        .ent    by_link
by_link:
        .frame  $30,16,$26,0
        lda     $30, -16($30)
        stq     $26, 0($30)
        .prologue 0
        mov     $31, $0
        mov     $16, $26
        jsr     $26, ($26), 0
        ldq     $26, 0($30)
        lda     $30, 16($30)
        ret     $31, ($26), 1
        .end    by_link

# A jump into a row of instructions, at a computed one: nothing tells which.
        .globl  computed
        .ent    computed
computed:
        .frame  $30,0,$26,0
        .prologue 0
        mov     $31, $0
        br      $1, 1f
1:      and     $16, 7, $16
        addq    $16, 4, $16
        s4addq  $16, $1, $1
        jmp     $31, ($1), 0
        addq    $0, 1, $0
        addq    $0, 1, $0
        addq    $0, 1, $0
        addq    $0, 1, $0
        addq    $0, 1, $0
        addq    $0, 1, $0
        addq    $0, 1, $0
        addq    $0, 1, $0
        ret     $31, ($26), 1
        .end    computed
