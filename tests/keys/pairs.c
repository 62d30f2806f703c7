/* pairs.c: counts pairs in an array. */
#include "atomc.h"

#include <string.h>

static long counts[20][100][2];

void Ask(long first, long second, const char *procedure) {
    counts[first + 10][second][strcmp(procedure, "place") == 0]++;
}

void Print(struct atomc_keyed *copied) {
    static const char *const names[] = {"is_safe", "place"};
    atomc_begin_table("pairs", "pairs.c.out", "#First|#Second|'Procedure|#Calls");
    for (long i = 0; i < 20; i++)
        for (long k = 0; k < 100; k++)
            for (int p = 0; p < 2; p++)
                if (counts[i][k][p]) {
                    atomc_add_row(i - 10, k, (long)names[p], counts[i][k][p]);
                    atomc_update_counter(copied, 1, i - 10, k, names[p]);
                    atomc_update_counter(copied, counts[i][k][p] - 1, i - 10, k, names[p]);
                }
    atomc_end_table();
}
