/* program.c WAY [TIMES]: what comes from the side: signals in children and in many threads, ends by signals,
   forks beside threads that wait, stacks far away, registers that nobody has set. Each way prints what it
   must, or ends as it must. */
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static long times;
static long memory[64];

__attribute__((noipa)) static long work(long n) {
    for (long i = 0; i < n; i++)
        memory[i & 63] += i ^ (memory[(i + 7) & 63] >> 3);
    return memory[n & 63];
}

static void handle(int signal, void (*handler)(int)) {
    struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART};
    sigaction(signal, &action, NULL);
}

/* Each thread's own data, and whether a handler finds it. */
static __thread struct own {
    pthread_t self;
    int *error;
    volatile long mark, handled, wrong;
} own;

static void begin_own(long mark) {
    own = (struct own){pthread_self(), &errno, mark, 0, 0};
}

static void look_at_own(int signal) {
    (void)signal;
    own.handled++;
    own.wrong += own.self != pthread_self() || own.error != &errno || own.mark == 0;
}

/* The next one comes so long after a handler is done: however slow handlers are, the program goes on. */
static void wait_period(void) {
    struct itimerval once = {{0, 0}, {0, 500}};
    setitimer(ITIMER_REAL, &once, NULL);
}

static void look_and_wait(int signal) {
    look_at_own(signal);
    work(20);
    wait_period();
}

/* A timer runs in the parent and in each child. */
static void forked(void) {
    long wrong = 0;
    begin_own(1);
    handle(SIGALRM, look_and_wait);
    wait_period();
    for (long i = 0; i < times; i++) {
        int status = -1;
        pid_t child = fork();
        if (child == 0) {
            own.handled = 0;
            wait_period();
            while (own.handled < 4)
                work(200);
            _exit(own.wrong != 0);
        }
        while (waitpid(child, &status, 0) < 0 && errno == EINTR)
            ;
        wrong += status != 0;
    }
    handle(SIGALRM, SIG_IGN);
    printf("forked: %ld wrong\n", wrong + own.wrong);
}

/* Signals to each of many threads. */
enum { MANY = 64 };
static volatile int begun, ending;
static long sums[MANY];

static void *take_signals(void *number) {
    begin_own(1 + (long)number);
    __atomic_add_fetch(&begun, 1, __ATOMIC_SEQ_CST);
    while (!ending || own.handled == 0) {
        work(100);
        usleep(5000); /* else the threads would wait for each other most of the time */
    }
    sums[(long)number] = own.mark == 1 + (long)number ? own.wrong : 1;
    return NULL;
}

static void many(void) {
    pthread_t threads[MANY];
    long wrong = 0;
    handle(SIGUSR1, look_at_own);
    for (long i = 0; i < MANY; i++)
        pthread_create(&threads[i], NULL, take_signals, (void *)i);
    while (begun < MANY)
        usleep(1000);
    for (long k = 0; k < times; k++)
        for (long i = 0; i < MANY; i++)
            pthread_kill(threads[i], SIGUSR1);
    ending = 1;
    for (long i = 0; i < MANY; i++) {
        pthread_join(threads[i], NULL);
        wrong += sums[i];
    }
    printf("many: %ld wrong\n", wrong);
}

/* SIGTERM from a child, at some moment. */
static void await_end(void) {
    struct timespec now;
    pid_t parent = getpid();
    clock_gettime(CLOCK_MONOTONIC, &now);
    if (fork() == 0) {
        usleep((useconds_t)(1000 + now.tv_nsec / 1000 % 9000));
        kill(parent, SIGTERM);
        _exit(0);
    }
    for (long end = now.tv_sec + 60; now.tv_sec < end; clock_gettime(CLOCK_MONOTONIC, &now))
        work(10000);
    printf("SIGTERM is lost\n");
}

/* The program has all timers that it may have. */
static void timers(void) {
    struct sigevent event = {.sigev_notify = SIGEV_NONE};
    timer_t timer;
    for (int i = 0; i < 100000 && timer_create(CLOCK_MONOTONIC, &event, &timer) == 0; i++)
        ;
    await_end();
}

/* While others wait in calls, one forks. None of these ends early. */
static int ends[2];
static sem_t posted;

static void *sleeps(void *unused) {
    struct timespec length = {0, 300000000};
    return nanosleep(&length, NULL) == 0 ? unused : "nanosleep";
}
static void *polls(void *unused) {
    return poll(NULL, 0, 300) == 0 ? unused : "poll";
}
static void *reads(void *unused) {
    char byte;
    return read(ends[0], &byte, 1) == 1 ? unused : "read";
}
static void *posts(void *unused) {
    return sem_wait(&posted) == 0 ? unused : "sem_wait";
}

