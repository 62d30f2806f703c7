// Jumps to a stack that lies lower leave its frames as they are: from a handler's stack in a block that is mapped, and between coroutines.
#define _GNU_SOURCE
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <ucontext.h>

enum { SIZE = 1 << 18 };
static sigjmp_buf back;
static jmp_buf first, others[2];
static ucontext_t start, contexts[2];
static volatile int sum;

static void handle(int signal) {
    siglongjmp(back, signal);
}

static void coroutine(int own) {
    int values[40];
    for (int i = 0; i < 40; i++)
        values[i] = i;
    if (!setjmp(others[own]))
        swapcontext(&contexts[own], &start);
    for (int i = 0; i < 4; i++)
        if (!setjmp(others[own]))
            longjmp(first, 1);
    for (int i = 0; i < 40; i++)
        sum += values[i];
    longjmp(first, 2);
}

static void look(void) {
    int unset[20];
    if (unset[3] > 100) //! unset stack read
        sum++;
}

int main(int count, char **words) {
    int values[20];
    volatile int turns = 0, done = 0;
    stack_t stack = {.ss_sp = malloc(SIZE), .ss_size = SIZE};
    struct sigaction action = {.sa_handler = handle, .sa_flags = SA_ONSTACK};
    for (int i = 0; i < 20; i++)
        values[i] = i;
    sigaltstack(&stack, NULL);
    sigaction(SIGUSR1, &action, NULL);
    for (volatile int i = 0; i < 2; i++)
        if (!sigsetjmp(back, 1))
            raise(SIGUSR1);
    for (int i = 0; i < 2; i++) {
        getcontext(&contexts[i]);
        contexts[i].uc_stack.ss_sp =
            i == 0 ? malloc(SIZE) : mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        contexts[i].uc_stack.ss_size = SIZE;
        contexts[i].uc_link = &start;
        makecontext(&contexts[i], (void (*)(void))coroutine, 1, i);
    }
    for (int i = 0; i < 2; i++)
        swapcontext(&start, &contexts[i]);
    done += setjmp(first) == 2;
    turns++;
    if (done < 2)
        longjmp(others[turns % 2], 1);
    for (int i = 0; i < 20; i++)
        sum += values[i];
    look();
    stack.ss_flags = SS_DISABLE;
    sigaltstack(&stack, NULL);
    free(stack.ss_sp);
    free(contexts[0].uc_stack.ss_sp);
    return 0;
}
