# mixed.s: a procedure of which a tool skips what stands after `maybe`; assembled with gone=1, that is not there
# (tests/run/skipping.sh).
	.set noreorder
	.set noat
	.macro maybe text:vararg
	.ifndef gone
	\text
	.endif
	.endm
	.text
	.globl mixed
	.ent mixed
# long mixed(long *values, long round, double scale)
mixed:
	ldgp $29,0($27)
	lda $30,-48($30)
	stq $26,0($30)
	stq $9,8($30)
	stq $10,16($30)
	stt $f2,24($30)
	.prologue 1
	mov $16,$9
	mov $17,$10
	ldq $1,0($9)
	ldq $2,8($9)
	lda $3,7($31)
	maybe ldq $3,16($9)
	addq $1,$2,$4
	maybe addq $4,$3,$4
	stq $4,24($9)
	maybe stq $3,32($9)
	and $17,1,$5
	lda $6,1($31)
	maybe beq $5,even
	addq $6,10,$6
	maybe bne $5,odd
even:
	addq $6,100,$6
odd:
	cmovne $5,$2,$7
	mov $1,$7
	maybe cmovne $5,$2,$7
	xor $6,$7,$6
	cpys $f16,$f16,$f2
	maybe mult $f16,$f16,$f2
	maybe ldt $f10,40($9)
	addt $f2,$f2,$f2
	stt $f2,48($9)
	lda $1,1($1)
	maybe lda $1,-2($1)
	stq $1,0($9)
	mov $6,$16
	mov $6,$0
	ldq $27,helper($29)	!literal!1
	.ifdef gone
	br $26,back
back:
	.else
	jsr $26,($27),helper	!lituse_jsr!1	# maybe: as if it returned at once
	.endif
	ldgp $29,0($26)
	addq $0,$10,$10
	ldq_u $31,0($30)
	maybe ldq_u $31,0($30)
	mov $10,$16
	ldq $27,helper($29)	!literal!2
	jsr $26,($27),helper	!lituse_jsr!2
	ldgp $29,0($26)
	maybe sll $0,3,$0
	maybe ldq $1,0($31)
	ldq $26,0($30)
	ldq $9,8($30)
	ldq $10,16($30)
	ldt $f2,24($30)
	lda $30,48($30)
	ret
	.end mixed
	.section .note.GNU-stack,"",@progbits
