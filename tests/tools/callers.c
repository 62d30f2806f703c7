/* callers.c: calls that only the running program knows: through pointers, one after the other and in turns,
   as the last thing a procedure does, by the kernel. Requires nothing; tests/run/tools_examples.sh knows the
   numbers. */
#include <signal.h>
#include <stdio.h>

#define APART __attribute__((noinline, noclone))
#define EACH(WORK)                                                                                           \
    WORK(0)                                                                                                  \
    WORK(1) WORK(2) WORK(3) WORK(4) WORK(5) WORK(6) WORK(7) WORK(8) WORK(9) WORK(10) WORK(11) WORK(12)       \
        WORK(13) WORK(14) WORK(15) WORK(16) WORK(17) WORK(18) WORK(19)
#define DEFINE(number)                                                                                       \
    APART static int work_##number(int value) {                                                              \
        return value * (number + 2) + 1;                                                                     \
    }
#define NAME(number) work_##number,
EACH(DEFINE)
static int (*const volatile works[])(int) = {EACH(NAME)};
static volatile int caught;

APART static int tail(int (*work)(int), int value) {
    return work(value); /* a jump */
}

APART static void handle(int signal) {
    caught += signal != 0;
}

int main(void) {
    int sum = 0;
    for (int i = 0; i < 2000; i++) /* one call in turns, and one that changes seldom */
        sum += works[i % 20](i) + works[i / 500](i);
    for (int i = 0; i < 300; i++)
        sum += tail(works[i % 3], i);
    signal(SIGUSR1, handle);
    for (int i = 0; i < 7; i++)
        raise(SIGUSR1);
    printf("%d %d\n", sum & 1, caught);
    return 0;
}
