# first_registers.S: writes all registers with which the kernel starts it, without making any of them another before. It is linked as a
# program, and as a dynamic linker.
        .set noat
        .set nomacro
        .globl _start
        .ent _start
_start:
        .irp r, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30
        stq     $\r, -512+8*\r($30)
        .endr
        .irp r, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30
        stt     $f\r, -256+8*\r($30)
        .endr
        mf_fpcr $f1
        stt     $f1, -8($30)
        stq     $31, -264($30)
        lda     $16, 1($31)
        lda     $17, -512($30)
        lda     $18, 512($31)
        lda     $0, 4($31)              # write
        callsys
        lda     $17, -8192($30)         # nothing below is in use
        lda     $18, 7680($31)
        lda     $0, 4($31)
        callsys
        mov     $31, $16
        lda     $0, 1($31)              # exit
        callsys
        .end _start
