/* overflow_address.c: overflows its stack, three times, and prints at which distance from the stack pointer the access
   faulted, as the handler's context shows it. */
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <sys/resource.h>
#include <ucontext.h>

static sigjmp_buf back;
static volatile long distance;
static char handler_stack[65536];

static void on_fault(int signal, siginfo_t *information, void *context) {
    (void)signal;
    distance = (long)information->si_addr - ((ucontext_t *)context)->uc_mcontext.sc_regs[30];
    siglongjmp(back, 1);
}

__attribute__((noinline)) static long deep(long n) {
    long result = n & 1 ? deep(n + 2) + 1 : deep(n + 1) - 1;
    return result ^ n;
}

int main(void) {
    struct rlimit limit = {1 << 20, 1 << 20};
    stack_t stack = {.ss_sp = handler_stack, .ss_size = sizeof handler_stack};
    struct sigaction action = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    setrlimit(RLIMIT_STACK, &limit);
    sigaltstack(&stack, 0);
    sigaction(SIGSEGV, &action, 0);
    for (volatile int i = 0; i < 3; i++)
        if (!sigsetjmp(back, 1))
            printf("%ld\n", deep(i));
        else
            printf("overflow %d at %ld\n", i, distance);
    return 0;
}
