/* order.c: the analysis routine of order.atd. */
#include <stdio.h>

void Say(const char *what) {
    fprintf(stderr, "%s\n", what);
}
