#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>
static int twice(int n) {
    return 2 * n;
}
int main(void) {
    volatile int n = twice(1);
    if (fork() == 0) {
        for (int i = 0; i < 10; i++)
            n = twice(n);
        return 0;
    }
    wait(NULL);
    return 0;
}
