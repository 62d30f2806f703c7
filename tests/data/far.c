/* far.c: calls the procedures of far.s. */
#include <stdio.h>
long run(long sum, long *cells);
int main(void) {
    long cells[100];
    for (int i = 0; i < 100; i++)
        cells[i] = i * 7919;
    printf("%lx\n", run(12345, cells));
    return 0;
}
