/* callgraph.c: the calls of each caller and callee, from counts of call instructions, when the program has
 * ended. */
#include <stdio.h>
#include <stdlib.h>

#include "atomc.h"
#include "calls.h"
#include "nonzero.h"
#include "targets.h"

static struct atomc_keyed *called; /* by the names of caller and callee */

static void add_calls(int caller, const char *callee, long count) {
    atomc_update_counter(called, count, procedures[caller].name, callee);
}

void Procedures(int count, const long *pcs, const long *sizes, const char *const *names) {
    procedure_count = count;
    procedures = reserved(count, sizeof *procedures);
    for (int i = 0; i < count; i++)
        procedures[i] = (struct procedure){.pc = pcs[i], .size = sizes[i], .name = names[i]};
}

void Calls(int count, const int *callers, const char *const *callees, const long *made,
           struct atomc_keyed *calls) {
    called = calls;
    for (int i = 0; (i = next_nonzero(made, i, count)) < count; i++)
        add_calls(callers[i], callees[i], made[i]);
}

static const int *site_callers;

static void add_target(long site, long pc, long count) {
    char address[2 + 16 + 1];
    int callee = procedure_of(pc);
    if (callee < 0)
        snprintf(address, sizeof address, "0x%lx", (unsigned long)pc);
    add_calls(site_callers[site], callee < 0 ? address : procedures[callee].name, count);
}

void IndirectCalls(int count, const int *callers, struct atomc_keyed *calls) {
    called = calls;
    site_callers = callers;
    each_target(count, add_target);
}
