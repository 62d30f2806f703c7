/* sharing.c: procedures that are entered in each way: by direct calls, through pointers, by themselves and each other, by
   jumps at others' ends, by handlers, from the C library; and left by exit, longjmp and jumps out of handlers.
   Use: sharing calls|jump|nest|fault|exit|spin [TIMES] */
#define _GNU_SOURCE
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#define APART __attribute__((noinline, noclone, noipa))

static sigjmp_buf again;
static volatile long sum, jumps;
static long table[64];

/* A leaf of one block, and one with a loop. */
APART long leaf(long a) {
    return a * 3 + 1;
}
APART long loop(long a) {
    long result = 0;
    for (long i = 0; i < (a & 3); i++)
        result += table[(a + i) & 63];
    return result;
}
/* Itself, not at its end only. */
APART long itself(long a) {
    if (a <= 1)
        return a;
    return itself(a - 1) + itself(a - 2);
}
/* The same, where something is done at its entry. */
APART long watched(long a) {
    if (a <= 1)
        return 1;
    return watched(a - 2) * 3 + watched(a - 1);
}
/* Each other, and out of the circle by a jump. */
APART long odd(long a);
APART long even(long a) {
    sum += a & 1;
    return a == 0 ? leaf(a) : odd(a - 1) + 1;
}
APART long odd(long a) {
    return a == 0 ? loop(a) : even(a - 1);
}
/* At another's end. */
APART long last(long a) {
    sum++;
    return loop(a + 1);
}
APART void leave(long a) {
    if ((a & 15) == 7)
        siglongjmp(again, 1);
    sum += leaf(a);
}
APART void end(long a) {
    if (leaf(a) == 301)
        exit(3);
}
/* In one block what may fault, and the call. */
APART long touch(const volatile long *place) {
    return last(*place) + 1;
}
/* Called by its pointer, too. */
long (*volatile pointers[])(long) = {leaf, loop, last, odd};

static int compare(const void *left, const void *right) {
    const long *a = left, *b = right;
    return leaf(*a) < leaf(*b) ? -1 : leaf(*a) > leaf(*b);
}

APART long work(long rounds) {
    long result = 0;
    for (long i = 0; i < rounds; i++) {
        result += leaf(i) + loop(i);
        result += pointers[i & 3](i & 15);
        if (i % 5 == 0)
            result += itself(i & 7) + watched(i & 7) + even(i & 15);
        result ^= last(i);
        if (i % 50 == 0) {
            long copy[64];
            memcpy(copy, table, sizeof copy);
            qsort(copy, 64, sizeof *copy, compare);
            result += copy[3];
        }
    }
    return result;
}

static void jump_out(int signal) {
    (void)signal;
    jumps++;
    sum += leaf(jumps);
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
    sum += work(3);
    depth--;
}

/* A signal that arrives while results are written would interrupt the emulator's plugin, too. */
static void stop_ticking(void) {
    static const struct itimerval never;
    setitimer(ITIMER_REAL, &never, NULL);
    signal(SIGALRM, SIG_IGN);
}

int main(int count, char **words) {
    const char *way = count > 1 ? words[1] : "calls";
    const volatile long times = count > 2 ? atol(words[2]) : 400; /* that it is interrupted */
    volatile long i = 0;
    for (int k = 0; k < 64; k++)
        table[k] = (k * 37) & 63;
    if (strcmp(way, "jump") == 0) {
        sigsetjmp(again, 1);
        tick(jump_out, 300, 300);
        while (jumps < times)
            work(100);
    } else if (strcmp(way, "nest") == 0) {
        while (jumps < times) {
            tick(come_back, 300, 0);
            work(100);
        }
    } else if (strcmp(way, "fault") == 0) {
        struct sigaction action = {.sa_handler = jump_out, .sa_flags = SA_NODEFER};
        volatile long *hole = mmap(NULL, 8192, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        sigaction(SIGSEGV, &action, NULL);
        sigsetjmp(again, 1);
        while (i < 400) {
            i++;
            sum += touch(i % 3 ? table : hole);
            sum += (long)strlen(i % 5 ? "text" : (const char *)hole); /* in a library, if there is one */
        }
    } else if (strcmp(way, "exit") == 0) {
        if (fork() == 0)
            abort();
        wait(NULL);
        for (;; i++)
            end(i);
    } else if (strcmp(way, "spin") == 0) {
        for (;;)
            sum += work(100);
    } else {
        sigsetjmp(again, 0);
        while (i < 200) {
            i++;
            leave(i);
        }
        printf("%ld\n", work(1000));
    }
    stop_ticking();
    printf("%s\n", jumps > 0 ? "interrupted" : "never interrupted");
    return 0;
}
