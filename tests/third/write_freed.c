/* write_freed: a line with an error ends with third's message. */
#include <stdlib.h>
#include <string.h>
#include <stdio.h>

int main(void) {
    int *a = calloc(10, sizeof *a);
    free(a);
    a[5] = 1; //! write to freed memory
    return 0;
}
