/* library_blocks.c: blocks of the C library's and the dynamic linker's own: of a timer's threads, and of a library that is opened for all. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <signal.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

static volatile int expired;

static void expire(union sigval value) {
    expired += value.sival_int;
}

int main(void) {
    struct sigevent event = {.sigev_notify = SIGEV_THREAD, .sigev_notify_function = expire, .sigev_value.sival_int = 3};
    struct itimerspec when = {.it_value.tv_nsec = 1000000};
    timer_t timer;
    timer_create(CLOCK_MONOTONIC, &event, &timer);
    timer_settime(timer, 0, &when, NULL);
    for (int i = 0; i < 4000 && !expired; i++)
        usleep(5000);
    usleep(50000); /* its thread ends */
    timer_delete(timer);
    printf("%d %d\n", expired, dlopen("libm.so.6.1", RTLD_NOW | RTLD_GLOBAL) != NULL);
    return 0;
}
