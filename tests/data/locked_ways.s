# locked_ways.s: a locked sequence with two places in it that have their addresses taken, and a way to them; see locked_ways.c.
        .section .note.GNU-stack,"",@progbits
        .text
        .align 4
        .globl ways, ways_second, ways_third
        .ent ways
ways:    .frame $30,0,$26,0
        .prologue 0
1:      ldq_l   $1, 0($16)
        addq    $1, 1, $1
ways_second:
        addq    $1, 2, $1
        addq    $1, 2, $1
ways_third:
        addq    $1, 4, $1
        stq_c   $1, 0($16)
        ldq     $0, 0($16)
        ret     $31,($26),1
        .end ways
        .globl into
        .ent into
into:   .frame $30,0,$26,0
        .prologue 0
        ldq_l   $1, 0($16)
        jmp     $31,($17),0
        .end into
