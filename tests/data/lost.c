/* lost.c: children that end by themselves, become another program, and as many as the argument says that
 * SIGKILL ends. */
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile long sum;
__attribute__((noinline)) static void work(void) {
    sum++;
}

int main(int count, char **words) {
    const int killed = count > 1 ? atoi(words[1]) : 0;
    for (int child = 0; child < killed + 2; child++)
        if (fork() == 0) {
            work();
            if (child < killed)
                raise(SIGKILL);
            if (child == killed)
                execl("/bin/true", "true", (char *)0);
            return 0;
        }
    while (wait(NULL) > 0)
        work();
    return 0;
}
