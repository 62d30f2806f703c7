/* stacks.c WAY: signals, contexts, processes and mappings in awkward combinations. Each way prints what it
 * must. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

static volatile long done;
__attribute__((noinline)) static long work(long n) {
    long sum = 0;
    for (long i = 0; i < n; i++)
        sum += i ^ (sum >> 3);
    return sum;
}
static void handle(int signal, void (*handler)(int, siginfo_t *, void *), int flags) {
    struct sigaction action = {.sa_sigaction = handler, .sa_flags = SA_SIGINFO | flags};
    sigaction(signal, &action, NULL);
}
static void every(long microseconds) {
    struct itimerval often = {{0, microseconds}, {0, microseconds}};
    setitimer(ITIMER_REAL, &often, NULL);
}

/* A handler on an alternate stack that sets another one inside, nested. */
static char stacks[4][65536];
static volatile int depth, deepest;
static void nest(int signal, siginfo_t *info, void *context) {
    (void)info, (void)context, (void)signal;
    if (++depth > deepest)
        deepest = depth;
    char local = 0;
    for (int i = 0; i < 4; i++)
        if (&local >= stacks[i] && &local < stacks[i] + sizeof stacks[i])
            done |= 1 << i;
    if (depth < 4) {
        stack_t now;
        sigaltstack(NULL, &now);
        done |= now.ss_flags & SS_ONSTACK ? 16 : 0;
        kill(getpid(), SIGUSR1 + (depth & 1));
        work(20);
    }
    depth--;
}
static void altstacks(void) {
    stack_t stack = {.ss_sp = stacks[1], .ss_size = sizeof stacks[1]};
    sigaltstack(&stack, NULL);
    handle(SIGUSR1, nest, SA_ONSTACK | SA_NODEFER);
    handle(SIGUSR2, nest, SA_ONSTACK | SA_NODEFER);
    for (int i = 0; i < 50; i++) {
        stack.ss_sp = stacks[i % 4];
        sigaltstack(&stack, NULL);
        kill(getpid(), SIGUSR1);
    }
    printf("altstacks %ld %d\n", done, deepest);
}

/* Contexts made by makecontext, switched by a handler of a timer. SIGALRM is blocked wherever a context is
   saved or gone to: a handler that comes in between would save its own over the one that is gone to. */
static ucontext_t contexts[4], back;
static volatile int current, switches, finished[4];
static volatile long sums[4], rounds[4];
static void turn(int signal, siginfo_t *info, void *context) {
    (void)signal, (void)info, (void)context;
    int from = current, to = (current + 1) % 4;
    if (++switches > 40)
        return;
    current = to;
    swapcontext(&contexts[from], &contexts[to]);
}
static void coroutine(int number) {
    sigset_t set;
    sigemptyset(&set), sigaddset(&set, SIGALRM);
    sigprocmask(SIG_UNBLOCK, &set, NULL);
    while (rounds[number] < 200 || switches <= 40) { /* however slow or fast the machine is */
        sums[number] += work(300);
        if (++rounds[number] == 100)
            raise(SIGALRM);
    }
    sigprocmask(SIG_BLOCK, &set, NULL);
    finished[number] = 1;
    done++;
    for (int i = 0; i < 4; i++)
        if (!finished[i]) {
            current = i;
            swapcontext(&contexts[number], &contexts[i]);
        }
    setcontext(&back);
}
static void coroutines(void) {
    static char spaces[4][65536];
    sigset_t set;
    sigemptyset(&set), sigaddset(&set, SIGALRM);
    sigprocmask(SIG_BLOCK, &set, NULL);
    if (getcontext(&back) == 0 && done == 0) {
        for (int i = 0; i < 4; i++) {
            getcontext(&contexts[i]);
            contexts[i].uc_stack.ss_sp = spaces[i];
            contexts[i].uc_stack.ss_size = sizeof spaces[i];
            contexts[i].uc_link = &back;
            makecontext(&contexts[i], (void (*)(void))coroutine, 1, i);
        }
        handle(SIGALRM, turn, SA_RESTART);
        every(700);
        setcontext(&contexts[0]);
    }
    every(0);
    int right = 0;
    for (int i = 0; i < 4; i++)
        right += sums[i] == rounds[i] * work(300) && rounds[i] >= 200;
    printf("coroutines %ld %d %d\n", done, right, switches > 40);
}

