/* thread_pointers.c WAY: threads that compute at once, by their thread pointers.
   own: each has its own, as the C library gives them; three times, so that pointers are used again
   none: clone gives them none, so that they have that of the thread that makes them; others run already
   same: clone gives them one and the same
   near: they have pointers 64 bytes apart
   changing: each changes its own while it computes
   fork: a process that other threads' end leaves alone makes threads again
   Prints a number that does not depend on their order. */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { THREADS = 4, ROUNDS = 20, BARE_ROUNDS = 300, LENGTH = 4000, STACK = 65536 };
static volatile unsigned long sums[2 * THREADS + 1];
static volatile int going, ended[THREADS];
static char stacks[THREADS][STACK] __attribute__((aligned(64)));
static char pointers[THREADS + 1][64] __attribute__((aligned(64)));

__attribute__((noinline)) static unsigned long step(unsigned long a, unsigned long i) {
    if (a & 1)
        a = a * 3 + 1;
    else
        a >>= 1;
    return a % 8 == 3 ? a ^ i : a;
}

/* No count can be in a register: the loop has a call. */
__attribute__((noinline)) static unsigned long compute(unsigned long n, unsigned long seed) {
    unsigned long a = seed;
    for (unsigned long i = 0; i < n; i++)
        a = step(a, i);
    return a;
}

__attribute__((noinline)) static void compute_all(long k, int rounds) {
    for (int round = 0; round < rounds; round++)
        sums[k] += compute(LENGTH + 10 * k, 1000000007 * (k + 1) + round);
}

static void *begin(void *k) {
    compute_all((long)k, ROUNDS);
    return NULL;
}

static void in_threads(void) {
    pthread_t threads[THREADS];
    for (long k = 0; k < THREADS; k++)
        if (pthread_create(&threads[k], NULL, begin, (void *)(THREADS + k)) != 0)
            abort();
    for (int k = 0; k < THREADS; k++)
        pthread_join(threads[k], NULL);
}

/* These have no C library: no variables of threads, no errno. */
#ifdef __aarch64__
static long call(long number, long argument) {
    register long x8 __asm__("x8") = number, x0 __asm__("x0") = argument;
    __asm__ volatile("svc 0" : "+r"(x0) : "r"(x8) : "memory");
    return x0;
}

static void set_pointer(void *pointer) {
    __asm__ volatile("msr tpidr_el0, %0" : : "r"(pointer) : "memory");
}
#else
static long call(long number, long argument) {
    register long v0 __asm__("$0") = number, a0 __asm__("$16") = argument, a3 __asm__("$19");
    __asm__ volatile("callsys" : "+r"(v0), "+r"(a0), "=r"(a3) : : "$1", "$2", "$3", "$4", "$5", "$6", "$7", "$8", "$17", "$18", "$20",
                     "$21", "$22", "$23", "$24", "$25", "$27", "$28", "memory");
    return v0;
}

static void set_pointer(void *pointer) {
    register void *a0 __asm__("$16") = pointer;
    __asm__ volatile("call_pal 0x9f" : : "r"(a0) : "memory");
}
#endif

static int begin_bare(void *number) {
    long k = (long)number;
    while (!going)
        ;
    compute_all(k, BARE_ROUNDS);
    ended[k] = 1;
    call(SYS_exit, 0);
    return 0;
}

static void make_bare(long flags, long distance) {
    const int all = CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD | CLONE_SYSVSEM;
    for (long k = 0; k < THREADS; k++)
        if (clone(begin_bare, stacks[k] + STACK, all | flags, (void *)k, NULL, pointers[1] + k * distance, NULL) < 0)
            abort();
}

static void wait_for_bare(void) {
    going = 1;
    for (int k = 0; k < THREADS; k++)
        while (!ended[k])
            ;
}

static void *change(void *number) {
    void *own = __builtin_thread_pointer();
    long k = (long)number;
    for (int i = 0; i < 20; i++) {
        set_pointer(pointers[k]);
        sums[k] += compute(LENGTH, k + i);
        set_pointer(own);
        sums[k] += compute(LENGTH, k + i + 7);
    }
    return NULL;
}

int main(int argc, char **argv) {
    const char *way = argc > 1 ? argv[1] : "own";
    unsigned long sum = 0;
    if (!strcmp(way, "own")) {
        for (int i = 0; i < 3; i++)
            in_threads();
    } else if (!strcmp(way, "none")) {
        pthread_t other;
        pthread_create(&other, NULL, begin, (void *)(2L * THREADS));
        make_bare(0, 0);
        wait_for_bare();
        pthread_join(other, NULL);
        in_threads();
    } else if (!strcmp(way, "same")) {
        make_bare(CLONE_SETTLS, 0);
        wait_for_bare();
        in_threads();
    } else if (!strcmp(way, "near")) {
        make_bare(CLONE_SETTLS, 64);
        wait_for_bare();
        in_threads();
    } else if (!strcmp(way, "changing")) {
        pthread_t threads[THREADS];
        for (long k = 0; k < THREADS; k++)
            pthread_create(&threads[k], NULL, change, (void *)k);
        for (int k = 0; k < THREADS; k++)
            pthread_join(threads[k], NULL);
    } else if (!strcmp(way, "fork")) {
        in_threads();
        if (fork() == 0) {
            in_threads();
            _exit(0);
        }
        wait(NULL);
        in_threads();
    }
    for (int k = 0; k < 2 * THREADS + 1; k++)
        sum += sums[k] * (unsigned long)(k + 1);
    printf("computed %lx\n", sum);
    return 0;
}
