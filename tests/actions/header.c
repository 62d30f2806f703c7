/* header.c: what header.atd counts, read in C by the generated header. */
#include <stdio.h>
#include "atomc.h"
#include "atomc.h"
void Half(int number, long total) { printf("at half: %d %ld: %ld\n", number, total, *(&total)); }
void Odd(double a, const char *name, const char *const *n, const char *const *n2, int count, int b, long pc) { (void)a; }
void Finish(const char *const *names) {
    printf("%s, %d %ld %ld procs\n", greeting, least + loud, huge, count_own);
    for (int p = 0; p < count_own; p++)
        if (calls[p] >= least) {
            printf("%s %ld:", names[p], calls[p]);
            for (int b = 0; b < rows_buckets; b++)
                printf(" %ld", rows[p * rows_buckets + b]);
            printf("\n");
        }
    printf("total %ld\n", *total);
}
