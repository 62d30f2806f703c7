/* numbers.c: the analysis routines of numbers.atd. */
#include <stdio.h>

void Count(int small, int safe) {
    fprintf(stderr, "%d small, %d safe\n", small, safe);
}

void Number(const char *set, const char *name, int number) {
    fprintf(stderr, "%s: %s is %d\n", set, name, number);
}
