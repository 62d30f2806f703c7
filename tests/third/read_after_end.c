/* read_after_end: what third must say of a line stands at its end. */
#include <stdlib.h>
#include <string.h>
#include <stdio.h>

int main(void) {
    int *a = calloc(10, sizeof *a);
    int x = a[10]; //! read outside a block
    free(a);
    return x == 12345;
}
