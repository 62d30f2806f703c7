/* syscall.c: analysis routines of syscall.atd, used if times are requested. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "open_calls.h"
#include "table.h"

enum { NUMBERS = 1024 };
static const char *const names[NUMBERS] = {
#define SYSTEM_CALL(number, name, gate, private) [number] = #name,
#include "../plan/system_calls.def"
#undef SYSTEM_CALL
};

static struct call { long calls, errors, nanoseconds; } calls[NUMBERS];

void Enter(long number, long sp) {
    if ((unsigned long)number >= NUMBERS)
        return;
    calls[number].calls++;
    struct open_call *call = begin_call(sp);
    if (!call)
        return;
    call->number = number;
    call->start = time_now();
}

void Leave(long failed, long sp) {
    struct open_call *open = open_call_at(sp);
    if (!open)
        return;
    struct call *call = &calls[open->number];
    call->errors += failed != 0;
    call->nanoseconds += time_now() - open->start;
    open->sp = 0;
}

void Forget(void) {
    memset(calls, 0, sizeof calls);
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
    atomc_begin_table("syscall", out, "'Call|#Calls|#Errors|#Microseconds");
    for (int i = 0; i < NUMBERS && calls[order[i]].calls > 0; i++) {
        const struct call *call = &calls[order[i]];
        const char *name = names[order[i]];
        snprintf(unknown, sizeof unknown, "%d", order[i]);
        atomc_add_row((long)(name ? name : unknown), call->calls, call->errors, call->nanoseconds / 1000);
    }
    atomc_end_table();
}
