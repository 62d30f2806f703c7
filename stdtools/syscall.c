/* syscall.c: analysis routines of syscall.atd. */
#include <stdlib.h>
#include <time.h>

#include "system_calls.h"
#include "table.h"

#define NAMES (int)(sizeof system_call_names / sizeof system_call_names[0])
enum { NUMBERS = 1024, THREADS = 4096 };

static struct call { long calls, errors, nanoseconds; } calls[NUMBERS];
/* The call that each thread is in. A thread's place is free when its call is over. */
static struct { long thread, number, start; } open_calls[THREADS];
static int timed;

void Init(int time) {
    timed = time;
}

static long now(void) {
    struct timespec time;
    if (!timed || clock_gettime(CLOCK_MONOTONIC, &time) != 0)
        return 0;
    return time.tv_sec * 1000000000L + time.tv_nsec;
}

static int place_of(long thread) {
    for (int i = 0; i < THREADS; i++)
        if (open_calls[i].thread == thread)
            return i;
    return -1;
}

void Enter(long number, long thread) {
    int place = place_of(thread); /* still there after a call that did not return: sigreturn, exit */
    if ((unsigned long)number >= NUMBERS)
        return;
    calls[number].calls++;
    if (place < 0)
        place = place_of(0);
    if (place < 0)
        return;
    open_calls[place].thread = thread;
    open_calls[place].number = number;
    open_calls[place].start = now();
}

void Leave(long failed, long thread) {
    int place = place_of(thread);
    if (place < 0)
        return; /* the child of clone */
    struct call *call = &calls[open_calls[place].number];
    call->errors += failed != 0;
    call->nanoseconds += now() - open_calls[place].start;
    open_calls[place].thread = 0;
}

static int most_first(const void *left, const void *right) {
    int a = *(const int *)left, b = *(const int *)right;
    return calls[a].calls != calls[b].calls ? (calls[a].calls < calls[b].calls ? 1 : -1) : a - b;
}

void Print(const char *out) {
    static int order[NUMBERS];
    char unknown[32];
    for (int i = 0; i < NUMBERS; i++)
        order[i] = i;
    qsort(order, NUMBERS, sizeof *order, most_first);
    atomc_begin_table("syscall", out, timed ? "'Call|#Calls|#Errors|#Microseconds" : "'Call|#Calls|#Errors");
    for (int i = 0; i < NUMBERS && calls[order[i]].calls > 0; i++) {
        const struct call *call = &calls[order[i]];
        const char *name = order[i] < NAMES ? system_call_names[order[i]] : NULL;
        snprintf(unknown, sizeof unknown, "call %d", order[i]);
        atomc_add_row((long)(name ? name : unknown), call->calls, call->errors, call->nanoseconds / 1000);
    }
    atomc_end_table();
}
