/* tables.c: a table that C writes. */
#include "table.h"

static long calls;

void Ask(void) {
    calls++;
}

void Print(void) {
    atomc_begin_table("tables", "-", "'Procedure|#Calls|%Share:Calls/Calls");
    atomc_add_row((long)"is_safe", calls);
    atomc_end_table();
}
