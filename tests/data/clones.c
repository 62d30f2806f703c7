/* clones.c THREADS: tries to make threads in a way that the kernel refuses, and makes some; then all end, one by one, by the system
   call for that. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

static char stack[65536] __attribute__((aligned(64)));
static int never(void *unused) {
    (void)unused;
    return 0;
}

__attribute__((noinline)) static void *work(void *ends) {
    for (int i = 0; i < 3; i++) {
        int result = clone(never, stack + sizeof stack, CLONE_VM | CLONE_THREAD, NULL);
        if (result >= 0 || errno != EINVAL)
            printf("%d, error %d\n", result, errno);
    }
    if (ends)
        syscall(SYS_exit, 0);
    return ends;
}

int main(int argc, char **argv) {
    int count = argc > 1 ? atoi(argv[1]) : 0;
    pthread_t threads[8];
    work(NULL);
    for (int i = 0; i < count; i++)
        pthread_create(&threads[i], NULL, work, i % 2 ? &count : NULL);
    for (int i = 0; i < count; i++)
        pthread_join(threads[i], NULL);
    printf("ended\n");
    fflush(stdout);
    syscall(SYS_exit, 7);
    return 0;
}
