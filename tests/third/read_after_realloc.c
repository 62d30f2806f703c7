/* read_after_realloc: a line with an error ends with third's message. */
#include <stdlib.h>
#include <string.h>
#include <stdio.h>

int main(void) {
    int *a = calloc(4, sizeof *a), *keep = calloc(100, 4);
    int *b = realloc(a, 40000);
    int x = a[2]; //! read of freed memory
    free(b);
    free(keep);
    return x == 77;
}
