/* own_fork.c: forks by the system call itself. No thread can be made, so sums of routines in C become counters. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>

static volatile int calls;

__attribute__((noinline)) static void work(void) {
    calls++;
}

static long own_fork(void) {
    register long number __asm__("$0") = 2, failed __asm__("$19"), child __asm__("$20");
    __asm__ volatile("callsys"
                     : "+r"(number), "=r"(failed), "=r"(child)
                     :
                     : "$1", "$2", "$3", "$4", "$5", "$6", "$7", "$8", "$16", "$17", "$18", "$21", "$22", "$23",
                       "$24", "$25", "$27", "$28", "memory");
    return child ? 0 : number;
}

int main(void) {
    const char *name = "";
    for (int i = 0; i < 100; i++)
        work();
    if (own_fork() == 0) {
        calls = 0;
        name = ".1";
        for (int i = 0; i < 10; i++)
            work();
        if (own_fork() == 0) {
            calls = 0;
            name = ".1.1";
            work();
        }
    }
    while (wait(NULL) > 0)
        ;
    printf("own.out%s %d\n", name, calls);
    return 0;
}
