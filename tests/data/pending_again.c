/* pending_again.c: a handler makes its own signal pending, which it blocks: it comes again when the handler returns, before an
   instruction of the program is executed. How often it has come, and how often at the same place. */
#include <signal.h>
#include <stdio.h>
#include <ucontext.h>

static volatile int deliveries, at_same_place;
static volatile unsigned long last;

static void handle(int signal, siginfo_t *info, void *context) {
    unsigned long pc = ((ucontext_t *)context)->uc_mcontext.sc_pc;
    (void)info;
    at_same_place += pc == last;
    last = pc;
    if (++deliveries < 50)
        raise(signal);
}

int main(void) {
    struct sigaction action = {.sa_sigaction = handle, .sa_flags = SA_SIGINFO};
    sigaction(SIGUSR1, &action, NULL);
    raise(SIGUSR1);
    printf("%d deliveries, %d at the same place\n", deliveries, at_same_place);
    return 0;
}
