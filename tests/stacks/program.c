/* program.c: work on stacks in unusual places: in a large arena, after a large heap, very deep, very small, of a signal handler. Says
   whether memory around them is as it was. */
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>

#define MEGABYTE (1L << 20)

static ucontext_t caller, coroutine;
static volatile long sink;

__attribute__((noipa)) static long fibonacci(long n) {
    return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

static int compare(const void *one, const void *two) {
    long a = *(const long *)one, b = *(const long *)two;
    return a < b ? -1 : a > b;
}

static void work(void) {
    long numbers[64];
    for (int round = 0; round < 20; round++) {
        char *text = malloc(100 + 10 * (size_t)round);
        for (int i = 0; i < 64; i++)
            numbers[i] = (i * 37 + round) % 64;
        qsort(numbers, 64, sizeof numbers[0], compare);
        snprintf(text, 100, "%ld %s %.3f", numbers[round], "text", 1.0 / (round + 1));
        sink += text[0] + fibonacci(10);
        free(text);
        swapcontext(&coroutine, &caller);
    }
}

/* The program ends on this stack. */
static void leave(void) {
    char *lost = malloc(1000);
    sink = fibonacci(10) + (lost != NULL);
    puts("exit: right");
    exit(3);
}

static void run_on(char *stack, size_t size) {
    getcontext(&coroutine);
    coroutine.uc_stack.ss_sp = stack;
    coroutine.uc_stack.ss_size = size;
    coroutine.uc_link = &caller;
    makecontext(&coroutine, work, 0);
    for (int round = 0; round < 21; round++)
        swapcontext(&caller, &coroutine);
}

static uint64_t pattern(long at) {
    return (uint64_t)at * UINT64_C(0x9e3779b97f4a7c15) | 1;
}

/* The distance from an examined word to the next one, in memory with a stack that ends at `end`: 128 bytes where the stack once was moved
   to by mistake, a page near the stack, elsewhere 256 KB: each page that is examined costs an exception. */
static long step(long i, long end) {
    if (i > end - 800 * MEGABYTE && i < end - 760 * MEGABYTE)
        return 128;
    return i > end - 4 * MEGABYTE && i < end + 4 * MEGABYTE ? 8192 : 262144;
}

/* Memory of `size`, with a stack at `at`. */
static int keeps(char *memory, long size, long at, long stack) {
    long end = at + stack;
    for (long i = 0; i < size; i += step(i, end))
        if (i < at || i >= end)
            *(uint64_t *)(memory + i) = pattern(i);
    run_on(memory + at, (size_t)stack);
    for (long i = 0; i < size; i += step(i, end))
        if ((i < at || i >= end) && *(uint64_t *)(memory + i) != pattern(i))
            return 0;
    return 1;
}

__attribute__((noipa)) static long descend(long depth) {
    volatile char block[200000];
    block[0] = (char)depth;
    block[199999] = 1;
    return depth == 0 ? 0 : descend(depth - 1) + block[0] + block[199999];
}

static char around[3][32768] __attribute__((aligned(64)));

static void handle(int number) {
    volatile char block[2000];
    block[0] = (char)number;
    sink += fibonacci(12) + block[0];
}

int main(int count, char **arguments) {
    const char *way = count > 1 ? arguments[1] : "";
    int right = 1;
    if (strcmp(way, "arena") == 0) {
        long size = 830 * MEGABYTE;
        char *memory = mmap(0, (size_t)size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        right = memory != MAP_FAILED && keeps(memory, size, 820 * MEGABYTE, 65536);
    } else if (strcmp(way, "heap") == 0) {
        char *low = malloc(700 * MEGABYTE), *stack = malloc(65536);
        right = low && stack;
        run_on(stack, 65536);
    } else if (strcmp(way, "deep") == 0) {
        right = descend(2000) != 0;
    } else if (strcmp(way, "small") == 0) {
        memset(around, 0x5a, sizeof around);
        run_on(around[1], sizeof around[1]);
        for (size_t i = 0; i < sizeof around[0]; i++)
            right &= around[0][i] == 0x5a && around[2][i] == 0x5a;
    } else if (strcmp(way, "handler") == 0) {
        char *memory = mmap(0, 830 * MEGABYTE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        stack_t stack = {.ss_sp = memory + 820 * MEGABYTE, .ss_size = 65536};
        struct sigaction action = {.sa_handler = handle, .sa_flags = SA_ONSTACK};
        right = sigaltstack(&stack, 0) == 0 && sigaction(SIGUSR1, &action, 0) == 0;
        for (int i = 0; i < 100; i++)
            raise(SIGUSR1);
        for (long i = 0; i < 820 * MEGABYTE; i += step(i, 820 * MEGABYTE + (long)stack.ss_size))
            right &= memory[i] == 0;
    } else if (strcmp(way, "exit") == 0) {
        static char stack[65536];
        getcontext(&coroutine);
        coroutine.uc_stack.ss_sp = stack;
        coroutine.uc_stack.ss_size = sizeof stack;
        makecontext(&coroutine, leave, 0);
        swapcontext(&caller, &coroutine);
    }
    printf("%s: %s %ld\n", way, right ? "right" : "wrong", sink);
    return 0;
}
