/* inlined_threads.c: threads that compute while signals arrive, whose handlers compute too; and what else happens to
   threads: some fork, are cancelled wherever they are, leave handlers by siglongjmp, or are there when the program ends.
   Use: inlined_threads joined|fork|cancel|exit|jump [TIMES], of jumps or cancellations */
#define _GNU_SOURCE
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

enum { THREADS = 4, TURNS = 30, JUMPS = 100, CANCELLED = 20 };
static long table[4096];
static long times;
static volatile sig_atomic_t handled, may_jump;
static sigjmp_buf back;

static __attribute__((noinline)) long work(unsigned long seed, long n) {
    long sum = 0;
    for (long i = 0; i < n; i++) {
        seed = seed * 6364136223846793005UL + 1442695040888963407UL;
        long *cell = &table[seed >> 52];
        sum += *cell;
        if (seed >> 63)
            *cell = sum;
        else
            *cell ^= i;
    }
    return sum;
}

/* The next signal comes so long after a handler is done: handlers that are slower than the timer would leave no time for
   anything else. */
static volatile long period;
static void wait_period(void) {
    struct itimerval once = {{0, 0}, {0, period}};
    setitimer(ITIMER_REAL, &once, NULL);
}

static void handle(int signal) {
    handled++;
    work((unsigned long)signal + handled, 20);
    if (period)
        wait_period();
    if (may_jump)
        siglongjmp(back, 1);
}

static void signals_come(long microseconds) {
    struct sigaction action = {.sa_handler = handle, .sa_flags = SA_RESTART};
    period = microseconds;
    sigaction(SIGALRM, &action, NULL);
    wait_period();
}

static void *compute(void *argument) {
    for (long i = 0; i < TURNS; i++)
        work((unsigned long)argument + (unsigned long)i, 1000);
    return NULL;
}

static void *fork_often(void *argument) {
    for (long i = 0; i < 6; i++) {
        int status = 0;
        work((unsigned long)argument, 1000);
        pid_t child = fork();
        if (child == 0) {
            work(1, 500);
            _exit(7);
        }
        if (waitpid(child, &status, 0) != child || !WIFEXITED(status) || WEXITSTATUS(status) != 7)
            abort();
    }
    return NULL;
}

static void *compute_forever(void *argument) {
    int before;
    pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, &before);
    for (;;)
        work((unsigned long)argument, 1000);
}

static void *jump(void *argument) {
    volatile long jumps = 0;
    sigset_t alarm;
    sigemptyset(&alarm);
    sigaddset(&alarm, SIGALRM);
    if (sigsetjmp(back, 1))
        jumps++;
    may_jump = 1;
    pthread_sigmask(SIG_UNBLOCK, &alarm, NULL);
    while (jumps < (times ? times : JUMPS))
        work((unsigned long)argument, 1000);
    may_jump = 0;
    return NULL;
}

static void run(pthread_t *threads, long count, void *(*routine)(void *)) {
    for (long i = 0; i < count; i++)
        if (pthread_create(&threads[i], NULL, routine, (void *)(i + 1)))
            abort();
}

static void join(pthread_t *threads, long count) {
    for (long i = 0; i < count; i++)
        pthread_join(threads[i], NULL);
}

int main(int count, char **words) {
    const char *mode = count > 1 ? words[1] : "";
    times = count > 2 ? atol(words[2]) : 0;
    pthread_t threads[THREADS];
    sigset_t alarm;
    if (strcmp(mode, "joined") == 0) {
        signals_come(300);
        run(threads, THREADS, compute);
        join(threads, THREADS);
    } else if (strcmp(mode, "fork") == 0) {
        signals_come(2000);
        run(threads, THREADS, fork_often);
        join(threads, THREADS);
    } else if (strcmp(mode, "cancel") == 0) {
        signals_come(2000);
        for (long i = 0; i < (times ? times : CANCELLED); i++) {
            run(threads, 2, compute_forever);
            work((unsigned long)i, 1000 + 300 * i % 977);
            pthread_cancel(threads[0]);
            pthread_cancel(threads[1]);
            join(threads, 2);
        }
    } else if (strcmp(mode, "exit") == 0) {
        signals_come(300);
        run(threads, THREADS, compute_forever);
        work(1, 5000);
        exit(3);
    } else if (strcmp(mode, "jump") == 0) {
        sigemptyset(&alarm);
        sigaddset(&alarm, SIGALRM);
        pthread_sigmask(SIG_BLOCK, &alarm, NULL);
        signals_come(500);
        run(threads, 1, jump);
        join(threads, 1);
    } else {
        return 2;
    }
    period = 0;
    wait_period();
    return 0;
}
