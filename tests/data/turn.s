# turn.s: for campaigns: a program of few instructions, more for each argument; they change words of it.
        .globl _start
        .ent _start
_start: .frame $30,0,$26,0
        .prologue 0
        ldq     $1, 0($30)      # argc
        sll     $1, 6, $1
loop:   subq    $1, 1, $1
        bne     $1, loop
        lda     $16, 0($31)
        lda     $0, 1($31)      # exit
        call_pal 0x83
        .end _start
