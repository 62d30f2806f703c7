/* open_calls.h: for syscall.c and io.c: the system calls in progress, by stack pointer. Another thread has
   another stack pointer, and so has a signal handler that interrupts a call. */
#ifndef ATOMC_OPEN_CALLS_H
#define ATOMC_OPEN_CALLS_H

#include <stddef.h>
#include <time.h>

enum { MOST_OPEN_CALLS = 4096 };
static struct open_call {
    long sp; /* 0: free */
    long number, a0, a1, start;
    int file;
} open_calls[MOST_OPEN_CALLS];
static int open_call_count; /* beyond these all are free */

/* Nanoseconds. */
static inline long time_now(void) {
    struct timespec time;
    if (clock_gettime(CLOCK_MONOTONIC, &time) != 0)
        return 0;
    return time.tv_sec * 1000000000L + time.tv_nsec;
}

/* NULL if no call is in progress at this stack pointer: in the child of clone. */
static inline struct open_call *open_call_at(long sp) {
    for (int i = 0; i < open_call_count; i++)
        if (open_calls[i].sp == sp)
            return &open_calls[i];
    return NULL;
}

/* A call left by longjmp is replaced by the next one with the same stack pointer. NULL: there are too
   many. */
static inline struct open_call *begin_call(long sp) {
    struct open_call *call = open_call_at(sp);
    if (!call && !(call = open_call_at(0)) && open_call_count < MOST_OPEN_CALLS)
        call = &open_calls[open_call_count++];
    if (call)
        *call = (struct open_call){.sp = sp};
    return call;
}

#endif
