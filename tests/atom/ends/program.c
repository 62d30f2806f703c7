/* program.c: calls step ten times. Words: "handler" handles signals itself, "stack" on a stack of its own, "siginfo" with their causes,
   "deep" fills its own stack. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void handle(int number) {
    if (write(1, "the program's handler\n", 22) < 0)
        _exit(8);
    _exit(9);
}
int __attribute__((noinline)) step(int n) { return n * 3; }
static int __attribute__((noinline)) deep(volatile char *above, int n) {
    volatile char here[4000];
    here[n % 4000] = (char)step(n);
    return deep(here, n + 1) + above[0];
}
int main(int argc, char **argv) {
    static char stack[1 << 16];
    struct sigaction action = {.sa_handler = handle};
    stack_t alternative = {.ss_sp = stack, .ss_size = sizeof stack};
    int sum = 0, fills = 0;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "stack") == 0 && sigaltstack(&alternative, NULL) == 0)
            action.sa_flags |= SA_ONSTACK;
        action.sa_flags |= strcmp(argv[i], "siginfo") == 0 ? SA_SIGINFO : 0;
        fills |= strcmp(argv[i], "deep") == 0;
    }
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], "handler") == 0)
            for (int n = 0; n < 4; n++)
                sigaction((int[]){SIGSEGV, SIGABRT, SIGTERM, SIGINT}[n], &action, NULL);
    if (fills)
        sum = deep(stack, 0);
    for (int i = 0; i < 10; i++)
        sum += step(i);
    printf("sum %d\n", sum);
    return 0;
}
