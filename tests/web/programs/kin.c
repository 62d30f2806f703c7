/* kin.c: a process, its two children and a grandchild: each turns another number of times. */
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

__attribute__((noinline)) static long work(long turns) {
    volatile long sum = 0;
    for (long turn = 0; turn < turns; turn++)
        sum += turn;
    return sum;
}

int main(void) {
    long turns = 1000;
    if (fork() == 0) {
        turns = 20000;
        if (fork() == 0)
            turns = 300000;
    } else if (fork() == 0) {
        turns = 4000000;
    }
    long sum = work(turns);
    while (wait(NULL) > 0)
        continue;
    return sum == 1;
}
