/* read_freed: a line with an error ends with third's message. */
#include <stdlib.h>
#include <string.h>
#include <stdio.h>

int main(void) {
    int *a = calloc(10, sizeof *a);
    free(a);
    return a[5] == 1; //! read of freed memory
}
