/* program.c: what handlers of signals see that come at any moment: thread-local data, the pc, registers,
   frames. Use: program WHAT SIGNALS [MICROSECONDS]. Prints whether any saw something wrong, and to the file
   `stores` how often loop() has stored 4 bytes. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <ucontext.h>
#include <unistd.h>
#include <unwind.h>

extern char __executable_start[], etext[];
/* The loop of loop(): between the two labels $9 is one more than $10, everywhere else in it they are the
 * same. */
extern const char loop_begin[], loop_first[], loop_second[], loop_end[];

static char other_stack[1 << 16];
static volatile long handled, wrong, depth, deepest;
static __thread long own = 42;
static pthread_t self;
static int *errno_place;
static sigjmp_buf back;
static const char *what;
static long wanted;

/* Adds to memory, so that there is something to instrument. Each depth of handlers has its own: one that
   comes between a load and its store would be forgotten. */
static long memory[64];
__attribute__((noinline)) static void loop(long times) {
    __asm__ volatile("mov $31,$9\n\tmov $31,$10\n\tmov %0,$11\n\tmov %1,$12\n"
                     "loop_begin:\n\tldl $1,0($12)\n\taddl $1,1,$1\n\tstl $1,0($12)\n"
                     "loop_first:\n\taddq $9,1,$9\n"
                     "loop_second:\n\tldq $1,8($12)\n\tstq $1,16($12)\n\taddq $10,1,$10\n"
                     "loop_end:\n\tsubq $11,1,$11\n\tbne $11,loop_begin\n"
                     :
                     : "r"(times), "r"(memory + 4 * depth)
                     : "$1", "$9", "$10", "$11", "$12", "memory");
}

/* $9 is increased by the instruction at loop_first, $10 by the one before loop_end. */
static int registers_are_right(const ucontext_t *context) {
    const char *pc = (const char *)context->uc_mcontext.sc_pc;
    long a = context->uc_mcontext.sc_regs[9], b = context->uc_mcontext.sc_regs[10];
    if (pc < loop_begin || pc >= loop_end + 8)
        return 1;
    return pc > loop_first && pc < loop_end ? a == b + 1 : a == b;
}

struct frames {
    long count, has_main;
};
static _Unwind_Reason_Code visit(struct _Unwind_Context *context, void *argument) {
    struct frames *frames = argument;
    extern int main(int, char **);
    frames->count++;
    frames->has_main |= _Unwind_FindEnclosingFunction((void *)(_Unwind_GetIP(context) - 1)) == (void *)main;
    return frames->count < 100 ? _URC_NO_REASON : _URC_END_OF_STACK;
}

/* `kind` and the pc of the last one that was wrong. */
static long wrong_kind, wrong_pc;
static void check(int right, long kind, const void *pc) {
    if (right)
        return;
    wrong++;
    wrong_kind = kind;
    wrong_pc = (long)pc;
}

static void handler(int signal, siginfo_t *info, void *context) {
    const ucontext_t *state = context;
    const char *pc = (const char *)state->uc_mcontext.sc_pc;
    volatile char mark[200]; /* nothing else comes here */
    (void)info;
    for (unsigned i = 0; i < sizeof mark; i++)
        mark[i] = (char)(i + depth + 1);
    handled++;
    depth++;
    if (depth > deepest)
        deepest = depth;
    check(own == 42 && pthread_self() == self && &errno == errno_place, 1, pc);
    check((pc >= __executable_start && pc < etext) || _Unwind_FindEnclosingFunction((void *)(pc + 1)), 2, pc);
    check(registers_are_right(state), 3, pc);
    if (!strcmp(what, "frames")) {
        struct frames frames = {0, 0};
        _Unwind_Backtrace(visit, &frames);
        check(frames.has_main, 4, pc);
    }
    int on_stack = (char *)mark >= other_stack && (char *)mark < other_stack + sizeof other_stack;
    check(on_stack == !strcmp(what, "altstack"), 5, pc);
    if ((!strcmp(what, "nested") || !strcmp(what, "altstack")) && depth < 4)
        loop(50);
    if (!strcmp(what, "long") && signal == SIGALRM) /* meanwhile many others come, and return */
        for (int i = 0; i < 1000; i++)
            pthread_kill(self, SIGUSR1);
    depth--;
    for (unsigned i = 0; i < sizeof mark; i++)
        check(mark[i] == (char)(i + depth + 1), 6, pc);
    if (!strcmp(what, "jump"))
        siglongjmp(back, signal);
}

