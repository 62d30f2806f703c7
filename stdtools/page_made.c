/* page_made.c: the procedures, and the calls made by call instructions, as passed by page.inc. */
#include <stdlib.h>

#include "page.h"
#include "page_made.h"
#include "table.h"

struct page_procedure *made_procedures;
int made_procedure_count;
struct page_call *made_calls;
int made_call_count;

static struct extent { long start, end; } * extents; /* addresses of the procedures, ascending */
static struct site {
    long target; /* callee of its latest call */
    long times;  /* number of equal calls in a row */
    int caller;
} * sites;
static int *latest_of; /* indexed by caller: 1 + the number of the call found last */
static int *before;    /* indexed by call: the previous call of the same caller */

void PageBegin(int procedures, int call_sites) {
    made_procedure_count = procedures;
    made_procedures = page_memory(procedures, sizeof *made_procedures);
    extents = page_memory(procedures, sizeof *extents);
    latest_of = page_memory(procedures, sizeof *latest_of);
    sites = page_memory(call_sites, sizeof *sites);
}

void PageProcedure(int number, long pc, long size, const char *name, const char *file, int line) {
    made_procedures[number] = (struct page_procedure){atomc_shown_name(name), file, line, 0};
    extents[number] = (struct extent){pc, pc + size};
}

static int procedure_at(long pc) {
    int low = 0, high = made_procedure_count;
    while (low < high) {
        int middle = (low + high) / 2;
        if (pc < extents[middle].start)
            high = middle;
        else if (pc >= extents[middle].end)
            low = middle + 1;
        else
            return middle;
    }
    return -1;
}

static int call_of(int caller, int callee) {
    static int room;
    int call = latest_of[caller] - 1;
    while (call >= 0 && made_calls[call].callee != callee)
        call = before[call] - 1;
    if (call >= 0)
        return call;
    if (made_call_count == room) {
        room = 2 * room + 256;
        made_calls = realloc(made_calls, room * sizeof *made_calls);
        before = realloc(before, room * sizeof *before);
        if (!made_calls || !before)
            abort();
    }
    call = made_call_count++;
    made_calls[call] = (struct page_call){.caller = caller, .callee = callee};
    before[call] = latest_of[caller];
    latest_of[caller] = call + 1;
    return call;
}

/* A callee outside of all procedures has no name to show. */
static void add_calls(int caller, long target, long times) {
    int callee = times ? procedure_at(target) : -1;
    if (callee < 0)
        return;
    int call = call_of(caller, callee); /* which may move them */
    made_calls[call].calls += times;
}

static void change_target(struct site *site, int caller, long target) {
    add_calls(site->caller, site->target, site->times);
    *site = (struct site){.target = target, .caller = caller};
}

void PageCall(int number, int caller, long target) {
    if (sites[number].target != target)
        change_target(&sites[number], caller, target);
    sites[number].times++;
}

/* Called in the child, whose counts restart. */
void PageForget(int site_count) {
    for (int i = 0; i < site_count; i++)
        sites[i].target = sites[i].times = 0;
    for (int i = 0; i < made_procedure_count; i++)
        latest_of[i] = 0;
    made_call_count = 0;
}

/* The calls with a known target, and the number of executions of each. */
void PageCalls(const long *made, const long *targets, const int *callers, int count, int site_count) {
    for (int i = 0; i < count; i++)
        add_calls(callers[i], targets[i], made[i]);
    for (int i = 0; i < site_count; i++)
        add_calls(sites[i].caller, sites[i].target, sites[i].times);
}
