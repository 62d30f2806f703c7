// What the kernel writes for a handler, on a stack in a block, is set; what is below it is not.
#define _GNU_SOURCE
#include <signal.h>
#include <stdlib.h>

static char *block;
static volatile long found;

static void handle(int signal, siginfo_t *info, void *context) {
    ucontext_t *here = context;
    if (info->si_signo == signal && here->uc_mcontext.sc_pc)
        found++;
    if (block[100]) //! unset heap read
        found++;
}

int main(int count, char **words) {
    block = malloc(40000);
    stack_t stack = {.ss_sp = block, .ss_size = 40000};
    sigaltstack(&stack, NULL);
    struct sigaction action = {.sa_sigaction = handle, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    sigaction(SIGUSR1, &action, NULL);
    raise(SIGUSR1);
    stack.ss_flags = SS_DISABLE;
    sigaltstack(&stack, NULL);
    free(block);
    return 0;
}
