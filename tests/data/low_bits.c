/* The machine does not look at bits 1 and 0 of a jump's target: each way of jumping, with each of their values. Prints what the plain
   program prints; see tests/run/low_bits.sh. */
#include <stdio.h>
long by_return(long bits), by_call(long bits), by_jump(long bits), by_constant(void);
asm(".set noat\n.text\n"
    ".globl by_return\n.ent by_return\nby_return: lda $0,1($31)\n addq $26,$16,$27\n ret $31,($27),1\n.end by_return\n"
    ".globl by_call\n.ent by_call\nby_call: lda $30,-16($30)\n stq $26,0($30)\n br $27,1f\n1: lda $27,2f-1b($27)\n addq $27,$16,$27\n"
    " jsr $26,($27),0\n addq $0,1,$0\n ldq $26,0($30)\n lda $30,16($30)\n ret\n2: lda $0,2($31)\n ret\n.end by_call\n"
    ".globl by_jump\n.ent by_jump\nby_jump: br $27,1f\n1: lda $27,2f-1b($27)\n addq $27,$16,$27\n jmp $31,($27),0\n"
    "2: lda $0,4($31)\n ret\n.end by_jump\n"
    ".globl by_constant\n.ent by_constant\nby_constant: lda $30,-16($30)\n stq $26,0($30)\n br $27,1f\n1: addq $27,2f-1b+1,$27\n"
    " jsr $26,($27),0\n ldq $26,0($30)\n lda $30,16($30)\n ret\n2: lda $0,5($31)\n ret\n.end by_constant\n"
    ".set at\n");
static long callee(long a) { return a * 3; }
int main(void)
{
    for (long bits = 0; bits < 4; bits++) {
        long (*volatile pointer)(long) = (long (*)(long))((char *)callee + bits);
        long sum = 0;
        for (int i = 0; i < 20; i++)
            sum += pointer(i); /* as of a language that marks pointers */
        printf("%ld %ld %ld %ld\n", by_return(bits), by_call(bits), by_jump(bits), sum);
    }
    printf("%ld\n", by_constant());
    return 0;
}
