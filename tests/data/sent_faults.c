/* sent_faults.c: signals that faults make, sent by the process to itself, with a handler that is not told who sends them or, with -DTOLD, one that
   is. (Sent by others they may crash qemu-user 7.2.) */
#define _GNU_SOURCE
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

static const int numbers[] = {SIGSEGV, SIGBUS};
enum { NUMBERS = sizeof numbers / sizeof *numbers };
static const long constant = 1;
static volatile int handled, probes, faults;
static sigjmp_buf back;

static void handler(int signal) {
    (void)signal;
    if (probes) {
        probes = 0;
        siglongjmp(back, 1);
    }
    handled++;
}

static void probe(const volatile long *place, long value) {
    if (sigsetjmp(back, 1) == 0) {
        probes = 1;
        if (value)
            *(volatile long *)place = value;
        else
            value = *place;
        probes = 0;
    } else {
        faults++;
    }
}

int main(void) {
    sigset_t set;
    for (int i = 0; i < NUMBERS; i++) {
#ifdef TOLD
        sigaction(numbers[i], &(struct sigaction){.sa_handler = handler, .sa_flags = SA_SIGINFO | SA_RESTART}, NULL);
#else
        signal(numbers[i], handler);
#endif
    }
    for (int i = 0; i < NUMBERS; i++) {
        sigemptyset(&set);
        sigaddset(&set, numbers[i]);
        sigprocmask(SIG_BLOCK, &set, NULL);
        kill(getpid(), numbers[i]);
        printf("%d ", handled);
        sigprocmask(SIG_UNBLOCK, &set, NULL);
        printf("%d\n", handled);
        kill(getpid(), numbers[i]);
        raise(numbers[i]);
        printf("%d\n", handled);
        sigprocmask(SIG_BLOCK, NULL, &set);
        for (int signal = 1; signal < 65; signal++)
            if (sigismember(&set, signal) == 1)
                printf("blocked: %d\n", signal);
    }
    probe(&constant, 0);
    probe(&constant, 1);
    probe(NULL, 0);
    probe(NULL, 1);
    printf("%d faults\n", faults);
    return 0;
}
