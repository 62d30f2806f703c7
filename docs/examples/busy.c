/* busy.c: which of the counted procedures are called more often than the average. */
#include "atomc.h"

void Report(const char *const *names) {
    atomc_begin_table("busy", "-", "'Procedure|#Calls");
    for (long p = 0; p < count_own; p++)
        if (calls[p] >= least && calls[p] * count_own > *all)
            atomc_add_row((long)names[p], calls[p]);
    atomc_end_table();
}
