/* wide.c: calls the procedure of wide.s, and prints how often its branches were taken. */
#include <stdio.h>
long wide(long value, long *cells);
int main(void) {
    long cells[2] = {0, 0};
    wide(5, cells);
    printf("%ld\t%ld\n", cells[0], cells[1]);
    return 0;
}