static void waits(void) {
    static void *(*const calls[])(void *) = {sleeps, polls, reads, posts};
    pthread_t threads[4];
    sem_init(&posted, 0, 0);
    if (pipe(ends) != 0)
        exit(4);
    for (int i = 0; i < 4; i++)
        pthread_create(&threads[i], NULL, calls[i], NULL);
    for (long i = 0; i < times; i++) {
        int status = -1;
        pid_t child = fork();
        if (child == 0)
            _exit(work(100) == 1);
        while (waitpid(child, &status, 0) < 0 && errno == EINTR)
            puts("waitpid has ended early");
        usleep(3000);
    }
    if (write(ends[1], "", 1) != 1)
        exit(5);
    sem_post(&posted);
    for (int i = 0; i < 4; i++) {
        void *name;
        pthread_join(threads[i], &name);
        if (name)
            printf("%s has ended early\n", (const char *)name);
    }
    puts("waits: done");
}

/* A thread's stack lies more than a gigabyte above the first one. */
static void *use_stack(void *argument) {
    volatile long numbers[2000];
    long sum = 0;
    for (int i = 0; i < 2000; i++)
        numbers[i] = i + (long)argument;
    for (int i = 0; i < 2000; i++)
        sum += numbers[i];
    return (void *)(sum + work(5000) * 0);
}

static void high(void) {
    long here = (long)&here & -65536, size = 1 << 20;
    for (long k = 1; k <= times; k++) {
        void *result, *stack = mmap((void *)(here + (1L << 30) * k), (size_t)size, PROT_READ | PROT_WRITE,
                                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
        pthread_t thread;
        pthread_attr_t attributes;
        pthread_attr_init(&attributes);
        if (stack == MAP_FAILED || pthread_attr_setstack(&attributes, stack, (size_t)size) != 0 ||
            pthread_create(&thread, &attributes, use_stack, (void *)k) != 0 ||
            pthread_join(thread, &result) != 0)
            exit(6);
        printf("high: %ld\n", (long)result);
    }
}

/* Many children, one after the other. */
static void children(void) {
    long sum = 0;
    for (long i = 0; i < times; i++) {
        int status = 0;
        pid_t child = fork();
        if (child == 0)
            exit((int)(i & 63) + (work(100) == 1));
        waitpid(child, &status, 0);
        sum += WEXITSTATUS(status);
    }
    printf("children: %ld\n", sum);
}

/* All registers but those that every call sets, as a procedure finds them. */
__asm__(
    "\t.text\n\t.align 4\n\t.globl find_registers\n\t.ent find_registers\n"
    "find_registers:\n\t.frame $30,0,$26,0\n\t.prologue 0\n"
    "\tstq $0,0($16)\n\tstq $1,8($16)\n\tstq $2,16($16)\n\tstq $3,24($16)\n\tstq $4,32($16)\n\tstq "
    "$5,40($16)\n"
    "\tstq $6,48($16)\n\tstq $7,56($16)\n\tstq $8,64($16)\n\tstq $9,72($16)\n\tstq $10,80($16)\n\tstq "
    "$11,88($16)\n"
    "\tstq $12,96($16)\n\tstq $13,104($16)\n\tstq $14,112($16)\n\tstq $15,120($16)\n\tstq $17,128($16)\n"
    "\tstq $18,136($16)\n\tstq $19,144($16)\n\tstq $20,152($16)\n\tstq $21,160($16)\n\tstq $22,168($16)\n"
    "\tstq $23,176($16)\n\tstq $24,184($16)\n\tstq $25,192($16)\n\tstq $28,200($16)\n"
    "\tstt $f0,208($16)\n\tstt $f1,216($16)\n\tstt $f2,224($16)\n\tstt $f10,232($16)\n\tstt $f15,240($16)\n"
    "\tstt $f16,248($16)\n\tstt $f21,256($16)\n\tstt $f22,264($16)\n\tstt $f29,272($16)\n\tstt "
    "$f30,280($16)\n"
    "\tret $31,($26),1\n\t.end find_registers\n");
extern void find_registers(unsigned long *into);

static void unset(void) {
    static unsigned long found[4][36];
    find_registers(found[0]);
    work(10);
    find_registers(found[1]);
    strtol("77", NULL, 0);
    find_registers(found[2]);
    find_registers(found[3]);
    for (int k = 0; k < 4; k++)
        for (int i = 0; i < 36; i++)
            printf("%d %d 0x%lx\n", k, i, found[k][i]);
}

int main(int count, char **arguments) {
    static const struct {
        const char *name;
        void (*run)(void);
    } ways[] = {{"forked", forked}, {"many", many}, {"timers", timers},     {"killed", await_end},
                {"waits", waits},   {"high", high}, {"children", children}, {"unset", unset}};
    times = count > 2 ? atol(arguments[2]) : 1;
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++)
        if (count > 1 && strcmp(ways[i].name, arguments[1]) == 0) {
            ways[i].run();
            return 0;
        }
    return 2;
}
