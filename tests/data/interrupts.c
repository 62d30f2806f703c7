/* interrupts.c: work that is interrupted at random moments, or by faults at chosen ones, and not always goes on.
   Use: interrupts jump|fault|skip|mend|nest|apart|crash|spin [TIMES] */
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

static sigjmp_buf again;
static volatile long sum, jumps;
static long table[256];

static long __attribute__((noinline)) leaf(long a) {
    long result = 0;
    for (int i = 0; i < (a & 7); i++)
        result += table[(a + i) & 255] % 10 == 3 ? i : -1;
    return result;
}

static long __attribute__((noinline)) work(long rounds) {
    long result = 0;
    for (long i = 0; i < rounds; i++) {
        switch (i % 7) {
        case 0:
            result += leaf(i);
            break;
        case 1:
            result ^= i;
            break;
        case 2:
            if (result & 1)
                result++;
            /* fall through */
        case 3:
            for (int k = 0; k < 5; k++)
                if ((result + k) % 3)
                    table[(i + k) & 255]++;
            break;
        case 4:
            continue;
        case 5:
            result += table[i & 255];
            break;
        default:
            result -= leaf(result);
        }
        sum += result & 1;
    }
    return result;
}

static void jump_out(int signal) {
    (void)signal;
    jumps++;
    siglongjmp(again, 1);
}

static void tick(void (*handler)(int), int microseconds, int again_after) {
    struct sigaction action = {.sa_handler = handler, .sa_flags = SA_NODEFER};
    struct itimerval timer = {{0, again_after}, {0, microseconds}};
    sigaction(SIGALRM, &action, NULL);
    setitimer(ITIMER_REAL, &timer, NULL);
}

/* Handlers nest, but not without end: one that is slower than the timer is left alone from some depth on. */
static void come_back(int signal) {
    static volatile sig_atomic_t depth;
    (void)signal;
    jumps++;
    if (++depth < 20)
        tick(come_back, 300, 0);
    work(20);
    depth--;
}

/* The next one comes when this one is over, however slow the machine is. */
static void come_again(int signal) {
    struct itimerval timer = {{0, 0}, {0, 300}};
    (void)signal;
    jumps++;
    work(20);
    setitimer(ITIMER_REAL, &timer, NULL);
}

/* A signal that arrives while results are written would interrupt the emulator's plugin, too. */
static void stop_ticking(void) {
    static const struct itimerval never;
    setitimer(ITIMER_REAL, &never, NULL);
    signal(SIGALRM, SIG_IGN);
}

/* Several loads and stores in one block: the one at `hole` faults. */
static long __attribute__((noinline)) touch(volatile long *pages, long hole) {
    volatile long *p0 = hole == 0 ? pages : table, *p1 = hole == 1 ? pages : table + 1;
    volatile long *p2 = hole == 2 ? pages : table + 2, *p3 = hole == 3 ? pages : table + 3;
    long a = *p0, b = *p1;
    *p2 = a + b;
    return *p3;
}

enum { DEEP = 1000, PAGE = 8192 };
static char *pages;

static long __attribute__((noinline)) look(volatile const char *place) {
    return table[1] + *place + table[2];
}

/* Each page is there when the handler returns, but there has been one on the next page before. */
static void mend(int signal, siginfo_t *info, void *context) {
    long page = ((char *)info->si_addr - pages) / PAGE;
    (void)signal;
    (void)context;
    jumps++;
    if (page + 1 < DEEP)
        sum += look(pages + (page + 1) * PAGE);
    mprotect(pages + page * PAGE, PAGE, PROT_READ | PROT_WRITE);
}

static void step_over(int signal, siginfo_t *info, void *context) {
    (void)signal;
    (void)info;
    jumps++;
    ((ucontext_t *)context)->uc_mcontext.sc_pc += 4;
}

int main(int count, char **words) {
    const char *way = count > 1 ? words[1] : "jump";
    const volatile long times = count > 2 ? atol(words[2]) : 400; /* that it is interrupted */
    volatile long *hole = mmap(NULL, 8192, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    for (int i = 0; i < 256; i++)
        table[i] = i * 7;
    if (strcmp(way, "jump") == 0) {
        sigsetjmp(again, 1);
        tick(jump_out, 300, 300);
        while (jumps < times)
            work(1000);
    } else if (strcmp(way, "nest") == 0) {
        while (jumps < times) {
            long before = jumps;
            tick(come_back, 300, 0);
            do
                work(1000);
            while (jumps == before);
        }
    } else if (strcmp(way, "apart") == 0) {
        signal(SIGALRM, come_again);
        raise(SIGALRM);
        while (jumps < times)
            work(1000);
    } else if (strcmp(way, "fault") == 0) {
        struct sigaction action = {.sa_handler = jump_out, .sa_flags = SA_NODEFER};
        volatile long i = 0;
        sigaction(SIGSEGV, &action, NULL);
        sigsetjmp(again, 1);
        while (i < 400) {
            i++;
            sum += touch(hole, i % 7);
        }
    } else if (strcmp(way, "skip") == 0) {
        struct sigaction action = {.sa_sigaction = step_over, .sa_flags = SA_NODEFER | SA_SIGINFO};
        sigaction(SIGSEGV, &action, NULL);
        for (long i = 0; i < 400; i++)
            sum += touch(hole, i % 7) & 1;
    } else if (strcmp(way, "mend") == 0) {
        struct sigaction action = {.sa_sigaction = mend, .sa_flags = SA_NODEFER | SA_SIGINFO};
        pages = mmap(NULL, DEEP * PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        sigaction(SIGSEGV, &action, NULL);
        sum += look(pages);
    } else if (strcmp(way, "crash") == 0) {
        work(1000);
        sum += touch(hole, 1);
    } else {
        for (;;)
            sum += work(1000);
    }
    stop_ticking();
    printf("%s\n", jumps > 0 ? "interrupted" : "never interrupted");
    return 0;
}
