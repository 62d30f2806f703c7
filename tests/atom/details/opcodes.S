# opcodes.S: an instruction of each kind, never executed: their classes are held against the table in opcodes.classes.
        .set noat
        .set nomacro
        .arch ev67
        .globl main
        .ent main
main:   mov     $31, $0
        ret     $31, ($26), 1
        .end main
        .globl opcodes
        .ent opcodes
opcodes:
        .irp op, lda,ldah,ldbu,ldwu,ldl,ldq,ldq_u,ldl_l,ldq_l,stb,stw,stl,stq,stq_u,stl_c,stq_c
        \op     $1, 8($2)
        .endr
        .irp op, ldf,ldg,lds,ldt,stf,stg,sts,stt
        \op     $f1, 8($2)
        .endr
        .irp op, addl,addl/v,addq,addq/v,subl,subl/v,subq,subq/v,s4addl,s4addq,s8addl,s8addq,s4subl,s4subq,s8subl,s8subq,cmpeq,cmplt,cmple,cmpult,cmpule,cmpbge,mull,mull/v,mulq,mulq/v,umulh,and,bic,bis,ornot,xor,eqv,cmoveq,cmovne,cmovlt,cmovge,cmovle,cmovgt,cmovlbs,cmovlbc,sll,srl,sra,extbl,extwl,extll,extql,extwh,extlh,extqh,insbl,inswl,insll,insql,inswh,inslh,insqh,mskbl,mskwl,mskll,mskql,mskwh,msklh,mskqh,zap,zapnot,minub8,minuw4,maxub8,maxuw4,minsb8,minsw4,maxsb8,maxsw4
        \op     $1, $2, $3
        .endr
        perr    $1, $2, $3
        .irp op, sextb,sextw,ctpop,ctlz,cttz,unpkbl,unpkbw,pklb,pkwb
        \op     $1, $2
        .endr
        amask   1, $1
        implver $1
        .irp op, addf,addg,adds,addt,subf,subg,subs,subt,mulf,mulg,muls,mult,divf,divg,divs,divt,cmpgeq,cmpglt,cmpgle,cmpteq,cmptlt,cmptle,cmptun,addt/su,divs/su,divt/sui,divg/s,cpys,cpysn,cpyse,fcmoveq,fcmovne,fcmovlt,fcmovge,fcmovle,fcmovgt
        \op     $f1, $f2, $f3
        .endr
        .irp op, sqrtf,sqrtg,sqrts,sqrtt,sqrtt/su,cvtqs,cvtqt,cvttq,cvtts,cvtst,cvtlq,cvtql,cvtqf,cvtqg,cvtgq,cvtgf,cvtgd,cvtdg,cvttq/svc
        \op     $f1, $f2
        .endr
        itofs   $1, $f2
        itoff   $1, $f2
        itoft   $1, $f2
        ftois   $f1, $2
        ftoit   $f1, $2
        mf_fpcr $f1
        mt_fpcr $f1
        .irp op, mb,wmb,trapb,excb
        \op
        .endr
        .irp op, rpcc,rc,rs
        \op     $1
        .endr
        fetch   ($1)
        fetch_m ($1)
        ecb     ($1)
        wh64    ($1)
        .long   0x6001fc00 # wh64en ($1)
        unop
        .irp op, beq,bne,blt,ble,bgt,bge,blbs,blbc
        \op     $1, opcodes_end
        .endr
        .irp op, fbeq,fbne,fblt,fble,fbgt,fbge
        \op     $f1, opcodes_end
        .endr
        bsr     $26, main
        jsr     $26, ($27), 0
        jsr_coroutine $26, ($27), 0
        br      $31, opcodes_end
        .long   0x00000081
opcodes_end:
        jmp     $31, ($27), 0
        ret     $31, ($26), 1
        .end opcodes
        .section .note.GNU-stack, "", @progbits
