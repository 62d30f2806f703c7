/* write_short_after_end: a line with an error ends with third's message. */
#include <stdlib.h>
#include <string.h>
#include <stdio.h>

int main(void) {
    short *a = malloc(10);
    a[5] = 1; //! write outside a block
    free(a);
    return 0;
}
