/* double_after_end: a line with an error ends with third's message. */
#include <stdlib.h>
#include <string.h>
#include <stdio.h>

int main(void) {
    double *a = calloc(3, sizeof *a);
    double x = a[3]; //! read outside a block
    free(a);
    return x == 2.5;
}
