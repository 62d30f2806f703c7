/* fork_in_handler.c: a handler that interrupted a system call forks, twice, and then leaves it by a jump. */
#include <setjmp.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>
static sigjmp_buf away;
static volatile int times;
static void handle(int number) {
    (void)number;
    if (times++ == 2)
        siglongjmp(away, 1);
    if (fork() == 0)
        times = 9;
}
int main(void) {
    const struct sigaction action = {.sa_handler = handle};
    sigaction(SIGUSR1, &action, NULL);
    if (sigsetjmp(away, 1) == 0)
        while (times < 3)
            raise(SIGUSR1);
    while (wait(NULL) > 0)
        ;
    return 0;
}
