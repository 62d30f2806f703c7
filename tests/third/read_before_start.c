/* read_before_start: a line with an error ends with third's message. */
#include <stdlib.h>
#include <string.h>
#include <stdio.h>

int main(void) {
    long *a = calloc(10, sizeof *a);
    long x = a[-1]; //! read outside a block
    free(a);
    return x == 12345;
}
