/* write_byte_after_end: a line with an error ends with third's message. */
#include <stdlib.h>
#include <string.h>
#include <stdio.h>

int main(void) {
    char *a = malloc(13);
    a[13] = 0; //! write outside a block
    free(a);
    return 0;
}
