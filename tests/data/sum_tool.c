/* sum_tool.c: a sum that becomes a counter of the engine's, of which children are rid. */
#include "table.h"

static long calls;

void Call(void) {
    calls++;
}

void Forked(const char *out) {
    atomc_begin_table("sum", out, "#Calls");
    atomc_add_row(calls);
    atomc_end_table();
    calls = 0;
}

void Print(const char *out) {
    atomc_begin_table("sum", out, "#Calls");
    atomc_add_row(calls);
    atomc_end_table();
}
