/* handler_above.c: faults whose handler has its stack in the frame of main, above those of the procedures that it interrupts, and
   returns into the middle of a block. */
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>

enum { PAGE = 8192, PAGES = 30 };
static char *memory;
static volatile int faults;

static int deep(int levels) {
    return levels ? deep(levels - 1) + 1 : 0;
}

static void handle(int number, siginfo_t *information, void *context) {
    (void)number, (void)context;
    faults += deep(faults % 5) >= 0;
    mprotect((void *)((long)information->si_addr & -PAGE), PAGE, PROT_READ | PROT_WRITE);
}

__attribute__((noinline)) static long work(int page) {
    long sum = 0;
    for (int i = 0; i < 200; i++)
        sum += deep(i % 3);
    memory[page * (long)PAGE] = 1;
    for (int i = 0; i < 50; i++)
        sum = i % 7 == 3 ? sum ^ i : sum + 3;
    return sum + deep(9);
}

int main(void) {
    char stack[65536] __attribute__((aligned(16)));
    long sum = 0;
    sigaltstack(&(stack_t){.ss_sp = stack, .ss_size = sizeof stack}, NULL);
    sigaction(SIGSEGV, &(struct sigaction){.sa_sigaction = handle, .sa_flags = SA_SIGINFO | SA_ONSTACK}, NULL);
    memory = mmap(NULL, PAGES * PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    for (int i = 0; i < PAGES; i++)
        sum += work(i);
    printf("%ld %d\n", sum, faults);
    return 0;
}
