/* changing_stacks.c: coroutines that change stacks by code of the program's own, the stack pointer by a move,
 * an addition or a load. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void change(long *from, long to);
__asm__(".text\n.globl change\n.ent change\nchange:\n"
        "lda $30,-80($30)\nstq $26,0($30)\nstq $9,8($30)\nstq $10,16($30)\nstq $11,24($30)\nstq $12,32($30)\n"
        "stq $13,40($30)\nstq $14,48($30)\nstq $15,56($30)\nstt $f2,64($30)\nstt $f3,72($30)\nstq "
        "$30,0($16)\n" CHANGE "\n"
        "ldq $26,0($30)\nldq $9,8($30)\nldq $10,16($30)\nldq $11,24($30)\nldq $12,32($30)\nldq $13,40($30)\n"
        "ldq $14,48($30)\nldq $15,56($30)\nldt $f2,64($30)\nldt $f3,72($30)\nmov $26,$27\nlda "
        "$16,1234($31)\nlda $30,80($30)\nret $31,($26),1\n"
        ".end change\n");

enum { COUNT = 3, SIZE = 32768 };
static long first, waiting[COUNT];
static int running, left = COUNT;

/* `change` calls it by a return. */
static void work(long argument) {
    int own = running, values[30];
    printf("argument %ld\n", argument);
    for (int i = 0; i < 30; i++)
        values[i] = i * own;
    for (int round = 0; round < 10; round++) {
        int sum = 0;
        values[round]++;
        for (int i = 0; i < 30; i++)
            sum += values[i];
        printf("%d:%d\n", own, sum);
        change(&waiting[own], first);
    }
    left--;
    for (;;)
        change(&waiting[own], first);
}

int main(void) {
    for (int i = 0; i < COUNT; i++) {
        char *stack = malloc(SIZE);
        long *top = (long *)(stack + SIZE - 256);
        memset(top, 0, 80);
        top[0] = (long)work;
        waiting[i] = (long)top;
    }
    while (left > 0)
        for (running = 0; running < COUNT; running++)
            change(&first, waiting[running]);
    return 0;
}
