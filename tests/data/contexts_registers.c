/* contexts_registers.c: two contexts, each of which loads temporaries, and calls what switches to the other
   by an unknown pointer. The C library's swapcontext stores all registers and restores them by a system call:
   what the calling standard lets nobody rely on is there again. Prints what it has loaded. */
#include <stdio.h>
#include <ucontext.h>

static ucontext_t first, second;
static char stack[65536];
static volatile long cells[4] = {1, 2, 3, 4};
static void switch_to(ucontext_t *from, ucontext_t *to) {
    swapcontext(from, to);
}
static void (*volatile change)(ucontext_t *, ucontext_t *) = switch_to;

#define LOAD(reg, number)                                                                                    \
    __asm__ volatile("ldq $" #reg ",%0" : : "m"(cells[(number) % 4]) : "$" #reg, "memory");
#define LOAD_ALL(number)                                                                                     \
    LOAD(1, number)                                                                                          \
    LOAD(2, number)                                                                                          \
    LOAD(3, number)                                                                                          \
    LOAD(5, number) LOAD(8, number) LOAD(22, number) LOAD(23, number) LOAD(24, number) LOAD(25, number)

static __attribute__((noinline)) long load(long n, ucontext_t *from, ucontext_t *to) {
    LOAD_ALL(n)
    change(from, to);
    LOAD_ALL(n)
    return cells[n % 4];
}

static void other(void) {
    for (long n = 0;; n++)
        load(n / 2 + 1, &second, &first);
}

int main(void) {
    long sum = 0;
    getcontext(&second);
    second.uc_stack.ss_sp = stack;
    second.uc_stack.ss_size = sizeof stack;
    makecontext(&second, other, 0);
    for (long n = 0; n < 40; n++)
        sum = sum * 3 + load(n / 4, &first, &second);
    printf("%ld\n", sum);
    return 0;
}
