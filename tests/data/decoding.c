/* A handler that looks at the instruction that has made its signal, does in its place what it would have done, and continues after it. */
#define _GNU_SOURCE
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <ucontext.h>

static int decoded, unknown;

static void trap(int number, siginfo_t *info, void *context) {
    const mcontext_t *machine = &((ucontext_t *)context)->uc_mcontext;
    (void)number;
    (void)info;
    decoded += ((const uint32_t *)machine->sc_pc)[-1] == 0x80; /* the pc is that of the next one */
}

static void emulate(int number, siginfo_t *info, void *context) {
    mcontext_t *machine = &((ucontext_t *)context)->uc_mcontext;
    uint32_t word = *(const uint32_t *)machine->sc_pc;
    (void)number;
    (void)info;
    if (word >> 26 == 0x29 || word >> 26 == 0x28) { /* ldq, ldl */
        machine->sc_regs[word >> 21 & 31] = 1000 + (int16_t)word;
        decoded++;
    } else {
        unknown++;
    }
    machine->sc_pc += 4;
}

__attribute__((noipa)) static long in_the_middle(const long *from, long n) {
    long sum = 0;
    for (long i = 0; i < n; i++) {
        sum = sum * 3 + i;
        sum += from[i + 2];
    }
    return sum;
}

int main(void) {
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_sigaction = emulate;
    action.sa_flags = SA_SIGINFO;
    sigaction(SIGSEGV, &action, 0);
    action.sa_sigaction = trap;
    sigaction(SIGTRAP, &action, 0);
    for (int i = 0; i < 3; i++) {
        printf("%d: ", i);
        __asm__ volatile("call_pal 0x80");
    }
    printf("%ld\n", in_the_middle((const long *)16, 5));
    printf("%d decoded, %d unknown\n", decoded, unknown);
    return 0;
}
