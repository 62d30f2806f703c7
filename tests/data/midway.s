# midway.s: blocks whose middle is jumped to, by go.s; see midway.c. Each does something at its beginning by which it leaves, and
# which control that comes to the middle has not done. What they compute is in $9; they end in `done`.
        .section .note.GNU-stack,"",@progbits
        .text
        .align  4
        .globl  add10, add20
        .ent    add10
add10:
        .frame  $30,0,$26,0
        .prologue 0
        addq    $9, 10, $9
        ret     $31, ($26), 1
        .end    add10
        .ent    add20
add20:
        .frame  $30,0,$26,0
        .prologue 0
        addq    $9, 20, $9
        ret     $31, ($26), 1
        .end    add20

# What $29 is here.
        .globl  own_gp
        .ent    own_gp
own_gp:
        .frame  $30,0,$26,0
        ldgp    $29, 0($27)
        .prologue 1
        mov     $29, $0
        ret     $31, ($26), 1
        .end    own_gp

# Behind a call, where $29 is computed from $26: so the address behind the next call is known from $26.
        .globl  behind_call
        .ent    behind_call
behind_call:
        .frame  $30,0,$26,0
        ldgp    $29, 0($27)
        .prologue 1
        lda     $27, add10
        jsr     $26, ($27), add10
        ldgp    $29, 0($26)
        addq    $9, 1, $9
behind_call_middle:
        addq    $9, 2, $9
        bsr     $26, add20
        ldgp    $29, 0($26)
        lda     $27, done
        jmp     $31, ($27), done
        .end    behind_call

# The callee is known from the table of addresses.
        .globl  known_callee
        .ent    known_callee
known_callee:
        .frame  $30,0,$26,0
        ldgp    $29, 0($27)
        .prologue 1
        lda     $10, add10
        mov     $16, $9
known_callee_middle:
        addq    $9, 3, $9
        mov     $10, $27
        jsr     $26, ($27), 0
        ldgp    $29, 0($26)
        lda     $27, done
        jmp     $31, ($27), done
        .end    known_callee

# The system call is known: getppid and the like, which nobody has to see to.
        .globl  known_call
        .ent    known_call
known_call:
        .frame  $30,0,$26,0
        ldgp    $29, 0($27)
        .prologue 1
        lda     $0, 20($31)
        addq    $9, 1, $9
known_call_middle:
        mov     $9, $16
known_call_last:
        callsys
        addq    $0, $31, $9
        lda     $27, done
        jmp     $31, ($27), done
        .end    known_call

# A locked sequence: what is to be done in it waits for its end.
        .globl  locked, locked_cell
        .ent    locked
locked:
        .frame  $30,0,$26,0
        ldgp    $29, 0($27)
        .prologue 1
        lda     $11, locked_cell
1:      ldq_l   $10, 0($11)
        addq    $10, 1, $10
locked_middle:
        addq    $10, $9, $10
locked_last:
        stq_c   $10, 0($11)
        beq     $10, 1b
        ldq     $9, 0($11)
        lda     $27, done
        jmp     $31, ($27), done
        .end    locked

# A loop whose counts may be in registers.
        .globl  looped
        .ent    looped
looped:
        .frame  $30,0,$26,0
        ldgp    $29, 0($27)
        .prologue 1
        lda     $10, 7($31)
1:      addq    $9, 2, $9
looped_middle:
        blbc    $9, 2f
        addq    $9, 1, $9
looped_last:
        addq    $9, 3, $9
2:      addq    $9, 1, $9
        subq    $10, 1, $10
        bgt     $10, 1b
        lda     $27, done
        jmp     $31, ($27), done
        .end    looped

# Loads, stores and floating-point arithmetic.
        .globl  accesses
        .ent    accesses
accesses:
        .frame  $30,0,$26,0
        ldgp    $29, 0($27)
        .prologue 1
        lda     $11, locked_cell
        ldq     $12, 8($11)
accesses_middle:
        stq     $9, 64($30)
        ldq     $12, 64($30)
        stq     $12, 16($11)
        ldt     $f10, 16($11)
        cvtqt   $f10, $f10
        addt    $f10, $f10, $f10
        cvttq/c $f10, $f10
accesses_last:
        stt     $f10, 16($11)
        ldq     $9, 16($11)
        lda     $27, done
        jmp     $31, ($27), done
        .end    accesses

# Loads in a row, whose sites share registers; behind them one of a register with what that held before.
        .globl  shared
        .ent    shared
shared:
        .frame  $30,0,$26,0
        ldgp    $29, 0($27)
        .prologue 1
        lda     $11, locked_cell
        ldq     $12, 8($11)
        ldq     $12, 16($11)
shared_middle:
        ldq     $12, 8($11)
        ldq     $12, 16($11)
        ldq     $10, 8($11)
        lda     $30, -16($30)
        lda     $30, 16($30)
        ldq     $0, 8($11)
        addq    $9, $0, $9
        lda     $27, done
        jmp     $31, ($27), done
        .end    shared

        .data
        .align  3
locked_cell:
        .quad   5, 6, 7

# How far each place is from the beginning of its procedure: nothing has its address.
        .globl  behind_call_middle_offset
behind_call_middle_offset:
        .quad   behind_call_middle - behind_call
        .globl  known_callee_middle_offset
known_callee_middle_offset:
        .quad   known_callee_middle - known_callee
        .globl  known_call_middle_offset
known_call_middle_offset:
        .quad   known_call_middle - known_call
        .globl  known_call_last_offset
known_call_last_offset:
        .quad   known_call_last - known_call
        .globl  locked_middle_offset
locked_middle_offset:
        .quad   locked_middle - locked
        .globl  locked_last_offset
locked_last_offset:
        .quad   locked_last - locked
        .globl  looped_middle_offset
looped_middle_offset:
        .quad   looped_middle - looped
        .globl  looped_last_offset
looped_last_offset:
        .quad   looped_last - looped
        .globl  accesses_middle_offset
accesses_middle_offset:
        .quad   accesses_middle - accesses
        .globl  accesses_last_offset
accesses_last_offset:
        .quad   accesses_last - accesses
        .globl  shared_middle_offset
shared_middle_offset:
        .quad   shared_middle - shared
