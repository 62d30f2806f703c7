/* signals.c: ends in the way that its argument says. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static volatile unsigned count;

int main(int argc, char **argv) {
    const char *way = argc > 1 ? argv[1] : "";
    struct sigaction action;
    sigaction(SIGTERM, NULL, &action);
    printf("SIGTERM at its default: %d\n", action.sa_handler == SIG_DFL);
    fflush(stdout);
    if (!strcmp(way, "abort"))
        abort();
    if (!strcmp(way, "segv"))
        *(volatile int *)8 = 1;
    if (!strcmp(way, "illegal"))
        __asm__ volatile(".long 0x04000000");
    if (!strcmp(way, "term"))
        kill(getpid(), SIGTERM);
    if (!strcmp(way, "pipe")) {
        int ends[2];
        if (pipe(ends) == 0 && close(ends[0]) == 0 && write(ends[1], "", 1) == 1)
            puts("written");
    }
    if (!strcmp(way, "alarm")) {
        struct sigaction none = {.sa_handler = SIG_DFL};
        sigaction(SIGALRM, &none, NULL);
        alarm(1);
        for (;;)
            count++;
    }
    if (!strcmp(way, "spin"))
        for (;;)
            count++;
    if (!strcmp(way, "ignored")) {
        signal(SIGTERM, SIG_IGN);
        kill(getpid(), SIGTERM);
        printf("alive, was ignored: %d\n", signal(SIGTERM, SIG_DFL) == SIG_IGN);
    }
    if (!strcmp(way, "quick"))
        _exit(4);
    return 3;
}