/* Vfork whose child runs handlers and execs, or exits; signals all the time. */
static void count(int signal, siginfo_t *info, void *context) {
    (void)signal, (void)info, (void)context;
    done += work(10) != 1;
}
static void vforks(void) {
    int status, sum = 0;
    handle(SIGALRM, count, SA_RESTART);
    every(1000);
    for (int i = 0; i < 30; i++) {
        pid_t child = vfork();
        if (child == 0) {
            if (i % 3 == 0)
                execl("/bin/true", "true", NULL);
            if (i % 3 == 1)
                execl("/nowhere", "nowhere", NULL);
            _exit(i);
        }
        while (waitpid(child, &status, 0) < 0 && errno == EINTR)
            ;
        sum += WEXITSTATUS(status);
    }
    every(0);
    printf("vforks %d %d\n", sum, done > 0);
}

/* Clone with odd flags: sharing files but not memory; failing ones. */
static int shared_files(void *argument) {
    close((int)(long)argument);
    work(1000);
    return 7;
}
static void clones(void) {
    static char stack[65536] __attribute__((aligned(16)));
    int file = dup(1), status = 0;
    int child =
        clone(shared_files, stack + sizeof stack, CLONE_FILES | CLONE_FS | SIGCHLD, (void *)(long)file);
    waitpid(child, &status, 0);
    int closed = fcntl(file, F_GETFD) < 0;
    errno = 0;
    int bad = clone(shared_files, stack + sizeof stack, CLONE_THREAD | CLONE_SIGHAND, NULL), why = errno;
    int silent = clone(shared_files, stack + sizeof stack, 0, (void *)99l);
    int waited = waitpid(silent, &status, __WALL) == silent;
    printf("clones %d %d %d %d %d %d\n", WEXITSTATUS(status), closed, bad, why == EINVAL, waited,
           WEXITSTATUS(status));
}

/* Data near the image is protected and its faults are cured by a handler. */
static char area[4 * 8192] __attribute__((aligned(8192)));
static void cure(int signal, siginfo_t *info, void *context) {
    (void)signal, (void)context;
    done++;
    mprotect((void *)((long)info->si_addr & -8192), 8192, PROT_READ | PROT_WRITE);
}
static void protects(void) {
    handle(SIGSEGV, cure, 0);
    long sum = 0;
    for (int i = 0; i < 50; i++) {
        mprotect(area, sizeof area, i & 1 ? PROT_NONE : PROT_READ);
        for (int k = 0; k < 4; k++)
            area[k * 8192 + i] += (char)(k + i);
        sum += area[8192 + i];
    }
    mprotect(area, sizeof area, PROT_READ | PROT_WRITE);
    printf("protects %ld %ld\n", done, sum);
}

