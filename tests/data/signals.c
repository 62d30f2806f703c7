/* signals.c WAY [TIMES]: ends in the way that its argument says. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

static volatile unsigned count;

static void plainly(int signal) {
    count += signal == SIGALRM;
}
static void informed(int signal, siginfo_t *information, void *context) {
    count += signal == SIGALRM && information->si_signo == SIGALRM && context;
}

/* The handler changes, or is taken away, just when signals come. */
static void change_handlers(long times) {
    const struct sigaction actions[] = {{.sa_handler = plainly},
                                        {.sa_handler = SIG_IGN},
                                        {.sa_sigaction = informed, .sa_flags = SA_SIGINFO},
                                        {.sa_handler = SIG_IGN}};
    struct itimerval timer = {{0, 700}, {0, 700}};
    sigaction(SIGALRM, &actions[0], NULL);
    setitimer(ITIMER_REAL, &timer, NULL);
    for (long i = 0; i < times; i++) {
        sigaction(SIGALRM, &actions[i & 3], NULL);
        for (volatile int wait = 0; wait < 500;)
            wait++;
    }
    signal(SIGALRM, SIG_IGN);
}

/* Signals go on until the program ends. */
static void on_tick(int signal) {
    for (volatile int i = 0; i < 100; i++)
        ;
}
static void tick(void) {
    struct itimerval often = {{0, 200}, {0, 200}};
    signal(SIGALRM, on_tick);
    setitimer(ITIMER_REAL, &often, NULL);
}

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
    if (!strcmp(way, "power"))
        raise(SIGPWR);
    if (!strcmp(way, "input"))
        raise(SIGIO);
    if (!strcmp(way, "trap"))
        raise(SIGEMT);
    if (!strcmp(way, "real-time"))
        raise(SIGRTMIN + 3);
    if (!strcmp(way, "pipe")) {
        int ends[2];
        if (pipe(ends) == 0 && close(ends[0]) == 0 && write(ends[1], "", 1) == 1)
            puts("written");
    }
    if (!strcmp(way, "alarm")) {
        struct itimerval soon = {.it_value = {0, 100000}};
        struct sigaction none = {.sa_handler = SIG_DFL};
        sigaction(SIGALRM, &none, NULL);
        setitimer(ITIMER_REAL, &soon, NULL);
        for (;;)
            count++;
    }
    if (!strcmp(way, "changing"))
        change_handlers(argc > 2 ? atol(argv[2]) : 100000);
    if (!strcmp(way, "ticking"))
        tick();
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
