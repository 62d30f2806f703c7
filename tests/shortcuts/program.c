/* program.c: signals and faults among loads that a cache's sites ask for together. What a handler loads in
   the middle changes what the loads after it find, and the program knows by how many misses.

   Use: program WAY [MICROSECONDS]. Prints how many misses the handlers have made. V, W and H are of one set
   of a direct-mapped cache of 64 KB with lines of 32 bytes, A is one page after V. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <ucontext.h>
#include <unistd.h>

enum { CACHE = 65536, PAGE = 8192 };

static volatile long *v, *w, *h, *a;
static char *page; /* A is on it */
static long made, handlers, last, call;
static int way;
static sigjmp_buf out;
static char stack[65536];

/* Each round: W; V, which misses; and in a block of their own V, A and V again, which hit. */
extern char after_w[], after_v[], after_next_v[], load_a[], behind[], again[];
__attribute__((noinline)) static long rounds(long count, volatile long *w_, volatile long *v_,
                                             volatile long *a_) {
    register long left __asm__("$9") = count;
    long sum = 0, x, y;
    __asm__ volatile("1: ldq %1,0(%4)\n"
                     ".globl after_w\nafter_w: addq %0,%1,%0\n"
                     "   beq %6,2f\n" /* never */
                     "   ldq %1,0(%5)\n"
                     ".globl after_v\nafter_v: addq %0,%1,%0\n"
                     "   beq %6,2f\n"
                     "   ldq %1,0(%5)\n"
                     ".globl after_next_v\nafter_next_v: addq %0,%1,%0\n"
                     ".globl load_a\nload_a: ldq %2,8192(%5)\n"
                     "   addq %0,%2,%0\n"
                     "   xor %0,1,%1\n"
                     "   addq %0,%1,%0\n"
                     "   stq %0,8200(%5)\n"
                     "   ldq %1,0(%5)\n"
                     ".globl behind\nbehind: addq %0,%1,%0\n"
                     "   subq %3,1,%3\n"
                     ".globl again\nagain: bne %3,1b\n"
                     "2:"
                     : "+r"(sum), "=&r"(x), "=&r"(y), "+r"(left)
                     : "r"(w_), "r"(v_), "r"(a_)
                     : "memory");
    return sum;
}

/* One more for H, if nothing of the set has been loaded since the last time; and one for V, if it was there
   and is loaded again before W. */
static void on_timer(int signal, siginfo_t *info, void *context) {
    enum { LOADS = 4 }; /* of the set, in a round */
    const struct sigcontext *found = (const void *)&((ucontext_t *)context)->uc_mcontext;
    char *pc = (char *)found->sc_pc;
    static long latest = -1;
    int loads = pc >= again          ? 0
                : pc >= behind       ? 4
                : pc >= after_next_v ? 3
                : pc >= after_v      ? 2
                                     : pc >= after_w;
    long now = (call * 1000000 - found->sc_regs[9]) * LOADS + loads;
    (void)signal, (void)info;
    last = *h;
    handlers++;
    if (now != latest)
        made += loads == 2 || loads == 3 ? 2 : 1;
    latest = now;
}

/* The page is gone. */
static void on_fault(int signal, siginfo_t *info, void *context) {
    ucontext_t *found = context;
    (void)signal, (void)info;
    if ((char *)found->uc_mcontext.sc_pc != load_a)
        _exit(3);
    handlers++;
    last = *h;
    mprotect(page, PAGE, PROT_READ | PROT_WRITE);
    if (way == 's')
        found->uc_mcontext.sc_pc += 4;
    if (way == 'j')
        siglongjmp(out, 1);
}

static int is_near(unsigned long address, unsigned long other) {
    unsigned long distance = (address - other) % CACHE;
    return distance < 12000 || distance > CACHE - 12000;
}

int main(int argc, char **argv) {
    long local = 0, microseconds = argc > 2 ? atol(argv[2]) : 0;
    char *room = mmap(NULL, 6 * CACHE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    struct sigaction action = {.sa_flags = SA_SIGINFO | SA_ONSTACK};
    stack_t own = {.ss_sp = stack, .ss_size = sizeof stack};
    way = argc > 1 ? argv[1][0] : 0;
    memset(room, 1, 6 * CACHE);
    room = (char *)(((unsigned long)room + CACHE - 1) / CACHE * CACHE);
    unsigned long set = 0;
    while (is_near(set, (unsigned long)&local) || is_near(set, (unsigned long)stack + sizeof stack) ||
           is_near(set, (unsigned long)&handlers) || is_near(set + PAGE, (unsigned long)&local) ||
           is_near(set + PAGE, (unsigned long)stack + sizeof stack) ||
           is_near(set + PAGE, (unsigned long)&handlers))
        if ((set += PAGE) >= CACHE)
            return 2;
    v = (long *)(room + set), w = (long *)(room + set + CACHE), h = (long *)(room + set + 2 * CACHE);
    page = (char *)v + PAGE;
    a = (long *)page;
    sigaltstack(&own, NULL);
    action.sa_sigaction = way == 't' ? on_timer : on_fault;
    sigaction(way == 't' ? SIGALRM : SIGSEGV, &action, NULL);
    if (way == 't') {
        struct itimerval times = {{0, microseconds}, {0, microseconds}};
        raise(SIGALRM);
        rounds(1000, w, v, a);
        made = 0;
        if (microseconds == 0)
            times.it_value.tv_sec = 1000;
        setitimer(ITIMER_REAL, &times, NULL);
        for (long i = 0; i < 1000; i++)
            call = i, local += rounds(4000, w, v, a);
        times = (struct itimerval){0};
        setitimer(ITIMER_REAL, &times, NULL);
    } else {
        for (volatile int i = 0; i < 20; i++) {
            rounds(3, w, v, a);
            *v, *a, a[1] = 1;
            mprotect(page, PAGE, PROT_NONE);
            if (way == 'd' && i == 7)
                signal(SIGSEGV, SIG_DFL);
            if (!sigsetjmp(out, 1))
                rounds(3, w, v, a);
        }
    }
    printf("%ld %ld\n", made, handlers);
    return 0;
}
