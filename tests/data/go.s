# go.s: sends control to any instruction, with registers as midway.s wants them; see midway.c.
        .section .note.GNU-stack,"",@progbits
        .text
        .align  4
# go_NAME(target, $9, $10, $26, $0)
        .macro  save
        ldgp    $29, 0($27)
        lda     $30, -80($30)
        stq     $26, 0($30)
        stq     $9, 8($30)
        stq     $10, 16($30)
        stq     $11, 24($30)
        stq     $12, 32($30)
        stt     $f10, 40($30)
        .frame  $30,80,$26,0
        .mask   0x4001e00,-80
        .prologue 1
        lda     $1, saved
        stq     $30, 0($1)
        lda     $11, locked_cell
        lda     $2, midway_gp
        mov     $17, $9
        mov     $18, $10
        .endm

        .globl  go_jump
        .ent    go_jump
go_jump:
        save
        mov     $16, $27
        mov     $19, $26
        mov     $20, $0
        ldq     $29, 0($2)
        jmp     $31, ($27), 0
        .end    go_jump

        .globl  go_return
        .ent    go_return
go_return:
        save
        mov     $16, $26
        mov     $20, $0
        ldq     $29, 0($2)
        ret     $31, ($26), 1
        .end    go_return

        .globl  go_fault
        .ent    go_fault
go_fault:
        save
        mov     $19, $26
        mov     $20, $0
        ldq     $29, 0($2)
        stq     $16, 0($31)
        addq    $0, $31, $0 # after a handler's jump it is needed, which liveness does not see
        call_pal 0
        .end    go_fault

        .globl  go_context
        .ent    go_context
go_context:
        save
        lda     $27, by_context
        jsr     $26, ($27), by_context
        call_pal 0
        .end    go_context

        .globl  done
        .ent    done
done:
        ldgp    $29, 0($27)
        .frame  $30,0,$26,0
        .prologue 1
        mov     $9, $0
        lda     $1, saved
        ldq     $30, 0($1)
        ldq     $26, 0($30)
        ldq     $9, 8($30)
        ldq     $10, 16($30)
        ldq     $11, 24($30)
        ldq     $12, 32($30)
        ldt     $f10, 40($30)
        lda     $30, 80($30)
        ret     $31, ($26), 1
        .end    done

        .comm   saved, 8, 8
        .comm   midway_gp, 8, 8
