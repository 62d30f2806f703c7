/* vax.c: instructions that compilers seldom make, some of which fault, interrupted by a timer. */
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <sys/time.h>
#include <ucontext.h>
static volatile long handled, inside, faults;
extern char kernel_end[];
long kernel(double x, long n, unsigned *to);
static void tick(int s, siginfo_t *info, void *c) {
    ucontext_t *context = c;
    (void)s, (void)info;
    inside += context->uc_mcontext.sc_pc >= (long)kernel && context->uc_mcontext.sc_pc < (long)kernel_end;
    handled++;
}
static void skip(int s, siginfo_t *info, void *c) {
    ucontext_t *context = c;
    (void)s, (void)info;
    faults++;
    context->uc_mcontext.sc_pc += 4;
}
/* rs and rc: a signal clears the flag, and nothing sets it but rs. */
__asm__(".set noat\n.align 4\n.globl kernel\n.ent kernel\nkernel:\n"
        ".frame $30, 0, $26, 0\n.prologue 0\n"
        "mov $31, $0\n"
        "1: rc $1\nrc $2\naddq $0, $2, $0\n"
        "stf $f16, 4($18)\nldf $f1, 4($18)\nstg $f1, 8($18)\nldg $f2, 8($18)\n"
        "call_pal 0x86\n"
        "stf $f16, 24($31)\n"
        "rs $1\nsubq $17, 1, $17\nbne $17, 1b\n"
        "ret\n.end kernel\nkernel_end:\n");
int main(void) {
    struct sigaction action = {.sa_sigaction = tick, .sa_flags = SA_SIGINFO | SA_RESTART},
                     fault = {.sa_sigaction = skip, .sa_flags = SA_SIGINFO};
    struct itimerval often = {{0, 400}, {0, 400}}, never = {{0, 0}, {0, 0}};
    static unsigned to[4] __attribute__((aligned(64)));
    sigaction(SIGALRM, &action, NULL);
    sigaction(SIGSEGV, &fault, NULL);
    setitimer(ITIMER_REAL, &often, NULL);
    long set = kernel(1.25, 8000, to);
    setitimer(ITIMER_REAL, &never, NULL);
    printf("%ld faults, %ld set, %x %x %x\n", faults, set, to[1], to[2], to[3]);
    fprintf(stderr, "%ld handled, %ld inside\n", handled, inside);
    return 0;
}
