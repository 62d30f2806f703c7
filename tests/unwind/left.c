// left.c: a procedure that is left by returns and by longjmp in turn, in one thread.
#include <setjmp.h>
#include <stdio.h>
static jmp_buf environment;
static volatile int sink;
__attribute__((noinline, noclone)) void step(int n) { sink = n; }
__attribute__((noinline, noclone)) void leaves(int n) {
    step(n);
    if (n % 2)
        longjmp(environment, 1);
    step(n);
}
int main(void) {
    for (volatile int i = 0; i < 100; i = i + 1)
        if (setjmp(environment) == 0)
            leaves(i);
    step(0);
    return 0;
}
