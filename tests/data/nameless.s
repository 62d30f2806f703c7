# Procedures that branch to nameless code. Each takes a number and returns one more.
        .set    noat
        .section .note.GNU-stack, "", @progbits
        .text
        .globl  plain
        .ent    plain
plain:  addq    $16, 1, $0
        ret     $31, ($26), 1
        .end    plain
        unop
.Lloop: subq    $16, 1, $16             # only `fill` and its other part branch here
        addq    $0, 1, $0
        bge     $16, .Lloop
        ret     $31, ($26), 1
        unop
        .globl  fill
        .ent    fill
fill:   and     $16, 3, $1              # 0: conditional branch, 1: branch, 2: to the slow part, 3: return
        clr     $0
        beq     $1, .Lloop
        cmpeq   $1, 1, $2
        cmpeq   $1, 2, $3
        bne     $3, .Lslow
        bne     $2, 1f
.Lback: addq    $16, 1, $0
        ret     $31, ($26), 1
1:      br      $31, .Lloop
        .end    fill
        unop
.Lslow: and     $16, 4, $1
        beq     $1, .Lback
        br      $31, .Lloop
        unop
        .globl  one, two
        .ent    one
one:    beq     $16, .Lboth
        addq    $16, 1, $0
        ret     $31, ($26), 1
        .end    one
        .ent    two
two:    mov     $16, $17
        br      $31, .Lboth
        .end    two
        unop
.Lboth: addq    $16, 1, $0              # two procedures branch here
        ret     $31, ($26), 1
        unop
        .globl  taken
        .ent    taken
taken:  mov     $16, $17
        br      $31, .Laddress
        .end    taken
        unop
.Laddress:                              # its address is in data
        addq    $16, 1, $0
        ret     $31, ($26), 1
        unop
        .globl  caller
        .ent    caller
caller: mov     $26, $1
        blbs    $16, .Lcalled
        bsr     $26, .Lcalled
        mov     $1, $26
        ret     $31, ($26), 1
        .end    caller
        unop
.Lcalled:                               # called, too
        addq    $16, 1, $0
        ret     $31, ($26), 1
        unop
        .globl  last
        .ent    last
last:   addq    $16, 1, $0
        ret     $31, ($26), 1
        .end    last
        .section .data.rel, "aw"
        .globl  places
        .type   places, @object
        .size   places, 8
places: .quad   .Laddress
