/* program.c: tells its tool the clock before and after a moment, and the name that the thread has. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define OUT __attribute__((noinline, noclone))
static volatile int sink;
OUT void earlier(long nanoseconds) {
    __asm__ volatile("" : : "r"(nanoseconds));
    sink++;
}
OUT void later(long nanoseconds) {
    __asm__ volatile("" : : "r"(nanoseconds));
    sink++;
}
OUT void named(const char *name) {
    __asm__ volatile("" : : "r"(name));
    sink++;
}
static long now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000000000L + time.tv_nsec;
}
static void moments(void) {
    for (int i = 0; i < 50; i++) {
        earlier(now());
        later(now());
    }
}
static void *other(void *name) {
    named("before");
    prctl(PR_SET_NAME, name, 0, 0, 0);
    named(name);
    moments();
    named(name);
    return NULL;
}
int main(void) {
    pthread_t threads[3];
    static char names[][16] = {"one", "two", "three; with 15 "};
    named("a_program_with_");
    moments();
    prctl(PR_SET_NAME, "before", 0, 0, 0);
    named("before");
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, other, names[i]);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    named("before");
    fflush(stdout);
    pid_t child = fork();
    named("before");
    moments();
    if (child > 0)
        waitpid(child, NULL, 0);
    return 0;
}
