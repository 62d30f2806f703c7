/* handler_stacks.c: where handlers find themselves on stacks of their own: how far below the top, for tops of
   all alignments, handlers with and without siginfo, and one inside of another. */
#define _GNU_SOURCE
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static char memory[1 << 16] __attribute__((aligned(64)));
static char *volatile top;
static volatile long outer, inner;

static void note(void) {
    long below = top - (char *)__builtin_frame_address(0);
    if (!outer) {
        outer = below;
        raise(SIGUSR2);
    } else {
        inner = below;
    }
}
static void plain(int signal) {
    (void)signal;
    note();
}
static void with_siginfo(int signal, siginfo_t *info, void *context) {
    (void)signal;
    (void)info;
    (void)context;
    note();
}

int main(void) {
    for (int siginfo = 0; siginfo < 4; siginfo++) {
        for (int offset = 0; offset < 64; offset += 8) {
            stack_t stack = {.ss_sp = memory, .ss_size = 40000 / 64 * 64 + offset};
            struct sigaction action = {.sa_flags = SA_ONSTACK};
            for (int i = 0; i < 2; i++) {
                if (siginfo >> i & 1) {
                    action.sa_flags = SA_ONSTACK | SA_SIGINFO;
                    action.sa_sigaction = with_siginfo;
                } else {
                    action.sa_flags = SA_ONSTACK;
                    action.sa_handler = plain;
                }
                sigaction(i ? SIGUSR2 : SIGUSR1, &action, NULL);
            }
            top = memory + stack.ss_size;
            outer = inner = 0;
            sigaltstack(&stack, NULL);
            raise(SIGUSR1);
            printf("%d %d: %ld %ld\n", siginfo, offset, outer, inner);
        }
    }
    return 0;
}
