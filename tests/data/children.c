/* children.c: processes that fork, in a procedure, in a loop and in a signal handler, and say how often each has called work(), and
   with which greatest argument, since it began. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *number = "";
static volatile int calls, most, result;

__attribute__((noinline)) static void work(int amount) {
    int sum = 0;
    calls++;
    if (amount > most)
        most = amount;
    for (int i = 0; i < amount; i++)
        sum += i ^ amount;
    result += sum;
}

/* True in the child. */
__attribute__((noinline)) static int split(const char *name) {
    fflush(stdout);
    if (fork() != 0)
        return 0;
    number = name;
    calls = most = 0;
    return 1;
}

static void end(void) {
    while (wait(NULL) > 0)
        ;
    printf("children.out%s %d %d\n", number, calls, most);
    fflush(stdout);
}

static void handler(int signal) {
    work(7 + signal);
    if (split(".4"))
        work(11);
    work(5);
}

int main(void) {
    static const char *const names[] = {".1", ".2", ".3"};
    work(1000);
    for (int i = 0; i < 3; i++) {
        if (split(names[i])) {
            work(10 * i + 1);
            if (i == 1 && split(".2.1"))
                work(100);
            work(3);
            end();
            exit(0);
        }
        work(2000);
    }
    signal(SIGUSR1, handler);
    raise(SIGUSR1);
    work(13);
    end();
    return 0;
}
