/* allocating.c: every way to allocate, threads that have freed, what the allocator says of itself, a signal's handler on a stack in a
   block, and a small structure that is passed by value. With an argument there are two errors. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <malloc.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct three {
    int a, b, c;
};
static void *volatile kept;
static volatile int received;

__attribute__((noinline)) static int sum(struct three of) {
    return of.a + of.b + of.c;
}

static void handle(int signal, siginfo_t *info, void *context) {
    (void)context;
    if (info->si_signo == signal)
        received = signal;
}

static void *work(void *argument) {
    for (int i = 0; i < 20; i++) {
        kept = malloc(30 + i);
        free(kept);
    }
    return argument;
}

int main(int count, char **words) {
    (void)words;
    char *blocks[] = {malloc(10007), calloc(1, 20011), memalign(64, 30011), aligned_alloc(128, 40064), valloc(50021), pvalloc(60013), NULL};
    int failed = posix_memalign((void **)&blocks[6], 256, 70001);
    for (int i = 0; i < 7; i++)
        memset(blocks[i], i, 10000);
    blocks[0] = realloc(blocks[0], 80021);
    if (count > 1)
        blocks[2][30011] = 1;
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL);
    struct mallinfo2 info = mallinfo2();
    if (info.uordblks == 1 || malloc_usable_size(blocks[0]) < 80021)
        puts("wrong");
    malloc_trim(0);
    malloc_stats();
    malloc_info(0, stderr);
    stack_t stack = {.ss_sp = malloc(40000), .ss_size = 40000};
    sigaltstack(&stack, NULL);
    struct sigaction action = {.sa_sigaction = handle, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    sigaction(SIGUSR1, &action, NULL);
    raise(SIGUSR1);
    struct three *three = malloc(sizeof *three);
    three->a = three->b = three->c = received;
#ifdef OPENS
    dlopen("libm.so.6.1", RTLD_NOW);
#endif
    printf("%d %d\n", sum(*three), failed);
    free(three);
    for (int i = 0; i < 7; i++)
        free(blocks[i]);
    if (count > 1)
        free(blocks[3]);
    stack.ss_flags = SS_DISABLE;
    sigaltstack(&stack, NULL);
    free(stack.ss_sp);
    return 0;
}
