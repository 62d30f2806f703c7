/* Threads make the same signals at once, each at 300 instructions in turn, and the handler looks at each. */
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <ucontext.h>

enum { THREADS = 6, LOADS = 300 };
static __thread int decoded, unknown;
static pthread_barrier_t together;

static void emulate(int number, siginfo_t *info, void *context) {
    mcontext_t *machine = &((ucontext_t *)context)->uc_mcontext;
    uint32_t word = *(const uint32_t *)machine->sc_pc;
    (void)number;
    (void)info;
    decoded += word >> 26 == 0x29; /* ldq */
    unknown += word >> 26 != 0x29;
    machine->sc_pc += 4;
}

static void *run(void *unused) {
    (void)unused;
    pthread_barrier_wait(&together);
    __asm__ volatile("lda $1, 16($31)\n\t"
                     ".rept 300\n\t"
                     "ldq $2, 0($1)\n\t"
                     ".endr" ::
                         : "$1", "$2", "memory");
    return (void *)(long)(decoded == LOADS && unknown == 0);
}

int main(void) {
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_sigaction = emulate;
    action.sa_flags = SA_SIGINFO;
    sigaction(SIGSEGV, &action, 0);
    pthread_barrier_init(&together, 0, THREADS);
    pthread_t threads[THREADS];
    long right = 0;
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], 0, run, 0);
    for (int i = 0; i < THREADS; i++) {
        void *result;
        pthread_join(threads[i], &result);
        right += (long)result;
    }
    printf("%ld threads decoded all\n", right);
    return 0;
}
