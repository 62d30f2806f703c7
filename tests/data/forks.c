/* forks.c: threads that never rest, and children of fork meanwhile. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile int stop;

__attribute__((noinline)) int work(int x) {
    __asm__ volatile("" : "+r"(x));
    return x + 1;
}

static void *spin(void *unused) {
    (void)unused;
    while (!stop)
        work(1);
    return NULL;
}

int main(void) {
    pthread_t threads[3];
    int sum = 0, status;
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, spin, NULL);
    for (int i = 0; i < 10; i++) {
        pid_t child = fork();
        if (child == 0) {
            int y = 0;
            for (int k = 0; k < 100; k++)
                y = work(y);
            exit(y);
        }
        if (child < 0 || waitpid(child, &status, 0) != child)
            return 1;
        sum += WEXITSTATUS(status);
    }
    stop = 1;
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    printf("%d\n", sum);
    return 0;
}
