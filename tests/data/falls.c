/* falls.c: calls the procedures of falls.s. */
#include <stdio.h>
long first(long *cells, long more), second(long *cells, long more);
int main(void) {
    long cells[2] = {41, 7}, sum = second(cells, 1);
    sum += first(cells, 100);
    printf("%ld %ld\n", sum, cells[1]);
    return 0;
}
