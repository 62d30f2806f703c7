/* faults.c: what the handler of a fault finds in the registers that the program still needs, and what it puts
   there, among loads that audit counts; once it goes on, once it leaves by longjmp. Requires faults.S. */
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <ucontext.h>

extern long loads(const long *good, const long *bad);
extern const char first_fault[], second_fault[];
static long memory[8] = {11, 12, 13, 14, 15, 16, 17, 18};
static sigjmp_buf away;
static volatile int leaves;

static void handle(int signal, siginfo_t *info, void *context) {
    struct sigcontext *registers = (struct sigcontext *)&((ucontext_t *)context)->uc_mcontext;
    int first = registers->sc_pc == (long)first_fault;
    (void)info;
    printf("signal %d at the %s load: %ld %ld %ld %ld %ld; $16 %s, $17 %ld\n", signal,
           first                                    ? "first"
           : registers->sc_pc == (long)second_fault ? "second"
                                                    : "wrong",
           registers->sc_regs[4], registers->sc_regs[5], first ? 0 : registers->sc_regs[1],
           first ? 0 : registers->sc_regs[2], first ? 0 : registers->sc_regs[8],
           registers->sc_regs[16] == (long)memory ? "good" : "bad", registers->sc_regs[17]);
    if (leaves && !first)
        siglongjmp(away, 1);
    registers->sc_regs[first ? 1 : 3] += 1000; /* as if that had been loaded */
    registers->sc_regs[4] += 100000;
    registers->sc_pc += 4;
}

int main(void) {
    struct sigaction action = {.sa_sigaction = handle, .sa_flags = SA_SIGINFO};
    sigaction(SIGSEGV, &action, NULL);
    for (int i = 0; i < 100; i++)
        printf("%ld\n", loads(memory, NULL));
    leaves = 1;
    for (int i = 0; i < 50; i++)
        if (!sigsetjmp(away, 1))
            printf("%ld\n", loads(memory, NULL));
    return 0;
}
