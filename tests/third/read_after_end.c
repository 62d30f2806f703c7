/* read_after_end: a line with an error ends with third's message. */
#include <stdlib.h>
#include <string.h>
#include <stdio.h>

int main(void) {
    int *a = calloc(10, sizeof *a);
    int x = a[10]; //! read outside a block
    free(a);
    return x == 12345;
}