/* The heap grows, shrinks, is refused, and grows over a mapping. */
static void brks(void) {
    char *begin = sbrk(0), *all = begin;
    int good = 1;
    for (int i = 0; i < 40; i++) {
        char *got = sbrk(8192 * (i + 1));
        good &= got == all;
        all += 8192 * (i + 1);
        memset(got, i, 8192);
        if (i % 3 == 2) {
            sbrk(-8192);
            all -= 8192;
        }
    }
    good &= mmap(all + 16384, 8192, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == all + 16384;
    int refused = sbrk(65536) == (void *)-1;
    good &= brk(begin) == 0 && sbrk(0) == begin;
    void *p = malloc(100000);
    printf("brks %d %d %d\n", good, refused, p != NULL);
}

/* Threads that end in handlers. */
static void end_thread(int signal, siginfo_t *info, void *context) {
    (void)signal, (void)info, (void)context;
    pthread_exit((void *)11);
}
static void *spin(void *unused) {
    (void)unused;
    __atomic_add_fetch(&done, 1, __ATOMIC_SEQ_CST);
    for (;;)
        work(100);
    return NULL;
}
static void threads(void) {
    long sum = 0;
    handle(SIGUSR1, end_thread, 0);
    for (int k = 0; k < 10; k++) {
        pthread_t made[4];
        done = 0;
        for (int i = 0; i < 4; i++)
            pthread_create(&made[i], NULL, spin, NULL);
        while (done < 4)
            sched_yield();
        for (int i = 0; i < 4; i++)
            pthread_kill(made[i], SIGUSR1);
        for (int i = 0; i < 4; i++) {
            void *result;
            pthread_join(made[i], &result);
            sum += (long)result;
        }
    }
    printf("threads %ld\n", sum);
}

/* A handler changes registers and the pc of a fault in floating point; others arrive meanwhile. */
static void skip(int signal, siginfo_t *info, void *context) {
    (void)signal, (void)info;
    ((ucontext_t *)context)->uc_mcontext.sc_pc += 4;
    done++;
}
static void skips(void) {
    long sum = 0;
    handle(SIGSEGV, skip, 0);
    handle(SIGALRM, count, SA_RESTART);
    every(900);
    for (long i = 0; i < 300; i++) {
        register long value __asm__("$1") = i;
        __asm__ volatile("ldq %0, 8($31)" : "+r"(value));
        sum += value + work(20) % 2;
    }
    every(0);
    printf("skips %ld %d\n", sum, done >= 300);
}

/* Stacks that are mapped anew, small, under the guard of a fault: recursion until there, cured on another
 * stack. */
static volatile long reached;
static sigjmp_buf full;
static void overflow(int signal, siginfo_t *info, void *context) {
    (void)signal, (void)info, (void)context;
    siglongjmp(full, 1);
}
__attribute__((noinline)) static long recurse(long n) {
    volatile char frame[256];
    frame[n & 255] = (char)n;
    reached = n;
    return recurse(n + 1) + frame[0];
}
static void on_small(void) {
    if (sigsetjmp(full, 1) == 0)
        recurse(0);
    done += reached > 50;
}
static void overflows(void) {
    stack_t stack = {.ss_sp = stacks[0], .ss_size = sizeof stacks[0]};
    sigaltstack(&stack, NULL);
    handle(SIGSEGV, overflow, SA_ONSTACK);
    for (int i = 0; i < 20; i++) {
        char *space = mmap(NULL, 10 * 8192, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        mprotect(space + 8192, 9 * 8192, PROT_READ | PROT_WRITE);
        ucontext_t other;
        getcontext(&other);
        other.uc_stack.ss_sp = space + 8192;
        other.uc_stack.ss_size = 9 * 8192;
        other.uc_link = &back;
        makecontext(&other, on_small, 0);
        swapcontext(&back, &other);
        munmap(space, 10 * 8192);
    }
    printf("overflows %ld\n", done);
}

/* SIGCHLD, SIGALRM and real-time signals queued with values, their order kept by a handler. */
static volatile int last[64], disorder, received;
static void ordered(int signal, siginfo_t *info, void *context) {
    (void)context;
    int number = info->si_value.sival_int;
    disorder += number != last[signal] + 1;
    last[signal] = number;
    received++;
    work(50);
}
static void queues(void) {
    for (int s = 36; s < 40; s++)
        handle(s, ordered, SA_RESTART);
    for (int i = 1; i <= 100; i++)
        for (int s = 36; s < 40; s++)
            sigqueue(getpid(), s, (union sigval){.sival_int = i}), work(30);
    printf("queues %d %d\n", received, disorder);
}

int main(int argc, char **argv) {
    static const struct way {
        const char *name;
        void (*run)(void);
    } ways[] = {{"altstacks", altstacks}, {"coroutines", coroutines}, {"vforks", vforks},
                {"clones", clones},       {"protects", protects},     {"brks", brks},
                {"threads", threads},     {"skips", skips},           {"overflows", overflows},
                {"queues", queues}};
    for (unsigned i = 0; i < sizeof ways / sizeof ways[0]; i++)
        if (argc > 1 && strcmp(argv[1], ways[i].name) == 0)
            ways[i].run();
    return 0;
}
