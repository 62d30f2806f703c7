/* write_after_end: a line with an error ends with third's message. */
#include <stdlib.h>
#include <string.h>
#include <stdio.h>

int main(void) {
    int *a = malloc(6 * sizeof *a);
    a[6] = 0; //! write outside a block
    free(a);
    return 0;
}
