/* deep.c: a procedure that calls itself, and one that is a signal's handler. */
#include <signal.h>
__attribute__((noinline)) void leaf(int n) { __asm__ volatile("" : : "r"(n)); }
__attribute__((noinline)) int down(int n) {
    leaf(n);
    if (n == 0)
        return 0;
    int below = down(n - 1) + 1;
    __asm__ volatile("");
    return below;
}
__attribute__((noinline)) void handler(int signal) {
    leaf(signal);
    __asm__ volatile("");
}
int main(void) {
    signal(SIGUSR1, handler);
    down(2);
    raise(SIGUSR1);
    return 0;
}
