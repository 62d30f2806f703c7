/* floating.c: floating-point arithmetic in all roundings, interrupted by a timer whose handler does
 * arithmetic, too. */
#define _GNU_SOURCE
#include <fenv.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>
#include <ucontext.h>
static volatile long handled, inside;
static volatile double own = 1;
extern char kernel_begin[], kernel_end[];
static void tick(int s, siginfo_t *info, void *c) {
    (void)s, (void)info;
    ucontext_t *context = c;
    inside +=
        context->uc_mcontext.sc_pc >= (long)kernel_begin && context->uc_mcontext.sc_pc < (long)kernel_end;
    feclearexcept(FE_ALL_EXCEPT);
    own = sqrt(own * 3.7 + 1e-3) / 1.1;
    handled++;
}
__asm__("kernel_begin = kernel");
__attribute__((noinline)) double kernel(double x, long n, double *other) {
    double sum = 0, y = 0.25;
    float f = 1.25f;
    for (long i = 1; i <= n; i++) {
        sum += x / (double)i;
        y = y * 3.9 * (1 - y);
        f = (float)((double)f * 1.0001 + y) - (float)i * 1e-6f;
        if (y > sum)
            sum -= y;
        sum = fabs(sum) + (double)(long)(y * 1000);
        if (f > 1e6f)
            f = 1;
    }
    *other = f;
    return sum + y;
}
__attribute__((noinline)) void behind(void) {
    __asm__("kernel_end = behind" : :);
}
int main(void) {
    struct sigaction action = {.sa_sigaction = tick, .sa_flags = SA_SIGINFO | SA_RESTART};
    struct itimerval often = {{0, 400}, {0, 400}}, never = {{0, 0}, {0, 0}};
    double other, sum = 0;
    sigaction(SIGALRM, &action, NULL);
    setitimer(ITIMER_REAL, &often, NULL);
    for (int round = 0; round < 4; round++) {
        static const int roundings[] = {FE_TONEAREST, FE_DOWNWARD, FE_TOWARDZERO, FE_TONEAREST};
        fesetround(roundings[round]);
        feclearexcept(FE_ALL_EXCEPT);
        sum = kernel(1.1 + round, 30000, &other);
        printf("%a %a %x\n", sum, other, fetestexcept(FE_ALL_EXCEPT));
    }
    setitimer(ITIMER_REAL, &never, NULL);
    fprintf(stderr, "%ld handled, %ld inside\n", handled, inside);
    behind();
    return 0;
}
