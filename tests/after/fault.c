/* fault.c: a load that faults in a thread; its handler says where, and whether it sees the stack pointer. */
#define _GNU_SOURCE
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <ucontext.h>
static long stack;
static void handler(int number, siginfo_t *information, void *context) {
    ucontext_t *state = context;
    (void)number;
    printf("fault at %p, stack %s\n", information->si_addr,
           state->uc_mcontext.sc_regs[30] == stack ? "kept" : "moved");
    state->uc_mcontext.sc_pc += 4;
    state->uc_mcontext.sc_regs[1] = 5;
}
static void *thread(void *argument) {
    register long value __asm__("$1");
    (void)argument;
    __asm__ volatile("stq $30,0(%1)\n\tldq $1,8($31)" : "=r"(value) : "r"(&stack) : "memory");
    printf("value %ld\n", value);
    return 0;
}
int main(void) {
    pthread_t id;
    struct sigaction action = {.sa_sigaction = handler, .sa_flags = SA_SIGINFO};
    sigaction(SIGSEGV, &action, 0);
    pthread_create(&id, 0, thread, 0);
    pthread_join(id, 0);
    return 0;
}
