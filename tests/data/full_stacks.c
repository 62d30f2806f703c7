/* full_stacks.c: a stack that is full, in a program that may have threads: of the first thread, or of another. The program ends by that, or
   has a handler on another stack, as runtimes of languages have, which says how deep it was and goes back, several times.
   Use: full_stacks main|thread fatal|recovered */
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { TIMES = 3 };
static sigjmp_buf back;
static volatile long depth;
static char *volatile kept;

static void handler(int signal, siginfo_t *info, void *context) {
    (void)context;
    printf("signal %d at depth %ld, %ld bytes behind a page\n", signal, depth, (long)info->si_addr & 4095);
    siglongjmp(back, 1);
}

static volatile int *__attribute__((noinline)) down(volatile int n, volatile int *p) {
    depth++;
    if (n >= 0)
        *down(n + 1, p) += n;
    return p;
}

static void recover(void) {
    struct sigaction action = {.sa_sigaction = handler, .sa_flags = SA_ONSTACK | SA_SIGINFO};
    stack_t stack = {.ss_sp = malloc(65536), .ss_size = 65536};
    volatile int sum = 0;
    sigaltstack(&stack, NULL);
    sigaction(SIGSEGV, &action, NULL);
    for (volatile int i = 0; i < TIMES; i++) {
        depth = 0;
        if (!sigsetjmp(back, 1))
            down(1, &sum);
        kept = malloc(100); /* the analysis code is at work again */
        printf("recovered %d\n", i);
    }
}

static void *work(void *recovers) {
    volatile int sum = 0;
    if (recovers)
        recover();
    else
        down(1, &sum);
    return NULL;
}

int main(int count, char **arguments) {
    void *recovers = count > 2 && !strcmp(arguments[2], "recovered") ? arguments : NULL;
    pthread_t thread;
    puts("start");
    fflush(stdout);
    if (count > 1 && !strcmp(arguments[1], "thread")) {
        if (pthread_create(&thread, NULL, work, recovers))
            return 1;
        pthread_join(thread, NULL);
    } else {
        work(recovers);
    }
    puts("end");
    return 0;
}
