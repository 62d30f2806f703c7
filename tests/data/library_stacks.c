/* library_stacks.c: library code on other stacks than the first: a coroutine's, in data and in a block, and one for handlers. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <ucontext.h>

static ucontext_t outer, inner, elsewhere;
static char in_data[65536];
static volatile int handled;

static void run(void) {
    for (int i = 0; i < 3; i++) {
        char text[64];
        snprintf(text, sizeof text, "%d of a coroutine, %.2f\n", i, i / 3.0);
        fputs(text, stdout);
        swapcontext(&inner, &outer);
    }
}
static void handle(int signal) {
    char text[64];
    getcontext(&elsewhere);
    snprintf(text, sizeof text, "signal %d, %s\n", signal, getenv("HOME") ? "home" : "nobody");
    handled += text[0] == 's';
}
static void run_on(char *stack, size_t size) {
    getcontext(&inner);
    inner.uc_stack.ss_sp = stack;
    inner.uc_stack.ss_size = size;
    inner.uc_link = &outer;
    makecontext(&inner, run, 0);
    for (int i = 0; i < 4; i++)
        swapcontext(&outer, &inner);
}
int main(int argc, char **argv) {
    const stack_t stack = {.ss_sp = malloc(65536), .ss_size = 65536};
    const struct sigaction action = {.sa_handler = handle, .sa_flags = SA_ONSTACK};
    if (argc > 1 && argv[1][0] == 's') {
        sigaltstack(&stack, 0);
        sigaction(SIGUSR1, &action, 0);
        for (int i = 0; i < 3; i++)
            raise(SIGUSR1);
        printf("%d handled\n", handled);
    }
    run_on(in_data, sizeof in_data);
    run_on(malloc(65536), 65536);
    return 0;
}
