/* contract.c: ends in each way, forks, jumps; contract.inst.c calls before and after all that. */
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
static jmp_buf there;
volatile int sink;
__attribute__((noinline)) void leaves(int how) { sink = how; if (how == 1) longjmp(there, 1); if (how == 2) exit(5); sink++; }
__attribute__((noinline)) int several(int n) {
    if (n == 0) return 7;
    sink = n;
    if (n == 1) return sink + 1;
    return n * 3;
}
__attribute__((noinline)) int timed(int n) { int i, sum = 0; for (i = 0; i < n; i++) sum += several(i % 3); return sum; }
static void last(void) { puts("the program's last words"); fflush(stdout); }
int main(int argc, char **argv) {
    int sum = timed(9);
    if (!setjmp(there)) leaves(1);
    leaves(0);
    if (argc > 1 && !strcmp(argv[1], "fork")) {
        pid_t child = fork();
        if (child == 0) return 3;
        waitpid(child, NULL, 0);
    }
    atexit(last);
    printf("sum %d\n", sum);
    fflush(stdout);
    if (argc > 1 && !strcmp(argv[1], "exit")) leaves(2);
    return 0;
}
