/* read_byte_after_end: a line with an error ends with third's message. */
#include <stdlib.h>
#include <string.h>
#include <stdio.h>

int main(void) {
    char *a = calloc(1, 21);
    int x = a[21]; //! read outside a block
    free(a);
    return x == 77;
}
