/* signed.c: calls the functions of signed.S. With an argument: `forged` prints where the fault of an address
   is that was not signed; with `signals` signals arrive at a function that is called a number of times, and
   no handler sees its return address without the signature where it returns. */
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <ucontext.h>
#include <unistd.h>

long both(long), jumps(long), calls(long), by_a(long), many(long), forged(void);
extern char by_a_end[], many_return[];

static volatile long arrived, at_return, unsigned_there;

static void fault(int number, siginfo_t *info, void *context) {
    const ucontext_t *at = context;
    printf("%d at %llx for %p\n", number, at->uc_mcontext.pc, info->si_addr);
    fflush(stdout);
    _exit(9);
}

static void tick(int number, siginfo_t *info, void *context) {
    const ucontext_t *at = context;
    (void)number;
    (void)info;
    arrived++;
    if (at->uc_mcontext.pc != (unsigned long)by_a_end)
        return;
    at_return++;
    unsigned_there += at->uc_mcontext.regs[30] == (unsigned long)many_return;
}

int main(int count, char **words) {
    struct sigaction action = {.sa_flags = SA_SIGINFO};
    if (count > 1 && !strcmp(words[1], "forged")) {
        action.sa_sigaction = fault;
        sigaction(SIGSEGV, &action, NULL);
        sigaction(SIGILL, &action, NULL); /* with FEAT_FPAC */
        forged();
    }
    if (count > 1 && !strcmp(words[1], "signals")) {
        const struct itimerval often = {{0, 500}, {0, 500}}, never = {{0, 0}, {0, 0}};
        action.sa_sigaction = tick;
        sigaction(SIGALRM, &action, NULL);
        setitimer(ITIMER_REAL, &often, NULL);
        for (int times = 0; times < 5; times++)
            many(100000);
        setitimer(ITIMER_REAL, &never, NULL);
        fprintf(stderr, "%ld signals, %ld at the return\n", arrived, at_return);
        printf("%d %ld\n", arrived > 0, unsigned_there);
        return 0;
    }
    for (long i = 0; i < 3; i++)
        printf("%ld %ld %ld\n", both(i), jumps(i), calls(i));
    return 0;
}
