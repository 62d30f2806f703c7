/* loops.c: loops without calls, most of few rounds, interrupted at random moments or by faults inside of them.
   Use: loops jump|nest|leave|fault|skip|crash [TIMES] */
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
static volatile long *hole;

/* Loops in loops, ways out of both, rounds that go on early; some have no round at all. */
static long __attribute__((noinline)) circle(long rounds) {
    long result = rounds;
    for (long i = 0; i < rounds; i++) {
        long at = i & 255;
        while (table[at] & 3) {
            result += table[at];
            if (result % 16 == 5)
                continue;
            at = (at + 1) & 255;
            if (at == 200)
                goto out;
        }
        for (long k = i & 7; k > 0; k--) {
            for (long m = k & 3; m > 0; m--)
                if (table[(m + k) & 255] & 1)
                    result ^= m << k;
            if ((result & 31) == 9)
                break;
        }
        do {
            result = result * 5 + 1;
        } while (result & 2);
    out:
        table[i & 255] ^= result & 12;
    }
    return result;
}

/* Every fourth access faults, in the middle of a block. */
static long __attribute__((noinline)) touch(long rounds) {
    long result = 0;
    for (long i = 0; i < rounds; i++) {
        volatile long *place = (i & 3) == 3 ? hole : &table[i & 255];
        long value = i;
        value += *place;
        result += value & 8 ? value : 1;
        while (value & 1)
            value >>= 1, result++;
    }
    return result;
}

static void jump_out(int signal) {
    (void)signal;
    jumps++;
    siglongjmp(again, 1);
}

static void leave(int signal) {
    (void)signal;
    printf("interrupted 1\n");
    exit(0);
}

static void step_over(int signal, siginfo_t *info, void *context) {
    (void)signal;
    (void)info;
    jumps++;
    ((ucontext_t *)context)->uc_mcontext.sc_pc += 4;
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
    sum += circle(20);
    depth--;
}

/* A signal that arrives while results are written would interrupt the emulator's plugin, too. */
static void stop_ticking(void) {
    static const struct itimerval never;
    setitimer(ITIMER_REAL, &never, NULL);
    signal(SIGALRM, SIG_IGN);
}

int main(int count, char **words) {
    const char *way = count > 1 ? words[1] : "jump";
    const volatile long times = count > 2 ? atol(words[2]) : 400; /* that it is interrupted */
    hole = mmap(NULL, 8192, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    for (int i = 0; i < 256; i++)
        table[i] = i * 7;
    if (strcmp(way, "jump") == 0) {
        sigsetjmp(again, 1);
        tick(jump_out, 300, 300);
        while (jumps < times)
            sum += circle(5000);
    } else if (strcmp(way, "nest") == 0) {
        while (jumps < times) {
            tick(come_back, 300, 0);
            sum += circle(5000);
        }
    } else if (strcmp(way, "leave") == 0) {
        sum += circle(5000);
        tick(leave, 300 + (int)(times % 700), 0);
        for (;;)
            sum += circle(5000);
    } else if (strcmp(way, "fault") == 0) {
        struct sigaction action = {.sa_handler = jump_out, .sa_flags = SA_NODEFER};
        volatile long i = 0;
        sigaction(SIGSEGV, &action, NULL);
        sigsetjmp(again, 1);
        while (i < 400)
            sum += touch(++i);
    } else if (strcmp(way, "skip") == 0) {
        struct sigaction action = {.sa_sigaction = step_over, .sa_flags = SA_NODEFER | SA_SIGINFO};
        sigaction(SIGSEGV, &action, NULL);
        for (long i = 0; i < 400; i++)
            sum += touch(i & 15);
    } else {
        sum += circle(300) + touch(300);
    }
    stop_ticking();
    printf("interrupted %ld\n", jumps);
    return 0;
}
