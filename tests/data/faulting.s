# faulting.s: for faulting.c: $16 is good memory, $17 is none. In traps, the signal's pc is that of the next instruction.
	.text
	.arch ev56
	.set noreorder
	.globl loads, stores, begins, ends, floats, joins, traps, over, back, again
	.ent loads
loads:	.frame $30,0,$26,0
	.prologue 0
	ldq	$0,0($16)
	ldq	$1,8($17)
	addq	$0,1,$0
	ldq	$2,8($16)
over:	ldl	$1,0($17)
	addq	$0,10,$0
	addq	$0,20,$0
	addq	$0,2,$0
	addq	$0,$2,$0
	ret	$31,($26),1
	.end loads
	.ent stores
stores:	.frame $30,0,$26,0
	.prologue 0
	ldq	$0,0($16)
again:	addq	$0,3,$0
	stq	$0,16($16)
back:	stq	$0,16($17)
	addq	$0,4,$0
	ldq	$1,8($16)
	addq	$0,$1,$0
	ret	$31,($26),1
	.end stores
	.ent begins
begins:	.frame $30,0,$26,0
	.prologue 0
	stl	$31,0($17)
	ldq	$0,0($16)
	lda	$1,3($31)
1:	ldwu	$2,0($17)
	addq	$0,1,$0
	subq	$1,1,$1
	bgt	$1,1b
	ret	$31,($26),1
	.end begins
	.ent ends
ends:	.frame $30,0,$26,0
	.prologue 0
	lda	$0,0($31)
	lda	$1,4($31)
2:	blt	$1,4f
	and	$1,1,$2
	bne	$2,3f
	addq	$0,5,$0
	ldq	$3,0($17)
3:	subq	$1,1,$1
	ldq_u	$3,0($17)
	br	$31,2b
4:	ret	$31,($26),1
	.end ends
	.ent traps
traps:	.frame $30,0,$26,0
	.prologue 0
	ldq	$0,0($16)
	lda	$1,-1($31)
	srl	$1,1,$1
	ldq	$2,8($16)
	addq/v	$1,$2,$3
	addq	$0,1,$0
	ldq	$4,16($16)
	stq	$4,16($16)
	mulq/v	$1,$1,$3
	addq	$0,2,$0
	addl/v	$31,$2,$3
	subl/v	$31,$1,$3
	addq	$0,4,$0
	beq	$0,5f
	subq/v	$3,$1,$3
	ldq	$4,16($16)
	lda	$16,-2($31)
	call_pal 0xaa
	addq	$0,8,$0
5:	ret	$31,($26),1
	.end traps
	.ent floats
floats:	.frame $30,0,$26,0
	.prologue 0
	ldt	$f10,0($16)
	addt	$f10,$f10,$f11
	ldt	$f12,0($17)
	addt	$f11,$f10,$f11
	sts	$f11,0($17)
	lda	$0,7($31)
	addq	$0,1,$0
	ret	$31,($26),1
	.end floats
	.ent joins
joins:	.frame $30,0,$26,0
	.prologue 0
	lda	$0,0($31)
	blbc	$18,5f
	addq	$0,1,$0
	ldq	$1,0($17)
	addq	$0,2,$0
5:	ldq	$2,0($16)
	ldq	$1,0($17)
	addq	$0,$2,$0
	srl	$18,1,$18
	blbc	$18,6f
	addq	$0,3,$0
	stq	$0,0($17)
	br	$31,7f
6:	ldq	$2,8($16)
	stq	$0,24($16)
	addq	$0,$2,$0
7:	addq	$0,5,$0
	stq	$0,16($17)
	ldq	$2,0($16)
	blbc	$2,8f
	addq	$0,$2,$0
8:	ldq	$1,8($17)
	addq	$0,7,$0
	ret	$31,($26),1
	.end joins
	.section .note.GNU-stack,"",@progbits
