/* faulting.c: instructions that always fault, in blocks that continue after them: skipped by the handler,
   left by a jump, gone back from, over several instructions, at the block's beginning and at its end.
   Arguments: how often; a second: then one ends the process. With -DTHREADS in three threads at once. With
   -DFORKS handlers fork, and parent and child go on. Requires faulting.s, for AArch64
   tests/aarch64/faulting.S. */
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

extern long loads(const long *good, const long *bad), stores(long *good, long *bad),
    begins(const long *good, long *bad), ends(const long *good, const long *bad),
    floats(const double *good, const double *bad), traps(long *good, long *bad);
/* Blocks in which two ways meet, and whose counts follow from others. */
extern long joins(long *good, const long *bad, long ways);
extern const char over[], back[], again[];
static long memory[4] = {1, 2, 3, 4};
static const double numbers[1] = {0.5};
static __thread sigjmp_buf away;
static __thread volatile int leaves, backs, faults;
static int times = 10;

#ifndef MOST
#define MOST 5 /* children of a process: with their own there are 31 processes */
#endif
/* At any of the places; children have children. Each has ended before its parent goes on. */
static void fork_sometimes(void) {
#ifdef FORKS
    enum { EVERY = 7, DEEPEST = 2 };
    static int made, depth;
    if (faults % EVERY != 3 || made == MOST || depth == DEEPEST)
        return;
    pid_t child = fork();
    if (child == 0) {
        made = depth;
        depth++;
    } else {
        made++;
        waitpid(child, NULL, 0);
    }
#endif
}

#ifdef __aarch64__
#define PC pc
#else
#define PC sc_pc
#endif

static void handle(int number, siginfo_t *info, void *context) {
    long *pc = (long *)&((ucontext_t *)context)->uc_mcontext.PC;
    (void)info;
    faults++;
    fork_sometimes();
    if (leaves)
        siglongjmp(away, 1);
    if (number == SIGFPE) /* the pc is that of the next instruction */
        *pc += faults % 2 ? 4 : 0;
    else if (*pc == (long)back && backs++ % 3 != 2)
        *pc = (long)again;
    else
        *pc += *pc == (long)over ? 12 : 4;
}

static void *run(void *unused) {
    volatile long sum = 0;
    (void)unused;
    for (volatile int i = 0; i < 2 * times; i++) {
        leaves = i % 4 == 3;
        if (sigsetjmp(away, 1))
            sum += 1000;
        else if (i % 7 == 0)
            sum += traps(memory, NULL);
        else if (i % 6 == 0)
            sum += joins(memory, NULL, i / 6);
        else if (i % 5 == 0)
            sum += loads(memory, NULL);
        else if (i % 5 == 1)
            sum += stores(memory, NULL);
        else if (i % 5 == 2)
            sum += begins(memory, NULL);
        else if (i % 5 == 3)
            sum += ends(memory, NULL);
        else
            sum += floats(numbers, NULL);
    }
    printf("%ld, %d faults\n", sum, faults);
    return NULL;
}

int main(int argc, char **argv) {
    const struct sigaction action = {.sa_sigaction = handle, .sa_flags = SA_SIGINFO};
    if (argc > 1)
        times = atoi(argv[1]);
    sigaction(SIGSEGV, &action, NULL);
    sigaction(SIGBUS, &action, NULL);
    sigaction(SIGFPE, &action, NULL);
#ifdef THREADS
    pthread_t threads[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, run, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
#else
    run(NULL);
#endif
    if (argc > 2) {
        fflush(stdout);
        signal(SIGSEGV, SIG_DFL);
        loads(memory, NULL);
    }
    return 0;
}
