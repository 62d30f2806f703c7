# faults.S: loads one after the other, of which two fault; nothing after them is done with what most registers
# hold. tests/tools/faults.c handles the faults and looks at all registers.
	.text
	.globl	loads
	.ent	loads
loads:	# of 16: good memory, 17: bad; returns the sum of all that it has set and loaded
	.frame	$30,0,$26,0
	.prologue 0
	lda	$1,101($31)
	lda	$2,102($31)
	lda	$3,103($31)
	lda	$4,104($31)
	lda	$5,105($31)
	ldq	$6,0($16)
	ldq	$7,8($16)
	.globl	first_fault
first_fault:
	ldq	$1,0($17)
	ldq	$8,16($16)
	ldl	$2,24($16)
	.globl	second_fault
second_fault:
	ldl	$3,8($17)
	ldq	$6,8($16)
	ldq	$7,8($16)
	addq	$1,$2,$0
	addq	$0,$3,$0
	addq	$0,$4,$0
	addq	$0,$5,$0
	addq	$0,$6,$0
	addq	$0,$7,$0
	addq	$0,$8,$0
	ret	$31,($26),1
	.end	loads
	.section .note.GNU-stack,"",@progbits