/* Handlers run on another stack. */
static void set_stack(struct sigaction *action) {
    stack_t stack = {.ss_sp = other_stack, .ss_size = sizeof other_stack};
    sigaltstack(&stack, NULL);
    action->sa_flags |= SA_ONSTACK;
}

static void set_timer(int which, long microseconds) {
    struct itimerval timer = {{0, microseconds}, {0, microseconds}};
    setitimer(which, &timer, NULL);
}

/* As libraries do, which block all signals for a while. None comes then, and the mask before is the program's
 * own. */
static void block(void) {
    sigset_t all, before, within;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    long handled_before = handled;
    loop(20);
    pthread_sigmask(SIG_BLOCK, NULL, &within);
    check(handled == handled_before && sigismember(&within, SIGALRM), 7, 0);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    for (int signal = 1; signal < 32; signal++)
        check(sigismember(&before, signal) == (signal == SIGUSR1), 8, (void *)(long)signal);
}

static void *send(void *argument) {
    while (handled < wanted) {
        pthread_kill(self, handled & 1 ? SIGUSR1 : SIGUSR2);
        for (volatile int i = 0; i < 3000; i++)
            ;
    }
    return argument;
}

int main(int count, char **arguments) {
    static const int signals[] = {SIGALRM, SIGVTALRM, SIGPROF, SIGUSR1, SIGUSR2};
    struct sigaction action = {.sa_flags = SA_SIGINFO | SA_RESTART};
    pthread_t sender;
    FILE *file;
    long period;
    int threads;
    what = count > 1 ? arguments[1] : "tls";
    wanted = count > 2 ? atol(arguments[2]) : 200;
    period = count > 3 ? atol(arguments[3]) : 1000;
    self = pthread_self();
    errno_place = &errno;
    action.sa_sigaction = handler;
    if (!strcmp(what, "altstack"))
        set_stack(&action);
    for (unsigned i = 0; i < sizeof signals / sizeof *signals; i++)
        sigaction(signals[i], &action, NULL);
    threads = !strcmp(what, "threads");
    if (sigsetjmp(back, 1) == 0) { /* handlers may jump from now on */
        if (threads) {
            pthread_create(&sender, NULL, send, NULL);
            loop(2000); /* however fast the signals come */
        } else {
            set_timer(ITIMER_REAL, period);
            if (!strcmp(what, "nested") || !strcmp(what, "altstack")) {
                set_timer(ITIMER_VIRTUAL, period + 100);
                set_timer(ITIMER_PROF, period + 200);
            }
        }
    }
    depth = 0;
    if (!strcmp(what, "masks")) {
        sigset_t own_mask;
        sigemptyset(&own_mask);
        sigaddset(&own_mask, SIGUSR1);
        pthread_sigmask(SIG_SETMASK, &own_mask, NULL);
        while (handled < wanted && !wrong)
            block();
        wanted = handled; /* where something is wrong, none may come any more */
    }
    while (handled < wanted)
        loop(1000);
    if (threads)
        pthread_join(sender, NULL);
    else
        for (int i = 0; i < 3; i++)
            set_timer(i, 0);
    check(own == 42 && pthread_self() == self && &errno == errno_place, 1, 0);
    printf("%s: %s\n", what, wrong ? "wrong" : "right");
    file = fopen("stores", "w");
    for (int i = 1; i < 16; i++)
        *(int *)memory += *(int *)(memory + 4 * i);
    fprintf(file, "%d\n", *(int *)memory);
    fclose(file);
    if (wrong)
        fprintf(stderr, "%ld of %ld wrong, the last %ld at 0x%lx\n", wrong, handled, wrong_kind, wrong_pc);
    return 0;
}
