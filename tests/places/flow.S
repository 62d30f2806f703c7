# flow.S: ways of control that compilers seldom or never make, each executed a known number of times.
# Assembled with -nostdlib; exits by exit_group.
        .set noat
        .set noreorder
        .text
        .globl _start
        .ent _start
_start: br      $29, 1f                 # a branch that reads the pc
1:      ldgp    $29, 0($29)
        lda     $9, 5($31)
again:  bsr     $26, header_first
        bsr     $26, nested
        bsr     $26, twice
        bsr     $26, leaves
        bsr     $26, table
        bsr     $26, locked
        bsr     $26, entered
        bsr     $26, middle
        bsr     $26, next
        bsr     $26, floating
        bsr     $26, returns
        bsr     $26, labels
        bsr     $26, cycle
        bsr     $26, switched
        lda     $1, 2($31)
        bsr     $26, s_head
        bsr     $26, $with_gp..ng
        lda     $27, with_gp            # through its first instruction, too
        jsr     $26, ($27)
        ldgp    $29, 0($26)
        subq    $9, 1, $9
        bgt     $9, again
        lda     $16, 0($31)
        lda     $0, 405($31)
        call_pal 0x83
        .end _start

# The first instruction is a loop's header: called, and branched to.
        .ent header_first
header_first:
        addq    $1, 1, $1
        and     $1, 7, $2
        bne     $2, header_first
        ret
        .end header_first

# Out of two loops at once, and out of each.
        .ent nested
nested: lda     $1, 4($31)
outer:  lda     $2, 3($31)
inner:  subq    $2, 1, $2
        cmpeq   $1, 2, $3
        and     $2, $3, $3
        blbs    $3, out
        bgt     $2, inner
        subq    $1, 1, $1
        bgt     $1, outer
out:    ret
        .end nested

# Two back edges, one of them unconditional, and an empty loop.
        .ent twice
twice:  lda     $1, 9($31)
t_head: subq    $1, 1, $1
        ble     $1, t_out
        blbs    $1, t_head
        br      $31, t_head
t_out:  lda     $1, 3($31)
t_self: subq    $1, 1, $1
        bgt     $1, t_self
        ret
        .end twice

# Conditional branches out of the procedure, from inside of a loop; the loop is left by falling out, too.
        .ent leaves
leaves: lda     $1, 6($31)
        cmpeq   $9, 3, $2
l_head: subq    $1, 2, $1
        bne     $2, elsewhere
        bgt     $1, l_head
        .end leaves
        .ent elsewhere
elsewhere:                              # what falls in here enters a loop
        addq    $4, 1, $4
        and     $4, 3, $5
        bne     $5, elsewhere
        ret
        .end elsewhere

# A jump table in a loop: two entries lead to one place, one leaves the loop, one is the header.
        .ent table
table:  lda     $1, 6($31)
b_head: subq    $1, 1, $1
        blt     $1, b_out
        cmpule  $1, 5, $3
        beq     $3, b_out
        lda     $2, targets
        s8addq  $1, $2, $2
        ldq     $2, 0($2)
        jmp     $31, ($2), b_one
b_one:  addq    $4, 1, $4
b_two:  addq    $4, 1, $4
        br      $31, b_head
b_out:  ret
        .end table
        .section .rodata
        .align 3
targets: .quad b_out, b_one, b_head, b_two, b_one, b_head
        .text

# A load-locked sequence is the loop; a branch leaves it in the middle.
        .ent locked
locked: lda     $5, cell
l_try:  ldq_l   $1, 0($5)
        addq    $1, 1, $1
        and     $1, 3, $2
        beq     $2, l_not
        stq_c   $1, 0($5)
        beq     $1, l_try
        ret
l_not:  stq     $31, 0($5)
        br      $31, l_try
        .end locked
        .data
        .align 3
cell:   .quad 0
        .text

# A loop whose header another procedure enters, beside the way in from above.
        .ent entered
entered: lda    $1, 4($31)
middle: subq    $1, 1, $1
        bgt     $1, middle
        lda     $1, 2($31)
        ret
        .end entered

# Branches to the next instruction, conditional and not.
        .ent next
next:   br      $31, 1f
1:      lda     $1, 3($31)
n_head: subq    $1, 1, $1
        bgt     $1, n_head
        br      $2, 2f
2:      ret
        .end next

# Floating-point branches, with both zeros.
        .ent floating
floating:
        cpys    $f31, $f31, $f1
        cpysn   $f31, $f31, $f2
        lda     $1, 3($31)
f_head: subq    $1, 1, $1
        fbne    $f1, f_head
        fbeq    $f2, f_next
        br      $31, f_head
f_next: fbge    $f2, f_more
        nop
f_more: bgt     $1, f_head
        ret
        .end floating

# The header is a return point.
        .ent returns
returns:
        mov     $26, $10
        lda     $1, 4($31)
        bsr     $26, leaf
r_head: subq    $1, 1, $1
        ble     $1, r_out
        bsr     $26, leaf
        br      $31, r_head
r_out:  lda     $1, 3($31)
r_self: bsr     $26, leaf
        subq    $1, 1, $1
        bgt     $1, r_self
        mov     $10, $26
        ret
        .end returns
        .ent leaf
leaf:   ret
        .end leaf

# Labels as values: a loop from label to label, one of which is its header.
        .ent labels
labels: lda     $1, 7($31)
        lda     $3, label_table
        br      $31, v_go
v_even: addq    $4, 1, $4
v_go:   subq    $1, 1, $1
        blt     $1, v_out
        and     $1, 1, $2
        s8addq  $2, $3, $2
        ldq     $2, 0($2)
        jmp     $31, ($2), v_even
v_odd:  addq    $4, 2, $4
        br      $31, v_go
v_out:  ret
        .end labels
        .section .rodata
        .align 3
label_table: .quad v_even, v_odd
        .text

# Entered at two places: no natural loop, but edges.
        .ent cycle
cycle:  lda     $1, 5($31)
        blbs    $9, c_second
c_first: subq   $1, 1, $1
c_second: subq  $1, 1, $1
        bgt     $1, c_first
        ret
        .end cycle

# A loop that a table leads to from above, and another procedure enters.
        .ent switched
switched:
        lda     $1, 3($31)
        and     $9, 1, $2
        lda     $3, switch_table
        s8addq  $2, $3, $2
        ldq     $2, 0($2)
        jmp     $31, ($2), s_head
s_head: subq    $1, 1, $1
        bgt     $1, s_head
s_out:  ret
        .end switched
        .section .rodata
        .align 3
switch_table: .quad s_out, s_head
        .text

# Entered at its ldgp and behind it.
        .ent with_gp
with_gp: ldgp   $29, 0($27)
$with_gp..ng:
        addq    $4, 1, $4
        ret
        .end with_gp
