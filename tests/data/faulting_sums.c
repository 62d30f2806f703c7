/* faulting_sums.c: the sum of all blocks is what was counted in one. */
#include "atomc.h"

void Compare(void) {
    long sum = 0;
    for (long b = 0; b < count_blocks; b++)
        sum += ran[b];
    atomc_begin_table("faulting_sums", "faulting_sums.all", "#By block|#All|#Never");
    atomc_add_row(sum, *all, *never);
    atomc_end_table();
}
