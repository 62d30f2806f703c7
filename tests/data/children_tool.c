/* children_tool.c: what children.sh's tool in C counts. */
#include "table.h"

static long calls, total, most, forks;

void Call(void) {
    calls++;
}

void Work(long amount) {
    total += amount;
    if (amount > most)
        most = amount;
}

void Forked(const char *out) {
    atomc_begin_table("children", out, "#Calls|#Total|#Most");
    atomc_add_row(calls, total, most);
    atomc_end_table();
    calls = total = most = 0;
    forks++;
}

void Print(const char *out, const long *passed, const long *amounts, const long *forked) {
    atomc_begin_table("children", out, "#Calls|#Most|#Passed|#Difference|#Forks|#Forked");
    atomc_add_row(calls, most, *passed, total - *amounts, forks, *forked);
    atomc_end_table();
}
