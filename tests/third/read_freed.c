/* read_freed: what third must say of a line stands at its end. */
#include <stdlib.h>
#include <string.h>
#include <stdio.h>

int main(void) {
    int *a = calloc(10, sizeof *a);
    free(a);
    return a[5] == 1; //! read of freed memory
}
